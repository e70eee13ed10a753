/** @module The grades of an originator over time, from the records that its grade of today is computed from. */
import { repaymentTolerance } from "../../src/fold/rules.ts";
import type { ListingRow, RepaymentRow } from "../../src/fold/state.ts";
import {
  type CreditRecord,
  countRecord,
  creditRecord,
  gradeAt,
  gradeTurnsOf,
  LATE,
  noRecords,
  RECENT,
  type RecordSums,
} from "./grade.ts";
import type { Originator } from "./originator.ts";
import type { Grade, Rating } from "./schema.ts";
import { DEFAULT_AFTER } from "./status.ts";

/** The credit record of a raise, with its payments in the order of the chain. */
export type Credit = CreditRecord & {
  /** the raise's key on the chain, as `pairKey` makes it */
  pair: string;
  /** unix seconds */
  drawnAt: bigint;
  repayments: readonly Pick<RepaymentRow, "blockTime" | "principal" | "interest" | "outstandingPrincipal">[];
};

/** Null before the drawdown. */
export function creditOf(pair: string, row: ListingRow, repayments: readonly RepaymentRow[]): Credit | null {
  const record = creditRecord(row);
  return record && { ...record, pair, drawnAt: row.drawnDownAt ?? record.maturityAt, repayments };
}

/** The event of a raise that changed a grade. `forgotten`: a loss is a year ago and caps the grade no more. */
export type GradeCause = {
  pair: string;
  kind: "drawn" | "repaid" | "lost" | "late" | "default" | "paid" | "forgotten";
};

export type GradeStep = {
  /** unix seconds */
  at: bigint;
  grade: Grade;
  rating: Rating;
  /** never empty */
  causes: readonly GradeCause[];
};

type CreditsOf = (originator: Originator) => readonly Credit[];

/** The grades at all times before `until`, and a whole history from `from` on; unix seconds. */
type History = { from: bigint; until: bigint | null; steps: readonly GradeStep[] };

/** The last history of each business. Another object is made of a business whenever one of its records changes. */
const histories = new WeakMap<Originator, History>();

const isBefore = (at: bigint, until: bigint | null) => until === null || at < until;

/** `gradeHistory` of a business, made once until one of its records changes or the next moment comes. */
export function gradesOver(originator: Originator, creditsOf: CreditsOf, now: bigint): readonly GradeStep[] {
  const known = histories.get(originator);
  if (known !== undefined && known.from <= now && isBefore(now, known.until)) return known.steps;
  const made = gradeHistory(creditsOf(originator), originator.kybStatus === "approved", now);
  histories.set(originator, made);
  return made.steps;
}

/** The grade of a business at a time of the past. Another record leaves what is known of earlier times. @param now unix seconds, like `at` */
export function gradeThen(
  originator: Originator,
  at: bigint,
  { creditsOf, now }: { creditsOf: CreditsOf; now: bigint },
): Grade {
  const known = histories.get(originator);
  const steps =
    known !== undefined && isBefore(at, known.until) ? known.steps : gradesOver(originator, creditsOf, now);
  return steps.findLast((step) => step.at <= at)?.grade ?? "NR";
}

/**
 * Keeps what is known of the grades of a business for the object that replaces it.
 * @param since the time (unix seconds) from which on a record is another; null if none is
 */
export function carryGrades(before: Originator, after: Originator, since: bigint | null): void {
  const known = histories.get(before);
  if (known !== undefined) histories.set(after, { ...known, until: earliest([known.until, since]) });
}

/**
 * The grade at each moment at which it changed up to `now` (unix seconds), oldest first: not rated from the first drawdown on.
 * With the verification of today, as earlier ones are not recorded.
 */
export function gradeHistory(credits: readonly Credit[], approved: boolean, now: bigint): History {
  const causes = credits.flatMap(causesOf);
  const later = causes.map(({ at }) => at).filter((at) => at > now);
  const until = later.length === 0 ? null : later.reduce((a, b) => (a < b ? a : b));
  const steps = stepsOf(
    credits,
    causes.filter(({ at }) => at <= now),
    approved,
  );
  return { from: now, until, steps };
}

function stepsOf(
  credits: readonly Credit[],
  happened: ReturnType<typeof causesOf>,
  approved: boolean,
): readonly GradeStep[] {
  const moments = Map.groupBy(happened, ({ at }) => at);
  const steps: GradeStep[] = [];
  const sumsAt = sumsOf(credits);
  for (const at of [...moments.keys()].toSorted((a, b) => (a < b ? -1 : 1))) {
    const graded = gradeAt([], approved, at, sumsAt(at));
    const causes = (moments.get(at) ?? [])
      .map(({ pair, kind }) => ({ pair, kind }))
      // The order in which raises were read must not show.
      .sort((a, b) => (a.pair < b.pair ? -1 : Number(a.pair > b.pair)));
    if (steps.at(-1)?.grade !== graded.grade) steps.push({ at, ...graded, causes });
  }
  return steps;
}

