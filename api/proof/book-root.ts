/**
 * The root of the book at every final block: a Merkle tree over the listings and one over the ledger, kept as events become final. A
 * block costs what it changed. Rows that changed after the block do not count: such a listing is folded from its own events.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Hex } from "viem";
import type { Logger } from "../../config/log.ts";
import type { EventPosition } from "../../src/fold/event-id.ts";
import { createTables, runStep } from "../../src/fold/memory.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { replayRow } from "../../src/fold/step.ts";
import { type MomentUnavailable, unavailable } from "../history/as-of.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { type Pair, pairKey } from "../registry/schema.ts";
import {
  type BookEvent,
  eventKey,
  eventMembers,
  ledgerUpTo,
  listingKey,
  listingMembers,
  positionOf,
  rootOf,
  toLeaf,
} from "./book-leaves.ts";
import { createBookPairs } from "./book-pairs.ts";
import { countOf, hashInSteps, lastOf, type Tree, withLeaves, withoutLeaf } from "./book-tree.ts";
import { createLeafPile, type LeafPile } from "./leaf-pile.ts";
import type { Leaf } from "./packed-leaves.ts";
import type { BookQueries } from "./read-book.ts";
import { createWork, type Work } from "./work.ts";

/** Rows read at once, a few milliseconds of work. */
const BATCH = 250;
/** Above this many changed listings an earlier block's are folded together. */
const MOST_ALONE = 200;
/** Listings whose state after their last final event is kept, the most recently changed ones. */
const KEPT_FOLDS = 200;
const KEPT_BOOKS = 8;
/** Earlier blocks whose trees are made at once. */
const MOST_AT_ONCE = 4;
const PATIENCE = 5_000;

/** The book as of a final block. */
export type Book = {
  block: bigint;
  /** the last block with an event up to it; null before the first */
  changed: bigint | null;
  listings: Tree | null;
  ledger: Tree | null;
};

/** How far the tables are. */
type BookPosition = Pick<Snapshot, "backfilled" | "finalized" | "lastChanged" | "reverts">;

export type BookRoots = {
  /** Reads what became final. Several calls share the work. Throws when the database does. */
  follow(position: BookPosition): Promise<void>;
  /** The root as of the last known final block with an event, and that block; null before the first. */
  lastRoot(): { blockNumber: string; hash: Hex } | null;
  /** The book as of a block up to the last final one. */
  at(position: BookPosition, block: bigint): Promise<Book | MomentUnavailable>;
  /** The root as of the last final block; null while it is not known, which no failure of the database changes. */
  finalRoot(position: BookPosition): Promise<Hex | null>;
  /** The rows behind neighbouring leaves of the ledger. */
  eventsOf(book: Book, leaves: readonly Leaf[]): Promise<readonly (BookEvent | undefined)[]>;
  /** The rows behind leaves of the listings. */
  listingsOf(book: Book, leaves: readonly Leaf[]): Promise<readonly (ListingRow | undefined)[]>;
};

export type BookRootParameters = {
  queries: BookQueries;
  /** every listing as of a final block, by folding the ledger up to there. @param count of the listings now */
  pastListings(block: bigint, count: number): Promise<readonly ListingRow[] | MomentUnavailable>;
  /** called between two batches; other work runs until it resolves */
  pause(): Promise<void>;
  /** only listings and events of these escrows; by default all */
  escrows?: ReadonlySet<string> | undefined;
  /** milliseconds after which a caller has to come back for the first root */
  patience?: number;
  log: Pick<Logger, "info" | "warn">;
};

type State = Book & {
  last: (EventPosition & { hash: Hex }) | null;
  /** the count of reverts when `last` was last checked: blocks final by depth can be reverted */
  reverts: number | null;
};
const NOTHING: State = { block: -1n, changed: null, listings: null, ledger: null, last: null, reverts: null };

/** A listing folded from its own events, to be continued. */
type Fold = { tables: ReturnType<typeof newTables>; eventId: string };
const newTables = () => createTables({});

