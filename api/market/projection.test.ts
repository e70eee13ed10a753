import { describe, expect, it } from "vitest";
import { canLose, limitSentence, parseInvestment, projectionOf, resaleProjectionOf } from "./projection.ts";

const DOLLAR = 10n ** 18n;

/** The raise seeks 100,000 dollars and has 40,000; 14.50% for 180 days, a required reserve of 5,000, of which half is held. */
const OPEN = {
  acceptsMoney: true,
  couponIsMaximum: false,
  targetAmount: `${100_000n * DOLLAR}`,
  raisedAmount: `${40_000n * DOLLAR}`,
  drawnAmount: "0",
  outstandingPrincipal: "0",
  reserveBalance: `${2_500n * DOLLAR}`,
  insuranceBps: 500,
  couponRateBps: 1450,
  tenorDays: 180,
};

describe("limitSentence", () => {
  const fixed = { ...OPEN, pricingMode: "fixed" } as const;

  it("has what a fixed raise lacks, and the target of an auction; none of a closed raise", () => {
    const auction = { ...fixed, pricingMode: "auction" } as const;
    expect(limitSentence(fixed, 60_000n * DOLLAR)).toBeNull();
    expect(limitSentence(fixed, 60_000n * DOLLAR + 1n)).toBe("Only 60,000 USD-test can still be lent.");
    const over = { ...fixed, raisedAmount: `${100_001n * DOLLAR}` };
    expect(limitSentence(over, 1n)).toBe("The target is reached: the raise may accept no more.");
    expect(limitSentence(auction, 100_000n * DOLLAR)).toBeNull();
    expect(limitSentence(auction, 100_000n * DOLLAR + 1n)).toBe(
      "At most 100,000 USD-test can be lent in all.",
    );
    expect(limitSentence({ ...fixed, acceptsMoney: false }, 10n ** 30n)).toBeNull();
  });
});

describe("projectionOf", () => {
  it("gives 71.506849315068493150 of interest for 1,000 dollars at 14.50% for 180 days", () => {
    // 1000 × 0.145 × 180 / 365 = 26100 / 365 = 71.5068493150684931506…
    expect(projectionOf(OPEN, 1_000n * DOLLAR)).toEqual({
      investment: 1_000n * DOLLAR,
      interest: 71_506849315068493150n,
      total: 1_071_506849315068493150n,
      principal: 100_000n * DOLLAR,
      repaid: 0n,
      // It is 1% of 100,000: 25 of the 2,500 held, 50 of the 5,000 required.
      reserveHeld: { returned: 25n * DOLLAR, lost: 975n * DOLLAR },
      reserveRequired: { returned: 50n * DOLLAR, lost: 950n * DOLLAR },
    });
  });

  it("takes the amount raised once the raise is closed, since nobody else shares the reserve", () => {
    const { principal, reserveHeld, reserveRequired } = projectionOf(
      { ...OPEN, acceptsMoney: false },
      1_000n * DOLLAR,
    );
    expect(principal).toBe(40_000n * DOLLAR);
    // 1,000 of 40,000 is 2.5%: 62.50 and 125.
    expect(reserveHeld.returned).toBe((125n * DOLLAR) / 2n);
    expect(reserveRequired).toEqual({ returned: 125n * DOLLAR, lost: 875n * DOLLAR });
  });

  it("counts the investment itself where it goes beyond the target", () => {
    const { principal, reserveRequired } = projectionOf(OPEN, 60_001n * DOLLAR);
    expect(principal).toBe(100_001n * DOLLAR);
    // 60,001 × 5,000 / 100,001 = 3000.0199998000019999800… dollars
    expect(reserveRequired.returned).toBe(3_000_019999800001999980n);
  });

  it("never counts more than the target of an auction until it is cleared, whatever is bid", () => {
    const auction = { ...OPEN, couponIsMaximum: true, raisedAmount: `${150_000n * DOLLAR}` };
    // 1,000 of the 100,000 that are accepted is 1%: 25 of the 2,500 held, 50 of the 5,000 required.
    for (const acceptsMoney of [true, false]) {
      expect(projectionOf({ ...auction, acceptsMoney }, 1_000n * DOLLAR)).toMatchObject({
        principal: 100_000n * DOLLAR,
        reserveHeld: { returned: 25n * DOLLAR, lost: 975n * DOLLAR },
        reserveRequired: { returned: 50n * DOLLAR, lost: 950n * DOLLAR },
      });
    }
    // Below its target, what is bid by the close is what is lent.
    const below = { ...auction, acceptsMoney: false, raisedAmount: `${80_000n * DOLLAR}` };
    expect(projectionOf(below, 1_000n * DOLLAR).principal).toBe(80_000n * DOLLAR);
    // No bid gets more than the whole reserve.
    expect(projectionOf(auction, 200_000n * DOLLAR).reserveHeld.returned).toBe(2_500n * DOLLAR);
  });

  it("never gives back more than was put in, and rounds down", () => {
    const covered = { ...OPEN, acceptsMoney: false, reserveBalance: `${50_000n * DOLLAR}` };
    expect(projectionOf(covered, DOLLAR).reserveHeld).toEqual({ returned: DOLLAR, lost: 0n });
    expect(projectionOf(OPEN, 1n)).toMatchObject({
      interest: 0n,
      total: 1n,
      reserveHeld: { returned: 0n, lost: 1n },
    });
    const nobody = { ...OPEN, acceptsMoney: false, raisedAmount: "0" };
    expect(projectionOf(nobody, DOLLAR).reserveHeld).toEqual({ returned: 0n, lost: DOLLAR });
  });
});

