/**
 * The GraphQL schema: the types of the REST answers, linked to each other, and the fields that a query begins with.
 * @module
 */

import { OpenAPIHono } from "@hono/zod-openapi";
import { EVENT_KINDS } from "../../src/fold/vocabulary.ts";
import { healthSchema } from "../health/schema.ts";
import { pairOf } from "../ledger/pages.ts";
import { ledgerEventSchema, PERSONS } from "../ledger/schema.ts";
import { SORTS } from "../market/listings-query.ts";
import { findListing } from "../market/project.ts";
import {
  type Listing,
  listingSchema,
  type Originator,
  originatorSchema,
  type Schedule,
  scheduleSchema,
  statsSchema,
} from "../market/schema.ts";
import { type Trading, tradingSchema } from "../market/trading-schema.ts";
import {
  type AnswerTypes,
  createAnswerTypes,
  type Difference,
  type Field,
  type Fields,
  type Schema,
  type Schemas,
} from "./answer-types.ts";
import { createConnectionType, PAGE_ARGUMENTS } from "./connection.ts";
import { type GraphqlContext, madeOnce, snapshotOf } from "./context.ts";
import { costOfDescription, costOfLatest, costOfLedgerRead, costOfPage, costOfTitle } from "./cost.ts";
import {
  createEventInterface,
  type EventsArguments,
  eventsArguments,
  eventsPage,
  readEventsArguments,
} from "./events.ts";
import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from "./graphql-js.ts";
import { LATEST_ARGUMENTS, type LatestArguments, latestOf } from "./latest.ts";
import {
  deskPage,
  type ListingsArguments,
  listingsArguments,
  listingsPage,
  ownListingsArguments,
} from "./listings.ts";
import { type OriginatorsArguments, originatorsArguments, originatorsPage } from "./originators.ts";
import { safeIntScalar } from "./scalars.ts";
import { eventTypeName } from "./words.ts";

/**
 * Builds the schema. Fields that name the addresses of persons exist only with `exposeAccounts`: without it nothing
 * here belongs to an account.
 */
