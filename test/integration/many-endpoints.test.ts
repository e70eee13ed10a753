/**
 * One node under many names: what comparing them asks of it does not grow with the range, nothing of it comes before the service is
 * ready, and a long range still shows who leaves something out.
 */
import { drizzle } from "drizzle-orm/pglite";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readSettings } from "../../config/environment.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { comparisonOf } from "../harness/comparison.ts";
import { emit, events } from "../harness/emit.ts";
import { PATIENCE } from "../harness/patience.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { startService } from "../harness/service.ts";

/** Blocks between two events: fewer than are compared in each eighth of a range. */
const APART = 30;
const SHORT = 700;
const LONG = 1_400;
/** Instead of 12,000, as mining takes time. */
const ANSWERS = 1_200;

const { $client } = drizzle();
let chain: LocalChain;
let escrow: Deployment;
let proxy: RpcProxy;
let liar: RpcProxy;
/** the blocks of all logs that were asked for, one after the other */
let asked: { from: number; to: number }[];

const namesOf = (count: number, { url }: RpcProxy) =>
  Array.from({ length: count }, (_, place) => `${url}/${place}`);
const blocksAsked = () => asked.reduce((sum, { from, to }) => sum + to - from + 1, 0);
const callsAsked = () => proxy.asked("eth_getLogs") + proxy.asked("eth_getBlockByNumber");

beforeAll(async () => {
  chain = await startChain({ genesisTimestamp: 1_600_000_000 });
  escrow = await deployRogueEscrow(chain);
  await emit(chain, escrow.address, events.created(1n));
  for (let total = 1n; total < LONG / APART; total++) {
    await chain.testClient.mine({ blocks: APART - 1 });
    await emit(chain, escrow.address, events.subscribed(1n, 1n, total));
  }
  await chain.testClient.mine({ blocks: 2 * APART });
  [proxy, liar] = [await startRpcProxy(chain.rpcUrl), await startRpcProxy(chain.rpcUrl)];
});
beforeEach(() => {
  asked = [];
  proxy.reset();
  liar.alters = null;
  proxy.alters = (logs, { params }) => {
    const { fromBlock, toBlock } = Object(params?.[0]);
    if (fromBlock !== undefined) asked.push({ from: Number(fromBlock), to: Number(toBlock) });
    return logs;
  };
});
afterAll(async () => {
  await $client.close();
});

/** Compares a first indexing up to a block, to the end or a dispute. */
async function compareUpTo(block: number, urls: string[]) {
  await $client.exec(`DROP SCHEMA IF EXISTS one CASCADE; CREATE SCHEMA one;
    CREATE TABLE one._ponder_checkpoint (finalized_checkpoint text); CREATE TABLE one.event_block (number numeric)`);
  const settings = readSettings({
    RPC_URLS: urls.join(),
    ESCROWS: `${escrow.address}@${escrow.blockNumber}`,
    REGISTRY: "registry.json",
  });
  const { compareAll, lines } = await comparisonOf(
    { client: $client, chain, settings },
    { block, answers: ANSWERS },
  );
  return { outcome: await compareAll(), lines };
}

describe("the comparison of a first indexing", () => {
  // 1,200 blocks of all endpoints together, but 240 of each.
  test.each([
    [2, 1_200],
    [5, 1_200],
    [50, 50 * 240],
  ])("asks one node under %i names about no more blocks of a range twice as long", async (count, most) => {
    const costs: { blocks: number; calls: number }[] = [];
    for (const block of [SHORT, LONG]) {
      proxy.reset();
      asked = [];
      expect((await compareUpTo(block, namesOf(count, proxy))).outcome).toBe("done");
      costs.push({ blocks: blocksAsked(), calls: callsAsked() });
    }
    const [short, long] = costs;
    expect(short?.blocks).toBeGreaterThan(0.9 * most);
    for (const { blocks } of costs) expect(blocks).toBeLessThanOrEqual(most);
    // The widths of calls depend on the events in what is chosen.
    expect(long?.calls).toBeLessThanOrEqual(1.2 * Number(short?.calls));
  });

  test("asks about every block of a short range, once for each name", async () => {
    await compareUpTo(500, namesOf(2, proxy));
    const blocks = 500 - Number(escrow.blockNumber) + 1;
    expect(blocksAsked()).toBe(2 * blocks);
  });

  test.each([
    ["everything of the range's older half", (block: number) => block < LONG / 2],
    ["an event near its end", (block: number) => block > LONG - 2 * APART && block < LONG - APART],
    ["its first event", (block: number) => block < Number(escrow.blockNumber) + 10],
  ])("sees an endpoint that keeps back %s", async (_what, isHidden) => {
    liar.alters = (logs) => logs.filter(({ blockNumber }) => !isHidden(Number(blockNumber)));
    const { outcome, lines } = await compareUpTo(LONG, [proxy.url, liar.url]);
    expect(outcome).toBe("disputed");
    const [{ block, level } = {}] = lines as unknown as { block?: number; level?: string }[];
    expect(level).toBe("error");
    expect(isHidden(Number(block))).toBe(true);
  });
});

test("a service with one node under 50 names asks no more of it until it is ready", async () => {
  /** Calls for logs until the service is ready. */
  const untilReady = async (urls: string[]) => {
    proxy.reset();
    const options = { rpcUrl: urls.join(), escrows: [`${escrow.address}@${escrow.blockNumber}`] };
    const service = await startService({ ...options, registry: { originators: [], listings: [] } });
    try {
      await vi.waitFor(async () => expect((await service.get("/v1/ready")).status).toBe(200), PATIENCE);
      return proxy.asked("eth_getLogs");
    } finally {
      await service.stop();
    }
  };
  const one = await untilReady([proxy.url]);
  const many = await untilReady(namesOf(50, proxy));
  expect(one).toBeGreaterThan(0);
  // The first calls after it may be under way: four endpoints are asked at the same time.
  expect(many).toBeLessThanOrEqual(one + 8);
});
