/** @module The projection over made-up rows and registries. */
import type { Market } from "../../api/market/market.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { project } from "./project.ts";
import {
  business,
  type EntryDraft,
  FINALIZED,
  HEAD,
  listingRow,
  NOW,
  type OriginatorDraft,
  registryOf,
} from "./rows.ts";
import { SITE } from "./snapshot.ts";

export { business };

/** Default values of made-up rows. */
export const { escrowAddress: ESCROW, originator: CREATOR } = listingRow();
export const STRANGER = `0x${"9a".repeat(20)}` as const;

/** The market at `now` (unix seconds) of these rows and what the registry says of them. */
export function marketAt(
  now: bigint,
  listings: readonly ListingRow[],
  entries: readonly EntryDraft[],
  businesses: readonly OriginatorDraft[] = [business()],
): Market {
  const head = { ...HEAD, timestamp: now };
  const rows = { listings, repayments: [], offers: [], trades: [], holders: new Map() };
  const registry = registryOf(entries, businesses);
  return project({ rows, registry, head, finalized: FINALIZED.number, publicSettings: SITE });
}

/** The same at the time of the made-up head. */
export function marketOf(
  rows: readonly ListingRow[],
  entries: readonly EntryDraft[],
  businesses?: readonly OriginatorDraft[],
): Market {
  return marketAt(NOW, rows, entries, businesses);
}
