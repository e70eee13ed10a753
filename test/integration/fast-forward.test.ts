/**
 * The fast-forward against ordinary indexing: every row of every table byte for byte, and what comes after it, on both
 * databases; over endpoints that limit and refuse, and after a kill at any moment.
 */
import { join } from "node:path";
import { zeroAddress } from "viem";
import { beforeAll, describe, expect, test, vi } from "vitest";
import {
  addressAndBlock,
  type Deployment,
  deployDesk,
  deployDollar,
  deployEscrow,
} from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { BACKER, emit, emitFrom, events, OTHER_BACKER, tokenOf, untilPending } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { createHistory } from "../harness/history/history.ts";
import { random } from "../harness/history/random.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { playRogueHistory } from "../harness/rogue-history.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";
import { embeddedTableTexts, tableTexts } from "../harness/table-texts.ts";

let chain: LocalChain;
let postgres: Postgres;
let rogue: Deployment;
let announced: Deployment;
let another: Deployment;
let factory: Deployment;
let token: Deployment;
let options: ServiceOptions;
const directory = temporaryFolder();
/** the rows that ordinary indexing makes of the chain as it is after the live blocks */
let expected: Record<string, string[]> | undefined;

const say = ({ address }: Deployment, ...calls: Parameters<typeof emit>[2][]) =>
  emit(chain, address, ...calls);
const head = () => chain.publicClient.getBlockNumber();

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain({ genesisTimestamp: 1_600_000_000 }), startPostgres()]);
  const { address: dollar } = await deployDollar(chain);
  // A rogue factory can announce whatever it likes, whenever it likes.
  factory = await deployRogueEscrow(chain);
  const listed = await deployEscrow(chain, { dollar });
  const honest = await deployEscrow(chain, { dollar });
  rogue = await deployRogueEscrow(chain);
  announced = await deployRogueEscrow(chain);
  another = await deployRogueEscrow(chain);
  const late = await deployRogueEscrow(chain);
  token = await deployRogueEscrow(chain);
  const stranger = await deployRogueEscrow(chain);
  const desk = await deployDesk(chain, { dollar });

  await say(factory, events.deployed(honest.address));
  const escrows = [listed.address, honest.address];
  const history = await createHistory({ chain, dollar, escrows, desk: desk.address, seed: 7, log: () => {} });
  await history.playUntil(400);
  await history.finish();

  // Before its announcement, in the block of it, and after it, twice.
  await say(announced, events.created(1n, { token: token.address }), events.subscribed(1n, 5n, 5n));
  await chain.testClient.setAutomine(false);
  const inOneBlock: Promise<bigint>[] = [];
  for (const [account, [from, call]] of (
    [
      [announced, events.subscribed(1n, 100n, 100n)],
      [factory, events.deployed(announced.address)],
      [announced, events.created(2n, { token: token.address })],
      [token, events.transferred(zeroAddress, BACKER, 100n)],
    ] as const
  ).entries()) {
    inOneBlock.push(emitFrom(chain, account + 1, from.address, call));
    await untilPending(chain, account + 1);
  }
  await chain.testClient.mine({ blocks: 1 });
  await chain.testClient.setAutomine(true);
  await Promise.all(inOneBlock);
  await say(factory, events.deployed(announced.address));
  await say(
    token,
    events.transferred(BACKER, OTHER_BACKER, 30n),
    events.transferred(OTHER_BACKER, BACKER, 99n),
  );
  await say(stranger, events.created(1n), events.deployed(stranger.address));

  // Listed, but only from a later block on; also announced.
  await say(late, events.created(1n), events.subscribed(1n, 7n, 7n));
  await say(factory, events.deployed(late.address));
  const from = await say(late, events.created(2n, { refnum: "RB\u0000\\\t\n\u2028" }));
  await playRogueHistory(chain, rogue.address, { random: random(3), ids: 20, blocks: 40 });
  await say(rogue, events.subscribed(1n, 2n ** 200n, 2n ** 200n));
  await chain.testClient.mine({ blocks: 40 });

  options = {
    rpcUrl: chain.rpcUrl,
    escrows: [addressAndBlock(listed), addressAndBlock(rogue), `${late.address}@${from}`],
    factory: addressAndBlock(factory),
    desk: addressAndBlock(desk),
    registry: registryOf({ rogue: rogue.address, announced: announced.address }, 5),
    env: { HOLDERS: "true" },
  };
});

async function start(schema: string, env: ServiceOptions["env"], where: Partial<ServiceOptions> = {}) {
  const database = where.dataDirectory === undefined ? { DATABASE_URL: postgres.connectionString } : {};
  return startService({
    ...options,
    ...where,
    env: { ...options.env, ...database, DATABASE_SCHEMA: schema, ...env },
  });
}

