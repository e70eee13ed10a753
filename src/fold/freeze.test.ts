import { describe, expect, it } from "vitest";
import {
  ALICE,
  AUCTION,
  BOB,
  kindsOf,
  type LogName,
  type Raise,
  type RawTerms,
  REFUND,
  rawTerms,
  tellRaise,
} from "../../test/harness/book.ts";

const FROZEN = { raisedAmount: 100n, subscriberCount: 1 };

function raiseOf100(terms: Partial<RawTerms> = {}): Raise {
  const raise = tellRaise(terms);
  raise.emit(20n, "Subscribed", { amount: 100n, totalRaised: 100n });
  return raise;
}

/** What a raise makes of money that comes and goes at `time`: nothing, when it is frozen. */
function expectFrozen(raise: Raise, time: bigint): void {
  const late = raise.emit(time, "Subscribed", { backer: BOB, amount: 7n, totalRaised: 107n });
  expect(kindsOf(late)).toEqual(["subscribed_after_close"]);
  expect(raise.row()).toMatchObject(FROZEN);
  expect(raise.position(BOB)?.netPrincipal ?? 0n).toBe(0n);

  const refundedBefore = raise.row().refundedAmount;
  const refund = raise.emit(time, "Refunded", { amount: 100n, totalRefunded: refundedBefore + 100n });
  expect(kindsOf(refund)).toEqual([]);
  expect(raise.row()).toMatchObject({ ...FROZEN, refundedAmount: refundedBefore + 100n });
  expect(raise.position(ALICE)).toMatchObject({ netPrincipal: 100n, refundedAmount: 100n });
}

describe("the raise freezes", () => {
  it("at ListingClosed", () => {
    const raise = raiseOf100();
    raise.emit(30n, "ListingClosed", { raisedAmount: 100n, minRaiseMet: true });
    expect(raise.row()).toMatchObject({ frozenAt: 30n, closedAt: 30n });
    expectFrozen(raise, 30n);
  });

  it.each(["ListingCancelled", "ListingVoided", "ListingSettled"] as const)("at %s", (name: LogName) => {
    const raise = raiseOf100();
    raise.emit(30n, name);
    expect(raise.row().frozenAt).toBe(30n);
    expectFrozen(raise, 31n);
  });

  it("at the first block whose time is at closeAt", () => {
    expectFrozen(raiseOf100(), 1_000n);
  });

  it("at the first block whose time is past closeAt, as of closeAt", () => {
    const raise = raiseOf100();
    expectFrozen(raise, 4_000n);
    expect(raise.row().frozenAt).toBe(1_000n);
  });

  it("not a second earlier", () => {
    const raise = raiseOf100();
    const result = raise.emit(999n, "Subscribed", { backer: BOB, amount: 7n, totalRaised: 107n });
    expect(result.anomalies).toEqual([]);
    expect(raise.row()).toMatchObject({ raisedAmount: 107n, subscriberCount: 2, frozenAt: null });
  });

  it("at ListingClosed or closeAt, whichever comes first", () => {
    const raise = raiseOf100();
    raise.emit(1_200n, "ListingClosed", { raisedAmount: 100n, minRaiseMet: true });
    expect(raise.row()).toMatchObject({ frozenAt: 1_000n, closedAt: 1_200n });
    raise.emit(1_300n, "ListingVoided");
    expect(raise.row().frozenAt).toBe(1_000n);
  });

  it("by the terms then valid: if they are extended before the deadline, the raise continues", () => {
    const raise = raiseOf100();
    raise.emit(999n, "ListingTermsUpdated", { terms: rawTerms({ closeAt: 2_000n }) });
    raise.emit(1_500n, "Subscribed", { backer: BOB, amount: 7n, totalRaised: 107n });
    expect(raise.row()).toMatchObject({ raisedAmount: 107n, frozenAt: null, closeAt: 2_000n });
    raise.emit(2_000n, "Subscribed", { backer: BOB, amount: 7n, totalRaised: 114n });
    expect(raise.row()).toMatchObject({ raisedAmount: 107n, frozenAt: 2_000n });
  });

  it("by the terms then valid: if they are shortened, the raise ends with the next block", () => {
    const raise = raiseOf100();
    raise.emit(50n, "ListingTermsUpdated", { terms: rawTerms({ closeAt: 40n }) });
    expectFrozen(raise, 50n);
  });

  it("and never thaws: terms at or after the deadline change nothing", () => {
    const raise = raiseOf100();
    const update = raise.emit(1_000n, "ListingTermsUpdated", { terms: rawTerms({ closeAt: 9_000n }) });
    expect(kindsOf(update)).toEqual(["terms_after_close"]);
    expect(raise.row().closeAt).toBe(1_000n);
    expectFrozen(raise, 1_100n);
  });

  it("never by time when there is no closing time, or the largest one", () => {
    for (const closeAt of [0n, 2n ** 64n - 1n]) {
      const raise = raiseOf100({ closeAt });
      raise.emit(2n ** 63n, "Subscribed", { amount: 1n, totalRaised: 101n });
      expect(raise.row()).toMatchObject({ raisedAmount: 101n, frozenAt: null });
      expect(raise.row().closeAt).toBe(closeAt === 0n ? null : closeAt);
    }
  });

  it("is not brought about by a drawdown or a repayment", () => {
    const raise = raiseOf100();
    raise.emit(30n, "DrawnDown", { amount: 100n, maturityAt: 5_000n });
    raise.emit(40n, "Repaid", { principal: 100n, outstandingPrincipal: 0n });
    raise.emit(50n, "Subscribed", { amount: 1n, totalRaised: 101n });
    expect(raise.row()).toMatchObject({ raisedAmount: 101n, frozenAt: null });
  });

  it("keeps a live raise live when a backer is refunded later", () => {
    const raise = raiseOf100();
    raise.emit(1_000n, "Refunded", { reason: REFUND.withdrawn, amount: 100n, totalRefunded: 100n });
    expect(raise.row()).toMatchObject({ raisedAmount: 100n, refundedAmount: 100n });
  });
});

