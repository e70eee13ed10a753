/** @module What the columns of the raises are made of: the numbers of each raise, and numbers for words. */
import type { ListingRow } from "../../src/fold/state.ts";
import { lastChange } from "./changes.ts";
import type { Published } from "./listing.ts";
import { dayOf, periodOf } from "./periods.ts";
import { GRADES, REPAYMENTS, STATUSES } from "./schema.ts";
import { openedAt } from "./status.ts";
import type { DeskRows } from "./trading.ts";

/** What a raise has besides its listing, where it is known; `madeAt` in unix seconds. */
export type Raise = Published & Partial<DeskRows & { madeAt: bigint }>;

/** A number of each raise: which kind of array, and whose value. NaN stands for none. */
export const NUMBERS = {
  status: [Uint8Array, ({ listing }: Raise) => STATUSES.indexOf(listing.status)],
  repayment: [Uint8Array, ({ listing }: Raise) => REPAYMENTS.indexOf(listing.repayment)],
  grade: [Uint8Array, ({ listing }: Raise) => GRADES.indexOf(listing.originatorGrade)],
  isOwed: [Uint8Array, ({ listing }: Raise) => Number(listing.outstandingPrincipal !== "0")],
  coupon: [Float64Array, ({ listing }: Raise) => listing.couponRateBps],
  tenor: [Float64Array, ({ listing }: Raise) => listing.tenorDays],
  closeAt: [Float64Array, ({ listing }: Raise) => secondsIn(listing.closeAt)],
  maturityAt: [Float64Array, ({ listing }: Raise) => secondsIn(listing.maturityAt)],
  updatedAt: [Float64Array, ({ listing }: Raise) => secondsIn(listing.updatedAt)],
  updatedBlock: [Float64Array, ({ listing }: Raise) => Number(listing.updatedBlock)],
  createdAt: [Float64Array, ({ row }: Raise) => Number(createdAt(row))],
  month: [Int32Array, ({ row }: Raise) => periodOf(dayOf(createdAt(row)), "month")],
  changedAt: [
    Float64Array,
    (raise: Raise) => Number(lastChange({ offers: [], trades: [], ...raise }, raise.madeAt ?? 0n)),
  ],
} as const;
export type Numbers = { [Name in keyof typeof NUMBERS]: InstanceType<(typeof NUMBERS)[Name][0]> };
const createdAt = (row: ListingRow): bigint => row.createdAt ?? openedAt(row);
export const NUMBER_NAMES = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
function secondsIn(isoTime: string | null): number {
  return isoTime === null ? Number.NaN : Date.parse(isoTime) / 1000;
}

/** Columns with this many places, and the numbers of smaller ones. */
export function roomFor(size: number, before?: Numbers): Numbers {
  const grown = NUMBER_NAMES.map((name) => {
    const column = new NUMBERS[name][0](size);
    if (before !== undefined) column.set(before[name]);
    return [name, column];
  });
  return Object.fromEntries(grown);
}

/** A number for each of some words. */
export function createWords() {
  const numbers = new Map<string, number>();
  const words: string[] = [];
  return {
    size: () => words.length,
    word: (number: number) => words[number] ?? "",
    number(word: string): number {
      const number = numbers.get(word) ?? words.push(word) - 1;
      numbers.set(word, number);
      return number;
    },
  };
}

/** Tests that are remembered, such as the searches of the last minutes. */
const MOST_MARKS = 8;

/** What slow tests said of each place, until the raise there changes. */
export function createMarks() {
  const marks = new Map<string, Uint8Array>();
  return {
    /** @param key names the test @param size more than the largest place */
    said(key: string, place: number, size: number, ask: () => boolean): boolean {
      let own = marks.get(key);
      if (own === undefined || own.length < size) {
        const grown = new Uint8Array(size);
        grown.set(own ?? []);
        own = grown;
        const [oldest] = marks.keys();
        if (marks.size >= MOST_MARKS && oldest !== undefined) marks.delete(oldest);
        marks.set(key, own);
      }
      own[place] ||= ask() ? 2 : 1;
      return own[place] === 2;
    },
    forget(place: number): void {
      for (const own of marks.values()) if (place < own.length) own[place] = 0;
    },
  };
}
