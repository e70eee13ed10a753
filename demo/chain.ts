/** @module A local chain: one Anvil process on loopback, with clients for its accounts. The demo and all tests with a chain use it. */
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
  type Hex,
  type HttpTransport,
  http,
  type PublicClient,
  type TestClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type WalletClient,
  withRetry,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";

/** Anvil's well-known mnemonic: its keys are public, and its money is worthless. */
const mnemonic = "test test test test test test test test test test test junk";

/** Everything of the demo listens here. */
export const HOST = "127.0.0.1";

/** Enough for clearing a full auction, or a test's batch of events, in one transaction. */
const blockGasLimit = 1_000_000_000n;

/** Milliseconds, for a loaded machine. */
const START_TIMEOUT = 120_000;
const REQUEST_TIMEOUT = 60_000;
const RECEIPT_TIMEOUT = 180_000;
/** Ports to try when none is requested. */
const ATTEMPTS = 5;

export type StartChainParameters = {
  /** Default: any free port. */
  port?: number;
  /** Unix seconds. The chain's clock starts there and runs at normal speed. */
  genesisTimestamp?: number;
  /** Forks another chain at its head. */
  forkUrl?: string;
  /** Number of funded accounts; default 10. */
  accounts?: number;
  /** Seconds between blocks. Default: each transaction is mined at once in its own block. */
  blockTime?: number;
  /**
   * Number of past states kept, in memory only. Default: all of them, mostly on disk, where a killed chain leaves them
   * behind.
   */
  keptStates?: number;
  /** Default 97. */
  chainId?: number;
  /** Even number of blocks from the `finalized` block to the head; default 30. */
  finalityDepth?: number;
};

type LocalWalletClient = WalletClient<HttpTransport, Chain, HDAccount>;

export type LocalChain = {
  rpcUrl: string;
  port: number;
  accounts: HDAccount[];
  publicClient: PublicClient<HttpTransport, Chain>;
  testClient: TestClient<"anvil", HttpTransport, Chain>;
  /** Throws if there is no account with that index. */
  walletClient(accountIndex: number): LocalWalletClient;
  /**
   * Waits until the transaction is mined. viem's own wait looks once for each new block, and not while it looks for a
   * replacement: the block that had the transaction could be the last one.
   * @throws after three minutes
   */
  receiptOf(hash: Hex): Promise<TransactionReceipt>;
  /** Resolves when the process is gone. May be called again. */
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
 * @throws if the port is taken, or Anvil does not start.
 */
export async function startChain(options: StartChainParameters = {}): Promise<LocalChain> {
  const { chainId = 97, accounts: accountCount = 10 } = options;
  const flagsAt = (port: number) => anvilFlags({ ...options, port, chainId, accounts: accountCount });
  const { port, stop } = await startOnPort(options.port, (port) => startAnvil(port, flagsAt(port)));
  const rpcUrl = `http://${HOST}:${port}`;
  const chain = defineChain({
    id: chainId,
    name: "Raisebook local chain",
    nativeCurrency: { name: "Test coin", symbol: "tBNB", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const transport = http(rpcUrl, { timeout: REQUEST_TIMEOUT });
  const client = { chain, transport, pollingInterval: 50, cacheTime: 0 };
  const accounts = Array.from({ length: accountCount }, (_, addressIndex) =>
    mnemonicToAccount(mnemonic, { addressIndex }),
  );
  const publicClient = createPublicClient(client);
  return {
    rpcUrl,
    port,
    accounts,
    publicClient,
    testClient: createTestClient({ ...client, mode: "anvil" }),
    walletClient(accountIndex) {
      const account = accounts[accountIndex];
      if (!account)
        throw new Error(`this chain has ${accountCount} accounts; there is no index ${accountIndex}`);
      return createWalletClient({ ...client, account });
    },
    receiptOf: (hash) =>
      withRetry(() => publicClient.getTransactionReceipt({ hash }), {
        delay: client.pollingInterval,
        retryCount: RECEIPT_TIMEOUT / client.pollingInterval,
        shouldRetry: ({ error }) => error instanceof TransactionReceiptNotFoundError,
      }),
    stop,
  };
}

function anvilFlags(options: StartChainParameters): string[] {
  const flags: Record<string, string | number | bigint | undefined> = {
    host: HOST,
    port: options.port,
    "chain-id": options.chainId,
    accounts: options.accounts,
    mnemonic,
    balance: 1_000_000,
    "gas-limit": blockGasLimit,
    "block-base-fee-per-gas": 0,
    order: "fifo",
    // Anvil's `finalized` block is two epochs below the head.
    "slots-in-an-epoch": options.finalityDepth === undefined ? 15 : options.finalityDepth / 2,
    timestamp: options.genesisTimestamp,
    "fork-url": options.forkUrl,
    "block-time": options.blockTime,
    "prune-history": options.keptStates,
  };
  return Object.entries(flags).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, `${value}`],
  );
}

/** The binary: the package's launcher would exit before the chain and leave it behind. */
function anvilBinary(): string {
  const launcher = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json");
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const name = process.platform === "win32" ? "anvil.exe" : "anvil";
  return createRequire(launcher).resolve(`@foundry-rs/anvil-${process.platform}-${arch}/bin/${name}`);
}

/** Starts the process, waits until it listens, and returns its stop function. It also ends with our process. */
async function startAnvil(port: number, flags: string[]): Promise<() => Promise<void>> {
  const anvil = createAnvil({
    anvilBinary: anvilBinary(),
    port,
    startTimeout: START_TIMEOUT,
    // The library's timer outlives the stop and keeps our process alive that long.
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
    const what = `the local chain did not start on port ${port}: ${anvil.logs.join("").trim()}`;
    throw new Error(what, { cause });
  }
  return async () => {
    // Ctrl-C reaches the chain too; the library would wait for an exit that has already happened.
    if (!gone) await anvil.stop();
  };
}

/** Tries other ports when none is requested: the system may give a free one away before Anvil listens on it. */
async function startOnPort(
  wanted: number | undefined,
  start: (port: number) => Promise<LocalChain["stop"]>,
): Promise<Pick<LocalChain, "port" | "stop">> {
  for (let attempt = 1; ; attempt++) {
    const port = await claimPort(wanted);
    try {
      return { port, stop: await start(port) };
    } catch (error) {
      if (wanted !== undefined || attempt === ATTEMPTS) throw error;
    }
  }
}

/** The requested port, or any free one. @throws if it is taken */
function claimPort(wanted?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      const what = taken ? `port ${wanted} is in use; choose another` : `cannot listen on ${HOST}:${wanted}`;
      reject(new Error(what, { cause }));
    });
    server.listen(wanted ?? 0, HOST, () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : (wanted ?? 0);
      server.close(() => resolve(port));
    });
  });
}
