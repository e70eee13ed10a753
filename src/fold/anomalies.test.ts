import { describe, expect, it } from "vitest";
import {
  BOB,
  createBook,
  ESCROW,
  kindsOf,
  type Raise,
  REFUND,
  RESERVE,
  type Recorded,
  rawTerms,
  tell,
  tellRaise,
} from "../../test/harness/book.ts";
import type { ListingRow } from "./state.ts";

const MAX = 2n ** 256n - 1n;
const NEAR_2_200 = 2n ** 200n + 12_345n;

function drawn(): Raise {
  const raise = tellRaise();
  raise.emit(20n, "Subscribed", { amount: 100n, totalRaised: 100n });
  raise.emit(30n, "ListingClosed", { raisedAmount: 100n, minRaiseMet: true });
  raise.emit(40n, "DrawnDown", { amount: 100n, maturityAt: 500n });
  return raise;
}

type Case = { kind: string; tell: () => { raise: Raise; result: Recorded }; leaves: Partial<ListingRow> };

function after(raise: Raise, emit: (raise: Raise) => Recorded): { raise: Raise; result: Recorded } {
  return { raise, result: emit(raise) };
}

// Each kind by its plainest cause, and what the aggregates make of the event.
const CASES: Case[] = [
  {
    kind: "unknown_listing",
    tell: () =>
      after(tell(), (raise) => raise.emit(20n, "ReserveChanged", { amount: 5n, reserveBalance: 5n })),
    leaves: { createdEventId: null, reserveBalance: 5n },
  },
  {
    kind: "total_mismatch",
    tell: () =>
      after(tellRaise(), (raise) => raise.emit(20n, "Subscribed", { amount: 60n, totalRaised: 61n })),
    leaves: { raisedAmount: 61n, subscriberCount: 1 },
  },
  {
    kind: "refund_exceeds_principal",
    tell: () =>
      after(drawn(), (raise) =>
        raise.emit(50n, "Refunded", { reason: REFUND.voided, amount: 101n, totalRefunded: 101n }),
      ),
    leaves: { raisedAmount: 100n, refundedAmount: 101n, subscriberCount: 1 },
  },
  {
    kind: "zero_amount",
    tell: () => after(tellRaise(), (raise) => raise.emit(20n, "Subscribed", { amount: 0n, totalRaised: 0n })),
    leaves: { raisedAmount: 0n, subscriberCount: 0, firstSubscribedAt: null },
  },
  {
    kind: "subscribed_after_close",
    tell: () =>
      after(drawn(), (raise) =>
        raise.emit(50n, "Subscribed", { backer: BOB, amount: 9n, totalRaised: 109n }),
      ),
    leaves: { raisedAmount: 100n, subscriberCount: 1 },
  },
  {
    kind: "terms_after_close",
    tell: () =>
      after(drawn(), (raise) =>
        raise.emit(50n, "ListingTermsUpdated", { terms: rawTerms({ minRaise: 1n }) }),
      ),
    leaves: { minRaise: 100n },
  },
  {
    kind: "repaid_before_drawdown",
    tell: () =>
      after(tellRaise(), (raise) =>
        raise.emit(20n, "Repaid", { principal: 8n, interest: 1n, outstandingPrincipal: 92n }),
      ),
    leaves: { repaidPrincipal: 8n, repaidInterest: 1n, outstandingPrincipal: 0n, clearedAt: null },
  },
  {
    kind: "second_terminal",
    tell: () => {
      const raise = drawn();
      raise.emit(50n, "ListingSettled", { outcome: 0 });
      return after(raise, () => raise.emit(60n, "ListingVoided"));
    },
    leaves: { terminalKind: "settled", terminalAt: 50n },
  },
  {
    kind: "second_close",
    tell: () => after(drawn(), (raise) => raise.emit(50n, "ListingClosed", { raisedAmount: 7n })),
    leaves: { raisedAmount: 100n, closedAt: 30n },
  },
  {
    kind: "second_created",
    tell: () => after(drawn(), (raise) => raise.emit(50n, "ListingCreated", { refnum: "ZZ00009" })),
    leaves: { refnum: "RB00001", createdAt: 1n },
  },
  {
    kind: "second_drawdown",
    tell: () => after(drawn(), (raise) => raise.emit(50n, "DrawnDown", { amount: 7n, maturityAt: 9n })),
    leaves: { drawnAmount: 100n, maturityAt: 500n, outstandingPrincipal: 100n },
  },
  {
    kind: "token_reused",
    tell: () => {
      const book = createBook();
      tellRaise({}, book);
      const raise = tell(book, { escrowAddress: ESCROW, onchainId: 2n });
      return after(raise, () => raise.emit(5n, "ListingCreated"));
    },
    leaves: { refnum: "RB00001", createdAt: 5n },
  },
  {
    kind: "bad_refnum",
    tell: () => after(tell(), (raise) => raise.emit(5n, "ListingCreated", { refnum: "nonsense" })),
    leaves: { refnum: "nonsense", createdAt: 5n },
  },
];

