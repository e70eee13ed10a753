/**
 * The GraphQL schema: the types of the REST answers, linked to each other, and the fields that a query begins with.
 * @module
 */
import { z } from "@hono/zod-openapi";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { eventTypeName, PERSONS } from "../ledger/schema.ts";
import { pairOf } from "../ledger/show.ts";
import { findListing } from "../market/project.ts";
import { PAGE_LENGTH } from "../market/query-field.ts";
import type { Listing, Originator, Schedule } from "../market/schema.ts";
import { ENUMS, EVENTS, OBJECTS, TYPE_NAMES } from "./answer-types.ts";
import { type Arguments, argumentsOf, PAGE_LIMIT, PAGE_LIMIT_TYPE, readArguments } from "./arguments.ts";
import { connectionTypes, PAGE_INFO } from "./connection.ts";
import { type GraphqlContext, madeOnce, snapshotOf } from "./context.ts";
import { EVENTS_ARGUMENTS, eventsPage, readEventsQuery } from "./event-pages.ts";
import {
  DESK_ARGUMENTS,
  deskPage,
  LISTINGS_ARGUMENTS,
  listingsPage,
  ORIGINATORS_ARGUMENTS,
  OWN_LISTINGS_ARGUMENTS,
  originatorsPage,
} from "./market-pages.ts";
import { createExecutableSchema, GraphQLSchema } from "./packages.ts";
import { SCALARS } from "./scalars.ts";
import { enumType, objectType } from "./zod-types.ts";

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
    events(${EVENTS_ARGUMENTS}): LedgerEventConnection
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

const PAYMENTS = { last: PAGE_LIMIT };
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
      payments(${argumentsOf(PAYMENTS, { last: PAGE_LIMIT_TYPE })}): [Payment!]!`,
    paymentCount: `"How many repayments there are in all." paymentCount: SafeInt!`,
  },
  Originator: {
    listings: `"The originator's visible listings." listings(${OWN_LISTINGS_ARGUMENTS}): ListingConnection!`,
  },
  Trading: {
    listings: `"Visible listings whose token can change hands or that the desk has seen, newest first."
      listings(${DESK_ARGUMENTS}): DeskListingConnection!`,
  },
  DeskListing: { listing: LISTING },
  Trade: { listing: LISTING },
};

/** The schema in GraphQL's own language. */
function typeDefinitions({ exposeAccounts }: { exposeAccounts: boolean }): string {
  const persons: readonly string[] = exposeAccounts ? [] : PERSONS;
  const event = { listing: LISTING };
  const schemas = Object.values(EVENTS);
  const [{ shape = {} } = {}] = schemas;
  const common = Object.entries(shape).filter(([name]) => schemas.every((schema) => name in schema.shape));
  const ledgerEvent = z.object(Object.fromEntries(common)).openapi({
    description: "One event of the chain. What a kind has of its own is on the kind's type.",
  });
  return [
    ...Object.entries(EVENTS).map(([name, schema]) => {
      const shown = persons.filter((person) => person in schema.shape).map((person) => [person, ""]);
      return objectType(`type ${name} implements LedgerEvent`, schema, TYPE_NAMES, {
        ...Object.fromEntries(shown),
        ...event,
      });
    }),
    objectType("interface LedgerEvent", ledgerEvent, TYPE_NAMES, event),
    ...Object.entries(OBJECTS).map(([name, schema]) =>
      objectType(`type ${name}`, schema, TYPE_NAMES, LINKS[name]),
    ),
    ...Object.entries(ENUMS).map(([name, { schema, meanings }]) => enumType(name, schema, meanings)),
    ...Object.keys(SCALARS).map((name) => `scalar ${name}`),
    ...["Listing", "Originator", "DeskListing"].map((node) => connectionTypes(node, { isCounted: true })),
    connectionTypes("LedgerEvent", { isCounted: false }),
    PAGE_INFO,
    QUERY,
  ].join("\n");
}

type OfListing = { publicId: string };
const listing = {
  listing: ({ publicId }: OfListing, _: object, context: GraphqlContext) =>
    snapshotOf(context).market.listingByPublicId.get(publicId),
};

const resolvers = {
  Query: {
    listings: (_: unknown, args: Arguments, context: GraphqlContext) =>
      listingsPage(snapshotOf(context).market.listings, args),
    listing: (_: unknown, { id }: { id: string }, context: GraphqlContext) =>
      findListing(snapshotOf(context).market, id),
    originators: (_: unknown, args: Arguments, context: GraphqlContext) =>
      originatorsPage(snapshotOf(context).market.originators, args),
    originator: (_: unknown, { publicId }: { publicId: string }, context: GraphqlContext) =>
      snapshotOf(context).market.originatorByPublicId.get(publicId),
    trading: (_: unknown, __: object, context: GraphqlContext) => snapshotOf(context).market.trading,
    stats: (_: unknown, __: object, context: GraphqlContext) => snapshotOf(context).market.stats,
    async events(_: unknown, args: Arguments, context: GraphqlContext) {
      const query = readEventsQuery(args, snapshotOf(context));
      const pairs = snapshotOf(context).market.listings.map(pairOf);
      return eventsPage(await context.deps.ledger.ofListings(pairs, query.ledger), query, context);
    },
    health: (_: unknown, __: object, { deps }: GraphqlContext) => deps.health.report(),
  },
  Listing: {
    originator: (source: Listing, _: object, context: GraphqlContext) =>
      snapshotOf(context).market.originatorByPublicId.get(source.originator),
    schedule: (source: Listing, _: object, context: GraphqlContext) =>
      snapshotOf(context).market.scheduleOf(source),
    async events(source: Listing, args: Arguments, context: GraphqlContext) {
      const query = readEventsQuery(args, snapshotOf(context));
      return eventsPage(await context.events.load(source, query.ledger), query, context);
    },
  },
  Schedule: {
    payments({ payments }: Schedule, args: Arguments) {
      const { last = PAGE_LENGTH } = readArguments(PAYMENTS, args);
      return payments.slice(-last);
    },
    paymentCount: ({ payments }: Schedule) => payments.length,
  },
  Originator: {
    listings: (source: Originator, args: Arguments, context: GraphqlContext) =>
      madeOnce(context, source, args, () => listingsPage(source.listings, args)),
  },
  Trading: {
    listings: (_: unknown, args: Arguments, context: GraphqlContext) =>
      deskPage(snapshotOf(context).market, args),
  },
  DeskListing: listing,
  Trade: listing,
  LedgerEvent: { ...listing, __resolveType: ({ kind }: { kind: EventKind }) => eventTypeName(kind) },
  AnomalyCounts: {
    byKind: ({ byKind }: { byKind: Record<string, number> }) =>
      Object.entries(byKind).map(([key, value]) => ({ key, value })),
  },
  ...SCALARS,
};

/**
 * Builds the schema. Fields that name the addresses of persons exist only with `exposeAccounts`: without it nothing
 * here belongs to an account.
 */
export function createSchema({ exposeAccounts }: { exposeAccounts: boolean }): GraphQLSchema {
  const schema = createExecutableSchema<GraphqlContext>({
    typeDefs: typeDefinitions({ exposeAccounts }),
    resolvers,
    inheritResolversFromInterfaces: true,
  });
  // Each type where the first field leads to it, the kinds of events first, as a reader follows them.
  const types = Object.keys(EVENTS).flatMap((name) => schema.getType(name) ?? []);
  return new GraphQLSchema({ ...schema.toConfig(), types });
}
