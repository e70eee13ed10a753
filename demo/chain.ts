/**
 * A local chain of our own: one Anvil process on loopback, with clients for its accounts. The demo and every
 * test that needs a chain start from here.
 *
 * @module
 */
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { createAnvil } from "@viem/anvil";
import {
  type Chain,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  type HDAccount,
  type HttpTransport,
  http,
  type PublicClient,
  type TestClient,
  type WalletClient,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";

/** Anvil's well-known mnemonic: its keys are public, and its money is worth nothing. */
const mnemonic = "test test test test test test test test test test test junk";

const host = "127.0.0.1";

/** Clearing a full auction, or a test's batch of events, is one transaction: no block is too small for it. */
const blockGasLimit = 1_000_000_000n;

export type StartChainParameters = {
  /** A free one is chosen when none is given. */
  port?: number;
  /** Unix seconds. The chain's clock starts there and runs at the usual speed. */
  genesisTimestamp?: number;
  /** Continues another chain's state, from `forkBlockNumber` or its head. */
  forkUrl?: string;
  forkBlockNumber?: bigint;
  /** How many funded accounts there are; 10 when not given. */
  accounts?: number;
  /** Seconds between blocks. Without it each transaction is mined at once, in a block of its own. */
  blockTime?: number;
  /**
   * Of how many past blocks the state is kept, in memory alone. Without it Anvil keeps every state, most of them on
   * the disk of the machine, where a killed chain leaves them behind.
   */
  keptStates?: number;
  /** 97 when not given. */
  chainId?: number;
};

type LocalWalletClient = WalletClient<HttpTransport, Chain, HDAccount>;

export type LocalChain = {
  rpcUrl: string;
  port: number;
  accounts: HDAccount[];
  publicClient: PublicClient<HttpTransport, Chain>;
  testClient: TestClient<"anvil", HttpTransport, Chain>;
  /** Throws when there is no account of that index. */
  walletClient(accountIndex: number): LocalWalletClient;
  /** Ends the process; resolves when it is gone. May be called again. */
  stop(): Promise<void>;
};

/**
 * Starts a chain and waits until it answers.
 *
 * @example
 * const chain = await startChain({ genesisTimestamp: 1_700_000_000 });
 * await chain.publicClient.getBlockNumber(); // 0n
 * await chain.stop();
 *
 * @throws When the port is taken, or Anvil does not start.
 */
export async function startChain(options: StartChainParameters = {}): Promise<LocalChain> {
  const { chainId = 97, accounts: accountCount = 10 } = options;
  const port = await claimPort(options.port);
  const stop = await startAnvil(port, anvilFlags({ ...options, port, chainId, accounts: accountCount }));
  const rpcUrl = `http://${host}:${port}`;
  const chain = defineChain({
    id: chainId,
    name: "Raisebook local chain",
    nativeCurrency: { name: "Test coin", symbol: "tBNB", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const client = { chain, transport: http(rpcUrl), pollingInterval: 50, cacheTime: 0 };
  const accounts = Array.from({ length: accountCount }, (_, addressIndex) =>
    mnemonicToAccount(mnemonic, { addressIndex }),
  );
  return {
    rpcUrl,
    port,
    accounts,
    publicClient: createPublicClient(client),
    testClient: createTestClient({ ...client, mode: "anvil" }),
    walletClient(accountIndex) {
      const account = accounts[accountIndex];
      if (!account)
        throw new Error(`this chain has ${accountCount} accounts; there is no index ${accountIndex}`);
      return createWalletClient({ ...client, account });
    },
    stop,
  };
}

function anvilFlags(options: StartChainParameters): string[] {
  const flags: Record<string, string | number | bigint | undefined> = {
    host,
    port: options.port,
    "chain-id": options.chainId,
    accounts: options.accounts,
    mnemonic,
    balance: 1_000_000,
    "gas-limit": blockGasLimit,
    "block-base-fee-per-gas": 0,
    order: "fifo",
    // Epochs of one slot keep the `safe` and `finalized` tags next to the head.
    "slots-in-an-epoch": 1,
    timestamp: options.genesisTimestamp,
    "fork-url": options.forkUrl,
    "fork-block-number": options.forkBlockNumber,
    "block-time": options.blockTime,
    "prune-history": options.keptStates,
  };
  return Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, `${value}`],
  );
}

/** The binary itself: the package's launcher would end before the chain does, and leave it behind. */
function anvilBinary(): string {
  const launcher = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json");
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const name = process.platform === "win32" ? "anvil.exe" : "anvil";
  return createRequire(launcher).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/${name}`);
}

/** Starts the process, waits until it listens, and returns what ends it. It ends with our process besides. */
async function startAnvil(port: number, flags: string[]): Promise<() => Promise<void>> {
  const anvil = createAnvil({
    anvilBinary: anvilBinary(),
    port,
    startTimeout: 30_000,
    // The library's timer for this outlives the stop and keeps the caller's process alive as long.
    stopTimeout: 2_000,
    // The library knows fewer flags than Anvil has.
    execArgs: ([file, , execOptions]) => [file, flags, execOptions],
  });
  let gone = false;
  anvil.on("exit", () => {
    gone = true;
  });
  try {
    await anvil.start();
  } catch (cause) {
    throw new Error(`the local chain did not start on port ${port}: ${anvil.logs.join("").trim()}`, {
      cause,
    });
  }
  return async () => {
    // A Ctrl-C reaches the chain as well as us; the library would wait in vain for an end that has been.
    if (!gone) await anvil.stop();
  };
}

/** The wanted port if it is free, or any free one. */
function claimPort(wanted?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      reject(
        new Error(taken ? `port ${wanted} is in use; choose another` : `cannot listen on ${host}:${wanted}`, {
          cause,
        }),
      );
    });
    server.listen(wanted ?? 0, host, () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : (wanted ?? 0);
      server.close(() => resolve(port));
    });
  });
}
