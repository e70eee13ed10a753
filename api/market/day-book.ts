/** @module Sums of the histories of raises by day, kept up to date while the raises change. */
import type { Edit } from "./ordered.ts";
import {
  eachChange,
  type Funding,
  isSameHistory,
  MEASURES,
  type Measure,
  type RaiseDays,
} from "./raise-days.ts";
import type { Visible } from "./visible.ts";

export type Sums = Record<Measure, bigint>;

type Day = {
  readonly sums: Sums;
  /** for each raise that closed with its minimum on this day, in no order */
  readonly secondsToFund: number[];
};

/** By days since 1970 in UTC, in no order; only days on which something changed. */
export type DayBook = ReadonlyMap<number, Day>;

export function noSums(): Sums {
  return Object.fromEntries(MEASURES.map((measure) => [measure, 0n])) as Sums;
}

/** The sums of some raises. */
export function dayBookOf(raises: Iterable<RaiseDays>): DayBook {
  const book = createDayBook();
  for (const raise of raises) book.count(changesOf(raise), 1);
  return book.days;
}

type Changes = {
  changes: readonly { day: number; measure: Measure; amount: bigint }[];
  funding: Funding | null;
};

function changesOf(raise: RaiseDays): Changes {
  const changes: { day: number; measure: Measure; amount: bigint }[] = [];
  const funding = eachChange(raise, (day, measure, amount) => changes.push({ day, measure, amount }));
  return { changes, funding };
}

type Days = Map<number, Day & { changes: number }>;

function createDayBook(days: Days = new Map()) {
  const dayAt = (day: number) => {
    const known = days.get(day);
    if (known !== undefined) return known;
    const added = { sums: noSums(), secondsToFund: [], changes: 0 };
    days.set(day, added);
    return added;
  };
  return {
    days,
    /** Adds a raise, or removes it as it was added. */
    count({ changes, funding }: Changes, sign: 1 | -1): void {
      for (const { day, measure, amount } of changes) {
        const at = dayAt(day);
        if (sign === 1) at.sums[measure] += amount;
        else at.sums[measure] -= amount;
        at.changes += sign;
        if (at.changes === 0) days.delete(day);
      }
      const seconds = funding && days.get(funding.day)?.secondsToFund;
      if (!funding || !seconds) return;
      if (sign === 1) seconds.push(funding.seconds);
      else seconds.splice(seconds.indexOf(funding.seconds), 1);
    },
  };
}

/** The parts of a market whose sums are kept: all of it, and the raises of each grade and country. */
type Scope = "market" | `grade ${string}` | `country ${string}`;

export type RunningDays = {
  /** grows with every change */
  readonly version: () => number;
  apply(edits: readonly Edit<Visible>[]): void;
  /** As of the last change; later changes change it. */
  book(scope: Scope): DayBook;
  save(): SavedDays;
};

const NOTHING: DayBook = new Map();

type SavedDay = Omit<Day, "secondsToFund"> & {
  readonly changes: number;
  /** A plain list of a million numbers deserializes more slowly. */
  readonly secondsToFund: Float64Array;
};
/** For a snapshot. */
export type SavedDays = ReadonlyMap<Scope, ReadonlyMap<number, SavedDay>>;

const savedDays = (days: Days): ReadonlyMap<number, SavedDay> =>
  mapped(days, ({ sums, secondsToFund, changes }) => ({
    ...{ sums: { ...sums }, changes },
    secondsToFund: Float64Array.from(secondsToFund),
  }));

const restoredDays = (saved: ReadonlyMap<number, SavedDay>): Days =>
  mapped(saved, ({ sums, secondsToFund, changes }) => ({
    ...{ sums: { ...sums }, changes },
    secondsToFund: Array.from(secondsToFund),
  }));

function mapped<Key, From, To>(from: ReadonlyMap<Key, From>, change: (value: From) => To): Map<Key, To> {
  return new Map(Array.from(from, ([key, value]) => [key, change(value)]));
}

export function createRunningDays(saved?: SavedDays): RunningDays {
  const books = mapped(saved ?? new Map<Scope, never>(), (days) => createDayBook(restoredDays(days)));
  let version = 0;
  const count = (raise: Visible, sign: 1 | -1) => {
    const { originatorGrade } = raise.listing;
    const changes = changesOf(raise);
    for (const scope of ["market", `grade ${originatorGrade}`, `country ${raise.country}`] as const) {
      const book = books.get(scope) ?? createDayBook();
      books.set(scope, book);
      book.count(changes, sign);
    }
  };
  return {
    version: () => version,
    apply(edits) {
      version += 1;
      for (const { before, after } of edits) {
        if (before !== null && after !== null && isSameHistory(before, after)) continue;
        if (before !== null) count(before, -1);
        if (after !== null) count(after, 1);
      }
    },
    book: (scope) => books.get(scope)?.days ?? NOTHING,
    save: () => mapped(books, ({ days }) => savedDays(days)),
  };
}
