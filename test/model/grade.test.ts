import { describe, expect, test } from "vitest";
import { CASES, type VectorRaise } from "../harness/grade-vectors.ts";
import { gradeOf, type Loan } from "./grade.ts";

const DAY = 86_400n;
const NOW = 2_000_000_000n;
const DOLLAR = 10n ** 18n;

function loanOfVector(raise: VectorRaise): Loan {
  const principal = BigInt(raise.principal) * DOLLAR;
  const maturity = NOW - BigInt(raise.maturedDaysAgo) * DAY;
  const drawn = { at: maturity - 180n * DAY, outstanding: principal };
  const open = { principal, maturity, balances: [drawn], settled: null, applied: 0n };
  if (raise.repaidDaysLate !== null) {
    const at = maturity + BigInt(raise.repaidDaysLate) * DAY;
    return { ...open, balances: [drawn, { at, outstanding: 0n }], settled: { at, writtenOff: 0n } };
  }
  if (raise.settledDaysAgo === undefined) return open;
  const writtenOff = (principal * BigInt(raise.lossShare ?? 0)) / 10_000n;
  const at = NOW - BigInt(raise.settledDaysAgo) * DAY;
  return { ...open, balances: [drawn, { at, outstanding: writtenOff }], settled: { at, writtenOff } };
}

describe("the vectors", () => {
  test.each(CASES)("$name", ({ raises, expect: wanted, kybStatus = "approved" }) => {
    const loans = raises.flatMap((raise) =>
      Array.from({ length: raise.times ?? 1 }, () => loanOfVector(raise)),
    );
    const { grade, rating } = gradeOf(loans, kybStatus, NOW);
    const { n, lossBps, lateBps, adjustedBps, cap } = rating;
    const x = (lossBps ?? 0) + Math.floor((lateBps ?? 0) / 4);
    const ours = { n, lossBps, lateBps, x, adjustedBps, cap: cap ?? undefined, grade };
    expect(ours).toMatchObject(wanted);
    if (!("cap" in wanted)) expect(cap).toBeNull();
  });
});