describe("an auction is cleared after its deadline", () => {
  const outbid = (raise: Raise, time: bigint, amount: bigint, totalRefunded: bigint) =>
    raise.emit(time, "Refunded", { reason: REFUND.outbid, amount, totalRefunded });

  it("so outbid refunds lower raised, net and count until the first ListingClosed", () => {
    const raise = raiseOf100({ pricingMode: AUCTION });
    raise.emit(30n, "Subscribed", { backer: BOB, amount: 50n, totalRaised: 150n });
    outbid(raise, 1_100n, 20n, 20n);
    expect(raise.row()).toMatchObject({ raisedAmount: 130n, subscriberCount: 2, refundedAmount: 20n });
    outbid(raise, 1_100n, 80n, 100n);
    expect(raise.row()).toMatchObject({ raisedAmount: 50n, subscriberCount: 1 });
    expect(raise.position(ALICE)?.netPrincipal).toBe(0n);

    const closed = raise.emit(1_100n, "ListingClosed", { raisedAmount: 50n, couponRateBps: 900 });
    expect(closed.anomalies).toEqual([]);
    raise.emit(1_101n, "Refunded", { backer: BOB, reason: REFUND.outbid, amount: 50n, totalRefunded: 150n });
    expect(raise.row()).toMatchObject({ raisedAmount: 50n, subscriberCount: 1, refundedAmount: 150n });
  });

  it("but withdrawals after it lower nothing", () => {
    const raise = raiseOf100({ pricingMode: AUCTION });
    raise.emit(1_100n, "Refunded", { reason: REFUND.withdrawn, amount: 20n, totalRefunded: 20n });
    expect(raise.row()).toMatchObject(FROZEN);
  });

  it("and a fixed raise has no such exception", () => {
    const raise = raiseOf100();
    outbid(raise, 1_100n, 20n, 20n);
    expect(raise.row()).toMatchObject(FROZEN);
  });

  it.each(["ListingCancelled", "ListingVoided"] as const)("and not after %s", (end) => {
    const raise = raiseOf100({ pricingMode: AUCTION });
    raise.emit(1_050n, end);
    outbid(raise, 1_100n, 20n, 20n);
    expect(raise.row()).toMatchObject({ raisedAmount: 100n, refundedAmount: 20n });
    expect(raise.position(ALICE)?.netPrincipal).toBe(100n);
  });

  it("and the figure of the first ListingClosed holds for good", () => {
    const raise = raiseOf100({ pricingMode: AUCTION });
    const first = raise.emit(1_100n, "ListingClosed", { raisedAmount: 70n });
    expect(first.anomalies[0]).toMatchObject({
      kind: "total_mismatch",
      differences: [{ field: "raisedAmount", expected: "100", found: "70" }],
    });
    expect(kindsOf(raise.emit(1_200n, "ListingClosed", { raisedAmount: 99n }))).toEqual(["second_close"]);
    outbid(raise, 1_300n, 10n, 10n);
    expect(raise.row().raisedAmount).toBe(70n);
  });
});

describe("when minimum met or missed was decided", () => {
  it("is the closing time while the verdict of the time stands", () => {
    const raise = raiseOf100();
    raise.emit(1_100n, "ListingClosed", { raisedAmount: 100n, minRaiseMet: true });
    expect(raise.row().decidedAt).toBe(1_000n);
  });

  it("is the block of the close that turned it", () => {
    const raise = raiseOf100();
    raise.emit(1_100n, "ListingClosed", { raisedAmount: 99n, minRaiseMet: true });
    expect(raise.row().decidedAt).toBe(1_100n);
  });
});
