/**
 * Checks that each ledger row matches its event id and the deltas of its event, that each position on the chain occurs once, and that
 * each block with a row is known. Refolding the ledger does not reveal that: a duplicate change of terms folds into the same tables.
 * @module
 */
import type { Hex } from "viem";
import type { tally } from "../../ponder.schema.ts";
import {
  comparePositions,
  type EventPosition,
  partOf,
  partsOf,
  placeInBlock,
} from "../../src/fold/event-id.ts";
import { type LedgerRow, type MoneyDeltas, NO_DELTAS } from "../../src/fold/state.ts";
import { DESK_EVENT_KINDS, type TableFamily } from "../../src/fold/vocabulary.ts";
import { type Comparison, createComparison } from "./comparison.ts";

type TallyRow = Pick<typeof tally.$inferSelect, "family" | "events">;

export type LedgerOrder = {
  /** Adds the next row, by event id, with the deltas to which its event folds, and the hash that is stored of its block. */
  add(row: LedgerRow & MoneyDeltas, found: { deltas: MoneyDeltas; blockHash: Hex | null }): void;
  /** The findings, including whether there are as many rows as the indexer has counted. */
  compare(tallies: readonly TallyRow[]): Comparison;
};

export function createLedgerOrder(): LedgerOrder {
  const comparison = createComparison();
  const counted = { listings: 0, repayments: 0, desk: 0 } satisfies Partial<Record<TableFamily, number>>;
  let before: EventPosition = { blockNumber: -1n, logIndex: 0 };

  return {
    add(row, { deltas, blockHash }) {
      const { escrowAddress, onchainId, eventId, kind, blockNumber, blockTime, logIndex, part } = row;
      const desk: readonly string[] = DESK_EVENT_KINDS;
      counted[desk.includes(kind) ? "desk" : "listings"] += 1;
      if (kind === "repaid") counted.repayments += 1;

      const listing = { check: "ledger" as const, escrowAddress, onchainId };
      const where = (what: string) => ({ ...listing, field: `ledger.${what} of event ${eventId}` });
      const parts = partsOf(eventId);
      comparison.compare(where("blockTime"), parts.blockTime, blockTime);
      comparison.compare(where("blockNumber"), parts.blockNumber, blockNumber);
      comparison.compare(where("logIndex"), parts.logIndex, `${logIndex}`);
      for (const column of Object.keys(NO_DELTAS) as (keyof MoneyDeltas)[])
        comparison.compare({ ...where(column), check: "refold" }, `${deltas[column]}`, `${row[column]}`);
      comparison.compare(where("part"), `${partOf(eventId)}`, `${part}`);
      if (blockNumber !== before.blockNumber) {
        const field = `event_block of block ${blockNumber}`;
        // Readers join the ledger with these.
        comparison.compare({ ...listing, field }, "a row", blockHash === null ? "no row" : "a row");
      }
      const follows = comparePositions(row, before) > 0;
      const place = `block ${blockNumber}, log ${placeInBlock(row)}`;
      const last = `block ${before.blockNumber}, log ${placeInBlock(before)}`;
      comparison.compare(where("place"), follows ? place : `a place after ${last}`, place);
      before = { blockNumber, logIndex, part };
    },
    compare(tallies) {
      const byFamily = new Map(tallies.map(({ family, events }) => [family, events]));
      for (const [family, rows] of Object.entries(counted)) {
        const events = byFamily.get(family as TableFamily) ?? 0;
        const where = { escrowAddress: null, onchainId: null, field: `ledger rows of ${family}` };
        comparison.compare({ check: "ledger", ...where }, BigInt(events), BigInt(rows));
      }
      return comparison;
    },
  };
}
