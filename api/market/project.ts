/**
 * The projection: `Market = project(rows, registry, head)`. Pure; every face is a view of what it returns.
 *
 * `now` is the head's time, never the machine's: a lagging indexer with a wall clock would show raises as
 * failed that are not.
 * @module
 */
import type { Hex } from "viem";
import type { PublicSettings } from "../../config/public-settings.ts";
import { isoTime } from "../../format/time.ts";
import { stripControl } from "../../format/untrusted-text.ts";
import type { Block } from "../../src/fold/events.ts";
import type { ListingRow, OfferRow, RepaymentRow, TradeRow } from "../../src/fold/state.ts";
import { pairKey, type Registry, type RegistryOriginator } from "../registry/schema.ts";
import { lastChanges, openedAt } from "./changes.ts";
import { type CreditRecord, creditRecord, gradeAt } from "./grade.ts";
import { type Offering, type Published, toListing } from "./listing.ts";
import { scheduleOf } from "./schedule.ts";
import type { Grade, Listing, Originator, Rating, Schedule, Stats } from "./schema.ts";
import { statsOf } from "./stats.ts";
import { tradingAt } from "./trading.ts";
import type { Trading } from "./trading-schema.ts";

/** What the projection needs of the chain, all as of one block. */
export type ChainRows = {
  listings: readonly ListingRow[];
  /** in the order of the chain */
  repayments: readonly RepaymentRow[];
  offers: readonly OfferRow[];
  /** in the order of the chain */
  trades: readonly TradeRow[];
  /** how many hold each token; empty where that is not known */
  holders: ReadonlyMap<Hex, number>;
};

/** A listing that the projection had to leave out, and why. */
export type Unprojectable = { escrowAddress: string; onchainId: string; problem: string };

/** Everything that the service publishes, at one head. */
export type Market = {
  head: Block;
  /** by `goLiveAt` descending, then `publicId` */
  listings: readonly Listing[];
  /** by `publicId` */
  originators: readonly Originator[];
  trading: Trading;
  stats: Stats;
  /** What is due on a visible listing and what was paid. */
  scheduleOf(listing: Listing): Schedule;
  /** From when on backers could subscribe to a visible listing. ISO 8601. */
  openedAt(listing: Listing): string;
  /** When what is known of a visible listing changed last: by an event, or by time alone. ISO 8601, never after the head. */
  changedAt(listing: Listing): string;
  listingByPublicId: ReadonlyMap<string, Listing>;
  /** by `pairKey`: a listing's key on the chain */
  listingByPair: ReadonlyMap<string, Listing>;
  /** of several visible listings with one refnum, the latest created */
  listingByRefnum: ReadonlyMap<string, Listing>;
  /** the same, by refnums in capital letters */
  listingByUppercaseRefnum: ReadonlyMap<string, Listing>;
  originatorByPublicId: ReadonlyMap<string, Originator>;
  /** listings on the chain that the registry does not name */
  unpublished: number;
  unprojectable: readonly Unprojectable[];
};

export type ProjectParameters = {
  rows: ChainRows;
  registry: Registry;
  head: Block;
  publicSettings: PublicSettings;
};

/** Projects the chain's rows and the registry to what is public at `head`. Never throws for a bad row. */
export function project({ rows, registry, head, publicSettings }: ProjectParameters): Market {
  const rowByPair = new Map(rows.listings.map((row) => [pairKey(row), row]));
  const grades = gradeOriginators(rows.listings, rowByPair, registry, head.timestamp);
  const unprojectable: Unprojectable[] = [];
  const visible: Visible[] = [];

  for (const entry of registry.listings) {
    const row = rowByPair.get(pairKey(entry));
    const originator = registry.originatorByPublicId.get(entry.originator);
    if (row === undefined || originator === undefined || row.createdEventId === null) continue;
    try {
      const offering: Offering = { row, entry, originator, grade: gradeOf(grades, entry.originator).grade };
      if (row.goLiveAt !== null && head.timestamp < row.goLiveAt) continue;
      visible.push({ ...offering, listing: toListing(offering, head.timestamp, publicSettings) });
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      unprojectable.push({ escrowAddress: row.escrowAddress, onchainId: row.onchainId.toString(), problem });
    }
  }
  visible.sort(byGoLiveThenId);
  const listings = visible.map(({ listing }) => listing);
  const originators = toOriginators(registry, listings, grades);
  return {
    head,
    listings,
    originators,
    trading: tradingAt({
      desk:
        publicSettings.desk === null
          ? null
          : { address: publicSettings.desk, offers: rows.offers, trades: rows.trades },
      published: visible,
      holderCount: ({ escrowAddress, token }) =>
        token !== null && publicSettings.followsHolders(escrowAddress)
          ? (rows.holders.get(token) ?? null)
          : null,
      now: head.timestamp,
    }),
    stats: statsOf(visible),
    scheduleOf: scheduling(rows, visible, head),
    ...changeTimes(rows, visible, head),
    listingByPublicId: new Map(listings.map((listing) => [listing.publicId, listing])),
    listingByPair: new Map(visible.map(({ row, listing }) => [pairKey(row), listing])),
    listingByRefnum: indexByRefnum(visible, (refnum) => refnum),
    listingByUppercaseRefnum: indexByRefnum(visible, uppercase),
    originatorByPublicId: new Map(originators.map((originator) => [originator.publicId, originator])),
    unpublished: rows.listings.filter(
      (row) => row.createdEventId !== null && !registry.listingByPair.has(pairKey(row)),
    ).length,
    unprojectable,
  };
}

