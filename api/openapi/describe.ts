/** @module OpenAPI 3.1.0 from the zod schemas. Interface document, "Discovery and agent-facing files" and "Versioning". */
import { OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { DEFAULT_CHAIN_ID } from "../../config/defaults.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import type { FollowedContracts } from "../../src/contracts/describe.ts";
import { DISCOVERY_ROUTES } from "../discovery/routes.ts";
import { GRAPHQL_ROUTES } from "../graphql/routes.ts";
import { HEADER_COMPONENTS } from "../http/described-headers.ts";
import { EXPENSIVE_REQUESTS } from "../http/problem.ts";
import { TOOL_ROUTES } from "../mcp/routes.ts";
import { REST_ROUTES } from "../rest/index.ts";
import { rootRoute } from "../rest/root.ts";
import { PAGE_ROUTES } from "../site/routes.ts";
import { API_VERSION } from "../version.ts";
import recorded from "./examples.json" with { type: "json" };

/**
 * The description of a service whose site root is `publicUrl`; its paths are relative to `${publicUrl}/v1`.
 * @param contracts named if they are an operator's own
 */
export function describeApi(
  {
    publicUrl,
    chainId,
    contact = null,
  }: Pick<PublicSettings, "publicUrl" | "chainId"> & Partial<Pick<PublicSettings, "contact">>,
  contracts: Pick<FollowedContracts, "name" | "isModule" | "decimals"> | null = null,
) {
  const described = new OpenAPIHono();
  for (const { component, header } of HEADER_COMPONENTS) {
    described.openAPIRegistry.registerComponent("headers", component, header);
  }
  const readInterface = { url: `${publicUrl}/v1`, description: "Read interface" };
  const siteRoot = { url: publicUrl, description: "Site root" };
  const atRoot = [
    rootRoute(REST_ROUTES),
    ...TOOL_ROUTES,
    ...GRAPHQL_ROUTES,
    ...PAGE_ROUTES,
    ...DISCOVERY_ROUTES,
  ].map((route) => ({
    ...route,
    // The tool endpoint has two addresses.
    servers: route.path.startsWith("/mcp") ? [readInterface, siteRoot] : [siteRoot],
  }));
  for (const route of [...REST_ROUTES, ...atRoot]) described.openAPIRegistry.registerPath(withTags(route));
  const document = described.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Raisebook",
      version: API_VERSION,
      description: [
        "Public, read-only, without credentials: the raises (listings) and the businesses that run them (originators).",
        "Amounts are decimal strings in base units with 18 decimals, rates integers in basis points, addresses lowercase hex, times ISO 8601 in UTC.",
        ...(contracts?.isModule ? [aboutContracts(contracts, publicUrl)] : []),
        `An \`onchainId\` is unique only together with its \`escrowAddress\`. All values are test data on chain ${chainId} with no real value.`,
        "Every path that answers GET answers HEAD, with the same headers, and OPTIONS (CORS, every origin); any other method is a 405 with `Allow` and an unknown path a 404, both as `application/problem+json`; outside of `/v1`, browsers get a page.",
        `Bodies are compressed with br or gzip for clients that accept it. Where the operator limits clients, every answer has \`RateLimit-Policy\` and \`RateLimit\`, and requests above the limit get a 429 \`too_many_requests\` with \`Retry-After\`. Expensive requests (${EXPENSIVE_REQUESTS}) also get one while too many of all callers wait, those about the past also when too many have just needed the chain. Please be reasonable, and identify your client with a \`User-Agent\` header.`,
      ].join(" "),
      ...(contact === null ? {} : { contact }),
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [readInterface],
    security: [],
    externalDocs: {
      description: "How to read the API: the knowledge base",
      url: `${publicUrl}/knowledge/reading-the-api`,
    },
    tags: tagsOf(publicUrl),
  });
  return withExamples(document);
}

function aboutContracts(
  { name, decimals }: Pick<FollowedContracts, "name" | "decimals">,
  publicUrl: string,
): string {
  return `The contracts are those of ${name}, whose dollar has ${decimals} decimals on the chain: ${publicUrl}/developers#contracts has each of their events with the kind of event that it is here.`;
}

const ifNoneMatch = z.object({
  "if-none-match": z
    .string()
    .optional()
    .openapi({ description: "Tags that the client has; a current one is answered with 304." }),
});

/** The route, with the header that a 304 answers to where it has one. */
function withTags(route: RouteConfig): RouteConfig {
  if (!("304" in route.responses)) return route;
  return { ...route, request: { headers: ifNoneMatch, ...route.request } };
}

