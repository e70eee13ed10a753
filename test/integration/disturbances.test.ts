/**
 * Months of running in short: reorgs, kills without warning, restarts. Afterwards the answers are
 * those of an undisturbed run. On the embedded database, which dies with its process and has no transactions of
 * Ponder's.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { BACKER, emit, events, OTHER_BACKER } from "../harness/emit.ts";
import { temporaryFolder } from "../harness/ending.ts";
import { PATIENCE } from "../harness/patience.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { type Service, type ServiceOptions, startService } from "../harness/service.ts";

let chain: LocalChain;
let slow: RpcProxy;
let escrow: Deployment;
let options: ServiceOptions;

async function deploy(): Promise<void> {
  chain = await startChain();
  slow = await startRpcProxy(chain.rpcUrl);
  escrow = await deployRogueEscrow(chain);
  options = {
    rpcUrl: chain.rpcUrl,
    escrows: [`${escrow.address}@${escrow.blockNumber}`],
    registry: registryOf({ a: escrow.address }, 400),
  };
}

const say = (...calls: Parameters<typeof emit>[2][]) => emit(chain, escrow.address, ...calls);
const head = () => chain.publicClient.getBlockNumber();

/** The tables that were written for each block of live indexing that has events, in their order. */
function tablesByBlock(log: readonly string[]): string[][] {
  const blocks: string[][] = [[]];
  for (const line of log) {
    const { msg, table } = line.startsWith("{") ? JSON.parse(line) : {};
    if (msg === "Wrote database rows") blocks.at(-1)?.push(table);
    if (msg === "Indexed block" || msg === "Indexed block range") blocks.push([]);
  }
  return blocks.filter((tables) => tables.length > 0);
}

type Seen = { block: bigint; raisedAmount: string; status: string };

/** Asks for a raise again and again until `block` is indexed; each answer with the block that it is as of. */
async function watch(service: Service, publicId: string, block: bigint): Promise<Seen[]> {
  const seen: Seen[] = [];
  let isOver = false;
  const indexed = service.indexed(block).finally(() => {
    isOver = true;
  });
  const look = async () => {
    const { status, headers, text } = await service.get(`/v1/listings/${publicId}`);
    if (status !== 200) return;
    const { raisedAmount, status: shown } = JSON.parse(text);
    seen.push({ raisedAmount, status: shown, block: BigInt(headers.get("x-indexed-block") ?? 0) });
  };
  while (!isOver) {
    await look();
    await sleep(5);
  }
  await indexed;
  await look();
  return seen;
}

describe("a reorg", () => {
  let service: Service;

  beforeAll(async () => {
    await deploy();
    await say(events.created(1n), events.created(2n), events.created(3n), events.subscribed(3n, 60n, 60n));
    await chain.testClient.mine({ blocks: 40 });
    service = await startService({ ...options, rpcUrl: slow.url });
    await service.indexed(await head());
  });

  afterAll(async () => {
    await service?.stop();
    await slow?.stop();
    await chain?.stop();
  });

  test("that drops a subscription takes it out of the answers", async () => {
    await service.indexed(await say(events.subscribed(1n, 100n, 100n)));
    await service.indexed(await say(events.subscribed(1n, 900n, 1_000n, OTHER_BACKER)));
    const shown = () => service.json("/v1/listings/lst_a_1");
    expect(await shown()).toMatchObject({ raisedAmount: "1000", subscriberCount: 2 });

    // The newest block is replaced by an empty one, and the chain goes on.
    await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
    await chain.testClient.mine({ blocks: 2 });
    await service.indexed(await head());
    expect(await shown()).toMatchObject({ raisedAmount: "100", subscriberCount: 1 });

    await service.indexed(await say(events.subscribed(1n, 5n, 105n, OTHER_BACKER)));
    expect(await shown()).toMatchObject({ raisedAmount: "105", subscriberCount: 2 });
    const { anomalies } = await service.json<{ anomalies: { total: number } }>("/v1/health");
    expect(anomalies.total).toBe(0);
  });

  test("that puts another event into the same place shows the other event", async () => {
    const { timestamp } = await chain.publicClient.getBlock();
    const subscribe = async (amount: bigint, backer = BACKER) => {
      await chain.testClient.setNextBlockTimestamp({ timestamp: timestamp + 10n });
      return say(events.subscribed(2n, amount, amount, backer));
    };
    const snapshot = await chain.testClient.snapshot();
    const block = await subscribe(100n);
    await service.indexed(block);
    expect(await service.json("/v1/listings/lst_a_2")).toMatchObject({ raisedAmount: "100" });

    await chain.testClient.revert({ id: snapshot });
    expect(await subscribe(900n, OTHER_BACKER)).toBe(block);
    await chain.testClient.mine({ blocks: 3 });
    await service.indexed(await head());
    expect(await service.json("/v1/listings/lst_a_2")).toMatchObject({ raisedAmount: "900" });
  });

  test("never shows a raise as of another block than it says, over a slow RPC too", async () => {
    await service.indexed(await say(events.subscribed(3n, 900n, 960n, OTHER_BACKER)));
    await service.indexed(await say(events.closed(3n, 960n)));
    const live = { raisedAmount: "960", status: "live" };
    expect(await service.json("/v1/listings/lst_a_3")).toMatchObject(live);

    // The closing is mined again after the reorg: the raise is live on either branch.
    slow.delay = 700;
    await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
    await say(events.closed(3n, 960n));
    await chain.testClient.mine({ blocks: 2 });
    const seen = await watch(service, "lst_a_3", await head());
    slow.delay = 0;
    expect(seen.length).toBeGreaterThan(20);
    // In between its newest block is gone, and with it the closing.
    expect(seen.filter(({ raisedAmount }) => raisedAmount !== "960")).toEqual([]);
    expect(seen.filter(({ status }) => status === "refunding")).toEqual([]);
    expect(seen.at(-1)).toMatchObject(live);
  });
});

