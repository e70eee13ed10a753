/** @module The series and cohorts of a market: which raises they are of, and from which sums they are made. */
import { type ArchivedLoans, type LoansAt, MOST_READ } from "./archive/archived-loans.ts";
import type { ArchivedRows } from "./archive/archived-rows.ts";
import { isRow, type ListingFacts } from "./archive/facts.ts";
import {
  type CohortLoan,
  cohortsFrom,
  cohortsOf,
  countLoan,
  type LoanGroups,
  MOST_ORIGINATORS,
} from "./cohorts.ts";
import { type DayBook, dayBookOf, type RunningDays } from "./day-book.ts";
import { createKeptLoans, type Kept } from "./kept-loans.ts";
import type { Listings } from "./listings.ts";
import { matcherOf } from "./listings-query.ts";
import type { Market } from "./market.ts";
import type { Originator } from "./originator.ts";
import { dayOf, nameOfPeriod, periodOf } from "./periods.ts";
import type { Grade, Listing } from "./schema.ts";
import { seriesOf } from "./series.ts";
import { SCOPE } from "./series-query.ts";
import type {
  Cohort,
  Cohorts,
  CohortsBy,
  OverTime,
  Scope,
  SeriesQuery,
  SpanRefusal,
} from "./series-schema.ts";
import { recordOf } from "./stats.ts";
import type { Visible } from "./visible.ts";

type OverTimeParameters = Pick<Market, "listings" | "originators" | "originatorByPublicId"> & {
  /** unix seconds */
  now: bigint;
  visible(listing: Listing): Visible;
  gradeAtDrawdown(listing: Listing): Grade;
  /** the sums of this market, as long as they have not changed since; null where none are kept */
  running: RunningDays | null;
  /** that they have for this market */
  version: number | undefined;
  /** the sums of the loans in the archive, and of those in full; null where none are kept */
  loans: ArchivedLoans | null;
};

type Reading = { groups: LoanGroups; rest: Iterator<Listing, undefined>; isOver: boolean };

/** The loans of a business, read once for each state of it. Every due date is kept, so that any market that has it can ask. */
const readingOf = new WeakMap<Originator, Reading>();

/**
 * The history of one market. Its series are made of the kept sums while these are its own, else of its raises; cohorts of all loans are
 * made once, of the kept sums of those in the archive and of those in full.
 */
