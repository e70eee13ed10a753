import { describe, expect, it } from "vitest";
import {
  createBook,
  ESCROW,
  HASH,
  kindsOf,
  type LogName,
  ORIGINATOR,
  OTHER_ESCROW,
  placeAt,
  rawTerms,
  TOKEN,
  tell,
  tellRaise,
} from "../../test/harness/book.ts";

const TERMINAL = [
  ["ListingSettled", "settled"],
  ["ListingCancelled", "cancelled"],
  ["ListingVoided", "voided"],
] as const satisfies readonly (readonly [LogName, string])[];

describe("ListingCreated", () => {
  it("brings the terms, the token, the refnum and the commitment to the text", () => {
    const raise = tell();
    const { token, anomalies } = raise.emit(7n, "ListingCreated", { terms: rawTerms({ closeAt: 0n }) });
    expect(anomalies).toEqual([]);
    expect(token).toMatchObject({ token: TOKEN, escrowAddress: ESCROW, onchainId: 1n, holderCount: 0 });
    expect(raise.row()).toMatchObject({
      originator: ORIGINATOR,
      token: TOKEN,
      refnum: "RB00001",
      metadataHash: HASH,
      targetAmount: 1_000n,
      minRaise: 100n,
      couponRateBps: 1450,
      insuranceBps: 500,
      tenorDays: 90,
      pricingMode: "fixed",
      goLiveAt: 10n,
      closeAt: null,
      createdAt: 7n,
      createdBlock: 1n,
      raisedAmount: 0n,
    });
  });

  it("fills the stub that earlier events left, and keeps what they summed up", () => {
    const raise = tell();
    const early = raise.emit(5n, "Subscribed", { amount: 60n, totalRaised: 60n });
    expect(kindsOf(early)).toEqual(["unknown_listing"]);
    expect(raise.row()).toMatchObject({ createdEventId: null, refnum: null, raisedAmount: 60n });

    expect(kindsOf(raise.emit(6n, "ListingCreated"))).toEqual([]);
    raise.emit(7n, "Subscribed", { amount: 10n, totalRaised: 70n });
    expect(raise.row()).toMatchObject({ refnum: "RB00001", raisedAmount: 70n, subscriberCount: 1 });
    expect(raise.row().createdEventId).not.toBeNull();
  });

  it("is folded once: a second one changes nothing and binds no token", () => {
    const raise = tellRaise();
    const before = raise.row();
    const second = raise.emit(8n, "ListingCreated", {
      originator: OTHER_ESCROW,
      token: OTHER_ESCROW,
      refnum: "XX99999",
      terms: rawTerms({ closeAt: 9_999n, minRaise: 1n }),
    });
    expect(kindsOf(second)).toEqual(["second_created"]);
    expect(second.token).toBeNull();
    expect(raise.row()).toEqual({
      ...before,
      updatedAt: 8n,
      updatedBlock: 2n,
      updatedTx: second.ledger.txHash,
      updatedEventId: second.ledger.eventId,
    });
  });

  it.each(["RB00001", "a00000", "LEGACY99999"])("accepts the refnum %s", (refnum) => {
    expect(tell().emit(1n, "ListingCreated", { refnum }).anomalies).toEqual([]);
  });

  it.each(["", "00001", "RB0001", "RB000001", "RB00001 ", "RB00001\n", "R-00001", "RÉ00001", "RB٠٠٠٠١"])(
    "serves the odd refnum %j as it is, and says so",
    (refnum) => {
      const raise = tell();
      expect(kindsOf(raise.emit(1n, "ListingCreated", { refnum }))).toEqual(["bad_refnum"]);
      expect(raise.row().refnum).toBe(refnum);
    },
  );

  it("leaves a token with the listing that named it first", () => {
    const book = createBook();
    tellRaise({}, book);
    const second = tell(book, { escrowAddress: OTHER_ESCROW, onchainId: 1n });
    const result = second.emit(2n, "ListingCreated");
    expect(kindsOf(result)).toEqual(["token_reused"]);
    expect(result.token).toBeNull();
    expect(book.tokens.get(TOKEN)).toMatchObject({ escrowAddress: ESCROW, onchainId: 1n });
    expect(second.row().token).toBe(TOKEN);
  });
});

