/** @module Reads all rows behind the market, raise by raise, so that they need not be in memory together. Never writes. */
import { setImmediate as pause } from "node:timers/promises";
import type { SQL } from "drizzle-orm";
import { asc, count, type ReadonlyDrizzle, sql } from "ponder";
import type { Hex } from "viem";
import type * as schema from "../../ponder.schema.ts";
import { derivesEvents, type Lifecycle, lacksTerms } from "../../src/fold/derived.ts";
import type { ListingRow, StoredRow } from "../../src/fold/state.ts";
import { readBidRows } from "../database/bids.ts";
import type { Checkpoint } from "../database/checkpoint.ts";
import { inPairs, type Keyed } from "../database/in-pairs.ts";
import { rowsOf } from "../database/rows-of.ts";
import type { AnomalyCounts } from "../ledger/anomaly.ts";
import { awaitsBids, type BidEvent, toBidEvents } from "../market/bids.ts";
import type { ChainRows } from "../market/chain-rows.ts";
import { pairKey } from "../registry/schema.ts";
import { readFlows } from "./flows.ts";

export type Tables = Pick<
  typeof schema,
  "listing" | "ledger" | "repayment" | "offer" | "trade" | "listingToken" | "anomaly" | "eventBlock"
>;

export type Pair = Pick<StoredRow, "escrowAddress" | "onchainId">;

/** Takes all rows but for the last part. After an aborted attempt they come again, with another head object. */
export type TakePart = (position: Checkpoint, rows: ChainRows) => void;

export type Wanted = {
  /** of the followed contracts: it decides which raises' events are read, as they are folded again */
  lifecycle: Lifecycle;
  /** whether numbers of holders are shown, which the secondary desk alone does */
  hasHolders: boolean;
};

type WholeParameters = Wanted & { tables: Tables; position: Checkpoint; take: TakePart };

/** Raise by raise, so that all rows of a raise are in one part. */
export async function readAll(
  tx: ReadonlyDrizzle,
  { tables, lifecycle, hasHolders, position, take }: WholeParameters,
): Promise<{ isWhole: true; rows: ChainRows; anomalies: AnomalyCounts }> {
  const { listing, listingToken, anomaly } = tables;
  const offers = Map.groupBy(await tx.select().from(tables.offer), pairKey);
  const trades = Map.groupBy(
    await tx.select().from(tables.trade).orderBy(asc(tables.trade.eventId)),
    pairKey,
  );
  // In an ordinary backfill the tables are small at first, and the market is read again and again.
  const most = position.filled ? RAISES_OF_A_PART : null;
  if (most !== null) await tx.execute(cursorOver(listing));
  let keys = most === null ? null : nextPairs(tx, most);
  const readPart = async () => {
    const pairs = await keys;
    const of = (table: Keyed) => (pairs === null ? undefined : inPairs(table, pairs));
    const where = of(listing) ?? sql`true`;
    // Asked for together, with the keys of the next part: the database works while the part before is taken. The longest answer comes
    // last: PostgreSQL waits until it is read, and no other one has to wait with it.
    const [next, flows, repayments, listings] = await Promise.all([
      most === null ? null : nextPairs(tx, most),
      position.filled ? readFlows(tx, tables.ledger, of(tables.ledger)) : null,
      readRepayments(tx, tables.repayment, of(tables.repayment)),
      rowsOf(tx, listing, sql`WHERE ${where} ORDER BY ${inOrder(listing)}`),
    ]);
    keys = next && Promise.resolve(next);
    const rows: ChainRows = {
      ...(await readMore(tx, { tables, lifecycle, listings, of })),
      ...{ listings, repayments, flows },
      offers:
        most === null
          ? [...offers.values()].flat()
          : listings.flatMap((row) => offers.get(pairKey(row)) ?? []),
      trades:
        most === null
          ? [...trades.values()].flat()
          : listings.flatMap((row) => trades.get(pairKey(row)) ?? []),
      holders: new Map(),
    };
    return { rows, isLast: listings.length !== most };
  };
  let part = readPart();
  for (;;) {
    const { rows, isLast } = await part;
    if (isLast) {
      const holders = hasHolders ? await readHolders(tx, listingToken) : new Map();
      return { isWhole: true, rows: { ...rows, holders }, anomalies: await countAnomalies(tx, anomaly) };
    }
    // The database works on the next one meanwhile.
    part = readPart();
    part.catch(() => {});
    await pause();
    take(position, rows);
  }
}