/** 80,000 dollars lent, of which 70,000 of principal are repaid; 4,000 in reserve, where 5% of 100,000 was required. */
const DRAWN = {
  ...OPEN,
  acceptsMoney: false,
  raisedAmount: `${80_000n * DOLLAR}`,
  drawnAmount: `${80_000n * DOLLAR}`,
  outstandingPrincipal: `${10_000n * DOLLAR}`,
  reserveBalance: `${4_000n * DOLLAR}`,
};

describe("projectionOf a loan that is drawn", () => {
  it("counts the principal repaid so far, and the reserve up to what is owed", () => {
    const { principal, repaid, reserveHeld, reserveRequired } = projectionOf(DRAWN, 1_000n * DOLLAR);
    expect([principal, repaid]).toEqual([80_000n * DOLLAR, 70_000n * DOLLAR]);
    // (70,000 + 4,000) / 80,000 = 92.5%, and with 5,000 in reserve 93.75%.
    expect(reserveHeld).toEqual({ returned: 925n * DOLLAR, lost: 75n * DOLLAR });
    expect(reserveRequired).toEqual({ returned: (1875n * DOLLAR) / 2n, lost: (125n * DOLLAR) / 2n });
    const nearlyPaid = { ...DRAWN, outstandingPrincipal: `${3_000n * DOLLAR}` };
    // The reserve of 4,000 covers all of the 3,000 owed.
    expect(projectionOf(nearlyPaid, 1_000n * DOLLAR).reserveHeld).toEqual({
      returned: 1_000n * DOLLAR,
      lost: 0n,
    });
  });

  it("is the share of the reserve alone while nothing is repaid", () => {
    const unpaid = { ...DRAWN, outstandingPrincipal: `${80_000n * DOLLAR}` };
    // 4,000 / 80,000 = 5%.
    expect(projectionOf(unpaid, 1_000n * DOLLAR).reserveHeld).toEqual({
      returned: 50n * DOLLAR,
      lost: 950n * DOLLAR,
    });
    // A contract may report more that is owed than was drawn.
    const more = { ...DRAWN, outstandingPrincipal: `${90_000n * DOLLAR}` };
    expect(projectionOf(more, 1_000n * DOLLAR).reserveHeld.returned).toBe(50n * DOLLAR);
  });

  it("rounds down", () => {
    const odd = { ...DRAWN, drawnAmount: "3", outstandingPrincipal: "2", reserveBalance: "0" };
    // A third of 100 base units.
    expect(projectionOf(odd, 100n).reserveHeld).toEqual({ returned: 33n, lost: 67n });
  });
});

