/** @module Loans by what they have in common, and what became of them over the months of their lives. Pure. */
import { shareBps } from "./amount.ts";
import { creditRecord } from "./grade.ts";
import { dayOf, nameOfPeriod, periodOf } from "./periods.ts";
import { eachChange, type Measure } from "./raise-days.ts";
import { addFlows, addTo, type CashFlows, flowsOf, noFlows, yearlyReturnBps } from "./return.ts";
import { interestOn } from "./schedule.ts";
import { GRADES } from "./schema.ts";
import type { Cohort, CohortsBy, CurvePoint } from "./series-schema.ts";
import type { Visible } from "./visible.ts";

/** Most businesses of an answer: those that borrowed most. */
export const MOST_ORIGINATORS = 200;

/** A visible raise, and the grade of its business on the day of its drawdown. */
export type CohortLoan = { raise: Visible; grade: string };

const CURVE = [
  "lent",
  "repaidPrincipal",
  "repaidInterest",
  "writtenOff",
  "outstanding",
  "current",
  "grace",
  "late",
  "default",
] as const satisfies readonly Measure[];
const FIGURES = [...CURVE, "due", "loans"] as const;
type CurveSums = Record<(typeof FIGURES)[number], bigint>;

/** The loans of a cohort that were drawn in the same month. */
type Born = {
  /** the changes of each month of the loans' lives */
  months: CurveSums[];
  /** what falls due at times (unix seconds) that had not come when the loan was counted */
  dues: Map<bigint, bigint>;
};

/** Sums of loans, which follow from the loans alone: how old these are is known when a cohort is made of them. */
export type LoanSums = {
  born: Map<number, Born>;
  ended: number;
  /** of the loans that have ended */
  expected: CashFlows;
  realised: CashFlows;
};

/** By what the loans have in common. */
export type LoanGroups = Map<string, LoanSums>;

/** @param now unix seconds, the last indexed block's time */
export function cohortsOf(loans: Iterable<CohortLoan>, by: CohortsBy, now: bigint): Cohort[] {
  const groups: LoanGroups = new Map();
  for (const { raise, grade } of loans) countLoan(groups, cohortNameOf(raise, by, grade), { raise, now });
  return cohortsFrom([...groups], by, now);
}

/** Sums of the same name become one cohort. */
export function cohortsFrom(
  groups: readonly (readonly [string, LoanSums])[],
  by: CohortsBy,
  now: bigint,
): Cohort[] {
  const byName = Map.groupBy(groups, ([name]) => name);
  const cohorts = [...byName].map(([name, own]) =>
    toCohort(
      name,
      own.map(([, sums]) => sums),
      now,
    ),
  );
  return inOrder(
    cohorts.filter(({ loans }) => loans > 0),
    by,
  );
}

/** @param grade of the business on the day of the drawdown */
export function cohortNameOf({ row, listing, country }: Visible, by: CohortsBy, grade: string): string {
  if (by === "grade") return grade;
  if (by === "originator") return listing.originator;
  if (by === "country") return country;
  return nameOfPeriod(periodOf(dayOf(row.drawnDownAt ?? 0n), by), by);
}

function inOrder(cohorts: Cohort[], by: CohortsBy): Cohort[] {
  const byName = cohorts.sort((a, b) => (a.cohort < b.cohort ? -1 : 1));
  if (by === "grade") return byName.sort((a, b) => gradeOrder(a) - gradeOrder(b));
  if (by !== "originator") return byName;
  const lent = (a: Cohort, b: Cohort) => {
    const difference = BigInt(b.lent) - BigInt(a.lent);
    return difference === 0n ? 0 : difference > 0n ? 1 : -1;
  };
  return byName.sort(lent).slice(0, MOST_ORIGINATORS);
}

function gradeOrder({ cohort }: Cohort): number {
  return (GRADES as readonly string[]).indexOf(cohort);
}

function noCurveSums(): CurveSums {
  return Object.fromEntries(FIGURES.map((name) => [name, 0n])) as CurveSums;
}

function newSums(): LoanSums {
  return { born: new Map(), ended: 0, expected: noFlows(), realised: noFlows() };
}

