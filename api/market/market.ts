/** @module The published data at one block. Every face is a view of it. */
import type { Correction } from "../../src/fold/derived.ts";
import type { Block } from "../../src/fold/events.ts";
import type { ListingFacts } from "./archive/facts.ts";
import type { DeskListing } from "./desk.ts";
import type { GradeStep } from "./grade-history.ts";
import type { Listings } from "./listings.ts";
import type { Loan } from "./loan.ts";
import type { Originator } from "./originator.ts";
import type { Listing, Schedule, Stats } from "./schema.ts";
import type { OverTime } from "./series-schema.ts";
import type { DeskTrade } from "./trading.ts";
import type { Trading } from "./trading-schema.ts";

export type Head = Block & {
  /** id of the newest ledger row included, of any listing; undefined for a market of the past */
  lastRow?: string | undefined;
};

/** A listing of which the registry says something else than the chain, which counts; the fields of the entry. */
export type Contradiction = { publicId: string; fields: readonly string[] };

export type Unprojectable = { escrowAddress: string; onchainId: string; problem: string };

/** The part of a `Map` that readers use. */
export type Lookup<Value> = { get(key: string): Value | undefined; has(key: string): boolean };

/** Immutable. From block to block unchanged parts stay the same objects, which are the keys of cached answers. */
export type Market = {
  head: Head;
  /** by `goLiveAt` descending, then `publicId` */
  listings: Listings;
  /** by `publicId` */
  originators: readonly Originator[];
  trading: Trading;
  stats: Stats;
  /** Series and cohorts of the visible listings; null in the backfill, when the ledger has no order to be read in. */
  overTime: OverTime | null;
  /** Amounts due and paid on a visible listing. */
  scheduleOf(listing: Listing): Schedule;
  /** The result of a visible listing's loan; null before the drawdown. */
  loanOf(listing: Listing): Loan | null;
  /** The grades of a visible originator over time, with today's verification, oldest first; none before its first drawdown. */
  gradesOf(originator: Originator): readonly GradeStep[];
  /** A visible listing on the desk; null where its token cannot change hands and the desk has not seen it. */
  deskOf(listing: Listing): DeskListing | null;
  /** The newest trades of a visible listing on the desk, oldest first. */
  tradesOf(listing: Listing): readonly DeskTrade[];
  /** The creation of a visible listing, or its opening where the contract does not tell it. ISO 8601. */
  createdAt(listing: Listing): string;
  /** The time from which backers could subscribe to a visible listing. ISO 8601. */
  openedAt(listing: Listing): string;
  /** Whether the close is recorded by an event, or derived because the contracts emit none; false if only the closing time has passed. */
  isCloseRecorded(listing: Listing): boolean;
  /** Seconds from the opening to the close of a visible raise that reached its minimum; null for any other. */
  secondsToFund(listing: Listing): bigint | null;
  /** The last change of a visible listing, by an event or by time alone. ISO 8601, never after the head. */
  changedAt(listing: Listing): string;
  listingByPublicId: Lookup<Listing>;
  /** Equal for markets with the same listing of this public id, and undefined without one. It is not read for that. */
  listingKey(publicId: string): Listing | string | undefined;
  /** by `pairKey`: a listing's key on the chain */
  listingByPair: Lookup<Listing>;
  /** The same without reading it. They hold until the next call: one object may show many listings. */
  factsByPair(pair: string): ListingFacts | undefined;
  /** by refnum; the latest created where several visible listings share one */
  publicIdByRefnum: Lookup<string>;
  /** the same, by refnums in capital letters */
  publicIdByUppercaseRefnum: Lookup<string>;
  originatorByPublicId: Lookup<Originator>;
  /** listings on the chain that the registry does not name */
  unpublished: number;
  unprojectable: readonly Unprojectable[];
  contradictions: readonly Contradiction[];
  /** Differences of a visible listing's money from the ledger's deltas, in the order of the chain: those of derived facts. */
  correctionsOf(listing: Listing): readonly Correction[];
  /** The visible listings with corrections. */
  corrected(): readonly Listing[];
};

/** The public id wins. A refnum matches in either case, unless another listing has it exactly as written. */
export function findListing(market: Market, id: string): Listing | undefined {
  const named = market.listingByPublicId.get(id);
  if (named !== undefined) return named;
  const publicId = market.publicIdByRefnum.get(id) ?? market.publicIdByUppercaseRefnum.get(id.toUpperCase());
  return publicId === undefined ? undefined : market.listingByPublicId.get(publicId);
}
