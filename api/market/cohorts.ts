/** @module Loans by what they have in common, and what became of them over the months of their lives. Pure. */
import { shareBps } from "./amount.ts";
import { creditRecord } from "./grade.ts";
import { dayOf, nameOfPeriod, periodOf } from "./periods.ts";
import { eachChange, type Measure } from "./raise-days.ts";
import { type CashFlows, flowsOf, flowsTogether, yearlyReturnBps } from "./return.ts";
import { interestOn } from "./schedule.ts";
import { GRADES } from "./schema.ts";
import type { Cohort, CohortsBy, CurvePoint } from "./series-schema.ts";
import type { Visible } from "./visible.ts";

/** Most businesses of an answer: those that borrowed most. */
const MOST_ORIGINATORS = 200;

/** A visible raise that was drawn, and its grade on that day. */
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
type CurveSums = Record<(typeof CURVE)[number] | "due" | "loans", bigint>;

type Group = {
  /** the changes of each month of the loans' lives; a loan leaves with all its sums in the month that it has not reached yet */
  months: CurveSums[];
  total: CurveSums;
  ended: number;
  /** of the loans that have ended */
  expected: CashFlows[];
  realised: CashFlows[];
};

/** @param now unix seconds, the last indexed block's time */
export function cohortsOf(loans: Iterable<CohortLoan>, by: CohortsBy, now: bigint): Cohort[] {
  const groups = new Map<string, Group>();
  for (const loan of loans) {
    const key = keyOf(loan, by);
    if (key === null) continue;
    const group = groups.get(key) ?? newGroup();
    groups.set(key, group);
    addLoan(group, loan.raise, now);
  }
  const cohorts = [...groups].map(([key, group]) => toCohort(key, group));
  return inOrder(cohorts, by);
}

function keyOf({ raise, grade }: CohortLoan, by: CohortsBy): string | null {
  const { row, listing, country } = raise;
  if (row.drawnDownAt === null || row.drawnAmount === null) return null;
  if (by === "grade") return grade;
  if (by === "originator") return listing.originator;
  if (by === "country") return country;
  return nameOfPeriod(periodOf(dayOf(row.drawnDownAt), by), by);
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
  const sums = Object.fromEntries([...CURVE, "due", "loans"].map((name) => [name, 0n]));
  return sums as CurveSums;
}

function newGroup(): Group {
  return { months: [], total: noCurveSums(), ended: 0, expected: [], realised: [] };
}

function addLoan(group: Group, raise: Visible, now: bigint): void {
  const { row, listing } = raise;
  const drawnDay = dayOf(row.drawnDownAt ?? 0n);
  const born = periodOf(drawnDay, "month");
  const age = Math.max(0, periodOf(dayOf(now), "month") - born);
  while (group.months.length <= age + 1) group.months.push(noCurveSums());
  const own = noCurveSums();
  const add = (day: number, name: keyof CurveSums, amount: bigint) => {
    // A payment before the drawdown counts from there on.
    const month = group.months[Math.min(Math.max(0, periodOf(day, "month") - born), age)];
    if (month !== undefined) month[name] += amount;
    own[name] += amount;
  };
  add(drawnDay, "loans", 1n);
  eachChange(raise, (day, measure, amount) => {
    const name = CURVE.find((one) => one === measure);
    if (name !== undefined) add(day, name, amount);
  });
  const lent = row.drawnAmount ?? 0n;
  const whole = lent + interestOn(lent, listing);
  if (row.maturityAt !== null && row.maturityAt <= now) add(dayOf(row.maturityAt), "due", whole);
  const leaves = group.months[age + 1];
  for (const name of Object.keys(own) as (keyof CurveSums)[]) {
    group.total[name] += own[name];
    if (leaves !== undefined) leaves[name] -= own[name];
  }
  if (creditRecord(row)?.endedAt == null) return;
  group.ended += 1;
  const drawnAt = row.drawnDownAt ?? 0n;
  group.expected.push(
    flowsOf(lent, drawnAt, [{ blockTime: row.maturityAt ?? 0n, principal: lent, interest: whole - lent }]),
  );
  group.realised.push(flowsOf(lent, drawnAt, raise.repayments));
}

function toCohort(cohort: string, { months, total, ended, expected, realised }: Group): Cohort {
  return {
    cohort,
    ...figuresOf(total),
    ended,
    expectedReturnBps: yearlyReturnBps(flowsTogether(expected)),
    realisedReturnBps: yearlyReturnBps(flowsTogether(realised)),
    curve: curveOf(months),
  };
}

function curveOf(months: readonly CurveSums[]): CurvePoint[] {
  const sums = noCurveSums();
  const points: CurvePoint[] = [];
  let length = 0;
  // In the month after the last one all loans have left.
  for (const [month, changes] of months.slice(0, -1).entries()) {
    const names = Object.keys(changes) as (keyof CurveSums)[];
    if (names.some((name) => changes[name] !== 0n)) length = month + 1;
    for (const name of names) sums[name] += changes[name];
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
