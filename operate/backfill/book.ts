/**
 * All tables in memory, folded from the events in the order of the chain. Rows that no later event can change are taken out as it
 * goes; the others remain until the end.
 * @module
 */
import type { Hex } from "viem";
import type { ChainEvent } from "../../src/fold/events.ts";
import { createTables, keyText, type Rows, runStep } from "../../src/fold/memory.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import {
  KEYS,
  type KeyedTable,
  type RowOf,
  recordEvent,
  recordRow,
  type Step,
  type TableName,
} from "../../src/fold/step.ts";
import type { AnomalyKind } from "../../src/fold/vocabulary.ts";
import { createPackedRows } from "./packed-rows.ts";

/** Rows of each table. */
export type TableRows = { [Name in TableName]?: Iterable<RowOf<Name>> };

export type Book = {
  /** Events must come in the order of the chain, each once. */
  add(event: ChainEvent): void;
  /** Adds an event as a ledger has it; transfers are in none. */
  addRow(row: LedgerRow, blockHash: Hex): void;
  /** The number of rows that wait to be taken, without those of which each has one in the ledger. */
  waiting(): number;
  /** The rows since the last call that no later event changes. */
  take(): TableRows;
  /** The rows that later events could have changed, once there are none. */
  rest(): TableRows;
  /** events that count, so far */
  count(): number;
};

/** @param unknowable anomalies that these contracts' logs cannot show @param kept rows of a table that stay objects, for tests */
export function createBook(unknowable?: ReadonlySet<AnomalyKind>, kept?: number): Book {
  const packedRows = <Name extends KeyedTable>(table: Name): Rows<RowOf<Name>> =>
    createPackedRows((row) => keyText(table, row), kept);
  const eventBlock = createEventBlocks();
  const tables = createTables({
    listing: packedRows("listing"),
    backerPosition: packedRows("backerPosition"),
    listingToken: packedRows("listingToken"),
    tokenHolder: packedRows("tokenHolder"),
    eventBlock,
  });
  const { ledger, subscription, refund, repayment, trade, anomaly } = tables;
  const appended = { ledger, eventBlock: eventBlock.rows, subscription, refund, repayment, trade, anomaly };
  let count = 0;

  const run = (step: Step) => {
    if (runStep(tables, step).length > 0) count += 1;
  };

  return {
    add: (event) => run(recordEvent(event, unknowable)),
    addRow: (row, blockHash) => run(recordRow(row, blockHash, unknowable)),
    waiting: () => ledger.length + eventBlock.rows.length + anomaly.length,
    take: () => Object.fromEntries(Object.entries(appended).map(([table, rows]) => [table, rows.splice(0)])),
    rest() {
      const keyed = Object.keys(KEYS) as (keyof typeof KEYS)[];
      return Object.fromEntries(keyed.map((table) => [table, tables[table].values()]));
    },
    count: () => count,
  };
}

/** Each block once: it is noted again with the first event of another family of tables. */
function createEventBlocks() {
  const rows: RowOf<"eventBlock">[] = [];
  let last: bigint | null = null;
  return {
    rows,
    push(row: RowOf<"eventBlock">) {
      if (row.number !== last) rows.push(row);
      last = row.number;
    },
  };
}
