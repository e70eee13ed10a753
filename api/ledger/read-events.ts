/**
 * Reads events newest first, each by the index that has them in that order: of one listing, of a few, of the whole
 * market. What is in no index, the visibility of a listing, is judged here, over a bounded number of rows.
 * @module
 */
import type { SQL } from "drizzle-orm";
import { desc, type ReadonlyDrizzle, sql, unionAll } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { pairKey } from "../registry/schema.ts";
import { eventsOfListing, eventsOfMarket, type LedgerFilter, type Pair, type Place } from "./conditions.ts";
import type { LedgerQuery } from "./read.ts";

type Ledger = typeof schema.ledger;
type LedgerRows = { rows: readonly LedgerRow[]; next: Place | null };

/** So many listings are read each by its own part of the primary key where the newest events are mostly of others. */
const FEW = 50;
/** Rows that are read at a time where a page was not filled at once, and in all. */
const STEP = 500;
const MOST_ROWS = 2_000;

/** The primary key has a listing's events in the order of the chain, and is there from the beginning. */
export async function readOfListing(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  pair: Pair,
  query: LedgerQuery,
  indexed: boolean,
): Promise<LedgerRows> {
  const rows = await tx
    .select()
    .from(ledger)
    .where(eventsOfListing(ledger, pair, query, indexed))
    .orderBy(desc(ledger.eventId))
    .limit(query.limit + 1);
  return cut(rows, query.limit, placeOf);
}

/**
 * The events of these listings; the indexes must be there. A page can be short, even empty, and yet have a next one:
 * where nearly all events are of others.
 */
export async function readOfListings(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  pairs: readonly Pair[],
  query: LedgerQuery,
): Promise<LedgerRows> {
  const { limit } = query;
  const wanted = new Set(pairs.map(pairKey));
  const rows: LedgerRow[] = [];
  let before = query.before;
  let looked = 0;
  for (let most = limit + 1; ; most = STEP) {
    const found = await readOfMarket(tx, ledger, { ...query, before }, most);
    rows.push(...found.filter((row) => wanted.has(pairKey(row))));
    looked += found.length;
    const end = found.at(-1);
    if (rows.length > limit) return cut(rows, limit, placeOf);
    if (end === undefined || found.length < most) return { rows, next: null };
    if (pairs.length <= FEW) return cut(await readOfEach(tx, ledger, pairs, query), limit, placeOf);
    before = placeOf(end);
    if (looked >= MOST_ROWS) return { rows, next: before };
  }
}

async function readOfEach(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  pairs: readonly Pair[],
  query: LedgerQuery,
): Promise<LedgerRow[]> {
  const most = query.limit + 1;
  const each = pairs.map((pair) =>
    tx
      .select()
      .from(ledger)
      .where(eventsOfListing(ledger, pair, query, true))
      .orderBy(desc(ledger.eventId))
      .limit(most),
  );
  return newestOf(each, sql`event_id DESC`, most);
}

/** The newest events of all listings, visible or not. Each kind has its own walk, so that a rare one is found at once. */
async function readOfMarket(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  filter: LedgerFilter,
  most: number,
): Promise<LedgerRow[]> {
  const events = (condition: SQL | undefined) =>
    tx
      .select()
      .from(ledger)
      .where(condition)
      .orderBy(desc(ledger.blockNumber), desc(ledger.logIndex))
      .limit(most);
  if (filter.kinds === null) return events(eventsOfMarket(ledger, filter, null));
  const each = [...filter.kinds].map((kind) => events(eventsOfMarket(ledger, filter, kind)));
  return newestOf(each, sql`block_number DESC, log_index DESC`, most);
}

/** One row more than asked for says that there is a next page; it is not shown. */
export function cut<Row, Where>(rows: readonly Row[], limit: number, where: (row: Row) => Where) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { rows: shown, next: rows.length > limit && last !== undefined ? where(last) : null };
}

type Query<Row> = PromiseLike<Row[]> & Parameters<typeof unionAll>[0] & Parameters<typeof unionAll>[1];

/** The newest rows of several queries of one table, each of which has them in this order. */
export async function newestOf<Row>(each: readonly Query<Row>[], order: SQL, most: number): Promise<Row[]> {
  const [first, second, ...rest] = each;
  if (first === undefined || second === undefined) return (await first) ?? [];
  return unionAll(first, second, ...rest)
    .orderBy(order)
    .limit(most) as unknown as Promise<Row[]>;
}

function placeOf({ blockNumber, logIndex }: LedgerRow): Place {
  return { blockNumber, logIndex };
}
