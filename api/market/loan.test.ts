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
  const repayments = payments.map(({ at, interest, owed }, index) => ({
    blockTime: at * DAY,
    principal: ((payments[index - 1]?.owed ?? 1_000n) - owed) * DOLLAR,
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

  it("has what was lent, what came back on which day, and what was lost of it", () => {
    const lost = loanOf(credit(ended(500n, 300n), [{ at: 400n, interest: 50n, owed: 300n }]), 900n * DAY);
    expect(lost).toMatchObject({
      lost: 300n * DOLLAR,
      flows: { lent: 1_000n * DOLLAR, paid: new Map([[400, 750n * DOLLAR]]) },
    });
    expect(loanOf(credit({}), 900n * DAY)).toMatchObject({
      lost: 0n,
      endedAt: null,
      flows: { paid: new Map() },
    });
  });
});

describe("what backers really earned a year", () => {
  const realised = (...credits: Credit[]) => realisedBps(credits.map((one) => loanOf(one, 900n * DAY)));

  it("is the coupon of a loan that is repaid on its due date", () => {
    expect(realised(paidAtTheEnd)).toBe(1_200);
  });

  it("is less where the same came later, and more where it came earlier", () => {
    // 1.12 ^ (365 / 400) = 1.108949.
    expect(realised(credit(ended(400n), [{ at: 400n, interest: 120n, owed: 0n }]))).toBe(1_089);
    // Half of it after half a year: 500 / x ^ 182 + 620 / x ^ 365 is 1,000 at x ^ 365 = 1.158209.
    const half = [
      { at: 182n, interest: 0n, owed: 500n },
      { at: 365n, interest: 120n, owed: 0n },
    ];
    expect(realised(credit(ended(365n), half))).toBe(1_582);
  });

  it("is negative where more was lost than was paid", () => {
    // 0.75 ^ (365 / 400) = 0.769119.
    const lost = credit(ended(500n, 300n), [{ at: 400n, interest: 50n, owed: 300n }]);
    expect(realised(lost)).toBe(-2_309);
    // With the clean loan: 750 / x ^ 400 + 1,120 / x ^ 365 is 2,000 at x ^ 365 = 0.937334.
    expect(realised(lost, paidAtTheEnd)).toBe(-627);
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
