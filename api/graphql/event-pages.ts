/** @module Pages of events: of all listings, and of one. */
import { notAfter } from "../../config/format/time.ts";
import { decodeEventCursor, encodeEventCursor } from "../ledger/cursor.ts";
import { toEventPage } from "../ledger/pages.ts";
import { MARKET_EVENTS_FIELDS, withinFinality } from "../ledger/query-fields.ts";
import type { LedgerPage, NoPage } from "../ledger/read.ts";
import type { LedgerQuery } from "../ledger/read-events.ts";
import type { LedgerEvent } from "../ledger/schema.ts";
import { PAGE_LENGTH } from "../market/query-field.ts";
import type { Snapshot } from "../market/snapshot.ts";
import {
  type Arguments,
  argumentsOf,
  cursorField,
  PAGE_LIMIT,
  PAGE_TYPES,
  readArguments,
  someWords,
} from "./arguments.ts";
import { createConnection } from "./connection.ts";
import { type GraphqlContext, snapshotOf } from "./context.ts";
import { noEvents } from "./errors.ts";

const EVENTS = {
  originator: MARKET_EVENTS_FIELDS.originator,
  since: MARKET_EVENTS_FIELDS.since,
  until: MARKET_EVENTS_FIELDS.until,
  kinds: someWords(MARKET_EVENTS_FIELDS.kind),
  finality: MARKET_EVENTS_FIELDS.finality,
  first: PAGE_LIMIT,
  after: cursorField(decodeEventCursor, "the endCursor of a page of this field"),
};

const TYPES = {
  kinds: "[EventKind!]",
  since: "String",
  until: "String",
  finality: "Finality",
  ...PAGE_TYPES,
};
/** The arguments of each field in GraphQL's schema language: the events of one listing, and those of all. */
export const EVENTS_ARGUMENTS = argumentsOf(EVENTS, TYPES);
export const MARKET_EVENTS_ARGUMENTS = argumentsOf(EVENTS, { originator: "String", ...TYPES });

export type EventsQuery = {
  ledger: LedgerQuery;
  finality: LedgerEvent["finality"] | undefined;
  /** all where undefined */
  originator: string | undefined;
};

/** The query for the arguments. `snapshot` says which blocks are final. */
export function readEventsQuery(args: Arguments, snapshot: Snapshot): EventsQuery {
  const values = readArguments(EVENTS, args);
  const {
    originator,
    since = null,
    kinds,
    finality,
    first: limit = PAGE_LENGTH,
    after: before = null,
  } = values;
  // The ledger is read later than the snapshot, possibly at a newer block.
  const until = notAfter(values.until ?? null, snapshot.market.head);
  return {
    finality,
    originator,
    ledger: {
      kinds: kinds === undefined ? null : new Set(kinds),
      limit,
      before,
      ...withinFinality({ since, until }, finality, snapshot),
    },
  };
}

/** The events of a page, or the reason that there is no page, as an error. */
export function eventsPage(
  page: LedgerPage | NoPage,
  { finality, ledger }: EventsQuery,
  context: GraphqlContext,
) {
  if (typeof page === "string") throw noEvents(page);
  const { market } = snapshotOf(context);
  const { events: nodes, nextCursor } = toEventPage(page, market, context.deps.exposeAccounts, finality);
  return createConnection({ nodes, cursorOf, nextCursor, after: ledger.before });
}

function cursorOf({ blockNumber, logIndex, part }: LedgerEvent): string {
  return encodeEventCursor({ blockNumber: BigInt(blockNumber), logIndex, part });
}