/**
 * Raises that are read at once. Nothing is answered while a part is taken, some 0.1 s by hand on a busy machine. Smaller parts need more
 * queries.
 */
const RAISES_OF_A_PART = 500;

/** Begins to read the keys of all raises. */
const cursorOver = (listing: Tables["listing"]): SQL => sql`
  DECLARE raises NO SCROLL CURSOR FOR SELECT ${listing.escrowAddress}, ${listing.onchainId}::text AS onchain_id
  FROM ${listing} ORDER BY ${inOrder(listing)}`;

/**
 * Raises of an originator together: its grade then hardly changes any more once some of them are in the archive, where they would be read
 * again for it. Any order of texts will do, and that of their bytes is the quickest.
 */
const inOrder = ({ originator, escrowAddress, onchainId }: Tables["listing"]): SQL =>
  sql`${originator} COLLATE "C", ${escrowAddress} COLLATE "C", ${onchainId}`;

async function nextPairs(tx: ReadonlyDrizzle, most: number): Promise<Pair[]> {
  const { rows } = await tx.execute<{ escrow_address: Hex; onchain_id: string }>(
    sql`FETCH ${sql.raw(`${most}`)} FROM raises`,
  );
  return rows.map((row) => ({ escrowAddress: row.escrow_address, onchainId: BigInt(row.onchain_id) }));
}

export function readRepayments(tx: ReadonlyDrizzle, repayment: Tables["repayment"], of: SQL = sql`true`) {
  return rowsOf(tx, repayment, sql`WHERE ${of} ORDER BY ${repayment.eventId}`);
}

type MoreParameters = Pick<WholeParameters, "tables" | "lifecycle"> & {
  listings: readonly ListingRow[];
  /** the condition that a row is of one of them; undefined where they are all */
  of(table: Keyed): SQL | undefined;
};

/** Rows that few raises need: events to fold again, and bids. */
async function readMore(
  tx: ReadonlyDrizzle,
  { tables: { ledger }, lifecycle, listings, of }: MoreParameters,
): Promise<Pick<ChainRows, "events" | "bids">> {
  const lacking = listings.filter(lacksTerms);
  const isEach = derivesEvents(lifecycle);
  return {
    events:
      isEach || lacking.length > 0
        ? await tx
            .select()
            .from(ledger)
            .where(isEach ? of(ledger) : inPairs(ledger, lacking))
            .orderBy(asc(ledger.eventId))
        : [],
    bids: await readBids(tx, ledger, listings),
  };
}

/** All bids of each raise whose rate they may decide. */
export async function readBids(
  tx: ReadonlyDrizzle,
  ledger: Tables["ledger"],
  listings: readonly ListingRow[],
): Promise<ChainRows["bids"]> {
  const bids = new Map<string, readonly BidEvent[] | null>();
  for (const row of listings.filter(awaitsBids)) {
    const rows = await readBidRows(tx, ledger, row);
    bids.set(pairKey(row), rows && toBidEvents(rows));
  }
  return bids;
}

export async function readHolders(
  tx: ReadonlyDrizzle,
  listingToken: Tables["listingToken"],
  condition?: SQL,
): Promise<ChainRows["holders"]> {
  const { token, holderCount } = listingToken;
  const rows = await tx.select({ token, holderCount }).from(listingToken).where(condition);
  return new Map(rows.map((row) => [row.token, row.holderCount]));
}

export async function countAnomalies(
  tx: ReadonlyDrizzle,
  anomaly: Tables["anomaly"],
  condition?: SQL,
): Promise<AnomalyCounts> {
  const rows = await tx
    .select({ kind: anomaly.kind, count: count() })
    .from(anomaly)
    .where(condition)
    .groupBy(anomaly.kind);
  return Object.fromEntries(rows.map((row) => [row.kind, row.count]));
}
