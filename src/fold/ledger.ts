/**
 * The ledger's form of an event, and back: what a row keeps is enough to fold the event again.
 * @module
 */
import type { LocatedDeskEvent } from "./desk.ts";
import { BIG_UNITS, EVENT_DESCRIPTORS } from "./event-kinds.ts";
import type { LocatedEvent } from "./events.ts";
import type { LedgerRow } from "./state.ts";
import { DESK_EVENT_KINDS } from "./vocabulary.ts";

/** The arguments that are big integers, whatever the kind of event. */
const BIG_INTEGERS: ReadonlySet<string> = new Set(
  Object.values(EVENT_DESCRIPTORS).flatMap(({ args }) =>
    Object.entries(args).flatMap(([name, { unit }]) => (unit in BIG_UNITS ? [name] : [])),
  ),
);

/** Arguments as the ledger keeps them: big integers as decimal strings, all else as it is. */
export function toLedgerArgs(args: object): Record<string, unknown> {
  return mapValues(args, (_, value) => (typeof value === "bigint" ? value.toString() : value));
}

/** The event that a row keeps: the one that was folded when the row was written. */
export function eventOf(row: LedgerRow): LocatedEvent | LocatedDeskEvent {
  const { kind, args: kept, ...at } = row;
  const args = mapValues(kept, (name, value) =>
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
