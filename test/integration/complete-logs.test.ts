/**
 * Endpoints that leave logs out, before the real indexer: live, in the history and in what is indexed already, alone and beside an
 * honest endpoint. What is final is compared with the chain's own logs.
 */
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type RpcLog, type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";
import { has, readStream } from "../harness/stream-reader.ts";

type Health = {
  status: string;
  troubles: { code: string }[];
  finalizedBlock: string | null;
  completeness: {
    mode: string;
    provenBlock: string | null;
    provenBlocks: string;
    unprovenBlocks: string;
    endpoints: string[];
  } | null;
};

let chain: LocalChain;
let postgres: Postgres;
let escrow: Deployment;
let raised = 0n;

const hostOf = ({ url }: RpcProxy) => new URL(url).host;
const head = () => chain.publicClient.getBlockNumber();

/** A block with so many subscriptions, in one transaction. */
async function subscribe(count: number): Promise<bigint> {
  const calls = Array.from({ length: count }, () => {
    raised += 5n;
    return events.subscribed(1n, 5n, raised);
  });
  return emit(chain, escrow.address, ...calls);
}

const newProxy = () => startRpcProxy(chain.rpcUrl);

/** Leaves out one log, the `index`th of its block, whenever it is asked for. */
const leaveOut = (proxy: RpcProxy, block: bigint, index: number) => {
  const isLeftOut = ({ blockNumber, logIndex }: RpcLog) =>
    BigInt(blockNumber) === block && Number(logIndex) === index;
  proxy.alters = (logs) => logs.filter((log) => !isLeftOut(log));
};

/**
 * Leaves out one log in a thousand that it answers from now on, but never the last of its block: that one has a test of its own.
 * Returns how many it has left out.
 */
function leaveOutOneInThousand(proxy: RpcProxy): () => number {
  let answered = 0;
  let leftOut = 0;
  proxy.alters = (logs) =>
    logs.filter(({ blockNumber }, index) => {
      answered += 1;
      if (answered < 1_000 * leftOut + 500 || logs[index + 1]?.blockNumber !== blockNumber) return true;
      leftOut += 1;
      return false;
    });
  return () => leftOut;
}

async function start(
  schema: string,
  asked: readonly RpcProxy[],
  env: ServiceOptions["env"] = {},
  dataDirectory?: string,
) {
  return startService({
    ...(dataDirectory !== undefined && { dataDirectory }),
    rpcUrl: asked.map(({ url }) => url).join(),
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ rogue: escrow.address }, 5),
    env: { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: schema, ...env },
  });
}

const healthOf = (service: Service) => service.json<Health>("/v1/health");

/** Blocks and indexes of the indexed events, in the order of the chain. */
async function indexedIn(service: Service): Promise<string[]> {
  const { events: shown } = await service.json<{ events: { blockNumber: string; logIndex: number }[] }>(
    "/v1/events?limit=200",
  );
  return shown.map(({ blockNumber, logIndex }) => `${blockNumber}/${logIndex}`).toReversed();
}

async function onChain(toBlock?: bigint): Promise<string[]> {
  const logs = await chain.publicClient.getLogs({ address: escrow.address, fromBlock: 0n, toBlock });
  return logs.map(({ blockNumber, logIndex }) => `${blockNumber}/${logIndex}`);
}

