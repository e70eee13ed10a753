import { describe, expect, it } from "vitest";
import {
  ALICE,
  BOB,
  type Book,
  createBook,
  kindsOf,
  placeAt,
  type Raise,
  REFUND,
  RESERVE,
  ROUTER,
  tellRaise,
} from "../../test/harness/book.ts";

/** Alice brings 60 and Bob 40 to a raise that closes at second 1,000. */
function raiseOf100(book?: Book): Raise {
  const raise = tellRaise({}, book);
  raise.emit(20n, "Subscribed", { backer: ALICE, amount: 60n, totalRaised: 60n });
  raise.emit(30n, "Subscribed", { backer: BOB, amount: 40n, totalRaised: 100n });
  return raise;
}

function drawnRaise(book?: Book): Raise {
  const raise = raiseOf100(book);
  raise.emit(1_000n, "ListingClosed", { raisedAmount: 100n, minRaiseMet: true });
  raise.emit(1_010n, "DrawnDown", { amount: 100n, fee: 2n, maturityAt: 5_000n });
  return raise;
}

describe("raisedAmount is subscriptions less what was withdrawn or outbid", () => {
  it("adds each subscription", () => {
    expect(raiseOf100().row()).toMatchObject({ raisedAmount: 100n, subscriberCount: 2, refundedAmount: 0n });
  });

  it.each([
    ["withdrawn", REFUND.withdrawn],
    ["outbid", REFUND.outbid],
  ])("takes off what was %s", (_name, reason) => {
    const raise = raiseOf100();
    const { anomalies } = raise.emit(40n, "Refunded", { reason, amount: 25n, totalRefunded: 25n });
    expect(anomalies).toEqual([]);
    expect(raise.row()).toMatchObject({ raisedAmount: 75n, refundedAmount: 25n, subscriberCount: 2 });
    expect(raise.position(ALICE)).toMatchObject({
      netPrincipal: 35n,
      subscribedAmount: 60n,
      refundedAmount: 25n,
    });
  });

  it.each([
    ["a missed minimum", REFUND.minNotMet],
    ["a cancellation", REFUND.cancelled],
    ["a void", REFUND.voided],
    ["an unknown reason", 200],
  ])("takes nothing off for %s", (_name, reason) => {
    const raise = raiseOf100();
    raise.emit(40n, "Refunded", { reason, amount: 60n, totalRefunded: 60n });
    expect(raise.row()).toMatchObject({ raisedAmount: 100n, refundedAmount: 60n, subscriberCount: 2 });
    expect(raise.position(ALICE)).toMatchObject({ netPrincipal: 60n, refundedAmount: 60n });
  });
});

it.each([
  ["withdrawn", 40n, null],
  ["min_not_met", 1_000n, null],
  ["cancelled", 1_000n, "ListingCancelled"],
  ["voided", 1_000n, "ListingVoided"],
] as const)("a refund that gives no reason is %s", (reason, time, end) => {
  const book = createBook();
  const raise = raiseOf100(book);
  if (end !== null) raise.emit(999n, end);
  const args = { backer: ALICE, amount: 20n, reason: null, totalRefunded: null };
  const { typed } = book.record({ kind: "refunded", args, at: placeAt(9, time) });
  expect(typed).toMatchObject({ table: "refund", row: { reason, totalRefunded: 20n } });
});

