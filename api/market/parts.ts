/** @module A market and the parts that it is made of, which stay the same objects from block to block where nothing changes. */
import type { Map as PersistentMap } from "immutable";
import { isoTime } from "../../config/format/time.ts";
import { pairKey, type Registry } from "../registry/schema.ts";
import type { ArchivedLoans } from "./archive/archived-loans.ts";
import type { ArchivedRows } from "./archive/archived-rows.ts";
import type { ListingFacts } from "./archive/facts.ts";
import type { Businesses } from "./businesses.ts";
import { lastChange } from "./changes.ts";
import type { RunningDays } from "./day-book.ts";
import { creditOf, gradesOver, gradeThen } from "./grade-history.ts";
import { loanOf } from "./loan.ts";
import type { Head, Lookup, Market } from "./market.ts";
import type { Edit } from "./ordered.ts";
import type { Originator } from "./originator.ts";
import { createOverTime } from "./over-time.ts";
import { latestCreated } from "./refnums.ts";
import { scheduleOf } from "./schedule.ts";
import type { Grade, Listing } from "./schema.ts";
import type { OverTime } from "./series-schema.ts";
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

export type MarketParameters = Pick<Market, "unpublished"> & {
  registry: Registry;
  /** the raises of the archive; null for none */
  archived: ArchivedRows | null;
  visibleOf: WeakMap<Listing, Visible>;
  creditsOf: Businesses["creditsOf"];
  hasCorrections: boolean;
  running: RunningDays | null;
  loans: ArchivedLoans | null;
  hasFlows: boolean;
};

/** A market without its head: what stays the same in blocks that change nothing. */
export type Headless = ReturnType<typeof headlessOf>;

/**
 * The members of a market that do not depend on its head, made from the parts. Times that its functions return are ISO 8601;
 * `secondsToFund` is in seconds.
 */
export function headlessOf(
  parts: Parts,
  {
    registry,
    unpublished,
    archived,
    visibleOf,
    creditsOf,
    hasCorrections,
    running,
    loans,
    hasFlows,
  }: MarketParameters,
) {
  const lookups: Lookups =
    archived === null
      ? { ...parts, listingKey: (publicId) => parts.listingByPublicId.get(publicId) }
      : lookupsOf(parts, archived, visibleOf);
  const archivedFacts = archived === null ? () => undefined : archivedFactsOf(archived);
  const visible = (listing: Listing): Visible => {
    const known = visibleOf.get(listing);
    if (known === undefined) throw new Error(`${listing.publicId} is not of this market`);
    return known;
  };
  const ofPair = <Found>(pair: string, of: Lookup<Found>) => {
    const entry = registry.listingByPair.get(pair);
    return entry && of.get(entry.publicId);
  };
  const factsByPair = (pair: string) => archivedFacts(pair) ?? ofPair(pair, parts.listingByPublicId);
  const listingByPair: Lookup<Listing> = {
    get: (pair) => ofPair(pair, lookups.listingByPublicId),
    has: (pair) => factsByPair(pair) !== undefined,
  };
  const version = running?.version();
  const overTimeAt = (now: bigint) => {
    const gradeAtDrawdown = (listing: Listing): Grade => {
      const originator = parts.originatorByPublicId.get(listing.originator);
      const { drawnDownAt } = visible(listing).row;
      if (originator === undefined || drawnDownAt === null) return "NR";
      return gradeThen(originator, drawnDownAt, { creditsOf, now });
    };
    return createOverTime({ ...parts, now, visible, gradeAtDrawdown, running, version, loans });
  };
  return {
    ...{ registry, visible, creditsOf, overTimeAt: hasFlows ? overTimeAt : null },
    members: {
      ...parts,
      ...lookups,
      listingByPair,
      factsByPair,
      deskOf: (listing) => visible(listing).entry?.summary ?? null,
      tradesOf: (listing) => tradesOf(visible(listing)),
      correctionsOf: (listing) => visible(listing).corrections,
      corrected: () =>
        hasCorrections ? parts.listings.full.filter((one) => visible(one).corrections.length > 0) : [],
      createdAt(listing) {
        const { row } = visible(listing);
        return isoTime(row.createdAt ?? openedAt(row));
      },
      openedAt: (listing) => isoTime(openedAt(visible(listing).row)),
      isCloseRecorded: (listing) => visible(listing).row.closedAt !== null,
      secondsToFund: (listing) => timeToFund(visible(listing)),
      unpublished,
    } satisfies Partial<Market>,
  };
}

