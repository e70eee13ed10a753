/**
 * Cost of a query: about a point for each value of its answer, and more for expensive fields.
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

/** Most points of a query. All fields of 200 listings cost less. */
export const MOST_COST = 12_500;

/** Assumed length of a list without pages. */
const LIST_LENGTH = 10;
const COST_OF_INTROSPECTION = 0.05;
const COST_OF_LEDGER_READ = 50;
/** Text fields cost about one point per 100 characters. */
const COST_OF_TEXTS: Readonly<Record<string, number>> = { "Listing.title": 2, "Listing.description": 20 };

const estimate: ComplexityEstimator = (field) =>
  costOfItself(field) + lengthOf(field) * field.childComplexity;

function costOfItself({ type, field }: ComplexityEstimatorArgs): number {
  // Introspection: tools read the whole schema, once.
  if (type.name.startsWith("__")) return COST_OF_INTROSPECTION;
  const isLedgerRead = getNamedType(field.type).name === "LedgerEventConnection";
  return isLedgerRead ? 1 + COST_OF_LEDGER_READ : (COST_OF_TEXTS[`${type.name}.${field.name}`] ?? 1);
}

/** How often the answer repeats the field's selection. */
function lengthOf({ type, field, args }: ComplexityEstimatorArgs): number {
  const length = field.args.find(({ name }) => name === "first" || name === "last");
  if (length !== undefined) {
    const most: unknown = args[length.name];
    // A length out of range costs the nearest allowed one; the field itself refuses it.
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
 * @throws a GraphQLError for variables of the wrong type
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
