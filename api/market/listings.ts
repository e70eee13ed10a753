/** @module The listings of a market or of a business: those in full, and those of the archive, which are read when they are needed. */
import type { ArchivedRows } from "./archive/archived-rows.ts";
import { isRow, type ListingFacts } from "./archive/facts.ts";
import { compareSortKeys, inOrder, type Sort, type SortKey, sortKeyOf } from "./listings-order.ts";
import { firstAtLeast } from "./ordered.ts";
import type { Listing, Status } from "./schema.ts";

export type SomeListings = Listings | readonly Listing[];

type Walk = {
  status?: Status | null;
  after?: SortKey | undefined;
  /** keys of others are not read */
  accepts?: (facts: ListingFacts) => boolean;
};

/** Immutable. What filters and counts works on facts; whatever reads listings in full should read few. */
export class Listings implements Iterable<Listing> {
  /** newest first */
  readonly #full: readonly Listing[];
  readonly #archived: ArchivedRows | null;

  constructor(full: readonly Listing[], archived: ArchivedRows | null = null) {
    this.#full = full;
    this.#archived = archived !== null && archived.length > 0 ? archived : null;
  }

  static of(listings: SomeListings): Listings {
    return listings instanceof Listings ? listings : new Listings(listings);
  }

  /** The listings that are not of the archive, newest first: all that an event is likely to change. */
  get full(): readonly Listing[] {
    return this.#full;
  }

  get archived(): ArchivedRows | null {
    return this.#archived;
  }

  get length(): number {
    return this.#full.length + (this.#archived?.length ?? 0);
  }

  /** The number in one status. */
  countOf(status: Status): number {
    return inOrder(this.#full, "newest", status).length + (this.#archived?.countOf(status) ?? 0);
  }

  /** Leaves the archive out when it has no listing in these states. @param states all when empty */
  among(states: readonly Status[] = []): Listings {
    const archived = this.#archived;
    const isIn = states.length === 0 || states.some((state) => (archived?.countOf(state) ?? 0) > 0);
    return isIn ? this : new Listings(this.#full);
  }

  /** Facts in an order: a listing in full, or an object that shows one row of the archive after the other. */
  *walk(
    sort: Sort,
    { status = null, after, accepts = () => true }: Walk = {},
  ): Generator<ListingFacts, undefined> {
    const full = inOrder(this.#full, sort, status);
    let at =
      after === undefined
        ? 0
        : firstAtLeast(full, (one) => (compareSortKeys(sortKeyOf(one, sort), after) > 0 ? 0 : -1));
    for (const row of this.#archived?.walk(sort, after) ?? []) {
      if ((status !== null && row.status !== status) || !accepts(row)) continue;
      const key = sortKeyOf(row, sort);
      for (; at < full.length; at++) {
        const one = full[at] as Listing;
        if (compareSortKeys(sortKeyOf(one, sort), key) > 0) break;
        if (accepts(one)) yield one;
      }
      yield row;
    }
    for (; at < full.length; at++) if (accepts(full[at] as Listing)) yield full[at] as Listing;
  }

  /** The same in no order. */
  *facts(): Generator<ListingFacts, undefined> {
    yield* this.#full;
    if (this.#archived !== null) yield* this.#archived.walk(null);
  }

  /** The listing of facts. */
  inFull(facts: ListingFacts): Listing {
    if (!isRow(facts)) return facts as Listing;
    if (this.#archived === null) throw new Error(`${facts.publicId} is of another list`);
    return this.#archived.view.listingOf(facts.row);
  }

  /** The same for callers that read many: one of the archive is not kept, and the market cannot be asked about it. */
  toRead(facts: ListingFacts): Listing {
    if (!isRow(facts) || this.#archived === null) return this.inFull(facts);
    return this.#archived.view.listingToRead(facts.row);
  }

  /** Each in full, newest first. */
  *[Symbol.iterator](): Generator<Listing, undefined> {
    if (this.#archived === null) {
      yield* this.#full;
      return;
    }
    for (const facts of this.walk("newest")) yield this.inFull(facts);
  }

  /** Those whose facts match, in full, newest first. */
  where(accepts: (facts: ListingFacts) => boolean): Listing[] {
    const found: Listing[] = [];
    for (const facts of this.walk("newest")) if (accepts(facts)) found.push(this.inFull(facts));
    return found;
  }

  /** From `start` to before `end`, newest first: no more are read in full. */
  slice(start: number, end = this.length): Listing[] {
    if (this.#archived === null) return this.#full.slice(start, end);
    const found: Listing[] = [];
    let at = 0;
    for (const facts of this.walk("newest")) {
      if (at >= end) break;
      if (at++ >= start) found.push(this.inFull(facts));
    }
    return found;
  }

  at(index: number): Listing | undefined {
    return this.slice(index, index + 1)[0];
  }

  find(accepts: (listing: Listing) => boolean): Listing | undefined {
    for (const listing of this) if (accepts(listing)) return listing;
    return undefined;
  }

  // The following read every listing in full.

  all(): readonly Listing[] {
    return this.#archived === null ? this.#full : [...this];
  }

  filter(accepts: (listing: Listing) => boolean): Listing[] {
    return this.all().filter(accepts);
  }

  map<Item>(itemOf: (listing: Listing, index: number) => Item): Item[] {
    return this.all().map(itemOf);
  }

  flatMap<Item>(itemsOf: (listing: Listing, index: number) => Item[]): Item[] {
    return this.all().flatMap(itemsOf);
  }

  toJSON(): readonly Listing[] {
    return this.all();
  }
}
