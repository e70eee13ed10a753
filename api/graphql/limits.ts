/** @module Limits of a query. Each is checked before anything is resolved, and its error says what it is. */
import type { ComplexityEstimator, ComplexityEstimatorArgs } from "graphql-query-complexity";
import type { Plugin } from "graphql-yoga";
import { LONGEST_PAGE, PAGE_LENGTH } from "../market/query-field.ts";
import { isScoped } from "../market/series-query.ts";
import { notSupported, overLimit } from "./errors.ts";
import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getComplexity,
  getNamedType,
  getNullableType,
  getOperationAST,
  isListType,
  Kind,
  maxAliasesRule,
  maxDepthRule,
  maxTokensPlugin,
  type OperationDefinitionNode,
  OperationTypeNode,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  validate,
} from "./packages.ts";
import { DEEPEST_VARIABLES, MOST_VARIABLES } from "./request.ts";

/** Assumed length of a list without pages: of most, and of these fields. */
const LIST_LENGTH = 10;
const LIST_LENGTHS: Readonly<Record<string, number>> = {
  "Query.series": 200,
  "Query.cohorts": 40,
  "Cohort.curve": 20,
};
const COST_OF_INTROSPECTION = 0.05;
/** Text fields cost about one point per 100 characters. */
const COST_OF_TEXTS: Readonly<Record<string, number>> = { "Listing.title": 2, "Listing.description": 20 };

const estimate: ComplexityEstimator = (field) =>
  costOfItself(field) + lengthOf(field) * field.childComplexity;

function costOfItself({ type, field, args }: ComplexityEstimatorArgs): number {
  // Introspection: tools read the whole schema, once.
  if (type.name.startsWith("__")) return COST_OF_INTROSPECTION;
  const isOverTime = field.name === "series" || field.name === "cohorts";
  if (isOverTime && isScoped(args)) return 1 + LIMITS.costOfScope;
  const isLedgerRead = getNamedType(field.type).name === "LedgerEventConnection";
  return isLedgerRead ? 1 + LIMITS.costOfEvents : (COST_OF_TEXTS[`${type.name}.${field.name}`] ?? 1);
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
  if (isOfPage || !isListType(getNullableType(field.type))) return 1;
  return LIST_LENGTHS[`${type.name}.${field.name}`] ?? LIST_LENGTH;
}

type CostParameters = {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
};

/** The points of an operation with these variables. @throws a GraphQLError for variables of the wrong type */
function costOf({ schema, document, operation, variables }: CostParameters): number {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return getComplexity({
    schema,
    query: { kind: Kind.DOCUMENT, definitions: [operation, ...fragments] },
    variables,
    estimators: [estimate],
  });
}

export const LIMITS = {
  /** words and signs of the document */
  tokens: 1_000,
  /** fields within fields; those of `__schema` are bounded by the cost alone */
  depth: 12,
  aliases: 15,
  /** characters of an alias: the answer repeats it with its field */
  alias: 100,
  /** points, see `costOf`; all fields of 200 listings cost less */
  cost: 15_400,
  /** points of a page of events, which is read from the database */
  costOfEvents: 50,
  /** points of a series or cohorts of some raises only: up to 5,000 of them are read in full */
  costOfScope: 3_000,
  variables: MOST_VARIABLES,
  variableLevels: DEEPEST_VARIABLES,
  /** tests of a raise by a filter; no page begins after so many. With one filter, a market of 250,000 raises is searched and counted within them. */
  tests: 500_000,
} as const;

/** Options of the packages: a limit, and the error of a query beyond it. */
const limitOptions = (code: string, limit: number) => ({
  n: limit,
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, error: GraphQLError) => {
      const over = overLimit(code, error.message.replace(/^Syntax Error: /, ""), limit);
      // The parser has no context: it must stop reading at what it rejects.
      if (context === null) throw over;
      context.reportError(over);
    },
  ],
});

const depthRule = maxDepthRule({ ...limitOptions("QUERY_TOO_DEEP", LIMITS.depth), flattenFragments: true });
const aliasesRule = maxAliasesRule(limitOptions("TOO_MANY_ALIASES", LIMITS.aliases));

const onlyQueries: ValidationRule = (context) => ({
  OperationDefinition({ operation }) {
    if (operation === OperationTypeNode.QUERY) return;
    context.reportError(notSupported(operation));
  },
});

const shortAliases: ValidationRule = (context) => ({
  Field({ alias }) {
    if (alias === undefined || alias.value.length <= LIMITS.alias) return;
    const message = `An alias has at most ${LIMITS.alias} characters here.`;
    context.reportError(overLimit("ALIAS_TOO_LONG", message, LIMITS.alias));
  },
});

/** Checks the limits first: the rules of the language take longer, the more there is. */
const validateWithin: typeof validate = (schema, document) => {
  const over = validate(schema, document, [onlyQueries, depthRule, aliasesRule, shortAliases]);
  return over.length > 0 ? over : validate(schema, document, specifiedRules);
};

export function limitPlugins(): Plugin[] {
  return [
    maxTokensPlugin(limitOptions("TOO_MANY_TOKENS", LIMITS.tokens)),
    { onValidate: ({ setValidationFn }) => setValidationFn(validateWithin) },
    {
      onExecute({ args, setExecuteFn, setResultAndStopExecution }) {
        // graphql-js's own: it keeps the fields of an answer in the order of the query.
        setExecuteFn(execute);
        const error = costError(args);
        if (error !== null) setResultAndStopExecution({ errors: [error] });
      },
    },
  ];
}

type Execution = Parameters<NonNullable<Plugin["onExecute"]>>[0]["args"];

/** The error of an operation that costs too much or has variables of the wrong type; null otherwise. */
function costError({ schema, document, operationName, variableValues }: Execution): GraphQLError | null {
  const operation = getOperationAST(document, operationName);
  // yoga has looked for it and answered.
  if (!operation) return null;
  try {
    const cost = costOf({ schema, document, operation, variables: variableValues ?? {} });
    if (cost <= LIMITS.cost) return null;
    const message = `The query costs ${Math.ceil(cost)} points, about one for each value of its answer, ${LIMITS.costOfEvents} more for a page of events and ${LIMITS.costOfScope} for a series or cohorts of some raises; at most ${LIMITS.cost} are allowed. A smaller \`first\` costs less.`;
    return overLimit("QUERY_TOO_COSTLY", message, LIMITS.cost);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    // Nested fragments can expand a few words to an enormous number of fields.
    const isEndless = error.message.startsWith("Query exceeds");
    return isEndless ? overLimit("QUERY_TOO_COSTLY", error.message, LIMITS.cost) : error;
  }
}
