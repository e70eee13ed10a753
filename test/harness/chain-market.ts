/**
 * The market of a chain without an indexer: its logs, folded in memory, with the past read from the ledger as the service reads it.
 * @module
 */
import type { Hex } from "viem";
import { createPastFold } from "../../api/history/fold.ts";
import type { ChainRows } from "../../api/market/chain-rows.ts";
import { comparePositions } from "../../src/fold/event-id.ts";
import { createTables, runStep } from "../../src/fold/memory.ts";
import type { StoredRow } from "../../src/fold/state.ts";
import { recordEvent } from "../../src/fold/step.ts";
import type { ChainLog } from "../model/chain-log.ts";
import type { DeskLog as ModelDeskLog } from "../model/desk-log.ts";
import { type DeskLog, type EscrowLog, toDeskEvent, toListingEvent } from "./book.ts";
import { eventIdAt } from "./ledger-table.ts";

export type ChainMarket = {
  ledger: readonly StoredRow[];
  /** The chain's rows at the end of a block, with the flows of all its events. */
  rowsAt(block: bigint): Promise<ChainRows>;
};

export function chainMarketOf({
  logs,
  deskLogs,
  desk,
}: {
  logs: readonly ChainLog[];
  deskLogs: readonly ModelDeskLog[];
  desk: Hex;
}): ChainMarket {
  const tables = createTables({});
  for (const log of [...logs, ...deskLogs].sort(comparePositions)) {
    const origin = originOf(log, "escrow" in log ? (log.escrow as Hex) : desk);
    const named = { eventName: log.name, args: log.args };
    const content =
      "escrow" in log
        ? ({
            source: "escrow",
            onchainId: log.args.onchainId,
            event: toListingEvent(named as EscrowLog),
          } as const)
        : ({ source: "desk", event: toDeskEvent(named as DeskLog, desk) } as const);
    runStep(tables, recordEvent({ ...origin, ...content }));
  }
  const ledger = tables.ledger as readonly StoredRow[];
  const fold = createPastFold({
    pause: async () => {},
    spacing: 100,
    read: async (after, { time, block }) => ({
      rows: ledger.filter(
        (row) => row.eventId > after && row.blockTime <= time && (block === null || row.blockNumber <= block),
      ),
      settled: ledger.at(-1)?.blockNumber ?? 0n,
      isLast: true,
    }),
  });
  return {
    ledger,
    async rowsAt(block) {
      const rows = await fold.rowsAt({ time: 10n ** 11n, block });
      if (rows === null) throw new Error("there is no past");
      return rows;
    },
  };
}

function originOf({ blockNumber, logIndex, at, txHash }: ChainLog | ModelDeskLog, address: Hex) {
  const eventId = eventIdAt({ time: at, block: blockNumber, log: logIndex });
  return { address, eventId, blockNumber, blockTime: at, blockHash: txHash, txHash, logIndex, part: 0 };
}
