/** @module The GraphQL face: the shapes of REST, typed and linked, several in one request, of the same market. */
import type { Plugin } from "graphql-yoga";
import type { Hono } from "hono";
import { LRUCache } from "lru-cache";
import { oneLine } from "../../config/format/untrusted-text.ts";
import type { Logger } from "../../config/log.ts";
import { whenAsked } from "../../config/when-asked.ts";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import { type Body, createBody } from "../http/etagged-body.ts";
import { linkHeader, linksOfPage, PATHS } from "../http/links.ts";
import type { Slots } from "../http/slots.ts";
import { inStep, ReorganisingError } from "../ledger/in-step.ts";
import { createOnce } from "../ledger/once.ts";
import type { LedgerQueries } from "../ledger/read.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { GraphqlContext, GraphqlDependencies } from "./context.ts";
import {
  badRequest,
  createEndpoint,
  type EndpointParameters,
  type Executed,
  JSON_TYPES,
} from "./endpoint.ts";
import { databaseSilent, REFUSED, reorganising } from "./errors.ts";
import { createEventLoader } from "./event-loader.ts";
import { LIMITS, limitPlugins } from "./limits.ts";
import {
  createYoga,
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  isInterfaceType,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from "./packages.ts";
import { readUrl } from "./request.ts";
import { schemaFor } from "./schema.ts";
import { type DescribedType, describeTypes } from "./types.ts";
import { createWork } from "./work.ts";

/** Limits in characters for all cached queries, and for one of them: clients may send any number and size. */
const MOST_CHARACTERS = 64 * 1024;
const MOST_OF_ONE = 8 * 1024;

/** The URL that yoga sees. Requests from outside are parsed before, never by yoga. */
const INSIDE = "http://127.0.0.1/graphql";

/** Parsed and validated documents by their text; clients use few different ones. */
function createDocumentCache(): LRUCache<string, DocumentNode> {
  return new LRUCache({
    maxSize: MOST_CHARACTERS,
    maxEntrySize: MOST_OF_ONE,
    sizeCalculation: (_, text) => Math.max(1, text.length),
  });
}

const NO_CACHE = { get: () => undefined, set: () => {} };

export type GraphqlFace = {
  /** the endpoint, to be mounted at its path */
  routes: Hono;
  /** Answers the query of a URL, for a page that shows the answer. */
  run(parameters: URLSearchParams): Promise<Pick<Executed, "status" | "text">>;
  types(): readonly DescribedType[];
};

/** The face over the service's market. @param deps with the slots of all expensive questions */
export function createGraphql({ slots, ...deps }: GraphqlDependencies & { slots: Slots }): GraphqlFace {
  const schema = whenAsked(() => schemaFor(deps));
  const once = createOnce<Executed>();
  const yoga = whenAsked(() => yogaOf(schema(), deps.log));

  const execute: EndpointParameters["execute"] = (request, type, requestId) => {
    const headers = { "Content-Type": "application/json", Accept: type };
    const init = { method: "POST", headers, body: JSON.stringify(request) };
    const run = async (snapshot: Snapshot | null, ledger: LedgerQueries) => {
      const result = { hasErrors: false };
      const context: GraphqlContext = {
        deps: { ...deps, ledger },
        snapshot,
        events: createEventLoader(ledger),
        pages: new WeakMap(),
        work: createWork(),
        requestId,
        result,
      };
      const response = await yoga().fetch(INSIDE, init, context);
      return {
        status: response.status,
        retryAfter: response.headers.get("Retry-After"),
        text: await response.text(),
        hasErrors: result.hasErrors,
        snapshot,
      };
    };
    const key = `${type} ${init.body}`;
    return inStep(deps, async (snapshot, ledger) => {
      // One slot per attempt, so that waiting for the market holds none.
      const work = () => slots.take(() => run(snapshot, ledger));
      if (snapshot === null) return work();
      let isOwn = false;
      const answer = await once(snapshot, key, () => {
        isOwn = true;
        return work();
      });
      // An error names its request, and may come from a page that did not match the other request's market.
      return answer.hasErrors && !isOwn ? work() : answer;
    });
  };

  const { publicUrl } = deps.publicSettings;
  return {
    routes: createEndpoint({
      description: whenAsked(() => describeEndpoint(publicUrl, schema())),
      links: linkHeader(linksOfPage(publicUrl, PATHS.graphqlPage)),
      execute,
    }),
    async run(parameters) {
      const request = readUrl(parameters);
      // In this type the status says whether the query was answered.
      return typeof request === "string" ? badRequest(request) : execute(request, JSON_TYPES[1], "");
    },
    types: () => describeTypes(schema()),
  };
}

/** Executes requests. */
function yogaOf(schema: GraphQLSchema, log: Logger) {
  return createYoga<GraphqlContext>({
    schema,
    plugins: [...limitPlugins(), maskErrors(log)],
    graphqlEndpoint: "/graphql",
    // `maskErrors` does it, because it knows the request.
    maskedErrors: false,
    parserAndValidationCache: { documentCache: createDocumentCache(), errorCache: NO_CACHE },
    logging: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
  });
}

/** The text for clients other than browsers that open the endpoint without a query: how to query, and the schema. */
function describeEndpoint(publicUrl: string, schema: GraphQLSchema): Body {
  const text = `# Raisebook in GraphQL: public, read-only, without authentication.
#
# Send a query with POST as JSON, {"query": "…", "variables": {…}}, or with GET as ?query=…, to ${publicUrl}/graphql
# To try queries in a browser: ${publicUrl}${PATHS.graphqlPage}. Limits of a query: ${LIMITS.tokens} tokens, ${LIMITS.depth} levels,
# ${LIMITS.aliases} aliases, ${LIMITS.cost} points of cost (about one for each value of the answer).
# All limits: ${publicUrl}/developers/limits
#
# The schema:

${shortSdlOf(schema)}
`;
  return createBody("text/plain; charset=utf-8", Buffer.from(text));
}

/** The schema in which types leave the descriptions of an interface's fields to the interface. */
function shortSdlOf(schema: GraphQLSchema): string {
  const ofInterfaces = ({ interfaces = [] }: ObjectTypeDefinitionNode) =>
    new Set(
      interfaces.flatMap(({ name }) => {
        const type = schema.getType(name.value);
        return isInterfaceType(type) ? Object.keys(type.getFields()) : [];
      }),
    );
  return print(
    visit(parse(printSchema(schema)), {
      ObjectTypeDefinition(node) {
        const described = ofInterfaces(node);
        const fields = node.fields?.map((field) =>
          described.has(field.name.value) ? { ...field, description: undefined } : field,
        );
        return { ...node, fields };
      },
    }),
  );
}

/** Characters of a message; the libraries repeat in theirs what was sent. */
const LONGEST_MESSAGE = 400;
/** Far more than readers need. */
const MOST_ERRORS = 100;

/**
 * Masks errors before they leave the endpoint: each has a code and is short, nothing in it acts on a terminal, and a failure
 * inside shows only that there was one.
 */
function maskErrors(log: Logger): Plugin<GraphqlContext, GraphqlContext> {
  return {
    onExecutionResult({ result, setResult, context }) {
      // There are neither batches nor streams.
      const { errors, ...rest } = result as ExecutionResult;
      if (errors === undefined) return;
      context.result.hasErrors = true;
      const isPartial = rest.data !== undefined && rest.data !== null;
      const masked = errors.slice(0, MOST_ERRORS).map((error) => {
        const cause = causeOf(error);
        // Such a query is retried; it is waiting, not failing.
        if (cause !== null && !(cause instanceof ReorganisingError)) {
          const { requestId } = context;
          log.error({ msg: "A query failed", requestId, path: error.path?.join("."), error: cause });
        }
        return publicError(error, cause === null ? coded(error) : failure(cause, context), isPartial);
      });
      setResult({ ...rest, errors: masked });
    },
  };
}

type Shown = { message: string; extensions: Record<string, unknown> };

function publicError(
  { nodes, source, positions, path }: GraphQLError,
  { message, extensions: { http, ...others } }: Shown,
  isPartial: boolean,
): GraphQLError {
  return new GraphQLError(oneLine(message, LONGEST_MESSAGE), {
    nodes,
    source,
    positions,
    path,
    // The status is for the whole answer; a partial one is still an answer.
    extensions: isPartial ? others : { ...others, http },
  });
}

/** The failure inside; null for an error that is the caller's to read. */
function causeOf(error: Error): Error | null {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError === undefined ? null : causeOf(error.originalError);
}

function coded({ message, extensions }: GraphQLError): Shown {
  if (typeof extensions.code === "string") return { message, extensions };
  // Errors that the libraries leave without a code: syntax errors, and variables of the wrong type.
  const code = message.startsWith("Syntax Error") ? "GRAPHQL_PARSE_FAILED" : "BAD_USER_INPUT";
  return { message, extensions: { ...extensions, code, http: REFUSED } };
}

function failure(cause: Error, { requestId }: GraphqlContext): Shown {
  if (cause instanceof DatabaseSilentError) return databaseSilent();
  if (cause instanceof ReorganisingError) return reorganising(cause);
  return {
    message: "Something went wrong here; the request id leads to it.",
    extensions: { code: "INTERNAL_SERVER_ERROR", requestId, http: { status: 500 } },
  };
}
