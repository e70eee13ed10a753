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

type TallyRow = Pick<typeof tally.$inferSelect, "family" | "events" | "lastEventId" | "lastBlockHash">;

export type LastEvent = { eventId: string; blockHash: Hex | null };

export type LedgerOrder = {
  /**
   * Adds the next row, by event id, with the deltas to which its event folds (null if it cannot be folded), and the hash that is
   * stored of its block.
   */
  add(row: LedgerRow & MoneyDeltas, found: { deltas: MoneyDeltas | null; blockHash: Hex | null }): void;
  /** The findings, including whether there are as many rows as the indexer has counted, up to the same event. */
  compare(tallies: readonly TallyRow[]): Comparison;
  /** The last row of each family, and its block. */
  last(): LastEvent[];
};

const NONE = { listings: 0, repayments: 0, desk: 0 } satisfies Partial<Record<TableFamily, number>>;

/** Whether the ledger has the events of these tables, with which the indexer's count of them is compared. */
export const isOfLedger = (family: TableFamily): boolean => family in NONE;

export function createLedgerOrder(): LedgerOrder {
  const comparison = createComparison();
  const counted = { ...NONE };
  const last = new Map<string, LastEvent>();
  let before: EventPosition = { blockNumber: -1n, logIndex: 0 };

  return {
    add(row, { deltas, blockHash }) {
      const { escrowAddress, onchainId, eventId, kind, blockNumber, blockTime, logIndex, part } = row;
      const desk: readonly string[] = DESK_EVENT_KINDS;
      const families: (keyof typeof counted)[] = [desk.includes(kind) ? "desk" : "listings"];
      if (kind === "repaid") families.push("repayments");
      for (const family of families) {
        counted[family] += 1;
        last.set(family, { eventId, blockHash });
      }

      const listing = { check: "ledger" as const, escrowAddress, onchainId };
      const where = (what: string) => ({ ...listing, field: `ledger.${what} of event ${eventId}` });
      const parts = partsOf(eventId);
      comparison.compare(where("blockTime"), parts.blockTime, blockTime);
      comparison.compare(where("blockNumber"), parts.blockNumber, blockNumber);
      comparison.compare(where("logIndex"), parts.logIndex, `${logIndex}`);
      const folds = "an event that can be folded";
      comparison.compare(where("args"), folds, deltas === null ? "one that cannot" : folds);
      if (deltas !== null)
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
      const previous = `block ${before.blockNumber}, log ${placeInBlock(before)}`;
      comparison.compare(where("place"), follows ? place : `a place after ${previous}`, place);
      before = { blockNumber, logIndex, part };
    },
    compare(tallies) {
      const byFamily = new Map(tallies.map((one) => [one.family, one]));
      for (const [family, rows] of Object.entries(counted)) {
        const noted = byFamily.get(family as TableFamily);
        const where = (field: string) => ({
          check: "ledger" as const,
          escrowAddress: null,
          onchainId: null,
          field,
        });
        comparison.compare(where(`ledger rows of ${family}`), BigInt(noted?.events ?? 0), BigInt(rows));
        const end = last.get(family);
        if (end === undefined || noted === undefined) continue;
        comparison.compare(where(`tally.lastEventId of ${family}`), end.eventId, noted.lastEventId);
        if (end.eventId === noted.lastEventId && end.blockHash !== null)
          comparison.compare(where(`tally.lastBlockHash of ${family}`), end.blockHash, noted.lastBlockHash);
      }
      return comparison;
    },
    last: () => [...last.values()],
  };
}
