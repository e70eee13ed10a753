/**
 * Pages of originators: their arguments, and how they are found.
 * @module
 */

import {
  decodeOriginatorsCursor,
  type OriginatorsQuery,
  originatorsCursorAfter,
  queryOriginators,
} from "../market/originators-query.ts";
import type { Grade, Originator } from "../market/schema.ts";
import type { AnswerTypes } from "./answer-types.ts";
import { type Given, readArguments } from "./arguments.ts";
import { type Connection, PAGE_ARGUMENTS } from "./connection.ts";
import {
  type GraphQLFieldConfigArgumentMap,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from "./graphql-js.ts";

export type OriginatorsArguments = {
  grade?: Given<readonly Grade[]>;
  jurisdiction?: Given<string>;
  first?: Given<number>;
  after?: Given<string>;
};

export function originatorsArguments(types: AnswerTypes): GraphQLFieldConfigArgumentMap {
  return {
    grade: {
      type: new GraphQLList(new GraphQLNonNull(types.enum("Grade"))),
      description: "Only these grades.",
    },
    jurisdiction: {
      type: GraphQLString,
      description: "Only businesses of this country, ISO 3166-1 alpha-2 such as `SG`.",
    },
    ...PAGE_ARGUMENTS,
  };
}

/** The page of these originators that the arguments ask for, by public id. */
export function originatorsPage(
  originators: readonly Originator[],
  args: OriginatorsArguments,
): Connection<Originator> {
  const reader = readArguments();
  const query: OriginatorsQuery = {
    grade: reader.some("grade", args.grade),
    jurisdiction: reader.read(
      "jurisdiction",
      args.jurisdiction,
      (code) => (/^[A-Z]{2}$/.test(code) ? code : null),
      ["two capital letters, ISO 3166-1 alpha-2"],
    ),
    limit: reader.length("first", args.first),
    cursor: reader.read("after", args.after, decodeOriginatorsCursor, [
      "the endCursor of a page of this field",
    ]),
  };
  reader.end();
  const page = queryOriginators(originators, query);
  const last = page.originators.at(-1);
  return {
    nodes: page.originators,
    cursorOf: originatorsCursorAfter,
    hasNextPage: page.nextCursor !== null,
    endCursor: last === undefined ? null : originatorsCursorAfter(last),
    countAll: () =>
      queryOriginators(originators, { ...query, limit: undefined, cursor: undefined }).originators.length,
  };
}
