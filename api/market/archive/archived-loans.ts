/**
 * Sums of the loans in the archive, for cohorts: reading every loan of a large market takes minutes. Loans are counted some at a time
 * after the market has changed; those that are not yet are read when cohorts are asked for, if they are few.
 * @module
 */

import { HOUR } from "../../../config/format/time.ts";
import { cohortNameOf, countLoan, type LoanGroups, type LoanSums } from "../cohorts.ts";
import { createKeptLoans, KEPT, type Kept, type KeptLoans } from "../kept-loans.ts";
import type { Originator } from "../originator.ts";
import { GRADES, type Grade, type Listing, REPAYMENTS } from "../schema.ts";
import type { Visible } from "../visible.ts";
import type { ArchivedRows } from "./archived-rows.ts";
import type { RowFacts } from "./facts.ts";

/** Loans that are read for one answer, which then takes up to half a second. */
export const MOST_READ = 5_000;

/** Rows that may be passed for each loan that is counted: a raise that was not drawn costs almost nothing. */
const ROWS_PER_LOAN = 20;

/** Seconds: a market whose head is older than the newest by more is not answered. */
const OLDEST = HOUR;

/** Businesses whose loans are looked at for one answer. */
const MOST_CHANGED = 200;

const NOT_DRAWN = REPAYMENTS.indexOf("not_drawn");

/** A market that asks. */
export type LoansAt = {
  archived: ArchivedRows;
  /** unix seconds */
  now: bigint;
  /** whether no later market has been made */
  isNewest: boolean;
  originatorOf(publicId: string): Originator | undefined;
  visible(listing: Listing): Visible;
  gradeAtDrawdown(listing: Listing): Grade;
};

/** A business with another record. */
type Changed = {
  /** from when on (unix seconds): earlier drawdowns had the same grade */
  since: bigint;
  /** rows of the business before it have been looked at */
  next: number;
};

type Named = readonly [name: string, sums: LoanSums];

/** For a snapshot. */
export type SavedLoans = {
  sums: Record<Kept, LoanGroups>;
  counted: number;
  left: readonly number[];
  grades: Uint8Array;
  changed: readonly string[];
  dueUntil: bigint;
};

export type ArchivedLoans = {
  /** the loans that are not in the archive */
  inFull: KeptLoans;
  /** how many loans of the largest businesses are still read between requests, since their cohorts were refused */
  leftOfLargest: number;
  /** Notes businesses of whose loans the grade may be another now. @param since by public id, from when on (unix seconds) */
  noteChanged(since: ReadonlyMap<string, bigint>): void;
  /** Counts up to so many loans. @returns whether there are more */
  countOn(most: number, at: LoansAt): boolean;
  /** The sums of all loans of the archive, by names that may repeat; null while too many have not been counted. */
  sums(by: Kept, at: LoansAt): readonly Named[] | null;
  /** @param removals from the archive so far @returns null while one of them has not been looked at */
  save(removals: number): SavedLoans | null;
};

