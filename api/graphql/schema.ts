/** @module The GraphQL schema, with the types of the REST answers linked to each other, and its resolvers. */
import { z } from "@hono/zod-openapi";
import { parseTime, TIME_FORM } from "../../config/format/time.ts";
import { quote } from "../../config/format/untrusted-text.ts";
import { PERSONS } from "../../src/fold/event-kinds.ts";
import type { Health } from "../health/schema.ts";
import { visibleIn } from "../ledger/pages.ts";
import { eventTypeName, type LedgerEvent } from "../ledger/schema.ts";
import { findListing, type Market } from "../market/market.ts";
import type { Originator } from "../market/originator.ts";
import { type Listing, originatorSchema, type Schedule } from "../market/schema.ts";
import { readsRaises } from "../market/series-query.ts";
import { tradingSchema } from "../market/trading-schema.ts";
import { ENUMS, EVENTS, OBJECTS, TYPE_NAMES } from "./answer-types.ts";
import { connectionTypes, PAGE_INFO } from "./connection.ts";
import { type GraphqlContext, onePage, snapshotOf } from "./context.ts";
import { EVENTS_ARGUMENTS, eventsPage, MARKET_EVENTS_ARGUMENTS, readEventsQuery } from "./event-pages.ts";
import {
  DESK_ARGUMENTS,
  deskPage,
  LISTINGS_ARGUMENTS,
  latestPayments,
  listingsPage,
  marketPage,
  ORIGINATORS_ARGUMENTS,
  OWN_LISTINGS_ARGUMENTS,
  originatorsPage,
  PAYMENTS_ARGUMENTS,
} from "./market-pages.ts";
import { COHORTS_ARGUMENTS, cohorts, SERIES_ARGUMENTS, seriesPoints } from "./over-time.ts";
import {
  createExecutableSchema,
  GraphQLError,
  GraphQLScalarType,
  GraphQLSchema,
  printSchema,
  valueFromASTUntyped,
} from "./packages.ts";
import { describe, enumType, objectType } from "./zod-types.ts";

type Scalar = {
  name: string;
  description: string;
  specifiedByURL?: string;
  isValid(value: unknown): boolean;
  /** what is allowed, for an error's text */
  form: string;
};

/** Checks the caller's input; values of the market pass unchanged, as in the other faces. */
function createScalar({ isValid, form, ...config }: Scalar): GraphQLScalarType {
  const read = (value: unknown): unknown => {
    if (isValid(value)) return value;
    throw new GraphQLError(`${quote(value)} is not allowed. Allowed: ${form}.`);
  };
  return new GraphQLScalarType({
    ...config,
    parseValue: read,
    // Never a variable here: variables are read as values.
    parseLiteral: (node) => read(valueFromASTUntyped(node)),
    serialize(value) {
      if (isValid(value)) return value;
      // Not a `GraphQLError`: errors of the service itself are hidden from the caller.
      throw new TypeError(`the value of a ${config.name} is ${quote(value)}`);
    },
  });
}

const SCALARS = Object.fromEntries(
  [
    createScalar({
      name: "BigInt",
      description:
        "A whole number of any size from 0 on, as a decimal string: amounts in base units (18 decimals), block numbers, ids on the chain.",
      isValid: (value) => typeof value === "string" && /^\d{1,100}$/.test(value),
      form: 'a whole number in decimal digits, as a string such as "1250500000000000000000"',
    }),
    createScalar({
      name: "SafeInt",
      description:
        "A whole number between -(2^53 - 1) and 2^53 - 1, as a JSON number. `Int` ends at 2^31 - 1, and a rate on the chain can be larger.",
      isValid: Number.isSafeInteger,
      form: "a whole number between -(2^53 - 1) and 2^53 - 1",
    }),
    createScalar({
      name: "DateTime",
      description:
        "A time in ISO 8601; in answers always in UTC and whole seconds: `2026-03-01T12:00:00Z`. As an argument also a date, which is its start in UTC.",
      specifiedByURL: "https://scalars.graphql.org/andimarek/date-time.html",
      isValid: (value) => typeof value === "string" && parseTime(value) !== null,
      form: TIME_FORM,
    }),
    createScalar({
      name: "Address",
      description: "An address on the chain: `0x` and 40 lowercase hex digits.",
      isValid: (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value),
      form: "0x and 40 lowercase hex digits",
    }),
  ].map((scalar) => [scalar.name, scalar]),
);