describe("an indexer that is ended and started again over the same data", () => {
  const directory = temporaryFolder();
  let undisturbed: Service;
  let disturbed: Service;

  beforeAll(async () => {
    await deploy();
    await raise(1, 80);
    await chain.testClient.mine({ blocks: 40 });
  });

  afterAll(async () => {
    await disturbed?.stop();
    await undisturbed?.stop();
    await slow?.stop();
    await chain?.stop();
  });

  /** `count` raises with two subscriptions each, a transaction a raise. */
  async function raise(first: number, count: number): Promise<void> {
    for (let id = BigInt(first); id < first + count; id += 1n) {
      await say(
        events.created(id, { refnum: `RB${id.toString().padStart(5, "0")}` }),
        events.subscribed(id, 100n + id, 100n + id),
        events.subscribed(id, 7n, 107n + id, OTHER_BACKER),
      );
    }
  }

  async function start(change: Partial<ServiceOptions> = {}): Promise<Service> {
    return startService({ ...options, dataDirectory: directory, ...change });
  }

  /** Both are at the head, and give the same answers, of so many raises. */
  async function expectSame(raises: number): Promise<void> {
    const block = await head();
    await Promise.all([disturbed.indexed(block), undisturbed.indexed(block)]);
    for (const path of ["/v1/listings", "/v1/originators"]) {
      const [one, other] = await Promise.all([disturbed.json(path), undisturbed.json(path)]);
      // An indexer that was started again takes blocks for final from another one on.
      const kept = (answer: unknown): unknown =>
        JSON.parse(JSON.stringify(answer), (key, value) => (key === "finality" ? undefined : value));
      expect(kept(one)).toEqual(kept(other));
    }
    expect((await disturbed.json<{ listings: unknown[] }>("/v1/listings")).listings).toHaveLength(raises);
  }

  test("after kill -9 in the backfill has the answers of an undisturbed run", async () => {
    slow.delay = 150;
    const doomed = await start({ env: { RPC_URLS: slow.url, FAST_FORWARD: "false" } });
    await expect.poll(() => slow.asked("eth_getLogs"), PATIENCE).toBeGreaterThan(0);
    expect((await doomed.get("/v1/ready")).status).toBe(503);
    await doomed.kill();
    undisturbed = await startService(options);
    disturbed = await start();
    await expectSame(80);
  });

  test("after kill -9 in live indexing has the answers of an undisturbed run", async () => {
    await raise(81, 5);
    const first = await head();
    await disturbed.indexed(first);
    const living = raise(86, 35);
    await expect.poll(head, { interval: 5 }).toBeGreaterThan(first + 3n);
    const atKill = await head();
    await disturbed.kill();
    await living;
    expect(await head()).toBeGreaterThan(atKill);
    disturbed = await start();
    await expectSame(120);
  });

  test("in good order only answers what was true at the block that an answer names", async () => {
    await say(events.created(300n), events.subscribed(300n, 60n, 60n));
    await chain.testClient.mine({ blocks: 40 });
    await disturbed.indexed(await head());
    const second = await say(events.subscribed(300n, 900n, 960n, OTHER_BACKER));
    const closed = await say(events.closed(300n, 960n));
    await disturbed.indexed(closed);
    expect(await disturbed.stop()).toBe(0);

    slow.delay = 200;
    disturbed = await start({ rpcUrl: slow.url, env: { LOG_LEVEL: "debug" } });
    const seen = await watch(disturbed, "lst_a_300", closed);
    const wrong = seen.filter(({ block, raisedAmount, status }) => {
      const raised = block < second ? "60" : "960";
      return raisedAmount !== raised || status !== (block < closed ? "funding" : "live");
    });
    expect(seen.length).toBeGreaterThan(5);
    expect(wrong).toEqual([]);
    expect(seen.at(-1)?.block).toBe(closed);
    // By this table, readers of the embedded database recognise a half-written block.
    expect(new Set(tablesByBlock(disturbed.log).map(([first]) => first))).toEqual(new Set(["tally"]));
    slow.delay = 0;
    await expectSame(121);
  });
});
