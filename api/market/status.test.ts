import { describe, expect, it } from "vitest";
import { type Raise, type RawTerms, REFUND, rawTerms, tell, tellRaise } from "../../test/harness/book.ts";
import type { Status } from "./schema.ts";
import { acceptsMoney, openedAt, repaymentAt, repaymentTurnedAt, statusAt } from "./status.ts";

const DAY = 86_400n;

/** A raise with a minimum of 100 that closes at second 1,000, with so much subscribed at second 20. */
function raised(amount: bigint, terms: Partial<RawTerms> = {}): Raise {
  const raise = tellRaise(terms);
  raise.emit(20n, "Subscribed", { amount, totalRaised: amount });
  return raise;
}

function closed(amount: bigint, minRaiseMet: boolean): Raise {
  const raise = raised(amount);
  raise.emit(500n, "ListingClosed", { raisedAmount: amount, minRaiseMet });
  return raise;
}

function ended(name: "ListingSettled" | "ListingVoided" | "ListingCancelled", raise = raised(100n)): Raise {
  raise.emit(700n, name);
  return raise;
}

describe("statusAt", () => {
  it.each<[Status, string, () => Raise, now: bigint, since: bigint]>([
    ["listed", "nobody has subscribed", () => tellRaise(), 500n, 10n],
    ["listed", "a subscription brought nothing", () => raised(0n), 500n, 10n],
    ["funding", "somebody has subscribed", () => raised(1n), 500n, 20n],
    ["funding", "the target is reached and nothing closed it", () => raised(1_000n), 999n, 20n],
    ["live", "it closed with the minimum", () => closed(100n, true), 600n, 500n],
    ["live", "whatever the event says of the minimum", () => closed(100n, false), 600n, 500n],
    ["refunding", "it closed below the minimum", () => closed(99n, true), 600n, 500n],
    ["live", "the closing time came with the minimum", () => raised(100n), 1_000n, 1_000n],
    ["refunding", "the closing time came below the minimum", () => raised(99n), 1_000n, 1_000n],
    [
      "refunding",
      "nothing was raised, though nothing was needed",
      () => tellRaise({ minRaise: 0n }),
      1_000n,
      1_000n,
    ],
    [
      "live",
      "anything was raised where nothing was needed",
      () => raised(1n, { minRaise: 0n }),
      1_000n,
      1_000n,
    ],
    ["matured", "it is settled", () => ended("ListingSettled"), 800n, 700n],
    ["voided", "it is voided", () => ended("ListingVoided"), 800n, 700n],
    ["cancelled", "it is cancelled", () => ended("ListingCancelled"), 800n, 700n],
    ["voided", "it is voided, also past its closing time", () => ended("ListingVoided"), 9_000n, 700n],
    ["voided", "it is voided after a close", () => ended("ListingVoided", closed(9n, false)), 800n, 700n],
  ])("is %s when %s", (status, _why, play, now, since) => {
    expect(statusAt(play().row(), now)).toEqual({ status, since });
  });

  it("begins no earlier than the listing, whatever times its terms name", () => {
    const created = (terms: Partial<RawTerms>) => {
      const raise = tell();
      raise.emit(100n, "ListingCreated", { terms: rawTerms(terms) });
      return statusAt(raise.row(), 500n);
    };
    expect(created({ goLiveAt: 10n })).toEqual({ status: "listed", since: 100n });
    expect(created({ goLiveAt: 10n, closeAt: 50n })).toEqual({ status: "refunding", since: 100n });
    expect(created({ goLiveAt: 200n })).toEqual({ status: "listed", since: 200n });
    expect(openedAt({ createdAt: 100n, goLiveAt: 10n })).toBe(100n);
    expect(openedAt({ createdAt: 100n, goLiveAt: 200n })).toBe(200n);
  });

  it("remembers that there ever was a subscription", () => {
    const raise = raised(60n);
    raise.emit(30n, "Refunded", { amount: 60n, totalRefunded: 60n });
    expect(raise.row()).toMatchObject({ raisedAmount: 0n, subscriberCount: 0 });
    expect(statusAt(raise.row(), 500n).status).toBe("funding");
    expect(statusAt(raise.row(), 1_000n).status).toBe("refunding");
  });

  it("changes with time at closeAt and not a second before", () => {
    const row = raised(100n).row();
    expect(statusAt(row, 999n).status).toBe("funding");
    expect(statusAt(row, 1_000n).status).toBe("live");
    expect(statusAt(row, 2n ** 64n)).toEqual({ status: "live", since: 1_000n });
  });

  it("never changes with time where there is no closing time, and not before the largest one", () => {
    expect(statusAt(raised(100n, { closeAt: 0n }).row(), 2n ** 64n).status).toBe("funding");
    const last = 2n ** 64n - 1n;
    expect(statusAt(raised(100n, { closeAt: last }).row(), last - 1n).status).toBe("funding");
    expect(statusAt(raised(100n, { closeAt: last }).row(), last).status).toBe("live");
  });

  it("goes on when the closing time was moved before it came", () => {
    const raise = raised(100n);
    raise.emit(999n, "ListingTermsUpdated", { terms: rawTerms({ closeAt: 3_000n }) });
    expect(statusAt(raise.row(), 2_999n).status).toBe("funding");
    expect(statusAt(raise.row(), 3_000n)).toEqual({ status: "live", since: 3_000n });
  });

  it("stays refunding through terms that come too late", () => {
    const raise = raised(99n);
    raise.emit(1_000n, "ListingTermsUpdated", { terms: rawTerms({ closeAt: 3_000n, minRaise: 1n }) });
    expect(statusAt(raise.row(), 1_000n)).toEqual({ status: "refunding", since: 1_000n });
  });

  it("stays live when backers of a live raise are refunded", () => {
    const raise = closed(100n, true);
    raise.emit(600n, "Refunded", { reason: REFUND.withdrawn, amount: 100n, totalRefunded: 100n });
    expect(statusAt(raise.row(), 600n)).toEqual({ status: "live", since: 500n });
  });

  it("turns once more at the close of an auction that fixes another figure", () => {
    const raise = raised(150n, { pricingMode: 1 });
    expect(statusAt(raise.row(), 1_000n)).toEqual({ status: "live", since: 1_000n });
    raise.emit(1_100n, "Refunded", { reason: REFUND.outbid, amount: 100n, totalRefunded: 100n });
    raise.emit(1_100n, "ListingClosed", { raisedAmount: 50n, minRaiseMet: true });
    expect(statusAt(raise.row(), 1_200n)).toEqual({ status: "refunding", since: 1_100n });
  });

  it("is decided by the first end, whatever comes later", () => {
    const raise = ended("ListingCancelled");
    raise.emit(710n, "ListingClosed", { raisedAmount: 1_000n, minRaiseMet: true });
    raise.emit(720n, "ListingSettled");
    raise.emit(730n, "ListingVoided");
    expect(statusAt(raise.row(), 9_000n)).toEqual({ status: "cancelled", since: 700n });
  });

  it("accepts money just as long as the fold counts it, also when terms came before the creation", () => {
    const raise = tell();
    raise.emit(100n, "ListingTermsUpdated", { terms: rawTerms({ closeAt: 50n }) });
    raise.emit(110n, "ListingCreated", { terms: rawTerms({ closeAt: 200n }) });
    const open = acceptsMoney(statusAt(raise.row(), 120n).status);
    raise.emit(120n, "Subscribed", { amount: 10n, totalRaised: 10n });
    expect(raise.row().raisedAmount).toBe(open ? 10n : 0n);
  });
});

