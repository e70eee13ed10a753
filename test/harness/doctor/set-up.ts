/**
 * A healthy set-up to be examined: a chain with its contracts, a registry that says the same, an app behind a proxy, and pages that
 * it leads to. No indexer: the app shows made-up rows.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, keccak256, toBytes } from "viem";
import { listingEscrowAbi } from "../../../abis/ListingEscrow.ts";
import { type LocalChain, startChain } from "../../../demo/chain.ts";
import {
  addressAndBlock,
  type Deployment,
  deployDesk,
  deployDollar,
  deployEscrow,
  deployFactory,
} from "../../../demo/deploy.ts";
import { appIn } from "../app.ts";
import { emit, events, ORIGINATOR, TERMS } from "../emit.ts";
import { freePort } from "../free-port.ts";
import { deployRogueEscrow } from "../rogue.ts";
import { type Served, serve } from "../serve.ts";
import { serveApp } from "../serve-app.ts";

/** An address without a contract and without an account. */
export const NOWHERE = `0x${"d0".repeat(20)}`;

export type RegistryDraft = {
  originators: Record<string, unknown>[];
  listings: Record<string, unknown>[];
};

export type SetUp = {
  chain: LocalChain;
  dollar: Deployment;
  escrow: Deployment;
  /** emits whatever it is told to */
  rogue: Deployment;
  desk: Deployment;
  factory: Deployment;
  registry: RegistryDraft;
  folder: string;
  proxy: PublicProxy;
  /** the environment, on the embedded database */
  env: Record<string, string>;
  /** Writes a registry next to the healthy one; returns its path. */
  writeRegistry(name: string, document: RegistryDraft | string): Promise<string>;
  stop(): Promise<void>;
};

/** As the chain commits to it: keccak256 of the canonical JSON. */
const hashOf = (title: string, description: string) =>
  keccak256(toBytes(`{"description":"${description}","title":"${title}"}`));

export async function startSetUp(): Promise<SetUp> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-doctor-"));
  const now = Math.floor(Date.now() / 1000);
  const chain = await startChain({ genesisTimestamp: now - 3_000 });
  // Blocks of a second before the deployments, for start blocks that are far too early.
  await chain.testClient.mine({ blocks: 1_500, interval: 1 });
  const dollar = await deployDollar(chain);
  const escrow = await deployEscrow(chain, { dollar: dollar.address });
  const desk = await deployDesk(chain, { dollar: dollar.address });
  const factory = await deployFactory(chain);
  const rogue = await deployRogueEscrow(chain);
  await chain.testClient.mine({ blocks: 20 });
  const originator: Address = "0x00000000000000000000000000000000000000a1";
  const titles = ["Cold store", "Solar roofs"];
  for (const [index, title] of titles.entries()) {
    await chain.walletClient(0).writeContract({
      ...{ address: escrow.address, abi: listingEscrowAbi, functionName: "createListing" },
      args: [originator, `RB0000${index + 1}`, TERMS, hashOf(title, "A raise.")],
    });
  }
  const text = { title: "Rogue", description: "A raise." };
  const metadataHash = hashOf(text.title, text.description);
  await emit(
    chain,
    rogue.address,
    events.created(1n, { refnum: "RB00001", metadataHash }),
    events.created(2n, { refnum: "no refnum", metadataHash }),
    events.created(3n, { refnum: "RB00003", metadataHash }),
  );
  await chain.testClient.mine({ blocks: 60 });
  await chain.testClient.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1000)) });
  await chain.testClient.mine({ blocks: 1 });
  await chain.testClient.setAutomine(false);
  await chain.testClient.setIntervalMining({ interval: 1 });

  const registry: RegistryDraft = {
    originators: [
      {
        ...{ publicId: "org_one", legalName: "One", jurisdiction: "SG", kybStatus: "approved" },
        addresses: [ORIGINATOR],
      },
    ],
    listings: titles.map((title, index) => ({
      ...{ publicId: `lst_${index + 1}`, originator: "org_one", escrowAddress: escrow.address },
      ...{ onchainId: `${index + 1}`, title, description: "A raise." },
    })),
  };
  const writeRegistry = async (name: string, document: RegistryDraft | string) => {
    const path = join(folder, name);
    await writeFile(path, typeof document === "string" ? document : JSON.stringify(document, null, 2));
    return path;
  };
  const proxy = await startPublicProxy();
  const app = await serveApp(await appIn({ publicUrl: proxy.url }));
  proxy.upstream = app.port;
  const pages = await serve((_, response) => response.end("a page"));
  return {
    ...{ chain, dollar, escrow, rogue, desk, factory, registry, folder, proxy, writeRegistry },
    env: {
      RPC_URLS: chain.rpcUrl,
      ESCROWS: addressAndBlock(escrow),
      DESK: addressAndBlock(desk),
      REGISTRY: await writeRegistry("registry.json", registry),
      PUBLIC_URL: proxy.url,
      PORT: String(app.port),
      OPERATOR_PORT: String(await freePort()),
      APP_URL: `${pages.url}/app`,
      EXPLORER_URL: pages.url,
      RAISEBOOK_DATA_DIR: join(folder, "data"),
    },
    async stop() {
      await Promise.all([proxy.stop(), app.close(), pages.stop(), chain.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Upstreamed = { status: number; headers: IncomingHttpHeaders; body: Buffer };
/** Asks the app as it was asked, but for these headers. */
type Pass = (changes?: {
  headers?: Record<string, string | undefined>;
  from?: string;
}) => Promise<Upstreamed>;
/** The action of a proxy instead of passing a request on; undefined: it passes it on. */
export type ProxyFault = (
  request: IncomingMessage,
  pass: Pass,
) => Promise<Upstreamed | undefined> | undefined;

export type PublicProxy = Served & { upstream: number; fault: ProxyFault | null; listener: RequestListener };

export async function startPublicProxy(server?: Server): Promise<PublicProxy> {
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray());
    const pass: Pass = ({ headers = {}, from } = {}) =>
      new Promise((resolve, reject) => {
        const { method, url, headers: own } = request;
        const asked = httpRequest({
          ...{ host: "127.0.0.1", port: proxy.upstream, method, path: url, localAddress: from },
          headers: Object.fromEntries(Object.entries({ ...own, ...headers }).filter(([, value]) => value)),
        });
        asked.on("response", async (answer) => {
          const bytes = Buffer.concat(await answer.toArray());
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes });
        });
        asked.on("error", reject);
        asked.end(body);
      });
    const { status, headers, body: bytes } = (await proxy.fault?.(request, pass)) ?? (await pass());
    response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : bytes);
  };
  const served = await serve((request, response) => void listener(request, response), server);
  const proxy: PublicProxy = Object.assign(served, { upstream: 0, fault: null, listener });
  return proxy;
}

/** A pooler before PostgreSQL that lets no notice through, as one that hands connections out by transaction. */
export async function startPooler(upstreamPort: number): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createTcpServer((near) => {
    const far = connect(upstreamPort, "127.0.0.1");
    let rest = Buffer.alloc(0);
    near.pipe(far);
    far.on("data", (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      for (;;) {
        const length = rest.length < 5 ? Number.POSITIVE_INFINITY : 1 + rest.readInt32BE(1);
        if (rest.length < length) return;
        if (rest[0] !== "A".charCodeAt(0)) near.write(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { port, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
