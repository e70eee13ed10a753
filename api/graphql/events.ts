/**
 * Pages of events: their arguments, the types of events, and how a page is read.
 * @module
 */

import type { EventKind } from "../../src/fold/vocabulary.ts";
import { decodePlace, encodePlace } from "../ledger/cursor.ts";
import type { LedgerPage, LedgerQuery, NoPage } from "../ledger/read.ts";
import type { LedgerEvent } from "../ledger/schema.ts";
import { showEvents } from "../ledger/show.ts";
import { MOMENT_FORM, type Moment, notAfter, parseMoment } from "../market/moment.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { type Given, readArguments } from "./arguments.ts";
import { createConnection, PAGE_ARGUMENTS } from "./connection.ts";
import { type GraphqlContext, snapshotOf } from "./context.ts";
import { noEvents } from "./errors.ts";

type Finality = LedgerEvent["finality"];
export type EventsArguments = {
  kinds?: Given<readonly EventKind[]>;
  since?: Given<string>;
  until?: Given<string>;
  finality?: Given<Finality>;
  first?: Given<number>;
  after?: Given<string>;
};

/** The arguments of a field of events, in GraphQL's schema language. */
export const EVENTS_ARGUMENTS = `
  "Only these kinds of events."
  kinds: [EventKind!]
  "Only from here on, inclusive. A block number, or a time in ISO 8601."
  since: String
  "Only up to here, inclusive. A block number, or a time in ISO 8601."
  until: String
  "Only events that are final, or only those that are not yet."
  finality: Finality
  ${PAGE_ARGUMENTS}`;

export type EventsQuery = { ledger: LedgerQuery; finality: Finality | undefined };

/** What to ask the ledger for. `snapshot` says which blocks are final. */
export function readEventsArguments(args: EventsArguments, { finalized, market }: Snapshot): EventsQuery {
  const reader = readArguments();
  const since = reader.read("since", args.since, parseMoment, [MOMENT_FORM]) ?? null;
  const given = reader.read("until", args.until, parseMoment, [MOMENT_FORM]) ?? null;
  const kinds = reader.some("kinds", args.kinds) ?? null;
  const limit = reader.length("first", args.first);
  const before =
    reader.read("after", args.after, decodePlace, ["the endCursor of a page of this field"]) ?? null;
  reader.end();
  const finality = args.finality ?? undefined;
  // The ledger is read later than the snapshot, when another block may be there.
  const until = notAfter(given, market.head);
  const last = finalized.number;
  // Block times never decrease, so of a block and a time one is always the narrower bound of the two.
  const isAfter = (moment: Moment) =>
    "block" in moment ? moment.block > last : moment.time > finalized.timestamp;
  const isBefore = (moment: Moment) =>
    "block" in moment ? moment.block < last : moment.time < finalized.timestamp;
  return {
    finality,
    ledger: {
      kinds,
      limit,
      before,
      since: finality !== "pending" || (since !== null && isAfter(since)) ? since : { block: last + 1n },
      until: finality !== "final" || isBefore(until) ? until : { block: last },
    },
  };
}

/** The events of a page, or the error that says why there is none. */
export function eventsPage(page: LedgerPage | NoPage, { finality }: EventsQuery, context: GraphqlContext) {
  if (typeof page === "string") throw noEvents(page);
  const { events, nextCursor } = showEvents(page, snapshotOf(context).market, context.deps.exposeAccounts);
  // An event may have become final between the snapshot and the read.
  const nodes = events.filter((event) => finality === undefined || event.finality === finality);
  return createConnection({ nodes, cursorOf, nextCursor });
}

function cursorOf({ blockNumber, logIndex }: LedgerEvent): string {
  return encodePlace({ blockNumber: BigInt(blockNumber), logIndex });
}
