/**
 * What happens to an indexer in months of running: reorgs, and kills without warning. Afterwards the answers are
 * those of a run that nothing disturbed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type LocalChain, startChain } from "../../demo/chain.ts";
import type { Deployment } from "../../demo/deploy.ts";
import { BACKER, emit, events, OTHER_BACKER } from "../harness/emit.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";

let chain: LocalChain;
let escrow: Deployment;
let options: ServiceOptions;
let directory: string;
const running: Service[] = [];

beforeEach(async () => {
  chain = await startChain();
  escrow = await deployRogueEscrow(chain);
  directory = await mkdtemp(join(tmpdir(), "raisebook-data-"));
  options = {
    rpcUrl: chain.rpcUrl,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ a: escrow.address }, 400),
  };
});

afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  await chain.stop();
  await rm(directory, { recursive: true, force: true });
});

async function start(change: Partial<ServiceOptions> = {}): Promise<Service> {
  const service = await startService({ ...options, ...change });
  running.push(service);
  return service;
}

async function answers(service: Service): Promise<string[]> {
  const paths = ["/v1/listings", "/v1/originators"];
  return Promise.all(paths.map(async (path) => (await service.get(path)).text));
}

type Seen = { block: bigint; raisedAmount: string; status: string };

/** Asks for the first raise again and again; each answer with the block that it is as of. */
async function watch(service: Service, milliseconds: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    const { status, headers, text } = await service.get("/v1/listings/lst_a_1");
    if (status === 200)
      seen.push({ ...JSON.parse(text), block: BigInt(headers.get("x-indexed-block") ?? 0) });
    await sleep(20);
  }
  return seen.map(({ block, raisedAmount, status }) => ({ block, raisedAmount, status }));
}

/** `count` raises with two subscriptions each, a transaction a raise. */
async function raise(first: number, count: number): Promise<void> {
  for (let id = BigInt(first); id < first + count; id += 1n) {
    await emit(
      chain,
      escrow.address,
      events.created(id, { refnum: `RB${id.toString().padStart(5, "0")}` }),
      events.subscribed(id, 100n + id, 100n + id),
      events.subscribed(id, 7n, 107n + id, OTHER_BACKER),
    );
  }
}

describe("a reorg", () => {
  test("that drops a subscription takes it out of the answers", async () => {
    await emit(chain, escrow.address, events.created(1n));
    await chain.testClient.mine({ blocks: 40 });
    const service = await start();
    await service.indexed(await emit(chain, escrow.address, events.subscribed(1n, 100n, 100n)));
    await service.indexed(
      await emit(chain, escrow.address, events.subscribed(1n, 900n, 1_000n, OTHER_BACKER)),
    );
    expect(await service.json("/v1/listings/lst_a_1")).toMatchObject({
      raisedAmount: "1000",
      subscriberCount: 2,
    });

    // The newest block is replaced by an empty one, and the chain goes on.
    await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
    await chain.testClient.mine({ blocks: 2 });
    await service.indexed(await chain.publicClient.getBlockNumber());
    expect(await service.json("/v1/listings/lst_a_1")).toMatchObject({
      raisedAmount: "100",
      subscriberCount: 1,
    });

    await service.indexed(await emit(chain, escrow.address, events.subscribed(1n, 5n, 105n, OTHER_BACKER)));
    expect(await service.json("/v1/listings/lst_a_1")).toMatchObject({
      raisedAmount: "105",
      subscriberCount: 2,
    });
    const { anomalies } = await service.json<{ anomalies: { total: number } }>("/v1/health");
    expect(anomalies.total).toBe(0);
  });

  test("that puts another event into the same place shows the other event", async () => {
    await emit(chain, escrow.address, events.created(1n));
    await chain.testClient.mine({ blocks: 40 });
    const service = await start();
    const { timestamp } = await chain.publicClient.getBlock();
    const subscribe = async (amount: bigint, backer = BACKER) => {
      await chain.testClient.setNextBlockTimestamp({ timestamp: timestamp + 10n });
      return emit(chain, escrow.address, events.subscribed(1n, amount, amount, backer));
    };
    const snapshot = await chain.testClient.snapshot();
    const block = await subscribe(100n);
    await service.indexed(block);
    expect(await service.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "100" });

    await chain.testClient.revert({ id: snapshot });
    expect(await subscribe(900n, OTHER_BACKER)).toBe(block);
    await chain.testClient.mine({ blocks: 3 });
    await service.indexed(await chain.publicClient.getBlockNumber());
    expect(await service.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "900" });
  });

  test("never shows a raise as of another block than it says, over a slow RPC too", async () => {
    await emit(chain, escrow.address, events.created(1n), events.subscribed(1n, 60n, 60n));
    await chain.testClient.mine({ blocks: 40 });
    const slow = await startRpcProxy(chain.rpcUrl);
    const service = await start({ rpcUrl: slow.url });
    await service.indexed(await emit(chain, escrow.address, events.subscribed(1n, 900n, 960n, OTHER_BACKER)));
    await service.indexed(await emit(chain, escrow.address, events.closed(1n, 960n)));
    expect(await service.json("/v1/listings/lst_a_1")).toMatchObject({ raisedAmount: "960", status: "live" });

    // Both transactions are mined again after the reorg: the raise is live on either branch.
    slow.delay = 700;
    const watching = watch(service, 12_000);
    await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
    await emit(chain, escrow.address, events.closed(1n, 960n));
    await chain.testClient.mine({ blocks: 2 });
    const seen = await watching;
    slow.delay = 0;
    await slow.stop();
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.filter(({ raisedAmount }) => raisedAmount !== "960")).toEqual([]);
    expect(seen.filter(({ status }) => status === "refunding")).toEqual([]);
  });
});