/** Adds a raise if it was drawn, or takes it away as it was added. */
export function countLoan(
  groups: LoanGroups,
  name: string,
  { raise, now, sign = 1n }: { raise: Visible; now: bigint; sign?: 1n | -1n },
): void {
  const { row, listing, repayments } = raise;
  const { drawnDownAt, drawnAmount: lent, maturityAt } = row;
  if (drawnDownAt === null || lent === null) return;
  const sums = groups.get(name) ?? newSums();
  groups.set(name, sums);
  const month = periodOf(dayOf(drawnDownAt), "month");
  const born: Born = sums.born.get(month) ?? { months: [], dues: new Map() };
  sums.born.set(month, born);
  const add = (day: number, figure: keyof CurveSums, amount: bigint) => {
    // A payment before the drawdown counts from there on.
    const at = Math.max(0, periodOf(day, "month") - month);
    while (born.months.length <= at) born.months.push(noCurveSums());
    (born.months[at] as CurveSums)[figure] += sign * amount;
  };
  add(dayOf(drawnDownAt), "loans", 1n);
  eachChange(raise, (day, measure, amount) => {
    const figure = CURVE.find((one) => one === measure);
    if (figure !== undefined) add(day, figure, amount);
  });
  const whole = lent + interestOn(lent, listing);
  if (maturityAt !== null && maturityAt <= now && !born.dues.has(maturityAt))
    add(dayOf(maturityAt), "due", whole);
  else if (maturityAt !== null) addTo(born.dues, maturityAt, sign * whole);
  if (creditRecord(row)?.endedAt == null) return;
  sums.ended += Number(sign);
  const onTime = [{ blockTime: maturityAt ?? 0n, principal: lent, interest: whole - lent }];
  addFlows(sums.expected, flowsOf(lent, drawnDownAt, onTime), sign);
  addFlows(sums.realised, flowsOf(lent, drawnDownAt, repayments), sign);
}

function toCohort(cohort: string, parts: readonly LoanSums[], now: bigint): Cohort {
  const months: CurveSums[] = [];
  const total = noCurveSums();
  const [expected, realised] = [noFlows(), noFlows()];
  for (const [month, borns] of Map.groupBy(
    parts.flatMap(({ born }) => [...born]),
    ([first]) => first,
  )) {
    const loans = borns.flatMap(([, born]) => born.months).reduce((sum, one) => sum + one.loans, 0n);
    // All of them have been taken away again.
    if (loans === 0n) continue;
    for (const [, born] of borns) addBorn(month, born, { months, total, now });
  }
  for (const sums of parts) {
    addFlows(expected, sums.expected);
    addFlows(realised, sums.realised);
  }
  return {
    cohort,
    ...figuresOf(total),
    ended: parts.reduce((sum, { ended }) => sum + ended, 0),
    expectedReturnBps: yearlyReturnBps(expected),
    realisedReturnBps: yearlyReturnBps(realised),
    curve: curveOf(months),
  };
}

type Cohorting = { months: CurveSums[]; total: CurveSums; now: bigint };

/** The loans leave with all their sums in the month that they have not reached yet. */
function addBorn(month: number, born: Born, { months, total, now }: Cohorting): void {
  const age = Math.max(0, periodOf(dayOf(now), "month") - month);
  while (months.length <= age + 1) months.push(noCurveSums());
  const leaves = months[age + 1] as CurveSums;
  const add = (at: number, figure: keyof CurveSums, amount: bigint) => {
    (months[Math.min(at, age)] as CurveSums)[figure] += amount;
    total[figure] += amount;
    leaves[figure] -= amount;
  };
  for (const [at, sums] of born.months.entries())
    for (const figure of FIGURES) if (sums[figure] !== 0n) add(at, figure, sums[figure]);
  for (const [at, amount] of born.dues)
    if (at <= now) add(Math.max(0, periodOf(dayOf(at), "month") - month), "due", amount);
}

function curveOf(months: readonly CurveSums[]): CurvePoint[] {
  const sums = noCurveSums();
  const points: CurvePoint[] = [];
  let length = 0;
  // In the month after the last one all loans have left.
  for (const [month, changes] of months.slice(0, -1).entries()) {
    if (FIGURES.some((name) => changes[name] !== 0n)) length = month + 1;
    for (const name of FIGURES) sums[name] += changes[name];
    points.push({ month, ...figuresOf(sums) });
  }
  return points.slice(0, length);
}

function figuresOf(sums: CurveSums): Omit<CurvePoint, "month"> {
  const { lent, writtenOff } = sums;
  return {
    loans: Number(sums.loans),
    lent: `${lent}`,
    due: `${sums.due}`,
    repaidPrincipal: `${sums.repaidPrincipal}`,
    repaidInterest: `${sums.repaidInterest}`,
    writtenOff: `${writtenOff}`,
    outstanding: `${sums.outstanding}`,
    outstandingCurrent: `${sums.current}`,
    outstandingGrace: `${sums.grace}`,
    outstandingLate: `${sums.late}`,
    outstandingInDefault: `${sums.default}`,
    defaultedBps: shareBps(writtenOff + sums.default, lent),
  };
}