describe("the coupon and the terms", () => {
  it("are those of the last update before the close", () => {
    const raise = tellRaise();
    raise.emit(20n, "ListingTermsUpdated", {
      terms: rawTerms({ couponRateBps: 900, minRaise: 5n, closeAt: 2_000n, pricingMode: 1 }),
      metadataHash: `0x${"99".repeat(32)}`,
    });
    expect(raise.row()).toMatchObject({
      couponRateBps: 900,
      minRaise: 5n,
      closeAt: 2_000n,
      pricingMode: "auction",
      metadataHash: `0x${"99".repeat(32)}`,
      closedCouponRateBps: null,
      termsUpdates: 1,
      termsUpdatedAt: 20n,
    });
    raise.emit(30n, "ListingTermsUpdated");
    expect(raise.row()).toMatchObject({ termsUpdates: 2, termsUpdatedAt: 30n });
  });

  it("the close fixes the coupon beside the terms, the second close does not", () => {
    const raise = tellRaise();
    raise.emit(20n, "ListingClosed", { couponRateBps: 1212, reason: 0, minRaiseMet: true });
    raise.emit(21n, "ListingClosed", { couponRateBps: 1, reason: 1, minRaiseMet: false });
    expect(raise.row()).toMatchObject({
      couponRateBps: 1450,
      closedCouponRateBps: 1212,
      closeReason: "filled",
      minRaiseMet: true,
      closedAt: 20n,
    });
  });

  it("a close that gives no coupon fixes that of the terms", () => {
    const book = createBook();
    const raise = tellRaise({}, book);
    const args = { reason: "manual", raisedAmount: null, minRaiseMet: null, couponRateBps: null } as const;
    book.record({ kind: "listing_closed", args, at: placeAt(9, 20n) });
    expect(raise.row()).toMatchObject({ closedAt: 20n, closedCouponRateBps: 1450 });
  });

  it.each<LogName>(["ListingClosed", "ListingCancelled", "ListingSettled", "ListingVoided"])(
    "an update after %s changes nothing",
    (name) => {
      const raise = tellRaise();
      raise.emit(20n, name);
      const before = raise.row();
      const late = raise.emit(21n, "ListingTermsUpdated", {
        terms: rawTerms({ couponRateBps: 1, closeAt: 0n }),
        metadataHash: `0x${"99".repeat(32)}`,
      });
      expect(kindsOf(late)).toEqual(["terms_after_close"]);
      const { couponRateBps, closeAt, metadataHash, termsUpdates, termsUpdatedAt } = raise.row();
      expect({ couponRateBps, closeAt, metadataHash }).toEqual({
        couponRateBps: before.couponRateBps,
        closeAt: before.closeAt,
        metadataHash: before.metadataHash,
      });
      expect([termsUpdates, termsUpdatedAt]).toEqual([0, null]);
    },
  );
});

