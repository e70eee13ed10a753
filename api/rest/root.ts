/** @module The base URL: links to the description and to every path without a parameter. */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { fileAnswers } from "../http/described-answers.ts";
import { type Body, jsonBody } from "../http/etagged-body.ts";
import { PATHS } from "../http/links.ts";
import { url } from "../market/fields.ts";

const rootSchema = z
  .object({
    description: url("The description of the read interface, in OpenAPI"),
    documentation: url("Each interface, with snippets to paste"),
    reference: url("The API reference, to read and try in a browser"),
    endpoints: z
      .record(z.string(), url("Where to ask"))
      .openapi({ description: "Paths without a parameter, by the operation's id in the description." }),
  })
  .openapi("Root");

type Route = Pick<RouteConfig, "path" | "operationId">;

/** As in every example. */
const EXAMPLE_URL = "https://raises.example";

/** The base URL has no path in a description whose paths are relative to it. */
export function rootRoute(routes: readonly Route[]): RouteConfig {
  const example = rootOf(EXAMPLE_URL, routes);
  return {
    method: "get",
    path: "/v1",
    operationId: "getRoot",
    summary: "API index",
    description: "Links to the description and to every path without a parameter.",
    tags: ["Service"],
    responses: fileAnswers("The links.", { "application/json": { schema: rootSchema, example } }),
  };
}

/** @param routes those below the base URL */
export function rootBody(publicUrl: string, routes: readonly Route[]): Body {
  return jsonBody(rootOf(publicUrl, routes));
}

function rootOf(publicUrl: string, routes: readonly Route[]): z.infer<typeof rootSchema> {
  return {
    description: publicUrl + PATHS.openApi,
    documentation: publicUrl + PATHS.developers,
    reference: publicUrl + PATHS.reference,
    endpoints: Object.fromEntries(
      routes
        .filter(({ path }) => !path.includes("{"))
        .map(({ path, operationId }) => [operationId, `${publicUrl}/v1${path}`]),
    ),
  };
}
