/** @module Sums of the loans in full, kept from market to market: only loans that changed are counted again. */
import { type CohortLoan, cohortNameOf, countLoan, type LoanGroups } from "./cohorts.ts";
import type { Edit } from "./ordered.ts";
import type { CohortsBy } from "./series-schema.ts";
import type { Visible } from "./visible.ts";

/** Cohorts whose sums are kept. Quarters and years are made of months; businesses are too many. */
export const KEPT = ["month", "grade", "country"] as const satisfies readonly CohortsBy[];
export type Kept = (typeof KEPT)[number];

export type KeptLoans = {
  /** Notes what a block changed. A raise that is gone leaves the sums at once, and thus memory. */
  apply(edits: readonly Edit<Visible>[]): void;
  /** Counts up to so many of the loans that `apply` noted. @returns whether there are more */
  countOn(most: number, gradeOf: (loan: Visible) => string): boolean;
  /**
   * The sums of these loans, all of the newest market. They change with the next call; every due date is in them.
   * @returns null where more than `most` loans would have to be read, which are then counted by `countOn`
   */
  sums(by: Kept, loans: readonly CohortLoan[], most: number): LoanGroups | null;
};

export function createKeptLoans(): KeptLoans {
  const kept = Object.fromEntries(
    KEPT.map((by) => [by, { groups: new Map(), nameOf: new Map() }]),
  ) as unknown as Record<Kept, { groups: LoanGroups; nameOf: Map<Visible, string> }>;
  /** loans that are not in all of the sums yet */
  const waiting = new Set<Visible>();
  const remove = (by: Kept, raise: Visible) => {
    const { groups, nameOf } = kept[by];
    const name = nameOf.get(raise);
    if (name !== undefined) countLoan(groups, name, { raise, now: 0n, sign: -1n });
    nameOf.delete(raise);
  };
  const put = (by: Kept, raise: Visible, name: string) => {
    const { groups, nameOf } = kept[by];
    if (nameOf.get(raise) === name) return;
    remove(by, raise);
    nameOf.set(raise, name);
    countLoan(groups, name, { raise, now: 0n });
  };
  return {
    apply(edits) {
      for (const { before, after } of edits) {
        if (before !== null) {
          waiting.delete(before);
          for (const by of KEPT) remove(by, before);
        }
        if (after !== null && after.row.drawnDownAt !== null) waiting.add(after);
      }
    },
    countOn(most, gradeOf) {
      let counted = 0;
      for (const raise of waiting) {
        if (counted++ === most) return true;
        waiting.delete(raise);
        for (const by of KEPT) put(by, raise, cohortNameOf(raise, by, by === "grade" ? gradeOf(raise) : ""));
      }
      return false;
    },
    sums(by, loans, most) {
      const { groups, nameOf } = kept[by];
      const gone = new Set(nameOf.keys());
      const others: { raise: Visible; name: string }[] = [];
      for (const { raise, grade } of loans) {
        if (raise.row.drawnDownAt === null) continue;
        const name = cohortNameOf(raise, by, grade);
        gone.delete(raise);
        if (nameOf.get(raise) !== name) others.push({ raise, name });
      }
      for (const raise of gone) remove(by, raise);
      if (others.length > most) {
        for (const { raise } of others) waiting.add(raise);
        return null;
      }
      for (const { raise, name } of others) put(by, raise, name);
      return groups;
    },
  };
}