const newProxy = () => startRpcProxy(chain.rpcUrl);

const onPostgres = (schema: string) => tableTexts(postgres.query, schema);
const isHeld = async (schema: string) =>
  (await postgres.query(`SELECT FROM ${schema}._ponder_meta WHERE value ? 'holder'`)).length > 0;
const FETCHED = "Fetched and folded the history";
const WROTE = "Wrote the history";
const TAKEN_OVER = "its tables are taken over";

describe("on PostgreSQL", () => {
  let fast: Service;
  let ordinary: Service;

  test("the same rows, and ordinary indexing on the same database misses nothing after it", async () => {
    fast = await start("fast", {});
    await fast.indexed(await head());
    expect(fast.hasSaid(WROTE)).toBe(true);
    ordinary = await start("ordinary", { FAST_FORWARD: "false" });
    await ordinary.indexed(await head());
    expect(ordinary.hasSaid(WROTE)).toBe(false);
    const rows = await onPostgres("ordinary");
    for (const [name, of] of Object.entries(rows)) expect(of.length, name).toBeGreaterThan(0);
    expect(await onPostgres("fast")).toEqual(rows);
  });

  test("the same rows live: tokens and escrows from before, new ones, and a reorg", async () => {
    const both = async () => {
      const block = await head();
      await Promise.all([fast.indexed(block), ordinary.indexed(block)]);
      expect(await onPostgres("fast")).toEqual(await onPostgres("ordinary"));
    };
    await say(announced, events.subscribed(1n, 50n, 150n), events.created(77n, { token: tokenOf(77n) }));
    await say(token, events.transferred(BACKER, OTHER_BACKER, 1n));
    await both();
    const before = await onPostgres("fast");

    await say(rogue, events.subscribed(2n, 50n, 150n), events.repaid(3n, 5n, 5n, 5n));
    await both();
    await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
    await chain.testClient.mine({ blocks: 2 });
    await both();
    expect(await onPostgres("fast")).toEqual(before);
  });

  test("the same rows after a restart, and after blocks that became final meanwhile", async () => {
    await Promise.all([fast.stop(), ordinary.stop()]);
    await say(announced, events.subscribed(1n, 50n, 200n));
    await say(token, events.transferred(BACKER, OTHER_BACKER, 1n));
    await chain.testClient.mine({ blocks: 45 });
    [fast, ordinary] = await Promise.all([start("fast", {}), start("ordinary", { FAST_FORWARD: "false" })]);
    const block = await head();
    await Promise.all([fast.indexed(block), ordinary.indexed(block)]);
    expect(fast.hasSaid(WROTE)).toBe(false);
    expected = await onPostgres("ordinary");
    expect(await onPostgres("fast")).toEqual(expected);
    await Promise.all([fast.stop(), ordinary.stop()]);
  });
});