describe("canLose", () => {
  const live = { status: "live", repayment: "current", outstandingPrincipal: "1" } as const;

  it.each([
    [{ ...live, status: "funding", repayment: "not_drawn", outstandingPrincipal: "0" }, true],
    [{ ...live, repayment: "not_drawn", outstandingPrincipal: "0" }, true],
    [live, true],
    [{ ...live, outstandingPrincipal: "0" }, false],
    [{ ...live, status: "refunding", repayment: "not_drawn" }, false],
    [{ ...live, status: "voided" }, false],
    [{ ...live, status: "cancelled" }, false],
    [{ ...live, status: "matured", repayment: "written_off", outstandingPrincipal: "0" }, false],
  ] as const)("%j: %s", (listing, expected) => expect(canLose(listing)).toBe(expected));
});

describe("parseInvestment", () => {
  it.each([
    ["1000", 1_000n * DOLLAR],
    ["250.50", (501n * DOLLAR) / 2n],
    ["0.000000000000000001", 1n],
    ["0007", 7n * DOLLAR],
  ])("reads %s", (text, amount) => expect(parseInvestment(text)).toBe(amount));

  it.each(["", "0", "0.00", "-1", "1e3", "1,000", ".5", "5.", "1.0000000000000000001", " 1", "١"])(
    "refuses %j",
    (text) => expect(parseInvestment(text)).toBeNull(),
  );
});

/** 100,000 dollars at 14.50% for 180 days, of which 40,000 of principal and 1,000 of interest are paid; 3,000 in reserve. */
const OWED = {
  reserveBalance: `${3_000n * DOLLAR}`,
  outstandingPrincipal: `${60_000n * DOLLAR}`,
  repayment: "late",
} as const;
const SCHEDULE = {
  estimated: false,
  principal: `${100_000n * DOLLAR}`,
  interest: `${7_150n * DOLLAR}`,
  paidInterest: `${1_000n * DOLLAR}`,
};

describe("resaleProjectionOf", () => {
  it("buys at the price asked, and gets what is still due and not what was paid before", () => {
    // 1,000 at 80% buys 1,250 tokens: 1.25% of the raise, of the 66,150 still due and of the 3,000 in reserve.
    expect(resaleProjectionOf(OWED, SCHEDULE, 8_000, 1_000n * DOLLAR)).toEqual({
      tokens: 1_250n * DOLLAR,
      cost: 1_000n * DOLLAR,
      total: 826_875000000000000000n,
      reserveHeld: { returned: (375n * DOLLAR) / 10n, lost: (9_625n * DOLLAR) / 10n },
    });
  });

  it("never costs more than was put in, and takes no more of the reserve than is owed", () => {
    // 10 base units at 98.70% are 10 tokens of base units, for which the desk charges 9.87, rounded up.
    expect(resaleProjectionOf(OWED, SCHEDULE, 9_870, 10n)).toMatchObject({ tokens: 10n, cost: 10n });
    const nearlyPaid = { ...OWED, outstandingPrincipal: `${1_000n * DOLLAR}` };
    // 1,250 of 100,000 tokens: 1.25% of the 1,000 owed.
    expect(resaleProjectionOf(nearlyPaid, SCHEDULE, 8_000, 1_000n * DOLLAR)?.reserveHeld.returned).toBe(
      (125n * DOLLAR) / 10n,
    );
  });

  it("counts no interest above the schedule against the principal, and loses nothing that the reserve pays", () => {
    const overpaid = { ...SCHEDULE, paidInterest: `${90_000n * DOLLAR}` };
    // 1 dollar at 80% buys 1.25 tokens: their share of the 60,000 of principal that are still owed.
    expect(resaleProjectionOf(OWED, overpaid, 8_000, DOLLAR)?.total).toBe((3n * DOLLAR) / 4n);
    const cheap = resaleProjectionOf(OWED, SCHEDULE, 100, DOLLAR);
    // 1 dollar at 1% buys 100 tokens, whose share of the reserve is 3 dollars.
    expect(cheap?.reserveHeld).toEqual({ returned: 3n * DOLLAR, lost: 0n });
  });

  it("does not exist without a debt or a price", () => {
    expect(resaleProjectionOf(OWED, { ...SCHEDULE, estimated: true }, 8_000, DOLLAR)).toBeNull();
    expect(resaleProjectionOf(OWED, { ...SCHEDULE, principal: "0" }, 8_000, DOLLAR)).toBeNull();
    expect(resaleProjectionOf(OWED, SCHEDULE, 0, DOLLAR)).toBeNull();
  });
});
