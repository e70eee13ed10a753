/**
 * Ponder's tables as a store: supplies the rows that a step needs and saves its writes.
 * @module
 */
import type { Context } from "ponder:registry";
import * as tables from "ponder:schema";
import type { Hex } from "viem";
import { eventIdOf } from "./fold/event-id.ts";
import { type EventContent, lower } from "./fold/events.ts";
import { type KeyedTable, type RowOf, recordEvent, type TableName, type Write } from "./fold/step.ts";
import type { AnomalyKind } from "./fold/vocabulary.ts";

/** An event of Ponder, without its arguments. */
type PonderEvent = {
  id: string;
  block: { number: bigint; timestamp: bigint; hash: Hex };
  transaction: { hash: Hex };
  log: { address: Hex; logIndex: number };
};

/** Ponder's functions, for a table known only by name. */
type Store = {
  find(table: object, key: object): Promise<RowOf<KeyedTable> | null>;
  insert(table: object): {
    values(row: object): Promise<unknown> & { onConflictDoNothing(): Promise<object | null> };
  };
  update(table: object, key: object): { set(changes: object): Promise<unknown> };
};

const TABLES: Readonly<Record<TableName, object>> = tables;

/**
 * Records one event of a log. Ponder delivers a log twice when its escrow is both listed and from the factory; both have the same
 * event id, and the second is ignored.
 */
export async function record(
  db: Context["db"],
  event: PonderEvent,
  { content, part }: { content: EventContent; part: number },
  unknowable?: ReadonlySet<AnomalyKind>,
): Promise<void> {
  const store = db as unknown as Store;
  const step = recordEvent({ ...placeOf(event, part), ...content }, unknowable);
  let next = step.next();
  while (next.done !== true) next = step.next(await store.find(TABLES[next.value.table], next.value.key));
  for (const write of next.value) {
    const isNew = await save(store, write);
    if (write.table === "ledger" && !isNew) return;
  }
}

/** @returns whether the row was new */
async function save(store: Store, write: Write): Promise<boolean> {
  const table = TABLES[write.table];
  if ("changes" in write) await store.update(table, write.key).set(write.changes);
  else if (write.table === "ledger" || write.table === "eventBlock")
    return (await store.insert(table).values(write.row).onConflictDoNothing()) !== null;
  else await store.insert(table).values(write.row);
  return true;
}

/** The place of an event of Ponder. @param part its place among the events of the log */
export function placeOf({ id, block, transaction, log }: PonderEvent, part = 0) {
  return {
    eventId: eventIdOf(id, part),
    address: lower(log.address),
    blockNumber: block.number,
    blockTime: block.timestamp,
    blockHash: block.hash,
    txHash: transaction.hash,
    logIndex: log.logIndex,
    part,
  };
}