describe("the thirteen kinds", () => {
  it("are thirteen", () => {
    expect(new Set(CASES.map(({ kind }) => kind)).size).toBe(13);
  });

  it.each(CASES)("$kind adds a row next to the ledger row", ({ kind, tell: play, leaves }) => {
    const { raise, result } = play();
    const { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash } = result.ledger;
    expect(result.anomalies).toEqual([
      {
        kind,
        eventKind: result.ledger.kind,
        differences: expect.any(Array),
        escrowAddress,
        onchainId,
        eventId,
        blockNumber,
        blockTime,
        txHash,
      },
    ]);
    expect(raise.row()).toMatchObject(leaves);
  });

  it("have one row each where an event has several", () => {
    const result = tell().emit(20n, "Refunded", { amount: 0n, totalRefunded: 4n });
    expect(kindsOf(result)).toEqual(["total_mismatch", "unknown_listing", "zero_amount"]);
  });

  it.each([
    ["Refunded", { totalRefunded: 0n }],
    ["ReserveChanged", { reserveBalance: 0n }],
    ["Repaid", { outstandingPrincipal: 100n }],
    ["PayoutClaimed", { totalClaimed: 0n }],
  ] as const)("zero_amount is also said of %s", (name, args) => {
    expect(kindsOf(drawn().emit(50n, name, args))).toEqual(["zero_amount"]);
  });
});

describe("the chain's total", () => {
  it("is taken, and summing goes on from there", () => {
    const raise = tellRaise();
    raise.emit(20n, "Subscribed", { amount: 60n, totalRaised: 1_000n });
    expect(kindsOf(raise.emit(21n, "Subscribed", { amount: 1n, totalRaised: 1_001n }))).toEqual([]);
    expect(raise.row().raisedAmount).toBe(1_001n);
    expect(raise.position("0x".concat("a1".repeat(20)) as `0x${string}`)?.netPrincipal).toBe(61n);
  });

  it.each([
    ["Refunded", { amount: 5n, totalRefunded: 77n }, { refundedAmount: 77n }],
    ["ReserveChanged", { reason: RESERVE.posted, amount: 5n, reserveBalance: 77n }, { reserveBalance: 77n }],
    ["Repaid", { principal: 5n, outstandingPrincipal: 77n }, { outstandingPrincipal: 77n }],
    ["PayoutClaimed", { amount: 5n, totalClaimed: 77n }, { claimedAmount: 77n }],
  ] as const)("is taken from %s", (name, args, leaves) => {
    const raise = drawn();
    const result = raise.emit(50n, name, args);
    expect(kindsOf(result)).toEqual(["total_mismatch"]);
    expect(result.anomalies[0]?.differences).toMatchObject([{ found: "77" }]);
    expect(raise.row()).toMatchObject(leaves);
  });

  it("is not compared on subscriptions that do not count", () => {
    expect(kindsOf(tellRaise().emit(20n, "Subscribed", { amount: 0n, totalRaised: 9n }))).toEqual([
      "zero_amount",
    ]);
    expect(kindsOf(drawn().emit(50n, "Subscribed", { amount: 1n, totalRaised: 9n }))).toEqual([
      "subscribed_after_close",
    ]);
  });

  it("below the net principals makes nothing negative", () => {
    const raise = tellRaise();
    raise.emit(20n, "Subscribed", { amount: 60n, totalRaised: 10n });
    const result = raise.emit(21n, "Refunded", { amount: 60n, totalRefunded: 60n });
    expect(kindsOf(result)).toEqual(["total_mismatch"]);
    expect(raise.row()).toMatchObject({ raisedAmount: 0n, subscriberCount: 0 });
  });
});

describe("the largest amounts", () => {
  it("near 2^200 survive exactly", () => {
    const raise = tellRaise({ targetAmount: 2n ** 201n, closeAt: 0n });
    const result = raise.emit(20n, "Subscribed", { amount: NEAR_2_200, totalRaised: NEAR_2_200 });
    expect(result.anomalies).toEqual([]);
    expect(raise.row().raisedAmount).toBe(NEAR_2_200);
    expect(result.ledger.args.amount).toBe("1606938044258990275541962092341162602522202993782792835313721");
  });

  it("never exceed a uint256: a sum without a total of the chain stays at the largest, with a mismatch", () => {
    const raise = tellRaise({ closeAt: 0n });
    raise.emit(20n, "Subscribed", { amount: MAX, totalRaised: MAX });
    const second = raise.emit(21n, "Subscribed", { amount: MAX, totalRaised: MAX });
    expect(kindsOf(second)).toEqual(["total_mismatch"]);
    const position = second.position;
    expect(position).toMatchObject({ netPrincipal: MAX, subscribedAmount: MAX });
    expect(raise.row().raisedAmount).toBe(MAX);

    raise.emit(22n, "Refunded", { reason: REFUND.voided, amount: MAX, totalRefunded: MAX });
    const refund = raise.emit(23n, "Refunded", { reason: REFUND.voided, amount: MAX, totalRefunded: MAX });
    expect(refund.position?.refundedAmount).toBe(MAX);
    expect(raise.row().refundedAmount).toBe(MAX);
  });

  it("saturate in what was repaid and what the reserve covered, too", () => {
    const raise = tellRaise({ closeAt: 0n });
    raise.emit(20n, "DrawnDown", { amount: MAX, maturityAt: 2n ** 64n - 1n });
    const repay = () =>
      raise.emit(21n, "Repaid", { principal: MAX, interest: MAX, outstandingPrincipal: 0n });
    expect(kindsOf(repay())).toEqual([]);
    expect(kindsOf(repay())).toEqual(["total_mismatch"]);
    const apply = () =>
      raise.emit(22n, "ReserveChanged", { reason: RESERVE.applied, amount: MAX, reserveBalance: 0n });
    apply();
    apply();
    expect(raise.row()).toMatchObject({
      repaidPrincipal: MAX,
      repaidInterest: MAX,
      reserveApplied: MAX,
      outstandingPrincipal: 0n,
    });
  });
});