/** @param saved with the archive that it was saved with */
export function createArchivedLoans(saved: SavedLoans | null): ArchivedLoans {
  const sums = saved?.sums ?? { month: new Map(), grade: new Map(), country: new Map() };
  /** rows before it have been looked at */
  let counted = saved?.counted ?? 0;
  /** removals from the archive that have been looked at */
  let removed = 0;
  /** rows before `counted` with a loan that is not in the sums */
  const left = new Set(saved?.left);
  /** the index of the grade under which a row was counted */
  let grades = saved?.grades ?? new Uint8Array();
  /** businesses with counted loans that may have had another grade */
  const changed = new Map<string, Changed>(
    saved?.changed.map((publicId) => [publicId, { since: 0n, next: 0 }]),
  );

  const isLoan = ({ archived: { view } }: LoansAt, row: number) =>
    view.archive.repaymentOf(row) !== NOT_DRAWN;
  const isThere = ({ archived: { view } }: LoansAt, row: number) => view.archive.isPresent(row, view.version);
  const isCounted = (row: number) => row < counted && !left.has(row);
  const listingOf = ({ archived: { view } }: LoansAt, row: number) => view.listingOf(row);

  /** Loans due by then (unix seconds) are counted as due. */
  let dueUntil = saved?.dueUntil ?? 0n;

  const countIn = (
    groups: LoanGroups,
    by: Kept,
    counting: { row: number; at: LoansAt; grade: string; sign: 1n | -1n; now: bigint },
  ) => {
    const { row, at, grade, sign, now } = counting;
    const raise = at.visible(listingOf(at, row));
    countLoan(groups, cohortNameOf(raise, by, grade), { raise, now, sign });
  };
  const count = (row: number, at: LoansAt, grade: string, sign: 1n | -1n, some: readonly Kept[] = KEPT) => {
    const now = at.now - OLDEST;
    if (now > dueUntil) dueUntil = now;
    for (const by of some) countIn(sums[by], by, { row, at, grade, sign, now });
  };
  const gradeOf = (row: number) => GRADES[grades[row] as number] as Grade;

  const rowsLeftOf = (publicId: string, { next }: Changed, at: LoansAt): Iterable<RowFacts> =>
    at.originatorOf(publicId)?.listings.archived?.walkFrom(next) ?? [];
  /** Whether a row is a loan that was counted, and that may have been drawn under another grade. */
  const isInDoubt = (facts: RowFacts, { since }: Changed, at: LoansAt) => {
    // Nothing is drawn after its last event.
    const isEarlier = (facts.secondsAt("updatedAt") ?? since) < since;
    return !isEarlier && isCounted(facts.row) && isLoan(at, facts.row);
  };

  /** Looks at so many loans of businesses with other records, and counts those that were drawn under another grade again. */
  const recount = (most: number, at: LoansAt) => {
    let [passed, looked] = [0, 0];
    for (const [publicId, change] of changed) {
      for (const facts of rowsLeftOf(publicId, change, at)) {
        const { row } = facts;
        change.next = row;
        if (looked === most || passed++ === ROWS_PER_LOAN * most) return;
        if (!isInDoubt(facts, change, at)) continue;
        looked++;
        const after = at.gradeAtDrawdown(listingOf(at, row));
        if (after === gradeOf(row)) continue;
        count(row, at, gradeOf(row), -1n, ["grade"]);
        count(row, at, after, 1n, ["grade"]);
        grades[row] = GRADES.indexOf(after);
      }
      changed.delete(publicId);
    }
  };

  /** Loans that may have to be counted again, and one more than are read for an answer at most. */
  const inDoubt = (at: LoansAt): number[] => {
    const rows: number[] = [];
    for (const [publicId, change] of changed) {
      for (const facts of rowsLeftOf(publicId, change, at)) {
        if (isInDoubt(facts, change, at)) rows.push(facts.row);
        if (rows.length > MOST_READ) return rows;
      }
    }
    return rows;
  };

  /** Rows that the sums of a market lack, and those that they have beyond it. */
  const beyond = (at: LoansAt) => {
    const { archive } = at.archived.view;
    const missing: number[] = [];
    const wanted = (row: number) => {
      if (isLoan(at, row) && isThere(at, row)) missing.push(row);
    };
    const rows = archive.rowsAt(at.archived.view.version);
    for (let row = counted; row < rows; row++) wanted(row);
    for (const row of left) wanted(row);
    const later = Array.from({ length: Math.max(0, counted - rows) }, (_, index) => rows + index);
    const removals = archive.removed.slice(removed).filter((row) => row < rows && !isThere(at, row));
    const gone = [...removals, ...later].filter((row) => isCounted(row) && isLoan(at, row));
    return { missing, gone };
  };

  return {
    inFull: createKeptLoans(),
    leftOfLargest: 0,
    noteChanged(others) {
      if (counted === 0) return;
      for (const [publicId, since] of others) {
        const before = changed.get(publicId)?.since ?? since;
        changed.set(publicId, { since: before < since ? before : since, next: 0 });
      }
    },
    countOn(most, at) {
      const { archive } = at.archived.view;
      for (; removed < archive.removed.length; removed++) {
        const row = archive.removed[removed] as number;
        if (!isCounted(row) || !isLoan(at, row)) continue;
        count(row, at, gradeOf(row), -1n);
        left.add(row);
      }
      if (grades.length < archive.rows) {
        const larger = new Uint8Array(Math.max(archive.rows, 1_024));
        larger.set(grades);
        grades = larger;
      }
      const end = Math.min(counted + ROWS_PER_LOAN * most, archive.rows);
      for (let loans = 0; counted < end && loans < most; counted++) {
        if (!isLoan(at, counted)) continue;
        loans++;
        // One that has come out since may be in this market yet, and not in the next one.
        if (!isThere(at, counted) || archive.isRemoved(counted)) {
          left.add(counted);
          continue;
        }
        const grade = at.gradeAtDrawdown(listingOf(at, counted));
        grades[counted] = GRADES.indexOf(grade);
        count(counted, at, grade, 1n);
      }
      recount(most, at);
      return counted < archive.rows || changed.size > 0;
    },
    sums(by, at) {
      const { missing, gone } = beyond(at);
      // Which grades of loans an earlier market had is not known.
      if (by === "grade" && counted > 0 && (!at.isNewest || changed.size > MOST_CHANGED)) return null;
      const doubted = by === "grade" ? inDoubt(at) : [];
      if (missing.length + gone.length + doubted.length > MOST_READ || at.now < dueUntil) return null;
      const others: LoanGroups = new Map();
      const correct = (row: number, grade: string, sign: 1n | -1n) =>
        countIn(others, by, { row, at, grade, sign, now: at.now });
      for (const row of gone) correct(row, gradeOf(row), -1n);
      for (const row of missing) correct(row, at.gradeAtDrawdown(listingOf(at, row)), 1n);
      for (const row of doubted) {
        const after = at.gradeAtDrawdown(listingOf(at, row));
        if (after === gradeOf(row)) continue;
        correct(row, gradeOf(row), -1n);
        correct(row, after, 1n);
      }
      return [...sums[by], ...others];
    },
    save(removals) {
      if (removed < removals) return null;
      const own = { sums: structuredClone(sums), grades: grades.slice(0, counted) };
      return { ...own, counted, left: [...left], changed: [...changed.keys()], dueUntil };
    },
  };
}
