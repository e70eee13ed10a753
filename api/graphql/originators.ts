/**
 * Pages of originators: their arguments, and how they are found.
 * @module
 */

import {
  decodeOriginatorsCursor,
  encodeOriginatorsCursor,
  type OriginatorsQuery,
  queryOriginators,
} from "../market/query-originators.ts";
import type { Grade, Originator } from "../market/schema.ts";
import { type Given, readArguments } from "./arguments.ts";
import { createConnection, PAGE_ARGUMENTS } from "./connection.ts";

export type OriginatorsArguments = {
  grade?: Given<readonly Grade[]>;
  jurisdiction?: Given<string>;
  first?: Given<number>;
  after?: Given<string>;
};

/** The arguments of the field of originators, in GraphQL's schema language. */
export const ORIGINATORS_ARGUMENTS = `
  "Only these grades."
  grade: [Grade!]
  "Only businesses of this country, ISO 3166-1 alpha-2 such as \`SG\`."
  jurisdiction: String
  ${PAGE_ARGUMENTS}`;

/** The page of these originators that the arguments ask for, by public id. */
export function originatorsPage(originators: readonly Originator[], args: OriginatorsArguments) {
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
  const all = { ...query, limit: undefined, cursor: undefined };
  return createConnection({
    nodes: page.originators,
    cursorOf: ({ publicId }) => encodeOriginatorsCursor(publicId),
    nextCursor: page.nextCursor,
    totalCount: () => queryOriginators(originators, all).originators.length,
  });
}