// From here to the next block of the chain ordinary indexing makes the same rows: each case is compared with those.
describe.concurrent("beside ordinary indexing of the same chain", () => {
  // The expected rows are missing if these tests run alone.
  beforeAll(async () => {
    if (expected !== undefined) return;
    const service = await start("ordinary", { FAST_FORWARD: "false" });
    await service.indexed(await head());
    expected = await onPostgres("ordinary");
    await service.stop();
  });

  /** Kills the service as soon as it says so. It is told of no log before it answers. */
  async function killAt(message: string, ...[schema, env, where]: Parameters<typeof start>): Promise<void> {
    const proxy = await newProxy();
    const { promise, resolve: release } = Promise.withResolvers<void>();
    proxy.logsWaitFor = promise;
    const service = await start(schema, env, { ...where, rpcUrl: proxy.url });
    expect(service.hasSaid(FETCHED)).toBe(false);
    // It answers some moments before its mark names it.
    if (where?.dataDirectory === undefined)
      await vi.waitFor(async () => expect(await isHeld(schema)).toBe(true), PATIENCE);
    if (message === FETCHED) release();
    await service.says(message);
    await service.kill();
  }

  test("kill -9 while fetching: the next start begins empty", async () => {
    await killAt("Started fetching the history", "fetching", {});
    expect(await onPostgres("fetching").then(({ ledger }) => ledger)).toEqual([]);
    const service = await start("fetching", {});
    expect(service.hasSaid(TAKEN_OVER)).toBe(true);
    await service.indexed(await head());
    expect(service.hasSaid(WROTE)).toBe(true);
    expect(await onPostgres("fetching")).toEqual(expected);
    await service.stop();
  });

  test("kill -9 while writing: the next start has all rows, each once", async () => {
    await killAt(FETCHED, "writing", {});
    const service = await start("writing", {});
    expect(service.hasSaid(TAKEN_OVER)).toBe(true);
    await service.indexed(await head());
    expect(await onPostgres("writing")).toEqual(expected);
    await service.stop();
  });

  test("kill -9 while writing on the embedded database: the next start has the same rows, and keeps them over a restart", async () => {
    const dataDirectory = join(directory, "killed");
    await killAt(FETCHED, "one", {}, { dataDirectory });
    for (const round of [1, 2]) {
      const service = await start("one", {}, { dataDirectory });
      await service.indexed(await head());
      // The kill may come when all is written, so the first start may have nothing to write either.
      if (round === 2) expect(service.hasSaid(WROTE)).toBe(false);
      await service.stop();
    }
    expect(await embeddedTableTexts(join(dataDirectory, "pglite"), "one")).toEqual(expected);
  });

  test("endpoints that limit ranges, batches and rates and fail now and then", async () => {
    const proxy = await newProxy();
    let asked = 0;
    proxy.refuses = (requests) => {
      asked += 1;
      if (asked % 7 === 0) return { status: 429, headers: { "retry-after": "0" } };
      if (asked % 11 === 0) return { status: 502 };
      // The free plans of dRPC and 1rpc; and a rate limit that is one by its words alone.
      if (requests.length > 3)
        return { status: 500, error: "Batch of more than 3 requests are not allowed on free tier" };
      if (asked % 13 === 0) return { status: 200, error: "daily request limit reached" };
      const [request] = requests;
      if (request?.method !== "eth_getLogs") return undefined;
      const [filter] = (request.params ?? []) as { fromBlock?: string; toBlock?: string }[];
      if (Number(filter?.toBlock) - Number(filter?.fromBlock) < 20) return undefined;
      return { status: 200, error: "eth_getLogs is limited to a 20 blocks range" };
    };
    // The node that is asked first for the last block of the history is a moment behind.
    let headers = 0;
    proxy.answers = ({ method, params: [block, isWhole] = [] }) => {
      const isOurs = method === "eth_getBlockByNumber" && isWhole === false && /^0x/.test(`${block}`);
      return isOurs && headers++ === 0 ? null : undefined;
    };
    const service = await start("limited", {}, { rpcUrl: proxy.url });
    await service.says(WROTE);
    proxy.refuses = proxy.answers = null;
    await service.indexed(await head());
    expect(await onPostgres("limited")).toEqual(expected);
    await service.stop();
  });

  test("endpoints that contradict themselves: the chain is indexed event by event", async () => {
    const proxy = await newProxy();
    proxy.answers = ({ method }) =>
      method === "eth_getLogs" ? [{ blockNumber: "0x1", blockHash: "0x" }] : undefined;
    const service = await start("contradicted", {}, { rpcUrl: proxy.url });
    await service.says("indexed event by event");
    proxy.answers = null;
    await service.indexed(await head());
    expect(service.hasSaid(WROTE)).toBe(false);
    expect(await onPostgres("contradicted")).toEqual(expected);
    await service.stop();
  });
});

test("a new version folds the ledger of the one before, and fetches what came later", async () => {
  const env = { HOLDERS: "false" };
  const before = await start("before", env);
  await before.indexed(await head());
  await say(announced, events.subscribed(1n, 50n, 250n));
  await say(factory, events.deployed(another.address));
  await chain.testClient.mine({ blocks: 70 });
  await before.indexed(await head());
  await say(another, events.created(1n), events.subscribed(1n, 9n, 9n));
  await chain.testClient.mine({ blocks: 40 });
  await before.stop();
  const proxy = await newProxy();
  const asked: number[] = [];
  proxy.refuses = (requests) => {
    for (const { method, params } of requests) {
      const [filter] = (params ?? []) as { fromBlock?: string }[];
      if (method === "eth_getLogs" && filter?.fromBlock !== undefined) asked.push(Number(filter.fromBlock));
    }
    return undefined;
  };
  const [after, ordinary] = await Promise.all([
    start("after", env, { rpcUrl: proxy.url }),
    start("judge", { ...env, FAST_FORWARD: "false" }),
  ]);
  await after.indexed(await head());
  proxy.refuses = null;
  expect(after.hasSaid("Folded the ledger of an earlier version")).toBe(true);
  expect(Math.min(...asked)).toBeGreaterThan(Number(await head()) - 180);
  await ordinary.indexed(await head());
  expect(await onPostgres("after")).toEqual(await onPostgres("judge"));
  // The announced escrow of before is followed live.
  await say(another, events.subscribed(1n, 9n, 18n));
  await Promise.all([after.indexed(await head()), ordinary.indexed(await head())]);
  expect(await onPostgres("after")).toEqual(await onPostgres("judge"));
  await Promise.all([after.stop(), ordinary.stop()]);
});