/** The sums of the records of a business at successive moments: a record is counted again only when it changes. */
function sumsOf(credits: readonly Credit[]): (at: bigint) => RecordSums {
  const sums = noRecords();
  const moments = credits
    .flatMap((credit) => momentsOf(credit).map((at) => ({ at, credit })))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  const counted = new Map<Credit, { record: CreditRecord; at: bigint }>();
  let next = 0;
  return (until) => {
    for (; next < moments.length; next++) {
      const { at, credit } = moments[next] as (typeof moments)[number];
      if (at > until) break;
      const before = counted.get(credit);
      if (before !== undefined) countRecord(sums, before.record, before.at, -1);
      const record = recordAt(credit, at);
      countRecord(sums, record, at);
      counted.set(credit, { record, at });
    }
    return sums;
  };
}

/** All moments from the drawdown on at which this record, or what it adds, can change. */
function momentsOf(credit: Credit): bigint[] {
  const { drawnAt, endedAt, settledAt, repayments } = credit;
  const others = [
    endedAt,
    settledAt,
    ...repayments.map(({ blockTime }) => blockTime),
    ...gradeTurnsOf(credit),
  ];
  return [drawnAt, ...others.filter((at): at is bigint => at !== null && at > drawnAt)];
}

/**
 * The time (unix seconds) from which on `recordAt` of two records of a raise may differ; null if it never does.
 * @param before null before the drawdown, like `after`
 */
export function differsFrom(before: Credit | null, after: Credit | null): bigint | null {
  if (before === null || after === null) return (before ?? after)?.drawnAt ?? null;
  const isSame = (name: keyof Credit) => before[name] === after[name];
  const both = <Name extends keyof Credit>(name: Name) => [before[name], after[name]] as const;
  if (!(["drawnAt", "principal", "maturityAt", "reserveApplied"] as const).every(isSame))
    return earliest(both("drawnAt"));
  const [paid, others] = both("repayments");
  const isOther = ({ blockTime, outstandingPrincipal }: Credit["repayments"][number], index: number) =>
    others[index]?.blockTime !== blockTime || others[index].outstandingPrincipal !== outstandingPrincipal;
  const found = paid.findIndex(isOther);
  const first = found < 0 ? paid.length : found;
  return earliest([
    ...(isSame("endedAt") ? [] : both("endedAt")),
    // A loss counts from the settlement on.
    ...(isSame("settledAt") && isSame("unpaid") ? [] : both("settledAt")),
    ...[...paid.slice(first), ...others.slice(first)].map(({ blockTime }) => blockTime),
  ]);
}

function earliest(times: readonly (bigint | null)[]): bigint | null {
  return times.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null);
}

/**
 * The record as it was. What the reserve paid counts from the start: it is a mark only of a resolved raise, and the reserve pays before
 * a raise is paid off or settled, while 30 days after the due date an unpaid raise is marked as late without it.
 */
function recordAt(credit: Credit, at: bigint): CreditRecord {
  const passed = (moment: bigint | null) => (moment !== null && moment <= at ? moment : null);
  const settledAt = passed(credit.settledAt);
  const paid = credit.repayments.findLast(({ blockTime }) => blockTime >= credit.drawnAt && blockTime <= at);
  const owed = paid?.outstandingPrincipal ?? credit.principal;
  return {
    ...credit,
    unpaid: settledAt !== null ? credit.unpaid : owed < credit.principal ? owed : credit.principal,
    settledAt,
    endedAt: passed(credit.endedAt),
  };
}

/** The moments at which this record can change the grade. A payment can only change that of a raise in default. */
function causesOf(credit: Credit): (GradeCause & { at: bigint })[] {
  const { pair, drawnAt, maturityAt, endedAt, settledAt, unpaid, principal, repayments } = credit;
  const isLost = settledAt !== null && unpaid > repaymentTolerance(principal);
  const turns = gradeTurnsOf(credit);
  const isOwedAt = (at: bigint) => endedAt === null || endedAt > at;
  const kindOf = (at: bigint): GradeCause["kind"] | null => {
    if (isLost && at === settledAt + RECENT + 1n) return "forgotten";
    if (at === maturityAt + DEFAULT_AFTER + 1n) return isOwedAt(at) ? "default" : null;
    return at === maturityAt + LATE + 1n && isOwedAt(at) ? "late" : null;
  };
  const inDefault = repayments.filter(
    ({ blockTime }) => blockTime > maturityAt + DEFAULT_AFTER && isOwedAt(blockTime),
  );
  const moments: { kind: GradeCause["kind"] | null; at: bigint }[] = [
    { kind: "drawn", at: drawnAt },
    ...turns.map((at) => ({ kind: kindOf(at), at })),
    ...inDefault.map(({ blockTime: at }) => ({ kind: "paid" as const, at })),
    ...(endedAt === null ? [] : [{ kind: isLost ? ("lost" as const) : ("repaid" as const), at: endedAt }]),
    // Paid off within the tolerance first.
    ...(settledAt === null || settledAt === endedAt ? [] : [{ kind: "repaid" as const, at: settledAt }]),
  ];
  return moments.flatMap(({ kind, at }) => (kind === null ? [] : [{ pair, kind, at }]));
}
