/** @module Sums of the loans in full, kept from market to market: only loans that changed are counted again. */
import { type CohortLoan, cohortNameOf, countLoan, type LoanGroups } from "./cohorts.ts";
import type { CohortsBy } from "./series-schema.ts";
import type { Visible } from "./visible.ts";

type Kept = { groups: LoanGroups; nameOf: Map<Visible, string> };

export type KeptLoans = {
  /** The sums of these loans, and of no others. They change with the next call; every due date is in them. */
  sums(by: CohortsBy, loans: readonly CohortLoan[]): LoanGroups;
  /** Takes out a raise that the next market does not have: it would stay in memory until its cohorts are asked for again. */
  drop(raise: Visible): void;
};

export function createKeptLoans(): KeptLoans {
  const kept = new Map<CohortsBy, Kept>();
  return {
    sums(by, loans) {
      const { groups, nameOf } = kept.get(by) ?? { groups: new Map(), nameOf: new Map() };
      kept.set(by, { groups, nameOf });
      const gone = new Map(nameOf);
      for (const { raise, grade } of loans) {
        if (raise.row.drawnDownAt === null) continue;
        const name = cohortNameOf(raise, by, grade);
        if (nameOf.get(raise) === name) {
          gone.delete(raise);
          continue;
        }
        nameOf.set(raise, name);
        countLoan(groups, name, { raise, now: 0n });
      }
      for (const [raise, name] of gone) {
        countLoan(groups, name, { raise, now: 0n, sign: -1n });
        // One with another name is there under that.
        if (nameOf.get(raise) === name) nameOf.delete(raise);
      }
      return groups;
    },
    drop(raise) {
      for (const { groups, nameOf } of kept.values()) {
        const name = nameOf.get(raise);
        if (name !== undefined) countLoan(groups, name, { raise, now: 0n, sign: -1n });
        nameOf.delete(raise);
      }
    },
  };
}