export function createSchema({ exposeAccounts }: { exposeAccounts: boolean }): GraphQLSchema {
  const types: AnswerTypes = createAnswerTypes(answerSchemas(), {
    Listing: { fields: listingLinks },
    Schedule: { fields: schedulePayments },
    Originator: { fields: originatorLinks },
    Trading: { fields: tradingLinks },
    DeskListing: { fields: () => ({ listing: linkToListing() }) },
    Trade: { fields: () => ({ listing: linkToListing() }) },
    ...Object.fromEntries(
      EVENT_KINDS.map((kind): [string, Difference] => [
        eventTypeName(kind),
        {
          fields: () => ({ listing: linkToListing() }),
          interface: () => event,
          omit: exposeAccounts ? [] : PERSONS,
        },
      ]),
    ),
  });
  const listing = types.object("Listing");
  const originator = types.object("Originator");
  const event = createEventInterface(types, () => ({ listing: linkToListing() }));
  const listings = createConnectionType({ name: "Listing", node: listing, isCounted: true });
  const originators = createConnectionType({ name: "Originator", node: originator, isCounted: true });
  const events = createConnectionType({ name: "LedgerEvent", node: event, isCounted: false });

  function linkToListing(): Field {
    return {
      type: listing,
      description: "The listing; null when it is not visible any more.",
      resolve: ({ publicId }: { publicId: string }, _, context: GraphqlContext) =>
        snapshotOf(context).market.listingByPublicId.get(publicId),
    };
  }

  function listingLinks(): Fields {
    return {
      title: { ...types.field("Listing", "title"), ...costOfTitle },
      description: { ...types.field("Listing", "description"), ...costOfDescription },
      originator: {
        type: new GraphQLNonNull(originator),
        description: "The business that raises.",
        resolve: (source: Listing, _, context: GraphqlContext) =>
          snapshotOf(context).market.originatorByPublicId.get(source.originator),
      },
      schedule: {
        type: new GraphQLNonNull(types.object("Schedule")),
        description: "What is due on the raise and what was paid.",
        resolve: (source: Listing, _, context: GraphqlContext) =>
          snapshotOf(context).market.scheduleOf(source),
      },
      events: {
        type: events,
        description: "What happened to the raise on the chain, newest first.",
        args: eventsArguments(types),
        ...costOfLedgerRead,
        async resolve(source: Listing, args: EventsArguments, context: GraphqlContext) {
          const snapshot = snapshotOf(context);
          const query = readEventsArguments(args, snapshot);
          const page = await context.events.load(source, query.ledger);
          return eventsPage(page, query, { snapshot, exposeAccounts });
        },
      },
    };
  }

  function schedulePayments(): Fields {
    return {
      payments: {
        ...types.field("Schedule", "payments"),
        description: "The latest repayments, oldest first.",
        args: LATEST_ARGUMENTS,
        ...costOfLatest,
        resolve: ({ payments }: Schedule, args: LatestArguments) => latestOf(payments, args),
      },
      paymentCount: {
        type: new GraphQLNonNull(safeIntScalar),
        description: "How many repayments there are in all.",
        resolve: ({ payments }: Schedule) => payments.length,
      },
    };
  }

  function originatorLinks(): Fields {
    return {
      listings: {
        type: new GraphQLNonNull(listings),
        description: "The originator's visible listings.",
        args: ownListingsArguments(types),
        ...costOfPage,
        resolve: (source: Originator, args: ListingsArguments, context: GraphqlContext) =>
          madeOnce(context, source, args, () => listingsPage(source.listings, args)),
      },
    };
  }

  function tradingLinks(): Fields {
    const deskListing = types.object("DeskListing");
    return {
      listings: {
        type: new GraphQLNonNull(
          createConnectionType({ name: "DeskListing", node: deskListing, isCounted: true }),
        ),
        description: types.field("Trading", "listings").description,
        args: PAGE_ARGUMENTS,
        ...costOfPage,
        resolve: (_: Trading, args: ListingsArguments, context: GraphqlContext) =>
          deskPage(snapshotOf(context).market, args),
      },
    };
  }

  const query = new GraphQLObjectType({
    name: "Query",
    description:
      "The open book: raises, businesses, the secondary desk and the ledger, as of the last indexed block.",
    fields: (): Fields => ({
      listings: {
        type: new GraphQLNonNull(listings),
        description: "The visible listings, open or otherwise.",
        args: listingsArguments(types),
        ...costOfPage,
        resolve: (_: unknown, args: ListingsArguments, context: GraphqlContext) =>
          listingsPage(snapshotOf(context).market.listings, args),
      },
      listing: {
        type: listing,
        description: "A visible listing; null when there is none with this id.",
        args: {
          id: {
            type: new GraphQLNonNull(GraphQLString),
            description: "Its public id or reference number, such as `lst_bakery` or `RB00042`.",
          },
        },
        resolve: (_: unknown, { id }: { id: string }, context: GraphqlContext) =>
          findListing(snapshotOf(context).market, id),
      },
      originators: {
        type: new GraphQLNonNull(originators),
        description: "The businesses with a visible listing, by public id.",
        args: originatorsArguments(types),
        ...costOfPage,
        resolve: (_: unknown, args: OriginatorsArguments, context: GraphqlContext) =>
          originatorsPage(snapshotOf(context).market.originators, args),
      },
      originator: {
        type: originator,
        description: "A business with a visible listing; null when there is none with this id.",
        args: {
          publicId: {
            type: new GraphQLNonNull(GraphQLString),
            description: "Its public id, such as `org_northwind`.",
          },
        },
        resolve: (_: unknown, { publicId }: { publicId: string }, context: GraphqlContext) =>
          snapshotOf(context).market.originatorByPublicId.get(publicId),
      },
      trading: {
        type: new GraphQLNonNull(types.object("Trading")),
        description: "The secondary desk.",
        resolve: (_: unknown, __, context: GraphqlContext) => snapshotOf(context).market.trading,
      },
      stats: {
        type: new GraphQLNonNull(types.object("Stats")),
        description: "The visible listings in figures.",
        resolve: (_: unknown, __, context: GraphqlContext) => snapshotOf(context).market.stats,
      },
      events: {
        type: events,
        description:
          "The events of all visible listings, newest first; null with an error until the backfill is over.",
        args: eventsArguments(types),
        ...costOfLedgerRead,
        async resolve(_: unknown, args: EventsArguments, context: GraphqlContext) {
          const snapshot = snapshotOf(context);
          const query = readEventsArguments(args, snapshot);
          const pairs = snapshot.market.listings.map(pairOf);
          const page = await context.deps.ledger.ofListings(pairs, query.ledger);
          return eventsPage(page, query, { snapshot, exposeAccounts });
        },
      },
      health: {
        type: new GraphQLNonNull(types.object("Health")),
        description: "How the service is doing; answered before anything is indexed too.",
        resolve: (_: unknown, __, { deps }: GraphqlContext) => deps.health.report(),
      },
    }),
  });
  return new GraphQLSchema({
    description: "Public and read-only. Amounts are in base units with 18 decimals, rates in basis points.",
    query,
    types: EVENT_KINDS.map((kind) => types.object(eventTypeName(kind))),
  });
}

/** The schemas of the answers by name, and the words that only parameters have elsewhere. */
function answerSchemas(): Schemas {
  const described = new OpenAPIHono();
  const { openAPIRegistry: registry } = described;
  registry.register("Listing", listingSchema);
  registry.register("Originator", originatorSchema);
  registry.register("Schedule", scheduleSchema);
  registry.register("Stats", statsSchema);
  registry.register("Trading", tradingSchema);
  registry.register("LedgerEvent", ledgerEventSchema);
  registry.register("Health", healthSchema);
  const { components } = described.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Answers", version: "1" },
  });
  const choices: Record<string, Schema> = {
    EventKind: { description: "What happened.", enum: [...EVENT_KINDS] },
    ListingSort: { description: "The order of listings; ties by public id.", enum: [...SORTS] },
  };
  return { ...(components?.schemas as Schemas), ...choices };
}
