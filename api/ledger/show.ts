/**
 * Pages of rows as the market names them: each row with the visible listing that it belongs to, and its finality.
 * @module
 */
import type { Hex } from "viem";
import type { Checkpoint } from "../database/checkpoint.ts";
import type { Market } from "../market/project.ts";
import type { Listing } from "../market/schema.ts";
import { pairKey } from "../registry/schema.ts";
import { type Anomaly, type AnomalyCounts, toAnomaly } from "./anomaly.ts";
import type { Pair } from "./conditions.ts";
import { encodeAnomalyPlace, encodePlace } from "./cursor.ts";
import { toEvent } from "./event.ts";
import type { AnomalyPage, LedgerPage } from "./read.ts";
import type { LedgerEvent } from "./schema.ts";

export type ShownEvents = { events: LedgerEvent[]; nextCursor: string | null };
export type ShownAnomalies = { byKind: AnomalyCounts; anomalies: Anomaly[]; nextCursor: string | null };

/** A listing's key on the chain. */
export function pairOf({ escrowAddress, onchainId }: Listing): Pair {
  return { escrowAddress: escrowAddress as Hex, onchainId };
}

/** The events of a page. What is not of a visible listing is left out; a query names only visible ones. */
export function showEvents(page: LedgerPage, market: Market, exposeAccounts: boolean): ShownEvents {
  const events = page.rows.flatMap((row) => {
    const listing = listingOf(market, row);
    if (listing === undefined) return [];
    const { publicId, refnum } = listing;
    return toEvent(row, { publicId, refnum, finality: finalityOf(row, page.progress), exposeAccounts });
  });
  return { events, nextCursor: page.next && encodePlace(page.next) };
}

/** The anomalies of a page, those of invisible listings too. */
export function showAnomalies({ rows, progress, next, byKind }: AnomalyPage, market: Market): ShownAnomalies {
  const anomalies = rows.map((row) =>
    toAnomaly(row, { listing: listingOf(market, row) ?? null, finality: finalityOf(row, progress) }),
  );
  return { byKind, anomalies, nextCursor: next && encodeAnomalyPlace(next) };
}

type PairRow = { escrowAddress: string; onchainId: bigint };

function listingOf(market: Market, row: PairRow): Listing | undefined {
  return market.listingByPair.get(pairKey(row));
}

function finalityOf(
  { blockNumber }: { blockNumber: bigint },
  { finalized }: Checkpoint,
): "pending" | "final" {
  return blockNumber <= finalized.number ? "final" : "pending";
}
