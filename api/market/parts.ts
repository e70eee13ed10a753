/** @module A market and the parts that it is made of, which stay the same objects from block to block where nothing changes. */
import type { Map as PersistentMap } from "immutable";
import { isoTime } from "../../config/format/time.ts";
import { pairKey, type Registry } from "../registry/schema.ts";
import type { Businesses } from "./businesses.ts";
import { lastChange } from "./changes.ts";
import type { RunningDays } from "./day-book.ts";
import { creditOf, gradeHistory, gradesAtDrawdown } from "./grade-history.ts";
import { loanOf } from "./loan.ts";
import type { Lookup, Market } from "./market.ts";
import type { Edit } from "./ordered.ts";
import { createOverTime } from "./over-time.ts";
import { scheduleOf } from "./schedule.ts";
import type { Listing, Originator } from "./schema.ts";
import { timeToFund } from "./stats.ts";
import { openedAt } from "./status.ts";
import { tradesOf } from "./trading.ts";
import type { Visible } from "./visible.ts";

/** The parts of a market. They stay the same objects while nothing in them changes. */
export type Parts = Pick<
  Market,
  "listings" | "originators" | "trading" | "stats" | "unprojectable" | "contradictions"
> & {
  listingByPublicId: PersistentMap<string, Listing>;
  originatorByPublicId: PersistentMap<string, Originator>;
  publicIdByRefnum: PersistentMap<string, string>;
  publicIdByUppercaseRefnum: PersistentMap<string, string>;
};

type MarketParameters = Pick<Market, "head" | "unpublished"> & {
  registry: Registry;
  visibleOf: WeakMap<Listing, Visible>;
  creditsOf: Businesses["creditsOf"];
  hasCorrections: boolean;
  running: RunningDays | null;
  hasFlows: boolean;
};

export function marketOf(
  parts: Parts,
  { head, registry, unpublished, visibleOf, creditsOf, hasCorrections, running, hasFlows }: MarketParameters,
): Market {
  const now = head.timestamp;
  const visible = (listing: Listing): Visible => {
    const known = visibleOf.get(listing);
    if (known === undefined) throw new Error(`${listing.publicId} is not of this market`);
    return known;
  };
  const listingByPair: Lookup<Listing> = {
    get(pair) {
      const entry = registry.listingByPair.get(pair);
      return entry && parts.listingByPublicId.get(entry.publicId);
    },
    has: (pair) => listingByPair.get(pair) !== undefined,
  };
  const gradeAtDrawdown = (listing: Listing) => {
    const originator = parts.originatorByPublicId.get(listing.originator);
    if (originator === undefined) return "NR";
    const isApproved = originator.kybStatus === "approved";
    return gradesAtDrawdown(creditsOf(originator), isApproved).get(pairKey(listing)) ?? "NR";
  };
  return {
    head,
    ...parts,
    overTime: hasFlows ? createOverTime({ head, ...parts, visible, gradeAtDrawdown, running }) : null,
    listingByPair,
    scheduleOf: (listing) => scheduleOf({ ...visible(listing), now }),
    loanOf(listing) {
      const { row, repayments } = visible(listing);
      const credit = creditOf(pairKey(row), row, repayments);
      return credit && loanOf(credit, now);
    },
    gradesOf: (originator) => gradeHistory(creditsOf(originator), originator.kybStatus === "approved", now),
    tradesOf: (listing) => tradesOf(visible(listing)),
    correctionsOf: (listing) => visible(listing).corrections,
    corrected: () =>
      hasCorrections ? parts.listings.filter((one) => visible(one).corrections.length > 0) : [],
    openedAt: (listing) => isoTime(openedAt(visible(listing).row)),
    secondsToFund: (listing) => timeToFund(visible(listing)),
    changedAt: (listing) => isoTime(lastChange(visible(listing), now)),
    unpublished,
  };
}

export function byPublicId(a: { publicId: string }, b: { publicId: string }): number {
  if (a.publicId === b.publicId) return 0;
  return a.publicId < b.publicId ? -1 : 1;
}

export function withEntries<Item extends { publicId: string }>(
  map: PersistentMap<string, Item>,
  edits: readonly Edit<Item>[],
): PersistentMap<string, Item> {
  return map.withMutations((entries) => {
    for (const { before, after } of edits) {
      if (after !== null) entries.set(after.publicId, after);
      else if (before !== null) entries.delete(before.publicId);
    }
  });
}