/** Which headers and receipts are asked for, by their blocks, while a block with two events comes and becomes final. */
async function askedForProof(service: Service, proxy: RpcProxy) {
  const provenTo = async (block: bigint) =>
    vi.waitFor(async () => {
      const { completeness, finalizedBlock } = await healthOf(service);
      expect(BigInt(finalizedBlock ?? -1)).toBeGreaterThanOrEqual(block);
      expect(completeness?.provenBlock).toBe(finalizedBlock);
      return BigInt(finalizedBlock ?? -1);
    }, PATIENCE);
  const from = await provenTo((await head()) - 40n);
  const asked = { headers: [] as number[], receipts: [] as number[] };
  proxy.answers = ({ method, params = [] }) => {
    const [block, isWhole] = params;
    const number = typeof block === "string" && block.startsWith("0x") ? Number(block) : null;
    if (method === "eth_getBlockByNumber" && isWhole === false && number !== null) asked.headers.push(number);
    if (method === "eth_getBlockReceipts" && number !== null) asked.receipts.push(number);
    return undefined;
  };
  const block = await subscribe(2);
  await chain.testClient.mine({ blocks: 70 });
  const to = await provenTo(block);
  proxy.answers = null;
  const final = Array.from({ length: Number(to - from) }, (_, index) => Number(from) + 1 + index);
  return { asked, block: Number(block), final };
}

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain({ genesisTimestamp: 1_600_000_000 }), startPostgres()]);
  escrow = await deployRogueEscrow(chain);
  await emit(chain, escrow.address, events.created(1n));
});
describe("an endpoint that leaves out a log", () => {
  test("of the history is corrected by the receipts of the block", async () => {
    const block = await subscribe(3);
    await subscribe(2);
    await chain.testClient.mine({ blocks: 40 });
    const proxy = await newProxy();
    leaveOut(proxy, block, 1);
    const service = await start("history", [proxy]);
    await service.indexed(await head());
    expect(await indexedIn(service)).toEqual(await onChain());
    const { completeness, troubles } = await healthOf(service);
    expect(completeness).toMatchObject({ mode: "events", provenBlocks: "3", unprovenBlocks: "0" });
    expect(completeness?.endpoints).toEqual([hostOf(proxy)]);
    expect(troubles.map(({ code }) => code)).toEqual(["logs_incomplete"]);
    const { asked, block: next } = await askedForProof(service, proxy);
    expect(asked).toEqual({ headers: [next], receipts: [next] });
    await service.stop();
  });

  test("that is the only one of its block in the history is found out by the header, if possible blocks are proven", async () => {
    const block = await subscribe(1);
    await chain.testClient.mine({ blocks: 40 });
    const proxy = await newProxy();
    leaveOut(proxy, block, 0);
    const service = await start("possible", [proxy], { LOGS_PROVEN: "possible" });
    await service.indexed(await head());
    expect(await indexedIn(service)).toEqual(await onChain());
    const { asked, block: next, final } = await askedForProof(service, proxy);
    expect(asked.receipts).toEqual([next]);
    expect(asked.headers.sort((a, b) => a - b)).toEqual([...final, next].sort((a, b) => a - b));
    await service.stop();
  });

  test("live, alone and beside another one: the block is indexed whole, or not at all", async () => {
    const [one, other] = [await newProxy(), await newProxy()];
    const beside = await start("beside", [one, other]);
    await beside.indexed(await head());
    const next = (await head()) + 1n;
    leaveOut(one, next, 1);
    leaveOut(other, next + 1n, 1);
    for (const block of [next, next + 1n]) {
      expect(await subscribe(3)).toBe(block);
      await beside.indexed(block);
      expect(await indexedIn(beside)).toEqual(await onChain());
    }
    await beside.stop();

    one.alters = null;
    const alone = await start("alone", [one]);
    await alone.indexed(await head());
    leaveOut(one, next + 2n, 0);
    expect(await subscribe(2)).toBe(next + 2n);
    await vi.waitFor(
      async () => expect((await healthOf(alone)).completeness?.endpoints).toEqual([hostOf(one)]),
      PATIENCE,
    );
    expect((await indexedIn(alone)).filter((place) => place.startsWith(`${next + 2n}/`))).toEqual([]);
    one.alters = null;
    await alone.indexed(next + 2n);
    expect(await indexedIn(alone)).toEqual(await onChain());
    expect((await healthOf(alone)).troubles.map(({ code }) => code)).toEqual(["logs_incomplete"]);
    await alone.stop();
  });

  test("the last of its block, which nothing shows at first: it is never final without it, and the tables are folded again", async () => {
    const proxy = await newProxy();
    const before = await start("gap", [proxy]);
    await before.indexed(await head());
    const next = (await head()) + 1n;
    leaveOut(proxy, next, 2);
    // At first it does not have what is final yet, as one that is behind: that proves nothing, and is waited for.
    let behind = 5;
    proxy.answers = ({ method, params: [block, isWhole] = [] }) => {
      const isOurs = method === "eth_getBlockByNumber" && isWhole === false && Number(block) >= Number(next);
      return isOurs && behind-- > 0 ? null : undefined;
    };
    expect(await subscribe(3)).toBe(next);
    await before.indexed(next);
    expect(await indexedIn(before)).toEqual((await onChain()).slice(0, -1));
    await chain.testClient.mine({ blocks: 29 });
    // Not final yet when the tables are folded again: the next indexer first takes it back.
    const later = await subscribe(1);
    const finals = [Number((await healthOf(before)).finalizedBlock)];
    // With this block the gap may be found, and the indexer may end, before a reader shows it.
    await before.says(`"number":${later}`);
    await chain.testClient.mine({ blocks: 29 });
    const isOver = () => before.hasSaid("the tables are folded again");
    await vi.waitFor(async () => {
      if (!isOver()) finals.push(Number((await healthOf(before)).finalizedBlock));
      expect(isOver()).toBe(true);
    }, PATIENCE);
    expect(Math.max(...finals)).toBeGreaterThan(0);
    expect(Math.max(...finals)).toBeLessThan(Number(next));
    expect(behind).toBeLessThan(0);
    proxy.answers = null;
    await before.stop();

    const again = await start("gap", [proxy]);
    await again.indexed(await head());
    expect(await indexedIn(again)).toEqual(await onChain());
    await vi.waitFor(async () => {
      const { completeness, finalizedBlock } = await healthOf(again);
      expect(Number(finalizedBlock)).toBeGreaterThanOrEqual(Number(next));
      expect(completeness).toMatchObject({ provenBlock: finalizedBlock, unprovenBlocks: "0" });
    }, PATIENCE);
    // Clients that were away meanwhile: they have the block's second row, and not the third.
    for (const [block, index] of [[next, 1] as const, [later, 0] as const]) {
      const { hash } = await chain.publicClient.getBlock({ blockNumber: block });
      const after = `${block}-${index}-${hash.slice(2, 10)}`;
      const stream = readStream(await fetch(`${again.url}/v1/stream?after=${after}`));
      await stream.until(has("ledger", 4));
      const [first] = stream.frames();
      expect(first).toMatchObject({ event: "reorg", data: { from: `${next}` } });
      const sent = stream.frames().filter(({ event }) => event === "ledger");
      expect(sent.map(({ data }) => `${data.blockNumber}-${data.logIndex}`)).toEqual([
        ...[0, 1, 2].map((at) => `${next}-${at}`),
        `${later}-0`,
      ]);
      await stream.close();
    }
    await again.stop();
  });

  test("is found out for a history indexed block by block, also in an embedded database", async () => {
    const block = await subscribe(3);
    await chain.testClient.mine({ blocks: 70 });
    const proxy = await newProxy();
    leaveOut(proxy, block, 1);
    const dataDirectory = temporaryFolder();
    const env = { FAST_FORWARD: "false", DATABASE_URL: "", DATABASE_SCHEMA: "" };
    const before = await start("embedded", [proxy], env, dataDirectory);
    await before.says("the tables are folded again");
    await before.stop();
    const again = await start("embedded", [proxy], env, dataDirectory);
    await again.indexed(await head());
    expect(await indexedIn(again)).toEqual(await onChain());
    await again.stop();
  });

  test("in every thousand leaves each block complete once it is indexed, and final rows right", async () => {
    for (let block = 0; block < 30; block++) await subscribe(50);
    await chain.testClient.mine({ blocks: 40 });
    const proxy = await newProxy();
    const inHistory = leaveOutOneInThousand(proxy);
    const service = await start("thousand", [proxy]);
    const rowsUpTo = async (block: bigint) =>
      (
        await postgres.query(
          `SELECT block_number || '/' || log_index AS place FROM thousand.ledger
          WHERE block_number <= ${block} ORDER BY block_number, log_index`,
        )
      ).map(({ place }) => place);
    await service.indexed(await head());
    expect(inHistory()).toBeGreaterThan(0);
    expect(await rowsUpTo(await head())).toEqual(await onChain());

    const live = leaveOutOneInThousand(proxy);
    for (let block = 0; block < 30; block++) {
      const next = await subscribe(50);
      await service.indexed(next);
      expect(await rowsUpTo(next)).toEqual(await onChain());
      const final = BigInt(`${(await healthOf(service)).finalizedBlock}`);
      expect(await rowsUpTo(final)).toEqual(await onChain(final));
    }
    expect(live()).toBeGreaterThan(0);
    await service.stop();
  });
});

