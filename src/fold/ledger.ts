/**
 * Converts an event to its ledger row and back: a row is enough to fold its event again.
 * @module
 */
import type { Hex } from "viem";
import { partOf } from "./event-id.ts";
import { BIG_INTEGERS } from "./event-kinds.ts";
import type { LocatedDeskEvent, LocatedEvent, Provenance } from "./events.ts";
import type { LedgerRow } from "./state.ts";
import { DESK_EVENT_KINDS, type EventKind } from "./vocabulary.ts";

/** Arguments in the ledger's form: big integers as decimal strings, the others unchanged. */
export function toLedgerArgs(args: object): Record<string, unknown> {
  return mapValues(args, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}

/** A row as the database returns it; PostgreSQL's drivers return its large numbers as text. */
export type LedgerColumns = {
  escrow_address: Hex;
  onchain_id: string;
  event_id: string;
  kind: LedgerRow["kind"];
  block_number: string;
  block_time: string;
  tx_hash: Hex;
  log_index: number;
  args: LedgerRow["args"];
};

export function toLedgerRow(columns: LedgerColumns): LedgerRow {
  return {
    escrowAddress: columns.escrow_address,
    onchainId: BigInt(columns.onchain_id),
    eventId: columns.event_id,
    kind: columns.kind,
    blockNumber: BigInt(columns.block_number),
    blockTime: BigInt(columns.block_time),
    txHash: columns.tx_hash,
    logIndex: columns.log_index,
    part: partOf(columns.event_id),
    args: columns.args,
  };
}

/** The event of a row, as it was folded when the row was written. */
export function eventOf(row: LedgerRow): LocatedEvent | LocatedDeskEvent {
  const { kind, escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex, part } = row;
  const at: Provenance = {
    escrowAddress,
    onchainId,
    eventId,
    blockNumber,
    blockTime,
    txHash,
    logIndex,
    part,
  };
  const args = mapValues(row.args, (name, value) =>
    BIG_INTEGERS.has(name) && typeof value === "string" ? BigInt(value) : value,
  );
  // Kind and arguments were one event when the row was written; the compiler sees two columns.
  return { kind, args, at } as LocatedEvent | LocatedDeskEvent;
}

/** Whether an event is from the desk; all others are from the escrow. */
export function isOfDesk<Event extends { kind: EventKind }>(
  event: Event,
): event is Extract<Event, { kind: (typeof DESK_EVENT_KINDS)[number] }> {
  const kinds: readonly string[] = DESK_EVENT_KINDS;
  return kinds.includes(event.kind);
}

function mapValues(args: object, map: (name: string, value: unknown) => unknown): Record<string, unknown> {
  const mapped: Record<string, unknown> = {};
  for (const name in args) {
    const value = (args as Readonly<Record<string, unknown>>)[name];
    mapped[name] = value !== null && typeof value === "object" ? mapValues(value, map) : map(name, value);
  }
  return mapped;
}