describe("subscriberCount is the backers with a net principal above zero", () => {
  it("counts the same backer twice as one", () => {
    const raise = tellRaise();
    raise.emit(20n, "Subscribed", { amount: 10n, totalRaised: 10n });
    raise.emit(21n, "Subscribed", { amount: 5n, totalRaised: 15n });
    expect(raise.row().subscriberCount).toBe(1);
    expect(raise.position(ALICE)?.netPrincipal).toBe(15n);
  });

  it("counts out and in again as one", () => {
    const raise = raiseOf100();
    raise.emit(40n, "Refunded", { amount: 60n, totalRefunded: 60n });
    expect(raise.row().subscriberCount).toBe(1);
    raise.emit(50n, "Subscribed", { amount: 7n, totalRaised: 47n });
    expect(raise.row()).toMatchObject({ subscriberCount: 2, raisedAmount: 47n, firstSubscribedAt: 20n });
  });

  it("counts the backer behind a router, not the router", () => {
    const raise = tellRaise();
    raise.emit(20n, "Subscribed", { backer: ALICE, payer: ROUTER, amount: 10n, totalRaised: 10n });
    raise.emit(21n, "Subscribed", { backer: BOB, payer: ROUTER, amount: 10n, totalRaised: 20n });
    expect(raise.row().subscriberCount).toBe(2);
    expect(raise.position(ALICE)?.netPrincipal).toBe(10n);
    expect(raise.position(ROUTER)).toBeUndefined();
  });

  it("lowers by the net principal only where a refund is above it", () => {
    const raise = raiseOf100();
    const { anomalies } = raise.emit(40n, "Refunded", { amount: 90n, totalRefunded: 90n });
    expect(anomalies).toHaveLength(1);
    expect(anomalies[0]).toMatchObject({
      kind: "refund_exceeds_principal",
      differences: [{ expected: "60", found: "90" }],
    });
    expect(raise.row()).toMatchObject({ raisedAmount: 40n, subscriberCount: 1, refundedAmount: 90n });
    expect(raise.position(ALICE)).toMatchObject({ netPrincipal: 0n, refundedAmount: 90n });
  });

  it("lowers nothing for a backer who was never there", () => {
    const raise = raiseOf100();
    const result = raise.emit(40n, "Refunded", { backer: ROUTER, amount: 5n, totalRefunded: 5n });
    expect(kindsOf(result)).toEqual(["refund_exceeds_principal"]);
    expect(raise.row()).toMatchObject({ raisedAmount: 100n, subscriberCount: 2, refundedAmount: 5n });
    expect(raise.position(ROUTER)?.netPrincipal).toBe(0n);
  });

  it("finds the second of two full refunds after a missed minimum", () => {
    const raise = tellRaise({ minRaise: 500n });
    raise.emit(20n, "Subscribed", { amount: 60n, totalRaised: 60n });
    const refund = (totalRefunded: bigint) =>
      kindsOf(raise.emit(1_000n, "Refunded", { reason: REFUND.minNotMet, amount: 60n, totalRefunded }));
    expect(refund(60n)).toEqual([]);
    expect(refund(120n)).toEqual(["refund_exceeds_principal"]);
    expect(raise.row()).toMatchObject({ raisedAmount: 60n, subscriberCount: 1, refundedAmount: 120n });
  });

  it("holds a refund against the net principal, also after an earlier one was above it", () => {
    const raise = raiseOf100();
    raise.emit(40n, "Refunded", { amount: 90n, totalRefunded: 90n });
    raise.emit(50n, "Subscribed", { amount: 60n, totalRaised: 100n });
    const result = raise.emit(60n, "Refunded", { amount: 60n, totalRefunded: 150n });
    expect(kindsOf(result)).toEqual([]);
    expect(raise.row()).toMatchObject({ raisedAmount: 40n, subscriberCount: 1, refundedAmount: 150n });
  });

  it("does not call a refund of nothing one above the principal", () => {
    const raise = raiseOf100();
    raise.emit(40n, "Refunded", { amount: 90n, totalRefunded: 90n });
    expect(kindsOf(raise.emit(50n, "Refunded", { amount: 0n, totalRefunded: 90n }))).toEqual(["zero_amount"]);
  });
});

describe("the reserve", () => {
  it("rises when posted, falls when applied or released, and sums up what was applied", () => {
    const raise = tellRaise();
    const change = (reason: number, amount: bigint, reserveBalance: bigint) =>
      kindsOf(raise.emit(50n, "ReserveChanged", { reason, amount, reserveBalance }));
    expect(change(RESERVE.posted, 50n, 50n)).toEqual([]);
    expect(change(RESERVE.applied, 20n, 30n)).toEqual([]);
    expect(change(RESERVE.applied, 5n, 25n)).toEqual([]);
    expect(change(RESERVE.released, 10n, 15n)).toEqual([]);
    expect(raise.row()).toMatchObject({ reserveBalance: 15n, reserveApplied: 25n });
  });

  it("takes the chain's balance where ours would be another", () => {
    const raise = tellRaise();
    const { anomalies } = raise.emit(50n, "ReserveChanged", {
      reason: RESERVE.released,
      amount: 20n,
      reserveBalance: 3n,
    });
    expect(anomalies[0]).toMatchObject({
      kind: "total_mismatch",
      differences: [{ expected: "-20", found: "3" }],
    });
    expect(raise.row()).toMatchObject({ reserveBalance: 3n, reserveApplied: 0n });
  });
});

