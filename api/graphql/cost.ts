/**
 * Cost of a query: about a point for each value of its answer, and more for what takes work.
 * @module
 */
import type { ComplexityEstimator, ComplexityEstimatorArgs } from "graphql-query-complexity";
import { LONGEST_PAGE, PAGE_LENGTH } from "../market/query-field.ts";
import {
  type DocumentNode,
  type GraphQLSchema,
  getComplexity,
  getNamedType,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
} from "./packages.ts";

/** Points of a query at most. All fields of 200 listings cost less. */
export const MOST_COST = 12_500;

/** How long a list without pages is taken to be. */
const LIST_LENGTH = 10;
const COST_OF_INTROSPECTION = 0.05;
const COST_OF_LEDGER_READ = 50;
/** Of texts about a point for each hundred characters that they can have. */
const COST_OF_TEXTS: Readonly<Record<string, number>> = { "Listing.title": 2, "Listing.description": 20 };

const estimate: ComplexityEstimator = (field) =>
  costOfItself(field) + lengthOf(field) * field.childComplexity;

function costOfItself({ type, field }: ComplexityEstimatorArgs): number {
  // What the schema says of itself is read by tools, whole and once.
  if (type.name.startsWith("__")) return COST_OF_INTROSPECTION;
  const isLedgerRead = getNamedType(field.type).name === "LedgerEventConnection";
  return isLedgerRead ? 1 + COST_OF_LEDGER_READ : (COST_OF_TEXTS[`${type.name}.${field.name}`] ?? 1);
}

/** How many times the answer has what is asked within the field. */
function lengthOf({ type, field, args }: ComplexityEstimatorArgs): number {
  const length = field.args.find(({ name }) => name === "first" || name === "last");
  if (length !== undefined) {
    const most: unknown = args[length.name];
    // What is not allowed costs what is: the field itself says why it is refused.
    return typeof most === "number" ? Math.min(Math.max(most, 1), LONGEST_PAGE) : PAGE_LENGTH;
  }
  // A connection has counted its nodes and edges.
  const isOfPage = type.name.endsWith("Connection");
  return isListType(getNullableType(field.type)) && !isOfPage ? LIST_LENGTH : 1;
}

export type CostParameters = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
};

/**
 * The points of an operation with these variables.
 * @throws a GraphQLError when they are not of their types
 */
export function costOf({ schema, document, operation, variables }: CostParameters): number {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return getComplexity({
    schema,
    query: { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] },
    variables,
    estimators: [estimate],
  });
}