/**
 * The market at a head: everything that changes by time alone (schedules, loans, grades, figures over time) is computed as of
 * `head.timestamp`, unix seconds.
 */
export function marketAt(head: Head, { members, visible, creditsOf, overTimeAt }: Headless): Market {
  const now = head.timestamp;
  let overTime: OverTime | undefined;
  return {
    ...members,
    head,
    get overTime() {
      overTime ??= overTimeAt?.(now);
      return overTime ?? null;
    },
    scheduleOf: (listing) => scheduleOf({ ...visible(listing), now }),
    loanOf(listing) {
      const { row, repayments } = visible(listing);
      const credit = creditOf(pairKey(row), row, repayments);
      return credit && loanOf(credit, now);
    },
    gradesOf: (originator) => gradesOver(originator, creditsOf, now),
    changedAt: (listing) => isoTime(lastChange(visible(listing), now)),
  };
}

type Lookups = Pick<
  Market,
  "listingByPublicId" | "listingKey" | "publicIdByRefnum" | "publicIdByUppercaseRefnum"
>;

/** The lookups of the listings in full, and of those of the archive. */
function lookupsOf(parts: Parts, archived: ArchivedRows, visibleOf: WeakMap<Listing, Visible>): Lookups {
  const { archive, version, gradeOf, listingOf } = archived.view;
  const rowOf = (publicId: string) => archive.rowOfPublicId(publicId, version);
  const listingByPublicId: Lookup<Listing> = {
    get(publicId) {
      const full = parts.listingByPublicId.get(publicId);
      if (full !== undefined) return full;
      const row = rowOf(publicId);
      return row === null ? undefined : listingOf(row);
    },
    has: (publicId) => parts.listingByPublicId.has(publicId) || rowOf(publicId) !== null,
  };
  const creationOf = (listing: Listing) => ({
    publicId: listing.publicId,
    eventId: visibleOf.get(listing)?.row.createdEventId ?? "",
  });
  /** The latest created of several raises with one refnum. */
  const latest = (
    full: Lookup<string>,
    isSame: (refnum: string, asked: string) => boolean,
  ): Lookup<string> => {
    const get = (asked: string) => {
      const one = full.get(asked);
      const others = archive
        .rowsOfRefnum(asked.toUpperCase(), version)
        .map(listingOf)
        .filter(({ refnum }) => isSame(refnum, asked));
      if (others.length === 0) return one;
      const own = one === undefined ? undefined : parts.listingByPublicId.get(one);
      return latestCreated((own === undefined ? others : [...others, own]).map(creationOf));
    };
    return { get, has: (asked) => get(asked) !== undefined };
  };
  return {
    listingByPublicId,
    listingKey(publicId) {
      const full = parts.listingByPublicId.get(publicId);
      const row = full === undefined ? rowOf(publicId) : null;
      // A row is never changed, but for its grade.
      return row === null ? full : `${archive.number} ${row} ${gradeOf(archive.originatorOf(row))}`;
    },
    publicIdByRefnum: latest(parts.publicIdByRefnum, (refnum, asked) => refnum === asked),
    publicIdByUppercaseRefnum: latest(parts.publicIdByUppercaseRefnum, () => true),
  };
}

/** The facts of the archive by pair, in one object. */
function archivedFactsOf({ view: { archive, version, gradeOf } }: ArchivedRows) {
  const facts = archive.facts(gradeOf);
  return (pair: string): ListingFacts | undefined => {
    const row = archive.rowOfPair(pair, version);
    if (row === null) return undefined;
    facts.row = row;
    return facts;
  };
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
