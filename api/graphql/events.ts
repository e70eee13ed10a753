/**
 * Pages of events: their arguments, the types of events, and how a page is read.
 * @module
 */

import { EVENT_KINDS, type EventKind } from "../../src/fold/vocabulary.ts";
import { decodeEventCursor, encodeEventCursor } from "../ledger/cursor.ts";
import { toEventPage } from "../ledger/pages.ts";
import type { LedgerPage, LedgerQuery, NoPage } from "../ledger/read.ts";
import type { LedgerEvent } from "../ledger/schema.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { BLOCK_OR_TIME_FORM, type BlockOrTime, notAfter, parseBlockOrTime } from "../time.ts";
import type { AnswerTypes, Field, Fields } from "./answer-types.ts";
import { type Given, readArguments } from "./arguments.ts";
import { type Connection, PAGE_ARGUMENTS } from "./connection.ts";
import { noEvents } from "./errors.ts";
import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from "./graphql-js.ts";
import { eventTypeName } from "./words.ts";

type Finality = LedgerEvent["finality"];
export type EventsArguments = {
  kinds?: Given<readonly EventKind[]>;
  since?: Given<string>;
  until?: Given<string>;
  finality?: Given<Finality>;
  first?: Given<number>;
  after?: Given<string>;
};

export function eventsArguments(types: AnswerTypes): GraphQLFieldConfigArgumentMap {
  const moment = "A block number, or a time in ISO 8601.";
  return {
    kinds: {
      type: new GraphQLList(new GraphQLNonNull(types.enum("EventKind"))),
      description: "Only these kinds of events.",
    },
    since: { type: GraphQLString, description: `Only from here on, inclusive. ${moment}` },
    until: { type: GraphQLString, description: `Only up to here, inclusive. ${moment}` },
    finality: {
      type: types.enum("Finality"),
      description: "Only events that are final, or only those that are not yet.",
    },
    ...PAGE_ARGUMENTS,
  };
}

/** What every kind of event has. */
const COMMON = ["kind", "publicId", "refnum", "blockNumber", "blockTime", "logIndex", "txHash", "finality"];

/** The interface of all events, with the fields that every kind has and `more`. */
export function createEventInterface(types: AnswerTypes, more: () => Fields) {
  const [kind] = EVENT_KINDS;
  return new GraphQLInterfaceType({
    name: "LedgerEvent",
    description: "One event of the chain. What a kind has of its own is on the kind's type.",
    fields: () => ({
      ...Object.fromEntries(
        COMMON.map((name): [string, Field] => [name, types.field(eventTypeName(kind), name)]),
      ),
      ...more(),
    }),
    resolveType: ({ kind }: LedgerEvent) => eventTypeName(kind),
  });
}

export type EventsQuery = { ledger: LedgerQuery; finality: Finality | undefined };

/** What to ask the ledger for. `snapshot` says which blocks are final. */
export function readEventsArguments(args: EventsArguments, { finalized, market }: Snapshot): EventsQuery {
  const reader = readArguments();
  const since = reader.read("since", args.since, parseBlockOrTime, [BLOCK_OR_TIME_FORM]) ?? null;
  const given = reader.read("until", args.until, parseBlockOrTime, [BLOCK_OR_TIME_FORM]) ?? null;
  const words = reader.some("kinds", args.kinds);
  const kinds = words === undefined ? null : new Set(words);
  const limit = reader.length("first", args.first);
  const before =
    reader.read("after", args.after, decodeEventCursor, ["the endCursor of a page of this field"]) ?? null;
  reader.end();
  const finality = args.finality ?? undefined;
  // The ledger is read later than the snapshot, when another block may be there.
  const until = notAfter(given, market.head);
  const last = finalized.number;
  // Block times never decrease, so of a block and a time one is always the narrower bound of the two.
  const isAfter = (moment: BlockOrTime) =>
    "block" in moment ? moment.block > last : moment.time > finalized.timestamp;
  const isBefore = (moment: BlockOrTime) =>
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
export function eventsPage(
  page: LedgerPage | NoPage,
  { finality }: EventsQuery,
  { snapshot, exposeAccounts }: { snapshot: Snapshot; exposeAccounts: boolean },
): Connection<LedgerEvent> {
  if (typeof page === "string") throw noEvents(page);
  const { events, nextCursor } = toEventPage(page, snapshot.market, exposeAccounts);
  // An event may have become final between the snapshot and the read.
  const nodes = events.filter((event) => finality === undefined || event.finality === finality);
  const last = nodes.at(-1);
  return {
    nodes,
    cursorOf,
    hasNextPage: nextCursor !== null,
    endCursor: nextCursor ?? (last === undefined ? null : cursorOf(last)),
  };
}

function cursorOf({ blockNumber, logIndex }: LedgerEvent): string {
  return encodeEventCursor({ blockNumber: BigInt(blockNumber), logIndex });
}