/**
 * A visible listing by public id or refnum; the public id wins. People write a refnum in letters of either case, where no
 * other listing has it letter by letter.
 */
export function findListing(market: Market, id: string): Listing | undefined {
  return (
    market.listingByPublicId.get(id) ??
    market.listingByRefnum.get(id) ??
    market.listingByUppercaseRefnum.get(uppercase(id))
  );
}

function uppercase(refnum: string): string {
  return refnum.toUpperCase();
}

/** Schedules are made on demand: most are never asked for. */
function scheduling(rows: ChainRows, visible: readonly Visible[], head: Block): Market["scheduleOf"] {
  let repayments: Map<string, RepaymentRow[]> | null = null;
  const find = finderOf(visible);
  const made = new Map<string, Schedule>();
  return (listing) => {
    repayments ??= Map.groupBy(rows.repayments, pairKey);
    const { row } = find(listing);
    const own = repayments.get(pairKey(row)) ?? [];
    const schedule =
      made.get(listing.publicId) ?? scheduleOf({ row, listing, repayments: own, now: head.timestamp });
    made.set(listing.publicId, schedule);
    return schedule;
  };
}

/** The desk is searched once, on demand. */
function changeTimes(
  rows: ChainRows,
  visible: readonly Visible[],
  head: Block,
): Pick<Market, "openedAt" | "changedAt"> {
  let lastChange: ReturnType<typeof lastChanges> | null = null;
  const known = new Map<string, string>();
  const find = finderOf(visible);
  return {
    openedAt: (listing) => isoTime(openedAt(find(listing).row)),
    changedAt(listing) {
      lastChange ??= lastChanges(rows, head.timestamp);
      const changed = known.get(listing.publicId) ?? isoTime(lastChange(find(listing)));
      known.set(listing.publicId, changed);
      return changed;
    },
  };
}

function finderOf(visible: readonly Visible[]): (listing: Listing) => Visible {
  const byPublicId = new Map(visible.map((one) => [one.listing.publicId, one]));
  return ({ publicId }) => {
    const listing = byPublicId.get(publicId);
    if (listing === undefined) throw new Error(`${publicId} is not of this market`);
    return listing;
  };
}

type Visible = Offering & Published;
type Graded = { grade: Grade; rating: Rating };

/**
 * One grade for each originator of the registry. Its record has its raises in the registry and the unpublished raises of its
 * addresses: unpublishing a raise does not hide a default.
 */
function gradeOriginators(
  rows: readonly ListingRow[],
  rowByPair: ReadonlyMap<string, ListingRow>,
  registry: Registry,
  now: bigint,
): Map<string, Graded> {
  const published = Map.groupBy(registry.listings, (entry) => entry.originator);
  const unnamed = Map.groupBy(
    rows.filter((row) => !registry.listingByPair.has(pairKey(row))),
    (row) => row.originator,
  );
  return new Map(
    registry.originators.map((originator) => {
      const own = (published.get(originator.publicId) ?? []).map((entry) => rowByPair.get(pairKey(entry)));
      const hidden = originator.addresses.flatMap((address) => unnamed.get(address) ?? []);
      const records = [...own, ...hidden].map((row) => (row === undefined ? null : creditRecord(row)));
      const approved = originator.kybStatus === "approved";
      return [
        originator.publicId,
        gradeAt(
          records.filter((r): r is CreditRecord => r !== null),
          approved,
          now,
        ),
      ];
    }),
  );
}

function gradeOf(grades: ReadonlyMap<string, Graded>, publicId: string): Graded {
  const graded = grades.get(publicId);
  if (graded === undefined) throw new Error(`no grade for originator ${publicId}`);
  return graded;
}

function byGoLiveThenId(a: Visible, b: Visible): number {
  const goLive = (b.row.goLiveAt ?? 0n) - (a.row.goLiveAt ?? 0n);
  if (goLive !== 0n) return goLive > 0n ? 1 : -1;
  return compare(a.listing.publicId, b.listing.publicId);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function indexByRefnum(visible: readonly Visible[], keyOf: (refnum: string) => string): Map<string, Listing> {
  const inOrderOfCreation = [...visible].sort((a, b) =>
    compare(a.row.createdEventId ?? "", b.row.createdEventId ?? ""),
  );
  return new Map(inOrderOfCreation.map(({ listing }) => [keyOf(listing.refnum), listing]));
}

/** The originators with a visible listing. Interface document: "a business that has published a listing". */
function toOriginators(
  registry: Registry,
  listings: readonly Listing[],
  grades: ReadonlyMap<string, Graded>,
): Originator[] {
  const visible = Map.groupBy(listings, (listing) => listing.originator);
  const toOriginator = (entry: RegistryOriginator): Originator[] => {
    const own = visible.get(entry.publicId);
    if (own === undefined) return [];
    const { grade, rating } = gradeOf(grades, entry.publicId);
    const { publicId, jurisdiction, kybStatus } = entry;
    const legalName = stripControl(entry.legalName, { keepLineFeeds: false });
    return [{ publicId, legalName, jurisdiction, ratingGrade: grade, kybStatus, rating, listings: own }];
  };
  return registry.originators.flatMap(toOriginator).sort((a, b) => compare(a.publicId, b.publicId));
}
