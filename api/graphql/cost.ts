/**
 * What a query costs: about as many points as its answer has values, and more for what takes work.
 * @module
 */

import type { ComplexityEstimator, ComplexityEstimatorArgs } from "graphql-query-complexity";
import { LONGEST_PAGE, PAGE_LENGTH } from "./connection.ts";
import {
  type DocumentNode,
  type GraphQLSchema,
  isListType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
} from "./graphql-js.ts";
import { getComplexity } from "./packages.ts";

/** Points of a query at most. All fields of 200 listings cost less. */
export const MOST_COST = 12_000;

/** How long a list without pages is taken to be. */
const LIST_LENGTH = 10;
/** Of texts about a point for each hundred characters that they can have. */
const COST_OF_TITLE = 2;
const COST_OF_DESCRIPTION = 20;
const COST_OF_INTROSPECTION = 0.05;
const COST_OF_LEDGER_READ = 50;

type Costs = { extensions: { complexity: (field: ComplexityEstimatorArgs) => number } };
const costing = (complexity: Costs["extensions"]["complexity"]): Costs => ({ extensions: { complexity } });

/** For a field that is a page: what it asks of a node, as many times as the page has nodes. */
export const costOfPage = costing(pageCost);
/** The same, for a page that is read from the ledger. */
export const costOfLedgerRead = costing((field) => COST_OF_LEDGER_READ + pageCost(field));
/** For a field that is the latest of a list. */
export const costOfLatest = costing(({ args, childComplexity }) => listCost(args.last, childComplexity));
export const costOfTitle = costing(() => COST_OF_TITLE);
export const costOfDescription = costing(() => COST_OF_DESCRIPTION);

function pageCost({ args, childComplexity }: ComplexityEstimatorArgs): number {
  return listCost(args.first, childComplexity);
}

function listCost(most: unknown, costOfItem: number): number {
  // What is not allowed costs what is: the field itself says why it is refused.
  const length = typeof most === "number" ? Math.min(Math.max(most, 1), LONGEST_PAGE) : PAGE_LENGTH;
  return 1 + length * costOfItem;
}

const estimate: ComplexityEstimator = (field) => {
  const { complexity } = field.field.extensions;
  if (typeof complexity === "function") return complexity(field);
  const type = isNonNullType(field.field.type) ? field.field.type.ofType : field.field.type;
  const times = isListType(type) && !isOfPage(field) ? LIST_LENGTH : 1;
  // What the schema says of itself is read by tools, whole and once.
  const own = field.type.name.startsWith("__") ? COST_OF_INTROSPECTION : 1;
  return own + times * field.childComplexity;
};

/** Whether the field is a page's list of nodes or edges: the page counts them. */
function isOfPage({ type }: ComplexityEstimatorArgs): boolean {
  return type.name.endsWith("Connection");
}

export type CostParameters = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
};

/** The points of an operation with these variables. Throws a GraphQLError when they are not of their types. */
export function costOf({ schema, document, operation, variables }: CostParameters): number {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return getComplexity({
    schema,
    query: { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] },
    variables,
    estimators: [estimate],
  });
}
