import { describe, expect, it } from "vitest";
import { market } from "../../test/harness/businesses.ts";
import { DAY, DOLLAR, DRAWN, listingRow, NOW } from "../../test/harness/rows.ts";
import { type Credit, creditOf } from "./grade-history.ts";
import { loanOf, realisedBps } from "./loan.ts";

type Change = { at: bigint; interest: bigint; owed: bigint };

/** 1,000 dollars for a year, with these payments. */
function credit(changes: Partial<Credit>, payments: readonly Change[] = []): Credit {
  const row = listingRow({
    drawnDownAt: 0n,
    drawnAmount: 1_000n * DOLLAR,
    maturityAt: 365n * DAY,
    outstandingPrincipal: 1_000n * DOLLAR,
  });
  const made = creditOf("pair", row, []);
  if (made === null) throw new Error("it is drawn");
  const repayments = payments.map(({ at, interest, owed }) => ({
    blockTime: at * DAY,
    interest: interest * DOLLAR,
    outstandingPrincipal: owed * DOLLAR,
  }));
  return { ...made, repayments, ...changes };
}

const ended = (day: bigint, lost = 0n) => ({
  endedAt: day * DAY,
  settledAt: day * DAY,
  unpaid: lost * DOLLAR,
});
const paidAtTheEnd = credit(ended(365n), [{ at: 365n, interest: 120n, owed: 0n }]);

describe("a loan", () => {
  it("is late by whole days, from the due date to the end or to now", () => {
    expect(loanOf(credit({}), 365n * DAY).daysLate).toBe(0);
    expect(loanOf(credit({}), 375n * DAY + DAY / 2n).daysLate).toBe(10);
    expect(loanOf(credit(ended(370n)), 900n * DAY).daysLate).toBe(5);
    expect(loanOf(credit(ended(300n)), 900n * DAY).daysLate).toBe(0);
  });

  it("earned its interest less what was lost of it", () => {
    expect(loanOf(paidAtTheEnd, 900n * DAY).earned).toBe(120n * DOLLAR);
    const lost = loanOf(credit(ended(500n, 300n), [{ at: 400n, interest: 50n, owed: 300n }]), 900n * DAY);
    expect([lost.earned, lost.lost]).toEqual([-250n * DOLLAR, 300n * DOLLAR]);
    expect(loanOf(credit({}), 900n * DAY)).toMatchObject({ earned: 0n, lost: 0n, endedAt: null });
  });
});

describe("what backers really earned a year", () => {
  const realised = (...credits: Credit[]) => realisedBps(credits.map((one) => loanOf(one, 900n * DAY)));

  it("is the coupon of a loan that is repaid on its due date", () => {
    expect(realised(paidAtTheEnd)).toBe(1_200);
  });

  it("is less where the same came later, and more where it came earlier", () => {
    // 120 on 1,000 for 400 days: 120 · 365 / 400 / 1,000 = 10.95%.
    expect(realised(credit(ended(400n), [{ at: 400n, interest: 120n, owed: 0n }]))).toBe(1_095);
    // Half of it after half a year: 120 on 1,000 for 182 and on 500 for 183 days.
    // 120 · 365 / 273,500 = 16.01%.
    const half = [
      { at: 182n, interest: 0n, owed: 500n },
      { at: 365n, interest: 120n, owed: 0n },
    ];
    expect(realised(credit(ended(365n), half))).toBe(1_601);
  });

  it("is negative where more was lost than was paid, rounded down", () => {
    // -250 on 1,000 for 400 days, then on 300 for 100: -250 · 365 / 430,000 = -21.2209%.
    const lost = credit(ended(500n, 300n), [{ at: 400n, interest: 50n, owed: 300n }]);
    expect(realised(lost)).toBe(-2_123);
    // With the clean loan: -130 · 365 / 795,000 = -5.9686%.
    expect(realised(lost, paidAtTheEnd)).toBe(-597);
  });

  it("leaves out what is still owed", () => {
    expect(realised(credit({}))).toBeNull();
    expect(realised(credit({}), paidAtTheEnd)).toBe(1_200);
    expect(realised()).toBeNull();
  });
});

it("is known of every drawn raise of a market", async () => {
  const drawn = { ...DRAWN, drawnAmount: 80_000n * DOLLAR, maturityAt: NOW - 3n * DAY };
  const { market: one } = await market([{}, { ...drawn, outstandingPrincipal: DOLLAR }]);
  const loans = one.listings.map((listing) => one.loanOf(listing));
  expect(loans.filter((loan) => loan === null)).toHaveLength(1);
  expect(loans.find((loan) => loan !== null)).toMatchObject({ endedAt: null, daysLate: 3 });
  const [originator] = one.originators;
  expect(originator && one.gradesOf(originator)).toMatchObject([{ grade: "NR" }]);
});
