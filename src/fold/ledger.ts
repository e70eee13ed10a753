/**
 * The ledger's form of an event, and back: what a row keeps is enough to fold the event again.
 * @module
 */
import { BIG_INTEGERS } from "./event-kinds.ts";
import type { LocatedDeskEvent, LocatedEvent, Provenance } from "./events.ts";
import type { LedgerRow } from "./state.ts";
import { DESK_EVENT_KINDS } from "./vocabulary.ts";

/** Arguments as the ledger keeps them: big integers as decimal strings, all else as it is. */
export function toLedgerArgs(args: object): Record<string, unknown> {
  return mapValues(args, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}

/** The event that a row keeps: the one that was folded when the row was written. */
export function eventOf(row: LedgerRow): LocatedEvent | LocatedDeskEvent {
  const { kind, escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex } = row;
  const at: Provenance = { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex };
  const args = mapValues(row.args, (name, value) =>
    BIG_INTEGERS.has(name) && typeof value === "string" ? BigInt(value) : value,
  );
  // Kind and arguments were one event when the row was written; the compiler sees two columns.
  return { kind, args, at } as LocatedEvent | LocatedDeskEvent;
}

/** Whether an event is of the desk; else it is of the escrow. */
export function isOfDesk(event: LocatedEvent | LocatedDeskEvent): event is LocatedDeskEvent {
  const kinds: readonly string[] = DESK_EVENT_KINDS;
  return kinds.includes(event.kind);
}

function mapValues(args: object, map: (name: string, value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      value !== null && typeof value === "object" ? mapValues(value, map) : map(name, value),
    ]),
  );
}
