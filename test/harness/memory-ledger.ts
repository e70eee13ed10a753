/** @module A ledger of rows in memory, read and summed by plain filters. */
import type { LedgerQueries } from "../../api/ledger/read.ts";
import type { LedgerQuery, ListingSet } from "../../api/ledger/read-events.ts";
import type { BlockOrTime } from "../../config/format/time.ts";
import { comparePositions } from "../../src/fold/event-id.ts";
import { type LedgerRow, type MoneyDeltas, NO_DELTAS } from "../../src/fold/state.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { fixedLedger } from "./fixed-ledger.ts";
import { HEAD, listingRow, NOW } from "./rows.ts";
import { tablesOf } from "./snapshot.ts";

export type MemoryRow = LedgerRow & MoneyDeltas;

type EventDraft = {
  onchainId: bigint;
  kind: EventKind;
  /** seconds before the made-up head */
  ago: bigint;
  args: LedgerRow["args"];
} & Partial<MoneyDeltas>;

/** Rows of these events, newest first; each in a separate block. */
export function memoryRows(events: readonly EventDraft[]): MemoryRow[] {
  return events
    .toSorted((a, b) => Number(a.ago - b.ago))
    .map(({ onchainId, kind, ago, args, ...deltas }, index) => ({
      ...NO_DELTAS,
      escrowAddress: listingRow().escrowAddress,
      onchainId,
      kind,
      args,
      eventId: `${NOW - ago}`.padEnd(75, "0"),
      blockNumber: HEAD.number - BigInt(index),
      blockTime: NOW - ago,
      txHash: `0x${"7a".repeat(32)}`,
      logIndex: 0,
      part: 0,
      ...deltas,
    }));
}

/** A reader of rows that are newest first. */
export function memoryLedger(rows: readonly MemoryRow[]): LedgerQueries {
  const progress = tablesOf();
  const isWithin = (row: MemoryRow, since: BlockOrTime | null, until: BlockOrTime | null) =>
    (since === null || placeOf(row, since) >= 0) && (until === null || placeOf(row, until) <= 0);
  const page = (isOf: (row: MemoryRow) => boolean, { kinds, since, until, before, limit }: LedgerQuery) => {
    const found = rows.filter(
      (row) =>
        isOf(row) &&
        (kinds === null || kinds.has(row.kind)) &&
        isWithin(row, since, until) &&
        (before === null || comparePositions(row, before) < 0),
    );
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const next = found.length > limit && last !== undefined ? last : null;
    return { progress, rows: shown, next };
  };
  return {
    ...fixedLedger(),
    ofListing: async ({ onchainId }, query) => page((row) => `${row.onchainId}` === `${onchainId}`, query),
    ofListings: async (listings: ListingSet, query) => page((row) => listings.has(row), query),
    sums: async (listings, { since, until }) => ({
      progress,
      cutAt: null,
      timeOf: async () => null,
      rows: rows
        .filter((row) => listings.has(row) && isWithin(row, since, until))
        .map(({ escrowAddress, onchainId, kind, ...row }) => ({
          escrowAddress,
          onchainId,
          kind,
          events: 1,
          committed: row.committed ?? 0n,
          refunded: row.refunded ?? 0n,
          repaidPrincipal: row.repaidPrincipal ?? 0n,
          repaidInterest: row.repaidInterest ?? 0n,
          outstanding: row.outstanding ?? 0n,
        })),
    }),
  };
}

/** Below, at or above the bound. */
function placeOf({ blockNumber, blockTime }: MemoryRow, bound: BlockOrTime): number {
  return "block" in bound ? Number(blockNumber - bound.block) : Number(blockTime - bound.time);
}
