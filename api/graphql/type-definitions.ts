/**
 * The schema in GraphQL's own language: the types of the REST answers, linked to each other, and the fields that a query
 * begins with.
 * @module
 */
import { z } from "@hono/zod-openapi";
import { originatorSchema } from "../market/schema.ts";
import { tradingSchema } from "../market/trading-schema.ts";
import { ENUMS, EVENTS, OBJECTS, TYPE_NAMES } from "./answer-types.ts";
import { connectionTypes, PAGE_INFO } from "./connection.ts";
import { EVENTS_ARGUMENTS, MARKET_EVENTS_ARGUMENTS } from "./event-pages.ts";
import {
  DESK_ARGUMENTS,
  LISTINGS_ARGUMENTS,
  ORIGINATORS_ARGUMENTS,
  OWN_LISTINGS_ARGUMENTS,
  PAYMENTS_ARGUMENTS,
} from "./market-pages.ts";
import { SCALARS } from "./scalars.ts";
import { describe, enumType, objectType } from "./zod-types.ts";

const QUERY = /* GraphQL */ `
  "Public and read-only. Amounts are in base units with 18 decimals, rates in basis points."
  schema { query: Query }

  "The open book: raises, businesses, the secondary desk and the ledger, as of the last indexed block."
  type Query {
    "The visible listings, open or otherwise."
    listings(${LISTINGS_ARGUMENTS}): ListingConnection!
    "A visible listing; null when there is none with this id."
    listing(
      "Its public id or reference number, such as \`lst_bakery\` or \`RB00042\`."
      id: String!
    ): Listing
    "The businesses with a visible listing, by public id."
    originators(${ORIGINATORS_ARGUMENTS}): OriginatorConnection!
    "A business with a visible listing; null when there is none with this id."
    originator(
      "Its public id, such as \`org_northwind\`."
      publicId: String!
    ): Originator
    "The secondary desk."
    trading: Trading!
    "The visible listings in figures."
    stats: Stats!
    "The events of all visible listings, newest first; null with an error until the backfill is over."
    events(${MARKET_EVENTS_ARGUMENTS}): LedgerEventConnection
    "How the service is doing; answered before anything is indexed too."
    health: Health!
  }

  "How many anomalies of one kind there are."
  type AnomalyCount {
    "The kind of anomaly."
    key: String!
    "How many there are of it."
    value: SafeInt!
  }`;

const LISTING = `"The listing; null when it is not visible any more." listing: Listing`;

/** Fields that lead from one type to another, and the pages of what REST has as whole lists. */
const LINKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Listing: {
    originator: `"The business that raises." originator: Originator!`,
    schedule: `"What is due on the raise and what was paid." schedule: Schedule!`,
    events: `"What happened to the raise on the chain, newest first."
      events(${EVENTS_ARGUMENTS}): LedgerEventConnection`,
  },
  Schedule: {
    payments: `"The latest repayments, oldest first."
      payments(${PAYMENTS_ARGUMENTS}): [Payment!]!`,
    paymentCount: `"Total number of repayments." paymentCount: SafeInt!`,
  },
  Originator: {
    listings: `${describe(originatorSchema.shape.listings)}
      listings(${OWN_LISTINGS_ARGUMENTS}): ListingConnection!`,
  },
  Trading: {
    listings: `${describe(tradingSchema.shape.listings)}
      listings(${DESK_ARGUMENTS}): DeskListingConnection!`,
  },
  DeskListing: { listing: LISTING },
  Trade: { listing: LISTING },
};

/** The schema in GraphQL's own language; `omit` has the fields of events to leave out. */
export function typeDefinitions({ omit }: { omit: readonly string[] }): string {
  const events = Object.values(EVENTS);
  const links = { listing: LISTING };
  const [{ shape = {} } = {}] = events;
  const common = Object.entries(shape).filter(([name]) => events.every((event) => name in event.shape));
  const event = z.object(Object.fromEntries(common)).openapi({
    description: "One event of the chain. Fields of a single kind are on the kind's type.",
  });
  return [
    ...Object.entries(EVENTS).map(([name, schema]) =>
      objectType(`type ${name} implements LedgerEvent`, schema, TYPE_NAMES, { links, omit }),
    ),
    objectType("interface LedgerEvent", event, TYPE_NAMES, { links }),
    ...Object.entries(OBJECTS).map(([name, schema]) =>
      objectType(`type ${name}`, schema, TYPE_NAMES, { links: LINKS[name] }),
    ),
    ...Object.entries(ENUMS).map(([name, { schema, meanings }]) => enumType(name, schema, meanings)),
    ...Object.keys(SCALARS).map((name) => `scalar ${name}`),
    ...["Listing", "Originator", "DeskListing"].map((node) => connectionTypes(node, { isCounted: true })),
    connectionTypes("LedgerEvent", { isCounted: false }),
    PAGE_INFO,
    QUERY,
  ].join("\n");
}