export function createOverTime({ now, running, version, loans, ...market }: OverTimeParameters): OverTime {
  const { listings, originators, originatorByPublicId, visible, gradeAtDrawdown } = market;
  const isNewest = () => running != null && running.version() === version;
  const cohorts = new Map<string, Cohorts>();
  let whole: DayBook | null = null;
  let ofMost: readonly Originator[] | null = null;

  /** The listings of a scope in full; null where too many raises of the archive would have to be read. */
  const matching = (
    { originator, ...scope }: Scope,
    isWanted: (facts: ListingFacts) => boolean,
  ): Listing[] | null => {
    const among = originator === undefined ? listings : originatorByPublicId.get(originator)?.listings;
    const matches = matcherOf(scope, originatorByPublicId, SCOPE);
    const isMatch = (facts: ListingFacts) => matches(facts) && isWanted(facts);
    let rows = 0;
    for (const facts of among?.archived?.walk(null) ?? [])
      if (isMatch(facts) && ++rows > MOST_READ) return null;
    return among?.where(isMatch) ?? [];
  };

  const loansOf = (some: readonly Listing[], by: CohortsBy): CohortLoan[] =>
    some.map((listing) => ({
      raise: visible(listing),
      grade: by === "grade" ? gradeAtDrawdown(listing) : "",
    }));

  /** The sums of a scope that are kept; null for one without. */
  const keptBooks = ({ originator, originators, grade = [], jurisdiction = [] }: SeriesQuery) => {
    if (running == null || !isNewest()) return null;
    if (originator !== undefined || originators !== undefined) return null;
    if (grade.length > 0 && jurisdiction.length > 0) return null;
    if (grade.length > 0) return [...new Set(grade)].map((one) => running.book(`grade ${one}`));
    if (jurisdiction.length > 0)
      return [...new Set(jurisdiction)].map((one) => running.book(`country ${one}`));
    return [running.book("market")];
  };

  const ownBook = ({ originators, ...query }: SeriesQuery): DayBook | null => {
    const isWhole = originators === undefined && isAll(query);
    if (isWhole && whole !== null) return whole;
    const own = matching(query, ({ originator }) => originators?.has(originator) ?? true);
    const book = own && dayBookOf(own.map(visible));
    if (isWhole) whole = book;
    return book;
  };

  const at = (archived: ArchivedRows): LoansAt => ({
    ...{ archived, now, isNewest: isNewest(), visible, gradeAtDrawdown },
    originatorOf: (publicId) => originatorByPublicId.get(publicId),
  });

  /** The businesses that borrowed most. */
  const largest = (): readonly Originator[] => {
    if (ofMost !== null) return ofMost;
    const lentOf = new Map(originators.map((one) => [one, BigInt(recordOf(one).lent)]));
    ofMost = originators
      .toSorted(
        (a, b) => compare(lentOf.get(b) ?? 0n, lentOf.get(a) ?? 0n) || compare(a.publicId, b.publicId),
      )
      .slice(0, MOST_ORIGINATORS);
    return ofMost;
  };

  /** Reads loans of the largest businesses, so many at most. @returns whether there are more */
  const readOn = (most: number): boolean => {
    let left = most;
    for (const one of largest()) {
      const reading = readingOf.get(one) ?? { groups: new Map(), rest: loansIn(one.listings), isOver: false };
      readingOf.set(one, reading);
      for (; !reading.isOver; left--) {
        if (left === 0) return true;
        const { value: listing } = reading.rest.next();
        if (listing === undefined) reading.isOver = true;
        else countLoan(reading.groups, one.publicId, { raise: visible(listing), now: 0n });
      }
    }
    return false;
  };

  const cohortsOfLargest = (of: ArchivedLoans): readonly Cohort[] | null => {
    if (readOn(MOST_READ)) {
      // Once all of them: those of a business that changes with each block would be read again and again.
      of.leftOfLargest = largest().reduce((sum, one) => sum + one.listings.length, 0);
      return null;
    }
    const groups = largest().flatMap((one) => [...(readingOf.get(one)?.groups ?? [])]);
    return cohortsFrom(groups, "originator", now);
  };

  const sumsInFull = ({ inFull }: ArchivedLoans, by: Kept): LoanGroups | null => {
    const { full } = listings;
    if (isNewest()) return inFull.sums(by, loansOf(full, by), MOST_READ);
    if (full.length > MOST_READ) return null;
    return createKeptLoans().sums(by, loansOf(full, by), MOST_READ);
  };

  const cohortsOfAll = (by: CohortsBy): readonly Cohort[] | null => {
    const { archived } = listings;
    if (loans === null) return cohortsOf(loansOf(listings.all(), by), by, now);
    if (by === "originator") return cohortsOfLargest(loans);
    const kept = by === "quarter" || by === "year" ? "month" : by;
    const ended = archived === null ? [] : loans.sums(kept, at(archived));
    const others = sumsInFull(loans, kept);
    if (ended === null || others === null) return null;
    const nameOf = (name: string) => (by === "quarter" || by === "year" ? periodNameOf(name, by) : name);
    return cohortsFrom(
      [...ended, ...others].map(([name, sums]) => [nameOf(name), sums]),
      by,
      now,
    );
  };

  const tooMany = ({ originator, grade = [] }: Scope): SpanRefusal => ({
    parameter: originator !== undefined ? "originator" : grade.length > 0 ? "grade" : "jurisdiction",
    detail: `More than ${MOST_READ} raises of this scope have ended, which are too many to be read for one answer.`,
    allowed: ["a smaller scope", "none, for the whole market"],
  });

  return {
    series({ by = "month", from, to, ...scope }) {
      const books = keptBooks(scope) ?? [ownBook(scope)];
      if (!books.every((book) => book !== null))
        return isAll(scope) && scope.originators === undefined ? COUNTING : tooMany(scope);
      const points = seriesOf(books, { by, from, to }, now);
      return "detail" in points ? points : { by, points };
    },
    cohorts({ by = "quarter", ...scope }) {
      const isWhole = isAll(scope);
      const known = isWhole ? cohorts.get(by) : undefined;
      if (known !== undefined) return known;
      const own = isWhole ? null : matching(scope, isLoan);
      if (!isWhole && own === null) return tooMany(scope);
      const made = own === null ? cohortsOfAll(by) : cohortsOf(loansOf(own, by), by, now);
      if (made === null) return COUNTING;
      const found = { by, cohorts: made };
      if (isWhole) cohorts.set(by, found);
      return found;
    },
    countOn(most) {
      if (loans === null || !isNewest()) return false;
      const gradeOf = ({ listing }: Visible) => gradeAtDrawdown(listing);
      if (listings.archived !== null && loans.countOn(most, at(listings.archived))) return true;
      if (loans.inFull.countOn(most, gradeOf)) return true;
      if (loans.leftOfLargest > 0) loans.leftOfLargest = readOn(most) ? loans.leftOfLargest - most : 0;
      return loans.leftOfLargest > 0;
    },
  };
}

const COUNTING = { reason: "counting" } as const;

function isAll({ originator, grade = [], jurisdiction = [] }: Scope): boolean {
  return originator === undefined && grade.length === 0 && jurisdiction.length === 0;
}

/** False only for what is no loan. */
function isLoan(facts: ListingFacts): boolean {
  return !isRow(facts) || facts.repayment !== "not_drawn";
}

function* loansIn(listings: Listings): Generator<Listing, undefined> {
  for (const facts of listings.facts()) if (isLoan(facts)) yield listings.inFull(facts);
}

/** The quarter or year of a month. */
function periodNameOf(month: string, by: "quarter" | "year"): string {
  const seconds = BigInt(Date.parse(`${month}-01T00:00:00Z`) / 1_000);
  return nameOfPeriod(periodOf(dayOf(seconds), by), by);
}

function compare<Value extends bigint | string>(a: Value, b: Value): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