describe("a restart in good order", () => {
  test("answers only what was true at the block that it names", async () => {
    await emit(chain, escrow.address, events.created(1n), events.subscribed(1n, 60n, 60n));
    await chain.testClient.mine({ blocks: 40 });
    const first = await startService({ ...options, dataDirectory: directory });
    const second = await emit(chain, escrow.address, events.subscribed(1n, 900n, 960n, OTHER_BACKER));
    const closed = await emit(chain, escrow.address, events.closed(1n, 960n));
    await first.indexed(closed);
    await first.stop();

    const slow = await startRpcProxy(chain.rpcUrl);
    slow.delay = 200;
    const again = await start({ rpcUrl: slow.url, dataDirectory: directory });
    const watching = watch(again, 8_000);
    await again.indexed(closed);
    const seen = await watching;
    await slow.stop();
    const wrong = seen.filter(({ block, raisedAmount, status }) => {
      const raised = block < second ? "60" : "960";
      return raisedAmount !== raised || status !== (block < closed ? "funding" : "live");
    });
    expect(seen.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
    expect(seen.at(-1)?.block).toBe(closed);
  });
});

describe("kill -9", () => {
  test("in the middle of the backfill, then a restart: the answers of an undisturbed run", async () => {
    await raise(1, 150);
    await chain.testClient.mine({ blocks: 40 });
    const head = await chain.publicClient.getBlockNumber();
    const slow = await startRpcProxy(chain.rpcUrl);
    slow.delay = 150;
    const doomed = await startService({ ...options, rpcUrl: slow.url, dataDirectory: directory });
    await sleep(1_000);
    expect((await doomed.get("/v1/ready")).status).toBe(503);
    expect(slow.asked("eth_getLogs")).toBeGreaterThan(0);
    await doomed.kill();
    await slow.stop();
    const restarted = await start({ dataDirectory: directory });
    const undisturbed = await start();
    await Promise.all([restarted.indexed(head), undisturbed.indexed(head)]);
    expect(await answers(restarted)).toEqual(await answers(undisturbed));
    expect((await restarted.json<{ listings: unknown[] }>("/v1/listings")).listings).toHaveLength(150);
  });

  test("in the middle of live indexing, then a restart: the answers of an undisturbed run", async () => {
    await raise(1, 5);
    await chain.testClient.mine({ blocks: 40 });
    const doomed = await startService({ ...options, dataDirectory: directory });
    await doomed.indexed(await chain.publicClient.getBlockNumber());
    const living = raise(6, 60);
    await sleep(400);
    await doomed.kill();
    await living;
    const head = await chain.publicClient.getBlockNumber();
    const restarted = await start({ dataDirectory: directory });
    const undisturbed = await start();
    await Promise.all([restarted.indexed(head), undisturbed.indexed(head)]);
    expect(await answers(restarted)).toEqual(await answers(undisturbed));
    expect((await restarted.json<{ listings: unknown[] }>("/v1/listings")).listings).toHaveLength(65);
  });
});