/** A resolver adds no such directive to the type. */
function scalarType({ name, specifiedByURL }: GraphQLScalarType): string {
  return `scalar ${name}${specifiedByURL ? ` @specifiedBy(url: ${JSON.stringify(specifiedByURL)})` : ""}`;
}

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
    "What happened in each period of time, and what stood at its end; null with an error until the backfill is over."
    series(${SERIES_ARGUMENTS}): [SeriesPoint!]
    "The loans by cohort, and what became of them; null with an error until the backfill is over."
    cohorts(${COHORTS_ARGUMENTS}): [Cohort!]
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
function typeDefinitions({ omit }: { omit: readonly string[] }): string {
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
    ...Object.values(SCALARS).map(scalarType),
    ...["Listing", "Originator", "DeskListing"].map((node) => connectionTypes(node, { isCounted: true })),
    connectionTypes("LedgerEvent", { isCounted: false }),
    PAGE_INFO,
    QUERY,
  ].join("\n");
}

const listing = {
  listing: ({ publicId }: { publicId: string }, _: object, context: GraphqlContext) =>
    marketOf(context).listingByPublicId.get(publicId),
};

const built = new Map<boolean, GraphQLSchema>();

/** Built when first needed. Fields with the addresses of persons exist only with `exposeAccounts`. */
export function schemaFor({ exposeAccounts }: { exposeAccounts: boolean }): GraphQLSchema {
  const schema = built.get(exposeAccounts) ?? buildSchema(exposeAccounts);
  built.set(exposeAccounts, schema);
  return schema;
}

function buildSchema(exposeAccounts: boolean): GraphQLSchema {
  const schema = createExecutableSchema<GraphqlContext>({
    typeDefs: typeDefinitions({ omit: exposeAccounts ? [] : PERSONS }),
    inheritResolversFromInterfaces: true,
    resolvers: {
      Query: {
        listings: (_, args, context) =>
          ofMarket(context, { listings: args }, (market) => marketPage(market, args, context.work)),
        listing: (_, { id }: { id: string }, context) => findListing(marketOf(context), id),
        originators: (_, args, context) => originatorsPage(marketOf(context).originators, args),
        originator: (_, { publicId }: { publicId: string }, context) =>
          marketOf(context).originatorByPublicId.get(publicId),
        trading: (_, __, context) => marketOf(context).trading,
        stats: (_, __, context) => marketOf(context).stats,
        // The sums that are kept are those of the newest market alone, and a pause may bring the next one.
        series: (_, args, context) =>
          ofMarket(context, { series: args }, (market) =>
            readsRaises("series", args)
              ? context.work.inTurn(() => seriesPoints(market, args))
              : seriesPoints(market, args),
          ),
        cohorts: (_, args, context) =>
          ofMarket(context, { cohorts: args }, (market) =>
            readsRaises("cohorts", args)
              ? context.work.inTurn(() => cohorts(market, args))
              : cohorts(market, args),
          ),
        async events(_, args, context) {
          const query = readEventsQuery(args, snapshotOf(context));
          const listings = visibleIn(marketOf(context), query.originator);
          const page = await context.deps.ledger.ofListings(listings, query.ledger);
          return eventsPage(page, query, context);
        },
        health: (_, __, { deps }) => deps.health.report(),
      },
      Listing: {
        originator: ({ originator }: Listing, _, context) =>
          marketOf(context).originatorByPublicId.get(originator),
        schedule: (source: Listing, _, context) => marketOf(context).scheduleOf(source),
        async events(source: Listing, args, context) {
          const query = readEventsQuery(args, snapshotOf(context));
          return eventsPage(await context.events.load(source, query.ledger), query, context);
        },
      },
      Schedule: {
        payments: ({ payments }: Schedule, args) => latestPayments(payments, args),
        paymentCount: ({ payments }: Schedule) => payments.length,
      },
      Originator: {
        listings: (source: Originator, args, context) =>
          onePage(context, source, args, () =>
            listingsPage(source.listings, args, marketOf(context).originatorByPublicId, context.work),
          ),
      },
      Trading: { listings: (_, args, context) => deskPage(marketOf(context), args) },
      DeskListing: listing,
      Trade: listing,
      LedgerEvent: { ...listing, __resolveType: ({ kind }: LedgerEvent) => eventTypeName(kind) },
      AnomalyCounts: {
        byKind: ({ byKind }: Health["anomalies"]) =>
          Object.entries(byKind).map(([key, value]) => ({ key, value })),
      },
      ...SCALARS,
    },
  });
  // Each type follows the first field that refers to it, kinds of events first.
  const types = Object.keys(EVENTS).flatMap((name) => schema.getType(name) ?? []);
  return new GraphQLSchema({ ...schema.toConfig(), types });
}

/** The text of `schema.graphql`: the schema of a service that names no persons. */
export function sdlText(): string {
  return `${printSchema(schemaFor({ exposeAccounts: false }))}\n`;
}

function marketOf(context: GraphqlContext): Market {
  return snapshotOf(context).market;
}

/** A market field's answer to these arguments; aliases may ask for the same. */
function ofMarket<Page>(context: GraphqlContext, field: object, create: (market: Market) => Page): Page {
  const market = marketOf(context);
  return onePage(context, market, field, () => create(market));
}