describe("what latches", () => {
  it.each(TERMINAL)("%s is the first end and stays", (name, kind) => {
    for (const [second] of TERMINAL) {
      const raise = tellRaise();
      expect(kindsOf(raise.emit(20n, name, {}))).toEqual([]);
      const before = raise.row();
      expect(before).toMatchObject({ terminalKind: kind, terminalAt: 20n, frozenAt: 20n });
      expect(kindsOf(raise.emit(30n, second, {}))).toEqual(["second_terminal"]);
      const { terminalKind, terminalAt, terminalReason, outcome, writtenOffPrincipal } = before;
      expect(raise.row()).toMatchObject({
        terminalKind,
        terminalAt,
        terminalReason,
        outcome,
        writtenOffPrincipal,
      });
    }
  });

  it("a settlement keeps its outcome and what was written off", () => {
    const raise = tellRaise();
    raise.emit(20n, "ListingSettled", { outcome: 2, writtenOffPrincipal: 33n });
    raise.emit(21n, "ListingSettled", { outcome: 0, writtenOffPrincipal: 0n });
    expect(raise.row()).toMatchObject({ outcome: "defaulted", writtenOffPrincipal: 33n });
  });

  it("a settlement that writes off another amount than is owed is an anomaly, and its amount counts", () => {
    const settledWith = (writtenOffPrincipal: bigint) => {
      const raise = tellRaise();
      raise.emit(20n, "DrawnDown", { amount: 100n, fee: 1n, maturityAt: 500n });
      raise.emit(21n, "Repaid", { principal: 40n, outstandingPrincipal: 60n });
      const { anomalies } = raise.emit(22n, "ListingSettled", { outcome: 2, writtenOffPrincipal });
      expect(raise.row().writtenOffPrincipal).toBe(writtenOffPrincipal);
      return anomalies.map(({ kind, differences }) => ({ kind, differences }));
    };
    const differences = [{ field: "writtenOffPrincipal", expected: "60", found: "45" }];
    expect(settledWith(45n)).toEqual([{ kind: "total_mismatch", differences }]);
    expect(settledWith(60n)).toEqual([]);
  });

  it("a second settlement is an anomaly, whatever amount it writes off", () => {
    const raise = tellRaise();
    raise.emit(20n, "DrawnDown", { amount: 100n, maturityAt: 500n });
    raise.emit(22n, "ListingSettled", { outcome: 2, writtenOffPrincipal: 100n });
    const second = raise.emit(23n, "ListingSettled", { outcome: 2, writtenOffPrincipal: 100n });
    expect(kindsOf(second)).toEqual(["second_terminal"]);
  });

  it.each(TERMINAL)("a close after %s is an anomaly and fixes nothing", (name) => {
    const raise = tellRaise();
    raise.emit(15n, "Subscribed", { amount: 10n, totalRaised: 10n });
    raise.emit(20n, name);
    const close = raise.emit(30n, "ListingClosed", { raisedAmount: 500n, couponRateBps: 1 });
    expect(kindsOf(close)).toEqual(["second_close"]);
    expect(raise.row()).toMatchObject({ raisedAmount: 10n, closedAt: null, closedCouponRateBps: null });
  });

  it("the first drawdown stays", () => {
    const raise = tellRaise();
    raise.emit(20n, "DrawnDown", { amount: 100n, fee: 1n, maturityAt: 500n });
    raise.emit(21n, "Repaid", { principal: 40n, outstandingPrincipal: 60n });
    const second = raise.emit(22n, "DrawnDown", { amount: 900n, fee: 9n, maturityAt: 900n });
    expect(kindsOf(second)).toEqual(["second_drawdown"]);
    expect(raise.row()).toMatchObject({
      drawnAmount: 100n,
      drawdownFee: 1n,
      maturityAt: 500n,
      drawnDownAt: 20n,
      outstandingPrincipal: 60n,
    });
  });

  it("money still moves after the end", () => {
    const raise = tellRaise();
    raise.emit(15n, "Subscribed", { amount: 10n, totalRaised: 10n });
    raise.emit(20n, "ListingCancelled");
    raise.emit(21n, "Refunded", { reason: 3, amount: 10n, totalRefunded: 10n });
    raise.emit(22n, "ReserveChanged", { amount: 4n, reserveBalance: 4n });
    raise.emit(23n, "PayoutClaimed", { amount: 2n, totalClaimed: 2n });
    expect(raise.row()).toMatchObject({
      raisedAmount: 10n,
      refundedAmount: 10n,
      reserveBalance: 4n,
      claimedAmount: 2n,
    });
  });
});
