/**
 * The machine description of the read interface: OpenAPI 3.1.0, version 1.0.0, from the zod schemas.
 * Interface document, "Discovery and agent-facing files" and "Versioning".
 * @module
 */
import { OpenAPIHono, z } from "@hono/zod-openapi";
import { anyPathAnswers } from "./described-answers.ts";
import * as ledgerRoutes from "./ledger-routes.ts";
import * as routes from "./routes.ts";

/** As they are read. Not `Object.values(routes)`: the order of a module's names depends on what runs it. */
const IN_ORDER = [
  routes.listListings,
  routes.listListingsCsv,
  routes.getListing,
  routes.getSchedule,
  routes.listOriginators,
  routes.getOriginator,
  routes.getStats,
  ledgerRoutes.listEvents,
  ledgerRoutes.listEventsCsv,
  ledgerRoutes.listListingEvents,
  ledgerRoutes.listListingEventsCsv,
  ledgerRoutes.listAnomalies,
  routes.health,
  routes.ready,
  routes.getAudit,
];

/** The description of a service whose site root is `publicUrl`; its paths are relative to `${publicUrl}/v1`. */
export function describeApi(publicUrl: string) {
  const described = new OpenAPIHono();
  for (const route of IN_ORDER) described.openAPIRegistry.registerPath(route);
  described.openAPIRegistry.registerPath({
    method: "get",
    path: "/openapi.json",
    operationId: "getOpenApi",
    summary: "This description",
    description: "The machine description of the read interface.",
    tags: ["Service"],
    servers: [{ url: publicUrl, description: "Site root" }],
    responses: {
      200: {
        description: "OpenAPI 3.1.0.",
        content: { "application/json": { schema: z.record(z.string(), z.unknown()) } },
      },
      304: { description: "Not modified: the `If-None-Match` tag is current." },
      ...anyPathAnswers,
    },
  });
  return described.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Raisebook",
      version: "1.0.0",
      description: [
        "Public, read-only, without credentials: the raises (listings) and the businesses that run them (originators).",
        "Amounts are decimal strings in base units with 18 decimals, rates integers in basis points, addresses lowercase hex, times ISO 8601 in UTC.",
        "An `onchainId` is unique only together with its `escrowAddress`. All values are test data on chain 97 with no real value.",
        "Please identify your client with a `User-Agent` header.",
      ].join(" "),
      license: { name: "MIT", url: "https://opensource.org/license/mit" },
    },
    servers: [{ url: `${publicUrl}/v1`, description: "Read interface" }],
    security: [],
    tags: [
      { name: "Market", description: "Listings, originators and the secondary desk." },
      { name: "Ledger", description: "What happened on the chain, and what of it did not add up." },
      { name: "Service", description: "How the service is doing, and its description." },
    ],
  });
}
