/**
 * The GraphQL schema with its resolvers.
 * @module
 */
import type { Health } from "../health/schema.ts";
import { visibleIn } from "../ledger/pages.ts";
import { eventTypeName, type LedgerEvent, PERSONS } from "../ledger/schema.ts";
import { findListing, type Market } from "../market/market.ts";
import type { Listing, Originator, Schedule } from "../market/schema.ts";
import { EVENTS } from "./answer-types.ts";
import { type GraphqlContext, onePage, snapshotOf } from "./context.ts";
import { eventsPage, readEventsQuery } from "./event-pages.ts";
import { deskPage, latestPayments, listingsPage, originatorsPage } from "./market-pages.ts";
import { createExecutableSchema, GraphQLSchema, printSchema } from "./packages.ts";
import { SCALARS } from "./scalars.ts";
import { typeDefinitions } from "./type-definitions.ts";

const listing = {
  listing: ({ publicId }: { publicId: string }, _: object, context: GraphqlContext) =>
    marketOf(context).listingByPublicId.get(publicId),
};

const built = new Map<boolean, GraphQLSchema>();

/**
 * One of the two possible schemas, built when first needed. Fields with the addresses of persons exist only with
 * `exposeAccounts`.
 */
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
        listings: (_, args, context) => {
          const { listings, originatorByPublicId } = marketOf(context);
          return listingsPage(listings, args, originatorByPublicId);
        },
        listing: (_, { id }: { id: string }, context) => findListing(marketOf(context), id),
        originators: (_, args, context) => originatorsPage(marketOf(context).originators, args),
        originator: (_, { publicId }: { publicId: string }, context) =>
          marketOf(context).originatorByPublicId.get(publicId),
        trading: (_, __, context) => marketOf(context).trading,
        stats: (_, __, context) => marketOf(context).stats,
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
            listingsPage(source.listings, args, marketOf(context).originatorByPublicId),
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
