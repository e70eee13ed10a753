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

describe("what the vectors leave out", () => {
  const clean = loanOfVector({ principal: 10_000, maturedDaysAgo: 400, repaidDaysLate: 0 });
  const tolerated = DOLLAR; // of 10,000 dollars

  test("are null for NR if they need the volume, and the volume itself is not", () => {
    expect(gradeOf([clean], "approved", NOW)).toEqual({
      grade: "NR",
      rating: {
        method: "v1",
        n: 1,
        volume: "10000000000000000000000",
        lossBps: null,
        lateBps: null,
        adjustedBps: null,
        cap: null,
        byDaysLate: { onTime: 1, upTo7: 0, upTo30: 0, upTo90: 0, over90: 0, writtenOff: 0 },
      },
    });
  });

  test("the raises by how late they were repaid, or are by now, to the second", () => {
    const open = { ...clean, balances: clean.balances.slice(0, 1), settled: null };
    const lateBy = (seconds: bigint) =>
      gradeOf([open], "approved", open.maturity + seconds).rating.byDaysLate;
    const none = { onTime: 0, upTo7: 0, upTo30: 0, upTo90: 0, over90: 0, writtenOff: 0 };
    expect(lateBy(0n)).toEqual(none);
    expect(lateBy(1n)).toEqual({ ...none, upTo7: 1 });
    expect(lateBy(7n * DAY)).toEqual({ ...none, upTo7: 1 });
    expect(lateBy(7n * DAY + 1n)).toEqual({ ...none, upTo30: 1 });
    expect(lateBy(30n * DAY + 1n)).toEqual({ ...none, upTo90: 1 });
    expect(lateBy(90n * DAY + 1n)).toEqual({ ...none, over90: 1 });
    const lost = { ...open, settled: { at: open.maturity, writtenOff: 2n * tolerated } };
    expect(gradeOf([lost, clean], "approved", NOW).rating.byDaysLate).toEqual({
      ...none,
      onTime: 1,
      writtenOff: 1,
    });
  });

  test("a raise that owes no more than the tolerance is resolved, and its end is when that came", () => {
    const at = clean.maturity + 40n * DAY;
    const balances = [...clean.balances.slice(0, 1), { at, outstanding: tolerated }];
    const nearly = { ...clean, balances, settled: null };
    expect(gradeOf([clean, nearly], "approved", NOW).rating).toMatchObject({
      n: 2,
      lossBps: 0,
      lateBps: 5000,
    });

    const short = [...clean.balances.slice(0, 1), { at, outstanding: tolerated + 1n }];
    const { grade, rating } = gradeOf([clean, { ...nearly, balances: short }], "approved", NOW);
    expect([grade, rating.cap]).toEqual(["E", "E"]);
  });

  test("a reserve applied beyond the tolerance makes a raise late", () => {
    const helped = (applied: bigint) =>
      gradeOf([clean, { ...clean, applied }], "approved", NOW).rating.lateBps;
    expect([helped(tolerated), helped(tolerated + 1n)]).toEqual([0, 5000]);
  });

  test("each limit of time is passed by one second", () => {
    const unpaid = loanOfVector({ principal: 10_000, maturedDaysAgo: 0, repaidDaysLate: null });
    const capAt = (days: bigint, seconds: bigint) =>
      gradeOf([clean, clean, unpaid], "approved", unpaid.maturity + days * DAY + seconds).rating.cap;
    expect([capAt(30n, 0n), capAt(30n, 1n), capAt(90n, 0n), capAt(90n, 1n)]).toEqual([null, "D", "D", "E"]);

    const settled = loanOfVector({
      principal: 10_000,
      maturedDaysAgo: 50,
      repaidDaysLate: null,
      settledDaysAgo: 0,
      lossShare: 100,
    });
    const capAfter = (seconds: bigint) =>
      gradeOf([settled], "approved", NOW + 365n * DAY + seconds).rating.cap;
    expect([capAfter(0n), capAfter(1n)]).toEqual(["C", null]);
  });
});