/** Announces a contract, and returns the block from which on it matters to know that. */
async function announceWithEvent(child: Deployment): Promise<bigint> {
  raised += 5n;
  return emit(chain, escrow.address, events.deployed(child.address), events.subscribed(1n, 5n, raised));
}
async function announceBeforeEvent(child: Deployment): Promise<bigint> {
  await emit(chain, escrow.address, events.deployed(child.address));
  return emit(chain, child.address, events.created(1n));
}

test.each([
  ["beside an event", announceWithEvent],
  ["before its contract's first event", announceBeforeEvent],
])(
  "an announcement that is final by its depth, %s, is no gap: what follows is proven once no reorg can take it back",
  async (_, announce) => {
    // No reorg can take back what another test has announced, so that nothing waits for it.
    await chain.testClient.mine({ blocks: 400 });
    const child = await deployRogueEscrow(chain);
    const proxy = await newProxy();
    proxy.answers = ({ params }) => (params?.[0] === "finalized" ? null : undefined);
    const env = { ESCROW_FACTORY: `${escrow.address}@${escrow.blockNumber}` };
    const service = await start(announce.name.toLowerCase(), [proxy], env);
    await service.indexed(await head());
    const block = await announce(child);
    await chain.testClient.mine({ blocks: 300 });
    await service.indexed(await head());
    const provenUpTo = (check: (final: number) => void) =>
      vi.waitFor(async () => {
        const { completeness, finalizedBlock } = await healthOf(service);
        check(Number(finalizedBlock));
        expect(completeness).toMatchObject({ provenBlock: finalizedBlock, endpoints: [] });
      }, PATIENCE);
    await provenUpTo((final) => expect(final).toBe(Number(block) - 1));
    // Now the endpoint names a final block, and so Ponder saves what was announced up to it.
    proxy.answers = null;
    await provenUpTo((final) => expect(final).toBeGreaterThan(Number(block)));
    expect(service.log.filter((line) => line.includes("left out"))).toEqual([]);
    await service.stop();
  },
);