describe("repayments and payouts", () => {
  it("reduce what is outstanding and keep when it was cleared", () => {
    const raise = drawnRaise();
    expect(raise.row()).toMatchObject({ outstandingPrincipal: 100n, drawdownFee: 2n, clearedAt: null });
    raise.emit(2_000n, "Repaid", { principal: 40n, interest: 3n, outstandingPrincipal: 60n });
    raise.emit(3_000n, "Repaid", { principal: 60n, interest: 1n, outstandingPrincipal: 0n });
    expect(raise.row()).toMatchObject({
      outstandingPrincipal: 0n,
      repaidPrincipal: 100n,
      repaidInterest: 4n,
      clearedAt: 3_000n,
    });
  });

  it("count as cleared from the tolerance on: a ten-thousandth, at least one base unit", () => {
    const cleared = (drawn: bigint, left: bigint) => {
      const raise = raiseOf100();
      raise.emit(1_010n, "DrawnDown", { amount: drawn, maturityAt: 5_000n });
      raise.emit(2_000n, "Repaid", { principal: drawn - left, outstandingPrincipal: left });
      return raise.row().clearedAt;
    };
    expect(cleared(100n, 1n)).toBe(2_000n);
    expect(cleared(100n, 2n)).toBeNull();
    expect(cleared(50_000n, 5n)).toBe(2_000n);
    expect(cleared(50_000n, 6n)).toBeNull();
  });

  it("are not needed for a drawdown within the tolerance: it is cleared as it is made", () => {
    const cleared = (amount: bigint) => {
      const raise = raiseOf100();
      raise.emit(1_010n, "DrawnDown", { amount, maturityAt: 5_000n });
      return raise.row().clearedAt;
    };
    expect(cleared(1n)).toBe(1_010n);
    expect(cleared(2n)).toBeNull();
  });

  it("do not move the time at which the loan was cleared if they come later", () => {
    const raise = drawnRaise();
    raise.emit(2_000n, "Repaid", { principal: 99n, outstandingPrincipal: 1n });
    raise.emit(3_000n, "Repaid", { principal: 1n, interest: 5n, outstandingPrincipal: 0n });
    expect(raise.row().clearedAt).toBe(2_000n);
  });

  it("leave the principal as it is if they are interest alone", () => {
    const raise = drawnRaise();
    const result = raise.emit(2_000n, "Repaid", { interest: 9n, outstandingPrincipal: 100n });
    expect(kindsOf(result)).toEqual([]);
    expect(raise.row()).toMatchObject({ outstandingPrincipal: 100n, repaidInterest: 9n });
  });

  it("pay the principal first where the event does not tell it apart, and no principal once the loan is settled", () => {
    const book = createBook();
    const raise = drawnRaise(book);
    const pay = (amount: bigint, time: bigint) => {
      const args = { payer: null, principal: null, interest: null, amount, outstandingPrincipal: null };
      return book.record({ kind: "repaid", args, at: placeAt(9, time) }).listing;
    };
    expect(pay(40n, 2_000n)).toMatchObject({ repaidPrincipal: 40n, repaidInterest: 0n });
    raise.emit(6_000n, "ListingSettled", { outcome: 2, writtenOffPrincipal: 60n });
    expect(pay(30n, 7_000n)).toMatchObject({ repaidPrincipal: 40n, repaidInterest: 30n });
  });

  it("sum up what holders claimed", () => {
    const raise = drawnRaise();
    raise.emit(2_000n, "PayoutClaimed", { amount: 4n, totalClaimed: 4n });
    raise.emit(2_001n, "PayoutClaimed", { holder: BOB, amount: 6n, totalClaimed: 10n });
    expect(raise.row().claimedAmount).toBe(10n);
  });
});
