/**
 * Endpoints that leave logs out, before the real indexer: live, in the history and in what is indexed already, alone and beside an
 * honest endpoint. What is final is compared with the chain's own logs.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type LocalChain, startChain } from "../../demo/chain.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { emit, events } from "../harness/emit.ts";
import { PATIENCE } from "../harness/patience.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type RpcLog, type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";

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
const proxies: RpcProxy[] = [];
const running = new Set<Service>();
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

async function newProxy(): Promise<RpcProxy> {
  const proxy = await startRpcProxy(chain.rpcUrl);
  proxies.push(proxy);
  return proxy;
}

/** Leaves out one log, the `index`th of its block, whenever it is asked for. */
const leaveOut = (proxy: RpcProxy, block: bigint, index: number) => {
  const isLeftOut = ({ blockNumber, logIndex }: RpcLog) =>
    BigInt(blockNumber) === block && Number(logIndex) === index;
  proxy.alters = (logs) => logs.filter((log) => !isLeftOut(log));
};

async function start(schema: string, asked: readonly RpcProxy[], env: ServiceOptions["env"] = {}) {
  const service = await startService({
    rpcUrl: asked.map(({ url }) => url).join(),
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ rogue: escrow.address, announced: escrow.address }, 5),
    env: { DATABASE_URL: postgres.connectionString, DATABASE_SCHEMA: schema, ...env },
  });
  running.add(service);
  return service;
}

async function stop(service: Service): Promise<void> {
  running.delete(service);
  await service.stop();
}

const healthOf = (service: Service) => service.json<Health>("/v1/health");

/** Blocks and indexes of the indexed events. */
async function indexedIn(service: Service): Promise<string[]> {
  const { events: shown } = await service.json<{ events: { blockNumber: string; logIndex: number }[] }>(
    "/v1/events?limit=200",
  );
  return shown.map(({ blockNumber, logIndex }) => `${blockNumber}/${logIndex}`);
}

async function onChain(): Promise<string[]> {
  const logs = await chain.publicClient.getLogs({ address: escrow.address, fromBlock: 0n });
  return logs.map(({ blockNumber, logIndex }) => `${blockNumber}/${logIndex}`);
}

beforeAll(async () => {
  [chain, postgres] = await Promise.all([startChain({ genesisTimestamp: 1_600_000_000 }), startPostgres()]);
  escrow = await deployRogueEscrow(chain);
  await emit(chain, escrow.address, events.created(1n));
});
afterAll(async () => {
  for (const service of running) await service.stop();
  await Promise.all(proxies.map((proxy) => proxy.stop()));
  await postgres?.stop();
  await chain?.stop();
});

describe("an endpoint that leaves out a log", () => {
  test("of the history: the receipts of the block have it", async () => {
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
    await stop(service);
  });

  test("that is the only one of its block in the history: the header says so, where possible blocks are proven", async () => {
    const block = await subscribe(1);
    await chain.testClient.mine({ blocks: 40 });
    const proxy = await newProxy();
    leaveOut(proxy, block, 0);
    const service = await start("possible", [proxy], { LOGS_PROVEN: "possible" });
    await service.indexed(await head());
    expect(await indexedIn(service)).toEqual(await onChain());
    await stop(service);
  });

  test("live, alone and beside another one: the block is indexed whole, or not at all", async () => {
    const [liar, honest] = [await newProxy(), await newProxy()];
    const service = await start("live", [liar, honest]);
    await service.indexed(await head());
    const next = (await head()) + 1n;
    leaveOut(liar, next, 1);
    leaveOut(honest, next + 1n, 2);
    expect(await subscribe(3)).toBe(next);
    await service.indexed(next);
    expect(await indexedIn(service)).toEqual(await onChain());
    expect(await subscribe(3)).toBe(next + 1n);
    await service.indexed(next + 1n);
    expect(await indexedIn(service)).toEqual(await onChain());
    // Which one is asked is Ponder's choice, but each that was has been named.
    await stop(service);

    const alone = await start("live-alone", [liar]);
    liar.alters = null;
    await alone.indexed(await head());
    leaveOut(liar, next + 2n, 0);
    expect(await subscribe(2)).toBe(next + 2n);
    await vi.waitFor(
      async () => expect((await healthOf(alone)).completeness?.endpoints).toEqual([hostOf(liar)]),
      PATIENCE,
    );
    expect((await indexedIn(alone)).filter((place) => place.startsWith(`${next + 2n}/`))).toEqual([]);
    liar.alters = null;
    await alone.indexed(next + 2n);
    expect(await indexedIn(alone)).toEqual(await onChain());
    expect((await healthOf(alone)).troubles.map(({ code }) => code)).toEqual(["logs_incomplete"]);
    await stop(alone);
  });

  test("of what was indexed block by block: the tables are folded again without the gap", async () => {
    const block = await subscribe(3);
    await subscribe(1);
    await chain.testClient.mine({ blocks: 70 });
    const proxy = await newProxy();
    leaveOut(proxy, block, 1);
    const before = await start("gap", [proxy], { FAST_FORWARD: "false" });
    await before.indexed(await head());
    const saysIt = () => before.log.some((line) => line.includes("the tables are folded again"));
    await vi.waitFor(() => expect(saysIt()).toBe(true), PATIENCE);
    await stop(before);
    const again = await start("gap", [proxy], { FAST_FORWARD: "false" });
    await again.indexed(await head());
    expect(await indexedIn(again)).toEqual(await onChain());
    await vi.waitFor(async () => {
      const { completeness, finalizedBlock } = await healthOf(again);
      expect(Number(completeness?.provenBlock)).toBeGreaterThanOrEqual(Number(block));
      expect(completeness?.provenBlock).toBe(finalizedBlock);
    }, PATIENCE);
    await stop(again);
  });
});