function tagsOf(publicUrl: string) {
  const about = (slug: string, description: string) => ({
    externalDocs: { url: `${publicUrl}/knowledge/${slug}`, description },
  });
  return [
    {
      name: "Market",
      description: "Listings, originators and the secondary desk.",
      ...about("how-raises-work", "How raises work"),
    },
    {
      name: "Ledger",
      description: "Events of the chain, and its anomalies.",
      ...about("refunds-and-reserve", "Refunds and the reserve"),
    },
    {
      name: "Proofs",
      description: "Evidence that needs no trust in the service: `docs/proofs.md` of the project.",
    },
    { name: "Service", description: "Health and audit of the service." },
    {
      name: "Tools",
      description: "The tool endpoint for agents: Model Context Protocol.",
      ...about("using-the-tools", "Using the tools"),
    },
    { name: "GraphQL", description: "The same facts, chosen field by field." },
    {
      name: "Discovery",
      description: "Files at the root of the site that lead agents and developers to everything else.",
    },
    { name: "Pages", description: "The public site: every page as HTML and as Markdown." },
  ];
}

/**
 * A body for each media type by status; `request` is the body sent, if any, `asked` the path of the request that was
 * answered with 200, and `leftOut` how many items each list of the example lacks, by JSON pointer.
 */
type RecordedAnswers = Record<string, Record<string, unknown>>;
type Recorded = Record<string, RecordedAnswers>;

type Media = Record<string, { example?: unknown }>;
type Described = {
  operationId?: string;
  requestBody?: { content: Media };
  responses: Record<string, { content?: Media }>;
};

type Schema = {
  $ref?: string;
  oneOf?: readonly { $ref: string }[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  example?: unknown;
};

/** The description with the recorded answers, and an example of every kind of event. */
function withExamples<Document extends { paths?: object; components?: object }>(
  document: Document,
): Document {
  const all: Recorded = recorded;
  const paths = Object.entries(document.paths ?? {}).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Described>).map(([method, operation]) => [
      method,
      illustrated(operation, all[operation.operationId ?? ""]),
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, schemas: withEvents(document.components ?? {}) },
  };
}

/**
 * The schemas, each kind of event with an example: those of its fields together, without fields that are not public. A
 * recorded page has the latest events of the demo alone.
 */
function withEvents({ schemas = {} }: { schemas?: Record<string, Schema> }): Record<string, Schema> {
  const named = ({ $ref = "" }: Schema) => $ref.replace("#/components/schemas/", "");
  const exampleOf = (field: Schema): unknown => field.example ?? schemas[named(field)]?.example;
  const kinds = new Set((schemas.LedgerEvent?.oneOf ?? []).map(named));
  const described = Object.entries(schemas).map(([name, schema]) => {
    if (!kinds.has(name)) return [name, schema];
    const { properties = {}, required = [] } = schema;
    const example = required.map((field) => [field, exampleOf(properties[field] ?? {})]);
    return [name, { ...schema, example: Object.fromEntries(example) }];
  });
  return Object.fromEntries(described);
}

function illustrated(operation: Described, answers: RecordedAnswers | undefined): Described {
  if (answers === undefined) return operation;
  const { requestBody, responses } = operation;
  const request = requestBody && {
    ...requestBody,
    content: withExample(requestBody.content, answers.request),
  };
  const described = Object.entries(responses).map(([status, answer]) => {
    const { content } = answer;
    return [
      status,
      content === undefined ? answer : { ...answer, content: withAnswer(content, status, answers) },
    ];
  });
  return {
    ...operation,
    ...(request === undefined ? {} : { requestBody: request }),
    responses: Object.fromEntries(described),
  };
}

function withAnswer(content: Media, status: string, answers: RecordedAnswers): Media {
  const { asked = {}, leftOut = {} } = answers;
  const answered = withExample(content, answers[status]);
  if (status !== "200") return answered;
  return Object.fromEntries(
    Object.entries(answered).map(([type, media]) => {
      if (!(type in asked)) return [type, media];
      const more = type in leftOut ? { "x-left-out": leftOut[type] } : {};
      return [type, { ...media, "x-request": asked[type], ...more }];
    }),
  );
}

function withExample(content: Media, examples: Record<string, unknown> = {}): Media {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      type in examples ? { ...media, example: examples[type] } : media,
    ]),
  );
}

/** The values of the demo, and the daemon's defaults. */
const DEFAULTS = { publicUrl: "http://127.0.0.1:42069", chainId: DEFAULT_CHAIN_ID };

export function openApiText(): string {
  return `${JSON.stringify(describeApi(DEFAULTS), null, 2)}\n`;
}
