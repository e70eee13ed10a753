/**
 * What a hostile or broken escrow can say, through the real chain and the real indexer: recorded, never thrown,
 * and no answer turns into a 500. Kinds and rules: "Folding rules" of the chain's documentation.
 */
import { beforeAll, describe, expect, test } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { BACKER, emit, emitFrom, events, OTHER_BACKER, tokenOf, untilPending } from "../harness/emit.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { type Service, startService } from "../harness/service.ts";

const WITHDRAWN = 0;
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

describe("each kind of anomaly", () => {
  test("unknown_listing: what comes before the creation folds into a stub that nobody sees", async () => {
    const id = newId();
    const early = await outcomeOf(id, events.subscribed(id, 70n, 70n));
    expect(early.added).toEqual({ unknown_listing: 1 });
    expect(early.shown).toMatchObject({ status: 404, code: "not_found" });
    const { shown, added } = await outcomeOf(id, events.created(id));
    expect(added).toEqual({});
    expect(shown).toMatchObject({ status: "funding", raisedAmount: "70", subscriberCount: 1 });
  });

  test("total_mismatch: the aggregate takes the chain's total and goes on from there", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(
      id,
      events.created(id),
      events.subscribed(id, 100n, 130n),
      events.subscribed(id, 10n, 140n, OTHER_BACKER),
    );
    expect(added).toEqual({ total_mismatch: 1 });
    expect(shown).toMatchObject({ raisedAmount: "140", subscriberCount: 2 });
  });

  test("refund_exceeds_principal: lowers the raise by the net principal only", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(
      id,
      events.created(id),
      events.subscribed(id, 100n, 100n),
      events.subscribed(id, 40n, 140n, OTHER_BACKER),
      events.refunded(id, WITHDRAWN, 250n, 250n),
    );
    expect(added).toEqual({ refund_exceeds_principal: 1 });
    expect(shown).toMatchObject({ raisedAmount: "40", refundedAmount: "250", subscriberCount: 1 });
  });

  test("zero_amount: counts nobody and opens nothing", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(id, events.created(id), events.subscribed(id, 0n, 0n));
    expect(added).toEqual({ zero_amount: 1 });
    expect(shown).toMatchObject({ status: "listed", subscriberCount: 0, raisedAmount: "0" });
  });

  test("subscribed_after_close touches no aggregate, a refund after it only the refunds", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(
      id,
      events.created(id),
      events.subscribed(id, 100n, 100n),
      events.closed(id, 100n),
      events.subscribed(id, 900n, 1_000n, OTHER_BACKER),
      events.refunded(id, WITHDRAWN, 100n, 100n),
    );
    expect(added).toEqual({ subscribed_after_close: 1 });
    expect(shown).toMatchObject({
      status: "live",
      raisedAmount: "100",
      subscriberCount: 1,
      refundedAmount: "100",
    });
  });

  test("terms_after_close changes nothing", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(
      id,
      events.created(id),
      events.closed(id, 0n, 900),
      events.termsUpdated(id, { minRaise: 0n, couponRateBps: 1, closeAt: 4_000_000_000n }),
    );
    expect(added).toEqual({ terms_after_close: 1 });
    expect(shown).toMatchObject({ status: "refunding", minRaise: "100", couponRateBps: 900, closeAt: null });
  });

  test("repaid_before_drawdown is money repaid, and nothing outstanding", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(id, events.created(id), events.repaid(id, 5n, 1n, 0n));
    expect(added).toEqual({ repaid_before_drawdown: 1 });
    expect(shown).toMatchObject({ repaidAmount: "6", outstandingPrincipal: "0", repayment: "not_drawn" });
  });

  test("second_terminal, second_close and second_drawdown: the first stands", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(
      id,
      events.created(id),
      events.subscribed(id, 500n, 500n),
      events.closed(id, 500n, 1_000),
      events.closed(id, 1n, 2_000),
      events.drawnDown(id, 500n, 4_000_000_000n),
      events.drawnDown(id, 9n, 5_000_000_000n),
      events.settled(id, 2, 500n),
      events.cancelled(id),
      events.voided(id),
    );
    expect(added).toEqual({ second_close: 1, second_drawdown: 1, second_terminal: 2 });
    expect(shown).toMatchObject({
      status: "matured",
      raisedAmount: "500",
      couponRateBps: 1_000,
      outcome: "defaulted",
      repayment: "written_off",
      maturityAt: "2096-10-02T07:06:40Z",
    });
  });

  test("second_created and token_reused: the first listing keeps its terms and its token", async () => {
    const id = newId();
    const other = newId();
    const { shown, added } = await outcomeOf(
      id,
      events.created(id, { refnum: "RB00077" }),
      events.created(id, { refnum: "RB99999", targetAmount: 5n, token: BACKER }),
      events.created(other, { token: tokenOf(id) }),
    );
    expect(added).toEqual({ second_created: 1, token_reused: 1 });
    expect(shown).toMatchObject({ refnum: "RB00077", targetAmount: "1000", tokenAddress: tokenOf(id) });
  });

  test("bad_refnum is served as it is", async () => {
    const id = newId();
    const { shown, added } = await outcomeOf(id, events.created(id, { refnum: "no <b>number</b>" }));
    expect(added).toEqual({ bad_refnum: 1 });
    expect(shown).toMatchObject({ refnum: "no <b>number</b>" });
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
