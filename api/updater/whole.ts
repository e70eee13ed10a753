/** @module Reads all rows behind the market, raise by raise, so that they need not be in memory together. Never writes. */
import { setImmediate as pause } from "node:timers/promises";
import type { SQL } from "drizzle-orm";
import { asc, count, type ReadonlyDrizzle, sql } from "ponder";
import type * as schema from "../../ponder.schema.ts";
import { derivesEvents, type Lifecycle, lacksTerms } from "../../src/fold/derived.ts";
import type { ListingRow, StoredRow } from "../../src/fold/state.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import { readBidRows } from "../database/bids.ts";
import type { Checkpoint } from "../database/checkpoint.ts";
import { inPairs, type Keyed } from "../database/in-pairs.ts";
import { awaitsBids, type BidEvent, toBidEvents } from "../market/bids.ts";
import type { ChainRows } from "../market/chain-rows.ts";
import { pairKey } from "../registry/schema.ts";
import { readFlows } from "./flows.ts";

export type Tables = Pick<
  typeof schema,
  "listing" | "ledger" | "repayment" | "offer" | "trade" | "listingToken" | "anomaly" | "eventBlock"
>;

export type Pair = Pick<StoredRow, "escrowAddress" | "onchainId">;

/** Takes all rows but for the last part. */
export type TakePart = (position: Checkpoint, rows: ChainRows) => void;

/** Anomalies so far, by kind. */
export type Anomalies = Readonly<Partial<Record<AnomalyKind, number>>>;

export type Wanted = {
  /** of the followed contracts: it decides which raises' events are read, as they are folded again */
  lifecycle: Lifecycle;
  /** Whether the secondary desk is followed, which alone shows numbers of holders. */
  hasDesk: boolean;
};

type WholeParameters = Wanted & { tables: Tables; position: Checkpoint; take: TakePart };

/** Raise by raise in the order of their keys, so that all rows of a raise are in one part. */
export async function readAll(
  tx: ReadonlyDrizzle,
  { tables, lifecycle, hasDesk, position, take }: WholeParameters,
): Promise<{ isWhole: true; rows: ChainRows; anomalies: Anomalies }> {
  const { listing, listingToken, anomaly } = tables;
  const offers = Map.groupBy(await tx.select().from(tables.offer), pairKey);
  const trades = Map.groupBy(
    await tx.select().from(tables.trade).orderBy(asc(tables.trade.eventId)),
    pairKey,
  );
  // Without the indexes of the end of the backfill every part would cost as much as all of them.
  const most = position.backfilled ? RAISES_OF_A_PART : null;
  const readPart = async (after: Pair | null) => {
    const query = tx
      .select()
      .from(listing)
      .where(after === null ? undefined : isAfter(listing, after));
    const listings: ListingRow[] =
      most === null
        ? await query
        : await query.orderBy(asc(listing.escrowAddress), asc(listing.onchainId)).limit(most);
    const of = (table: Keyed) => (most === null ? undefined : inPairs(table, listings));
    const rows: ChainRows = {
      ...(await readRaises(tx, { tables, lifecycle, listings, of })),
      // In the backfill the market is read again and again, and the ledger grows.
      flows: position.backfilled ? await readFlows(tx, tables.ledger, of(tables.ledger)) : null,
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
    return { rows, last: most !== null && listings.length === most ? (listings.at(-1) ?? null) : null };
  };
  let part = readPart(null);
  for (;;) {
    const { rows, last } = await part;
    if (last === null) {
      const holders = hasDesk ? await readHolders(tx, listingToken) : new Map();
      return { isWhole: true, rows: { ...rows, holders }, anomalies: await countAnomalies(tx, anomaly) };
    }
    // The database works on the next one meanwhile.
    part = readPart(last);
    part.catch(() => {});
    await pause();
    take(position, rows);
  }
}

/** Raises that are read at once: a part takes some ten milliseconds, in which nothing is answered. */
const RAISES_OF_A_PART = 500;

function isAfter({ escrowAddress, onchainId }: Keyed, pair: Pair): SQL {
  return sql`(${escrowAddress}, ${onchainId}) > (${pair.escrowAddress}, ${`${pair.onchainId}`}::numeric)`;
}

type RaisesParameters = Pick<WholeParameters, "tables" | "lifecycle"> & {
  listings: readonly ListingRow[];
  /** the condition that a row is of one of them; undefined where they are all */
  of(table: Keyed): SQL | undefined;
};

async function readRaises(
  tx: ReadonlyDrizzle,
  { tables: { ledger, repayment }, lifecycle, listings, of }: RaisesParameters,
): Promise<Pick<ChainRows, "listings" | "events" | "bids" | "repayments">> {
  const lacking = listings.filter(lacksTerms);
  const isEach = derivesEvents(lifecycle);
  return {
    listings,
    events:
      isEach || lacking.length > 0
        ? await tx
            .select()
            .from(ledger)
            .where(isEach ? of(ledger) : inPairs(ledger, lacking))
            .orderBy(asc(ledger.eventId))
        : [],
    bids: await readBids(tx, ledger, listings),
    repayments: await tx.select().from(repayment).where(of(repayment)).orderBy(asc(repayment.eventId)),
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
): Promise<Anomalies> {
  const rows = await tx
    .select({ kind: anomaly.kind, count: count() })
    .from(anomaly)
    .where(condition)
    .groupBy(anomaly.kind);
  return Object.fromEntries(rows.map((row) => [row.kind, row.count]));
}
