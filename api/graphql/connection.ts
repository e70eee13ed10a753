/**
 * Pages in the form that users of GraphQL know: connections with nodes, edges and cursors.
 * @module
 */

import type { Fields } from "./answer-types.ts";
import {
  GraphQLBoolean,
  type GraphQLFieldConfigArgumentMap,
  GraphQLInt,
  type GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "./graphql-js.ts";
import { safeIntScalar } from "./scalars.ts";

/** How many nodes a page has, unless the caller says so. */
export const PAGE_LENGTH = 50;
export const LONGEST_PAGE = 200;

/** A page as the resolvers of a connection get it. */
export type Connection<Node> = {
  nodes: readonly Node[];
  /** where a page begins that has what comes after this node */
  cursorOf(node: Node): string;
  hasNextPage: boolean;
  endCursor: string | null;
  /** how many there are on all pages; left out where nobody counts them */
  countAll?: () => number;
};

/** What every connection takes. */
export const PAGE_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  first: {
    type: GraphQLInt,
    defaultValue: PAGE_LENGTH,
    description: `How many at most, 1 to ${LONGEST_PAGE}.`,
  },
  after: {
    type: GraphQLString,
    description: "Goes on after this cursor: the `endCursor` of the page before, with the same order.",
  },
};

const pageInfoType = new GraphQLObjectType({
  name: "PageInfo",
  description: "Where a page ends.",
  fields: {
    endCursor: {
      type: GraphQLString,
      description: "The `after` of the next page; null when the page is empty.",
    },
    hasNextPage: {
      type: new GraphQLNonNull(GraphQLBoolean),
      description: "Whether there is more after this page.",
    },
  },
});

export type ConnectionParameters = {
  /** name of the nodes' type, for the names of the connection and its edges */
  name: string;
  node: GraphQLObjectType | GraphQLInterfaceType;
  isCounted: boolean;
};

/** The type of pages of these nodes. */
export function createConnectionType({ name, node, isCounted }: ConnectionParameters): GraphQLObjectType {
  type Edge = { cursor: string; node: unknown };
  const edge = new GraphQLObjectType({
    name: `${name}Edge`,
    description: "A node and its place.",
    fields: () => ({
      cursor: {
        type: new GraphQLNonNull(GraphQLString),
        description: "The `after` of a page that begins after this node.",
      },
      node: { type: new GraphQLNonNull(node), description: "The node." },
    }),
  });
  const listOf = (type: GraphQLObjectType | GraphQLInterfaceType) =>
    new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)));
  return new GraphQLObjectType({
    name: `${name}Connection`,
    description: "A page.",
    fields: (): Fields => ({
      nodes: { type: listOf(node), description: "What the page has." },
      edges: {
        type: listOf(edge),
        description: "The same, each with its cursor.",
        resolve: ({ nodes, cursorOf }: Connection<unknown>): Edge[] =>
          nodes.map((one) => ({ cursor: cursorOf(one), node: one })),
      },
      pageInfo: {
        type: new GraphQLNonNull(pageInfoType),
        description: "Where the page ends.",
        resolve: (page: Connection<unknown>) => page,
      },
      ...(isCounted
        ? {
            totalCount: {
              type: new GraphQLNonNull(safeIntScalar),
              description: "How many there are on all pages.",
              resolve: ({ countAll }: Connection<unknown>) => countAll?.(),
            },
          }
        : {}),
    }),
  });
}
