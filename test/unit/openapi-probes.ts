/** @module The requests that should bring about each of the answers that an operation of the description has. */
import { FINALIZED, HEAD } from "../harness/rows.ts";

export type Described = {
  method: string;
  operation: { operationId: string; responses: Record<string, unknown> };
  /** from the site root; with `{name}` for a parameter */
  template: string;
};

/** The state of the service when it is asked. */
export type Situation = "well" | "empty" | "busy" | "broken" | "faulty";
export type Probe = { situation: Situation; path: string; init: RequestInit };

/** Values that exist, by the name of a parameter. */
const EXAMPLES: Record<string, string> = {
  id: "lst_2",
  publicId: "org_northwind",
  event: `${FINALIZED.number}-4`,
  name: "raisebook-compare-raises",
  slug: "grades",
  group: "listings",
  table: "ledger",
};

/** Names a file of the open data, whose name depends on its bytes. @param path in the manifest */
export function nameDataFile(path: string): void {
  EXAMPLES.file = path.slice(path.indexOf("/") + 1);
}

/** A path of something that is there. */
export function concrete(template: string): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLES[name] ?? name);
}

const TYPE = { "Content-Type": "application/json" };
const MODERN = { ...TYPE, "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "no/such" };
const MODERN_META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
const LONG = "x".repeat(5_000);
const rpc = (method: string, more: object = {}) => JSON.stringify({ jsonrpc: "2.0", method, ...more });

/** Requests that should bring about each of the answers that an operation describes. */
export function probesOf({ method, operation, template }: Described): Probe[] {
  const path = concrete(template);
  const probe = (
    headers: Record<string, string> = {},
    suffix = "",
    situation: Situation = "well",
  ): Probe => ({
    situation,
    path: `${path}${suffix}`,
    init: { method, headers },
  });
  const everywhere = [probe({}, `?${LONG}`)];
  if (method === "POST") {
    const post = (body: string, headers: Record<string, string> = TYPE, situation: Situation = "well") => ({
      ...probe(headers, "", situation),
      init: { method, headers, body },
    });
    return [...everywhere, ...(template.endsWith("/mcp") ? messages(post) : queries(post))];
  }
  const missing = Object.keys(EXAMPLES).some((name) => template.includes(`{${name}}`))
    ? [{ ...probe(), path: template.replace(/\{\w+\}/, "no_such") }]
    : [];
  return [
    ...everywhere,
    ...missing,
    ...(["well", "empty", "busy", "broken", "faulty"] as const).map((situation) => probe({}, "", situation)),
    probe({ Accept: "image/png" }),
    probe({ "If-None-Match": "*" }),
    probe({}, "?no_such=1"),
    // The board redirects this to a cleaner address.
    probe({}, "?q="),
    // Pages refuse these values, and ignore parameters that they do not know.
    probe({}, "?cursor=no_such&before=no_such&page=no_such&ids=no_such&theme=no_such&by=no_such"),
    // An event of a block that is not final yet.
    ...(template.includes("{event}")
      ? [{ ...probe(), path: template.replace("{event}", `${HEAD.number}-4`) }]
      : []),
    ...(/^(\/(md|embed)\/listings\/\{id\}|\/listings\/\{id\}\/.*)$/.test(template)
      ? [{ ...probe(), path: template.replace("{id}", "RB00002") }]
      : []),
    ...(template.includes("{file}")
      ? [probe({ Range: "bytes=0-3" }), probe({ Range: "bytes=99999999-" })]
      : []),
    ...(template === "/v1/stream" ? [probe({}, "?listing=no_such")] : []),
    ...(template === "/graphql" ? queriesByUrl(probe) : []),
    ...(template === "/developers/graphql"
      ? [probe({}, "?query={nothing}"), probe({}, "?query={__typename}", "empty")]
      : []),
    ...(template.endsWith("/mcp")
      ? [probe({ Accept: "text/event-stream" }), probe({ Host: "elsewhere.example" })]
      : []),
    ...(JSON.stringify(operation).includes('"limit"')
      ? [probe({}, "?limit=1"), probe({ "If-None-Match": "*" }, "?limit=1")]
      : []),
    ...(JSON.stringify(operation).includes('"asOf"') ? [probe({}, "?asOf=1", "busy")] : []),
  ];
}

type Post = (body: string, headers?: Record<string, string>, situation?: Situation) => Probe;

function messages(post: Post): Probe[] {
  return [
    post(rpc("tools/list", { id: 1 })),
    post(rpc("tools/call", { id: "a", params: { name: "list_deals", arguments: { limit: 1 } } })),
    post(rpc("tools/call", { id: 1, params: { name: "nope" } })),
    post(rpc("notifications/initialized")),
    post("[]"),
    post("{"),
    post(rpc("tools/list", { id: 1 }), { ...TYPE, Host: "elsewhere.example" }),
    post(rpc("no/such", { id: 1, params: { _meta: MODERN_META } }), MODERN),
    post(rpc("tools/list", { id: 1 }), { ...TYPE, Accept: "text/html" }),
    post(rpc(LONG.repeat(14), { id: 1 })),
    post("x", { "Content-Type": "text/plain" }),
  ];
}

const QUERY = "{ listings(first: 1) { nodes { publicId } } }";
const EVENTS = "{ events(first: 1) { nodes { kind } } }";

function queries(post: Post): Probe[] {
  const body = JSON.stringify({ query: QUERY });
  return [
    post(body),
    post(body, { ...TYPE, Accept: "application/graphql-response+json" }),
    post(JSON.stringify({ query: "{ nothing }" }), { ...TYPE, Accept: "application/graphql-response+json" }),
    post(body, TYPE, "empty"),
    post(body, TYPE, "broken"),
    post(JSON.stringify({ query: EVENTS }), TYPE, "faulty"),
    post(JSON.stringify({ query: "{ __typename }" }), TYPE, "empty"),
    post(body, { ...TYPE, Accept: "image/png" }),
    post(JSON.stringify({ query: `${QUERY} # ${LONG.repeat(14)}` })),
    post(body, { "Content-Type": "text/plain" }),
  ];
}

function queriesByUrl(
  probe: (headers: Record<string, string>, suffix?: string, situation?: Situation) => Probe,
): Probe[] {
  const query = `?query=${encodeURIComponent(QUERY)}`;
  return [
    probe({}, query),
    probe({}, query, "empty"),
    probe({}, query, "broken"),
    probe({}, `?query=${encodeURIComponent(EVENTS)}`, "faulty"),
    probe({ "If-None-Match": "*" }, query),
    probe({ Accept: "text/html", "If-None-Match": "*" }),
    probe({ Accept: "text/html" }),
    probe({ Accept: "text/markdown" }),
    probe({ Accept: "application/graphql-response+json" }, "?query={nothing}"),
  ];
}