describe("acceptsMoney", () => {
  it("is true in listed and funding alone", () => {
    const states: Status[] = ["listed", "funding", "live", "matured", "refunding", "voided", "cancelled"];
    expect(states.filter(acceptsMoney)).toEqual(["listed", "funding"]);
  });
});

describe("repaymentAt", () => {
  const maturityAt = 100n * DAY;
  const drawn = () => {
    const raise = closed(100n, true);
    raise.emit(600n, "DrawnDown", { amount: 100n, maturityAt });
    return raise;
  };

  it.each([
    ["current", 0n, null],
    ["grace", 1n, 1n],
    ["grace", 7n * DAY, 1n],
    ["late", 7n * DAY + 1n, 7n * DAY + 1n],
    ["late", 90n * DAY, 7n * DAY + 1n],
    ["default", 90n * DAY + 1n, 90n * DAY + 1n],
    ["default", 10_000n * DAY, 90n * DAY + 1n],
  ])("is %s at %i seconds from maturity, and turned to it at %i", (repayment, offset, turn) => {
    const row = drawn().row();
    expect(repaymentAt(row, maturityAt + offset)).toBe(repayment);
    expect(repaymentTurnedAt(row, maturityAt + offset)).toBe(turn === null ? null : maturityAt + turn);
    expect(repaymentTurnedAt({ ...row, drawnDownAt: null }, maturityAt + offset)).toBeNull();
  });

  it("is not_drawn before the drawdown, also of a raise that will never be drawn", () => {
    expect(repaymentAt(closed(100n, true).row(), 9_000n)).toBe("not_drawn");
    expect(repaymentAt(ended("ListingCancelled").row(), 9_000n)).toBe("not_drawn");
  });

  it("is repaid or written_off once settled, however late", () => {
    const settled = (writtenOffPrincipal: bigint) => {
      const raise = drawn();
      raise.emit(maturityAt + 200n * DAY, "ListingSettled", { outcome: 2, writtenOffPrincipal });
      return repaymentAt(raise.row(), maturityAt + 300n * DAY);
    };
    expect(settled(0n)).toBe("repaid");
    expect(settled(1n)).toBe("written_off");
  });
});
