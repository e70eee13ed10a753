/**
 * What the service publishes at one block. Every face is a view of it.
 * @module
 */
import type { Block } from "../../src/fold/events.ts";
import type { Listing, Originator, Schedule, Stats } from "./schema.ts";
import type { DeskTrade } from "./trades.ts";
import type { Trading } from "./trading-schema.ts";

/** The block that everything is as of. */
export type Head = Block & {
  /** id of the newest ledger row that went in, of whatever listing; undefined for a market of the past */
  lastRow?: string | undefined;
};

/** A listing that the projection had to leave out, and why. */
export type Unprojectable = { escrowAddress: string; onchainId: string; problem: string };

/** The part of a `Map` that readers use. */
export type Lookup<Value> = { get(key: string): Value | undefined; has(key: string): boolean };

/**
 * Everything that the service publishes, at one head. It never changes. From block to block the parts in which nothing has
 * changed stay the same objects, by which encoded answers are kept.
 */
export type Market = {
  head: Head;
  /** by `goLiveAt` descending, then `publicId` */
  listings: readonly Listing[];
  /** by `publicId` */
  originators: readonly Originator[];
  trading: Trading;
  stats: Stats;
  /** What is due on a visible listing and what was paid. */
  scheduleOf(listing: Listing): Schedule;
  /** The newest trades of a visible listing on the desk, oldest first. */
  tradesOf(listing: Listing): readonly DeskTrade[];
  /** From when on backers could subscribe to a visible listing. ISO 8601. */
  openedAt(listing: Listing): string;
  /** When what is known of a visible listing changed last: by an event, or by time alone. ISO 8601, never after the head. */
  changedAt(listing: Listing): string;
  listingByPublicId: Lookup<Listing>;
  /** by `pairKey`: a listing's key on the chain */
  listingByPair: Lookup<Listing>;
  /** of several visible listings with one refnum, the latest created */
  publicIdByRefnum: Lookup<string>;
  /** the same, by refnums in capital letters */
  publicIdByUppercaseRefnum: Lookup<string>;
  originatorByPublicId: Lookup<Originator>;
  /** listings on the chain that the registry does not name */
  unpublished: number;
  unprojectable: readonly Unprojectable[];
};

/**
 * A visible listing by public id or refnum; the public id wins. People write a refnum in letters of either case, where no
 * other listing has it letter by letter.
 */
export function findListing(market: Market, id: string): Listing | undefined {
  const named = market.listingByPublicId.get(id);
  if (named !== undefined) return named;
  const publicId = market.publicIdByRefnum.get(id) ?? market.publicIdByUppercaseRefnum.get(id.toUpperCase());
  return publicId === undefined ? undefined : market.listingByPublicId.get(publicId);
}
