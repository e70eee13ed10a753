/**
 * Events of a hostile or broken escrow, through the real chain and the real indexer: recorded, never thrown, and no answer turns into
 * a 500. Each kind of anomaly has a test next to the fold, and rogue-histories.test.ts compares them all with the model.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, emitFrom, events, OTHER_BACKER, untilPending } from "../harness/emit.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";

const POSTED = 0;

let chain: LocalChain;
let escrow: Deployment;
let twin: Deployment;
let service: Service;
let next = 0n;

type Shown = Record<string, unknown>;

beforeAll(async () => {
  chain = await startChain();
  escrow = await deployRogueEscrow(chain);
  twin = await deployRogueEscrow(chain);
  service = await startService({
    rpcUrl: chain.rpcUrl,
    // The same escrow from the list and from the factory: each log is delivered twice and must fold once.
    escrows: [`${escrow.address}@${escrow.blockNumber}`, `${twin.address}@${twin.blockNumber}`],
    factory: `${escrow.address}@${escrow.blockNumber}`,
    registry: registryOf({ a: escrow.address, b: twin.address }),
  });
  await emit(chain, escrow.address, events.deployed(escrow.address));
});

function newId(): bigint {
  next += 1n;
  return next;
}

async function say(...calls: Parameters<typeof emit>[2][]): Promise<void> {
  await service.indexed(await emit(chain, escrow.address, ...calls));
}

async function anomalies(): Promise<Record<string, number>> {
  const health = await service.json<{ anomalies: { byKind: Record<string, number> } }>("/v1/health");
  return health.anomalies.byKind;
}

/** The listing after the events, and which anomalies they added. */
async function outcomeOf(
  id: bigint,
  ...calls: Parameters<typeof emit>[2][]
): Promise<{ shown: Shown; added: Record<string, number> }> {
  const before = await anomalies();
  await say(...calls);
  const now = await anomalies();
  const kinds = Object.keys(now).filter((kind) => now[kind] !== before[kind]);
  const added = Object.fromEntries(kinds.map((kind) => [kind, (now[kind] ?? 0) - (before[kind] ?? 0)]));
  return { shown: await service.json(`/v1/listings/lst_a_${id}`), added };
}

describe("an honest life", () => {
  test("adds no anomaly, though every log is delivered twice", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(
      id,
      events.created(id),
      events.subscribed(id, 600n, 600n),
      events.subscribed(id, 400n, 1_000n, OTHER_BACKER),
      events.reserve(id, POSTED, 50n, 50n),
      events.closed(id, 1_000n),
      events.drawnDown(id, 1_000n, 4_000_000_000n),
      events.repaid(id, 300n, 20n, 700n),
      events.claimed(id, 100n, 100n),
    );
    expect(added).toEqual({});
    expect(shown).toMatchObject({
      status: "live",
      raisedAmount: "1000",
      subscriberCount: 2,
      reserveBalance: "50",
      repaidAmount: "320",
      outstandingPrincipal: "700",
      repayment: "current",
      originatorVerified: true,
    });
  });
});

describe("a contract that breaks the rules", () => {
  test("unknown_listing: what comes before the creation folds into a stub that nobody sees", async () => {
    const id = newId();
    const early = await outcomeOf(id, events.subscribed(id, 70n, 70n));
    expect(early.added).toEqual({ unknown_listing: 1 });
    expect(early.shown).toMatchObject({ status: 404, code: "not_found" });
    const { shown, added } = await outcomeOf(id, events.created(id));
    expect(added).toEqual({});
    expect(shown).toMatchObject({ status: "funding", raisedAmount: "70", subscriberCount: 1 });
  });
});

describe("values at the edge", () => {
  test("amounts near 2^200 survive from the event to the JSON string", async () => {
    const id = newId();
    const huge = 2n ** 200n + 12_345_678_901_234_567_890n;
    const { shown, added } = await outcomeOf(
      id,
      events.created(id, { targetAmount: huge * 2n, minRaise: huge - 1n }),
      events.subscribed(id, huge, huge),
      events.reserve(id, POSTED, huge + 7n, huge + 7n),
    );
    expect(added).toEqual({});
    expect(shown).toMatchObject({
      targetAmount: "3213876088517980551083924184682325205044430678923388139738532",
      raisedAmount: huge.toString(),
      minRaise: (huge - 1n).toString(),
      reserveBalance: (huge + 7n).toString(),
    });
  });

  test("sums past a uint256 stay at the largest and are told", async () => {
    const id = newId();
    const most = 2n ** 256n - 1n;
    const { shown, added } = await outcomeOf(
      id,
      events.created(id, { targetAmount: most }),
      events.subscribed(id, most, most),
      events.subscribed(id, most, most),
      events.subscribed(id, most, most),
    );
    expect(added).toEqual({ total_mismatch: 2 });
    expect(shown).toMatchObject({ raisedAmount: most.toString(), targetAmount: most.toString() });
  });

  test("a closeAt of 2^64 - 1 is shown as the last instant of the year 9999", async () => {
    const id = newId();
    const { shown } = await outcomeOf(id, events.created(id, { closeAt: 2n ** 64n - 1n }));
    expect(shown).toMatchObject({ status: "listed", closeAt: "9999-12-31T23:59:59Z" });
  });

  test("unknown enum values, and a NUL in a refnum", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(
      id,
      events.created(id, { refnum: "RB\u000000001", pricingMode: 9 }),
      events.subscribed(id, 100n, 100n),
      events.refunded(id, 200, 30n, 30n),
      events.reserve(id, 77, 0n, 0n),
      events.settled(id, 44, 1n),
    );
    expect(added).toEqual({ bad_refnum: 1, zero_amount: 1 });
    expect(shown).toMatchObject({
      refnum: "RB\ufffd00001",
      pricingMode: "fixed",
      raisedAmount: "100",
      refundedAmount: "30",
      status: "matured",
      outcome: "unknown",
    });
  });

  test("one id in two escrows, in one block: never mixed", async () => {
    const id = newId();
    await chain.testClient.setAutomine(false);
    const send = (account: number, { address }: Deployment, amount: bigint) =>
      emitFrom(chain, account, address, events.created(id), events.subscribed(id, amount, amount));
    const sent = Promise.all([send(0, escrow, 11n), send(1, twin, 22n)]);
    await untilPending(chain, 2);
    await chain.testClient.mine({ blocks: 1 });
    const [first, second] = await sent;
    await chain.testClient.setAutomine(true);
    expect(first).toBe(second);
    await service.indexed(first);
    expect(await service.json(`/v1/listings/lst_a_${id}`)).toMatchObject({
      raisedAmount: "11",
      escrowAddress: escrow.address,
    });
    expect(await service.json(`/v1/listings/lst_b_${id}`)).toMatchObject({
      raisedAmount: "22",
      escrowAddress: twin.address,
    });
  });

  test("after all this every path still answers", async () => {
    for (const path of ["/v1/listings", "/v1/originators", "/v1/health", "/v1/ready", "/openapi.json"]) {
      expect((await service.get(path)).status, path).toBe(200);
    }
    expect(service.log.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  });
});