/** Hashes over all listings and events up to a final block. Both `follow` and `at` read, and throw when the database does. */
export function createBookRoots(parameters: BookRootParameters): BookRoots {
  const { queries, pastListings, pause, log, escrows, patience = PATIENCE } = parameters;
  const covers = ({ escrowAddress }: Pair) => escrows?.has(escrowAddress) ?? true;
  let state: State | null = null;
  let running: Promise<void> | null = null;
  const pairs = createBookPairs();
  const folds = new LRUCache<string, Fold>({ max: KEPT_FOLDS });
  const books = new LRUCache<bigint, Book>({ max: KEPT_BOOKS });
  const making = new Map<bigint, Promise<Book | MomentUnavailable>>();

  /** A listing as its events up to a block make it; undefined before the first. */
  const foldedAt = async (
    pair: Pair,
    until: bigint,
    kept?: typeof folds,
  ): Promise<ListingRow | undefined> => {
    const key = pairKey(pair);
    const fold = kept?.get(key) ?? { tables: newTables(), eventId: "" };
    for (const row of await queries.eventsOf(pair, fold.eventId, until)) {
      runStep(fold.tables, replayRow(row));
      fold.eventId = row.eventId;
    }
    kept?.set(key, fold);
    const [row] = fold.tables.listing.values();
    return row;
  };

  const leafOf = (row: ListingRow): Leaf => {
    const key = listingKey(row);
    pairs.add(key, row);
    return toLeaf(key, listingMembers(row));
  };

  /** All listings, or those with new events, in parts. */
  async function* listingRows(
    touched: ReadonlyMap<string, Pair> | null,
  ): AsyncGenerator<readonly ListingRow[]> {
    if (touched === null) {
      let last: Pair | null = null;
      for (;;) {
        const rows = await queries.listingsAfter(last, BATCH);
        yield rows;
        last = rows.at(-1) ?? null;
        if (rows.length < BATCH) return;
      }
    }
    const asked = [...touched.values()];
    for (let from = 0; from < asked.length; from += BATCH)
      yield await queries.listings(asked.slice(from, from + BATCH));
  }

  const isReplaced = async ({ last }: State) =>
    last !== null && (await queries.blockHash(last.blockNumber)) !== last.hash;

  const readOn = async (final: bigint, reverts: number | null): Promise<void> => {
    if (state !== null && (await isReplaced(state))) {
      log.warn({ msg: "The root of the book is recomputed: a final block was replaced" });
      for (const kept of [folds, books, making]) kept.clear();
      // The next call starts the full read; callers of this one do not wait for it.
      state = null;
      return;
    }
    const before = state ?? NOTHING;
    const isFirst = before === NOTHING;
    const until = final < before.block ? before.block : final;
    const work = createWork(pause);
    let { ledger, listings, last } = before;
    const touched = new Map<string, Pair>();
    for (;;) {
      const rows = await queries.events(last, until, BATCH);
      const leaves: Leaf[] = [];
      for (const row of rows) {
        if (work.isLong()) await work.pause();
        const { blockNumber, logIndex, part, blockHash, escrowAddress, onchainId } = row;
        last = { blockNumber, logIndex, part, hash: blockHash };
        if (!covers(row)) continue;
        leaves.push(toLeaf(eventKey(row), eventMembers(row)));
        if (!isFirst) touched.set(pairKey(row), { escrowAddress, onchainId });
      }
      ledger = withLeaves(ledger, leaves);
      if (rows.length < BATCH) break;
    }
    const pile = createLeafPile();
    for await (const rows of listingRows(isFirst ? null : touched)) {
      for (const row of rows) {
        if (work.isLong()) await work.pause();
        touched.delete(pairKey(row));
        if (!covers(row)) continue;
        const then = row.updatedBlock <= until ? row : await foldedAt(row, until, folds);
        if (then !== undefined) pile.add(leafOf(then));
      }
    }
    listings = await withPile(listings, pile, work);
    // Events of a listing that has no row.
    for (const pair of touched.values()) listings = withoutLeaf(listings, listingKey(pair));
    for (const tree of [ledger, listings]) await computeHashes(tree, work);
    if (isFirst) log.info({ msg: "The root of the book is known", block: `${until}` });
    state = { block: until, changed: last?.blockNumber ?? null, listings, ledger, last, reverts };
  };

  const follow = async ({ backfilled, finalized, lastChanged, reverts }: BookPosition): Promise<void> => {
    const wasThere = state !== null;
    while (running !== null) await running;
    if (!backfilled || (wasThere && state === null)) return;
    const current = state?.reverts === reverts ? state : null;
    if (current !== null && current.block >= finalized.number) return;
    if (current !== null && current.block >= lastChanged.number) {
      state = { ...current, block: finalized.number };
      return;
    }
    running = readOn(finalized.number, reverts).finally(() => {
      running = null;
    });
    await running;
  };

  /** @param now the newest book */
  const make = async (now: Book, block: bigint): Promise<Book | MomentUnavailable> => {
    const changed = await queries.changed(block, now.block);
    const isMany = changed.length > MOST_ALONE;
    const past = isMany ? await pastListings(block, countOf(now.listings)) : [];
    if ("reason" in past) return past;
    const pastByPair = new Map(past.map((row) => [pairKey(row), row]));
    const work = createWork(pause);
    let { listings } = now;
    const pile = createLeafPile();
    for (const pair of changed) {
      if (work.isLong()) await work.pause();
      const row = isMany ? pastByPair.get(pairKey(pair)) : await foldedAt(pair, block);
      if (row === undefined) listings = withoutLeaf(listings, listingKey(pair));
      else pile.add(leafOf(row));
    }
    listings = await withPile(listings, pile, work);
    await computeHashes(listings, work);
    const ledger = ledgerUpTo(now.ledger, block);
    return { block, changed: ledger && positionOf(lastOf(ledger).key).blockNumber, listings, ledger };
  };

  const at = async (position: BookPosition, block: bigint): Promise<Book | MomentUnavailable> => {
    const followed = follow(position);
    // The first takes as long as the ledger is.
    await (state === null ? Promise.race([followed, sleep(patience, undefined, { ref: false })]) : followed);
    if (state === null)
      return unavailable("backfilling", "The whole book is still being read; ask again later.");
    if (state.block < block)
      return unavailable("out_of_range", `Block ${block} is not final: final is up to block ${state.block}.`);
    if (state.changed === null || state.changed <= block) return { ...state, block };
    const known = books.get(block) ?? making.get(block);
    if (known !== undefined) return known;
    if (making.size >= MOST_AT_ONCE)
      return unavailable(
        "too_many_requests",
        "The roots of too many earlier blocks are asked for at once; try again.",
      );
    const made = make(state, block);
    making.set(block, made);
    const isWanted = () => making.get(block) === made;
    try {
      const book = await made;
      // Books of replaced blocks are not cached.
      if (isWanted() && !("reason" in book)) books.set(block, book);
      return book;
    } finally {
      if (isWanted()) making.delete(block);
    }
  };

  return {
    follow,
    lastRoot: () =>
      state?.changed == null ? null : { blockNumber: state.changed.toString(), hash: rootOf(state) },
    at,
    async finalRoot(position) {
      if (state === null) return null;
      const book = await at(position, position.finalized.number).catch(() => null);
      return book === null || "reason" in book ? null : rootOf(book);
    },
    async eventsOf({ block }, leaves) {
      const [first] = leaves;
      if (first === undefined) return [];
      const { part, ...place } = positionOf(first.key);
      const rows = await queries.events({ ...place, part: part - 1 }, block, leaves.length);
      const byKey = new Map(rows.map((row) => [eventKey(row), row]));
      return leaves.map(({ key }) => byKey.get(key));
    },
    async listingsOf({ block }, leaves) {
      const asked = leaves.flatMap(({ key }) => pairs.of(key) ?? []);
      const rows = await queries.listings(asked);
      const byKey = new Map<string, ListingRow>();
      for (const row of rows) {
        const then = row.updatedBlock <= block ? row : await foldedAt(row, block);
        if (then !== undefined) byKey.set(listingKey(row), then);
      }
      return leaves.map(({ key }) => byKey.get(key));
    },
  };
}

async function withPile(tree: Tree | null, pile: LeafPile, work: Work): Promise<Tree | null> {
  let grown = tree;
  for (const leaves of pile.inOrder()) {
    grown = withLeaves(grown, leaves);
    if (work.isLong()) await work.pause();
  }
  return grown;
}

async function computeHashes(tree: Tree | null, work: Work): Promise<void> {
  for (const _ of hashInSteps(tree)) if (work.isLong()) await work.pause();
}
