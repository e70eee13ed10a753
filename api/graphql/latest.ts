/**
 * The end of a list that grows: its latest items, at most so many.
 * @module
 */
import { type Given, readArguments } from "./arguments.ts";
import { LONGEST_PAGE, PAGE_LENGTH } from "./connection.ts";
import { type GraphQLFieldConfigArgumentMap, GraphQLInt } from "./graphql-js.ts";

export type LatestArguments = { last?: Given<number> };

export const LATEST_ARGUMENTS: GraphQLFieldConfigArgumentMap = {
  last: {
    type: GraphQLInt,
    defaultValue: PAGE_LENGTH,
    description: `How many at most, 1 to ${LONGEST_PAGE}.`,
  },
};

/** The last items, in their order. */
export function latestOf<Item>(items: readonly Item[], { last }: LatestArguments): readonly Item[] {
  const reader = readArguments();
  const most = reader.length("last", last);
  reader.end();
  return items.slice(-most);
}
