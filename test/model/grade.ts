/** @module Grade v1, rule by rule as `market.md` numbers them under "Grade". Integers only, floor division. */
import { sum } from "./chain-log.ts";
import type { Raise } from "./raise.ts";

const DAY = 86_400n;
const LATE = 30n * DAY;
const DEFAULT = 90n * DAY;
const YEAR = 365n * DAY;
const MIN_PRINCIPAL = 1000n * 10n ** 18n;

export type Grade = "A" | "B" | "C" | "D" | "E" | "NR";

/** A raise after its drawdown. Amounts in base units, times in unix seconds. */
export type Loan = {
  principal: bigint;
  maturity: bigint;
  /** what was owed, from the drawdown on, by time; the first is the principal itself */
  balances: readonly { at: bigint; outstanding: bigint }[];
  settled: { at: bigint; writtenOff: bigint } | null;
  /** of the reserve, in sum */
  applied: bigint;
};

export type Rating = {
  method: "v1";
  n: number;
  volume: string;
  lossBps: number | null;
  lateBps: number | null;
  adjustedBps: number | null;
  cap: "C" | "D" | "E" | null;
  byDaysLate: Record<"onTime" | "upTo7" | "upTo30" | "upTo90" | "over90" | "writtenOff", number>;
};

/** undefined before the drawdown: such a raise is no part of a credit record. */
export function loanOf({ drawdown, terminal, balances, reserveApplied }: Raise): Loan | undefined {
  if (!drawdown) return undefined;
  const { amount: principal, maturityAt: maturity } = drawdown.args;
  const settled =
    terminal?.name === "ListingSettled"
      ? { at: terminal.at, writtenOff: least(terminal.args.writtenOffPrincipal, principal) }
      : null;
  return { principal, maturity, balances, settled, applied: reserveApplied };
}

export function gradeOf(
  loans: readonly Loan[],
  kybStatus: string,
  now: bigint,
): { grade: Grade; rating: Rating } {
  const resolved = loans.filter(
    (loan) => loan.settled || owed(loan) <= tolerance(loan) || now > loan.maturity + LATE,
  );
  const n = BigInt(resolved.filter(({ principal }) => principal >= MIN_PRINCIPAL).length);
  const volume = sum(resolved.map(({ principal }) => principal));
  const cap = worstCap(loans, now);
  const counts = { method: "v1", n: Number(n), volume: volume.toString() } as const;
  if (kybStatus !== "approved" || n < 2n) {
    const figures = { lossBps: null, lateBps: null, adjustedBps: null };
    return { grade: "NR", rating: { ...counts, ...figures, cap, byDaysLate: byDaysLate(loans, now) } };
  }

  const lost = loans.filter(
    (loan) => unpaid(loan) > tolerance(loan) && (loan.settled || now > loan.maturity + DEFAULT),
  );
  const late = resolved.filter(
    (loan) => (endOf(loan) ?? now) > loan.maturity + LATE || loan.applied > tolerance(loan),
  );
  const lossBps = (10_000n * sum(lost.map(unpaid))) / volume;
  const lateBps = (10_000n * sum(late.map(({ principal }) => principal))) / volume;
  const x = lossBps + lateBps / 4n;
  const pulled = (n * x + 2n * 600n) / (n + 2n);
  const adjusted = x > pulled ? x : pulled;

  const earned =
    adjusted < 200n ? "A" : adjusted < 550n ? "B" : adjusted < 900n ? "C" : adjusted < 1800n ? "D" : "E";
  return {
    // The letters sort from the best to the worst.
    grade: cap && cap > earned ? cap : earned,
    rating: {
      ...counts,
      lossBps: Number(lossBps),
      lateBps: Number(lateBps),
      adjustedBps: Number(adjusted),
      cap,
      byDaysLate: byDaysLate(loans, now),
    },
  };
}

/** Loans that are paid off, due or settled, by how late the principal came: from when on each was more than so many days late. */
function byDaysLate(loans: readonly Loan[], now: bigint): Rating["byDaysLate"] {
  const isWrittenOff = (loan: Loan) => loan.settled !== null && unpaid(loan) > tolerance(loan);
  const others = loans.filter((loan) => !isWrittenOff(loan));
  const done = others.filter((loan) => endOf(loan) !== undefined || now > loan.maturity);
  const laterThan = (days: bigint) =>
    done.filter((loan) => (endOf(loan) ?? now) > loan.maturity + days * DAY).length;
  return {
    onTime: done.length - laterThan(0n),
    upTo7: laterThan(0n) - laterThan(7n),
    upTo30: laterThan(7n) - laterThan(30n),
    upTo90: laterThan(30n) - laterThan(90n),
    over90: laterThan(90n),
    writtenOff: loans.length - others.length,
  };
}

function worstCap(loans: readonly Loan[], now: bigint): "C" | "D" | "E" | null {
  const short = loans.filter((loan) => unpaid(loan) > tolerance(loan));
  if (short.some(({ settled, maturity }) => !settled && now > maturity + DEFAULT)) return "E";
  if (short.some(({ settled, maturity }) => !settled && now > maturity + LATE)) return "D";
  return short.some(({ settled }) => settled && now - settled.at <= YEAR) ? "C" : null;
}

/** A settlement may name a larger loss than was drawn; no more than that was lost. */
function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** A few missing cents are no default. */
function tolerance({ principal }: Loan): bigint {
  const share = principal / 10_000n;
  return share > 1n ? share : 1n;
}

function owed({ balances, settled, principal }: Loan): bigint {
  return settled ? 0n : (balances.at(-1)?.outstanding ?? principal);
}

function unpaid(loan: Loan): bigint {
  return loan.settled ? loan.settled.writtenOff : owed(loan);
}

/** The first time that as good as nothing was owed any more, or the settlement; undefined while neither was. */
function endOf(loan: Loan): bigint | undefined {
  const paidOff = loan.balances.find(({ outstanding }) => outstanding <= tolerance(loan))?.at;
  if (!loan.settled || paidOff === undefined) return loan.settled?.at ?? paidOff;
  return paidOff < loan.settled.at ? paidOff : loan.settled.at;
}
