/** @module Errors of every face: RFC 9457 `application/problem+json`. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { requestIdOf, VARY } from "./common-headers.ts";

export const PROBLEM_TYPE = "application/problem+json";

/** The statuses of errors, with their names (RFC 9110). */
const TITLES = {
  400: "Bad Request",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  409: "Conflict",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const satisfies { [Status in ContentfulStatusCode]?: string };

/** The requests that wait for a slot. */
export const QUEUED_REQUESTS = "asOf, CSV, GraphQL, search, proofs, series and cohorts of some raises";
/** Requests that may be refused even without a client limit; full lists have separate slots. */
export const EXPENSIVE_REQUESTS = `${QUEUED_REQUESTS}, full lists of a large market`;

/** Every error of the service by its code: its status, and what a caller can do about it. */
export const PROBLEMS = {
  invalid_parameter: [400, "Read errors: each parameter with what is wrong and what is allowed."],
  not_found: [404, "Check the id and the path; the raise may also have been hidden."],
  method_not_allowed: [405, "Use a method of the Allow header."],
  not_acceptable: [406, "Accept a type that is offered, or send no Accept header."],
  not_final: [409, "A reorg can still undo it: wait as long as Retry-After says."],
  payload_too_large: [413, "Send less in one message."],
  uri_too_long: [414, "Ask with fewer filters, or with POST where that is allowed."],
  unsupported_media_type: [415, "Send application/json."],
  range_not_satisfiable: [416, "Ask for a range within the file: Content-Range says how long it is."],
  too_many_requests: [
    429,
    `Wait as long as Retry-After says. Expensive requests (${EXPENSIVE_REQUESTS}) may return this even when no rate limit is set.`,
  ],
  internal_error: [500, "The service failed. Tell the operator the requestId."],
  not_indexed_yet: [503, "The service has just started: wait as long as Retry-After says."],
  backfilling: [503, "The answer needs the whole ledger, which is still being read."],
  reorganising: [503, "The newest blocks are being replaced: wait as long as Retry-After says."],
  database_silent: [503, "The database does not respond: wait as long as Retry-After says."],
  chain_silent: [503, "The blockchain node does not respond: try again later."],
  proof_unavailable: [
    503,
    "The blockchain node does not supply what a proof needs: try again later, or tell the operator.",
  ],
  timed_out: [503, "The response took longer than a minute: ask for less, or try again later."],
  busy: [503, "For pictures and streams: wait as long as Retry-After says."],
  not_ready: [503, "Only from /v1/ready and proxies: the service is not ready. The detail says why."],
} as const satisfies Record<string, readonly [status: keyof typeof TITLES, advice: string]>;

export type ProblemCode = keyof typeof PROBLEMS;

export type ParameterError = { parameter: string; detail: string; allowed: string[] };

export const problemSchema = z
  .object({
    type: z.string().openapi({
      description: "`about:blank`: the kind of problem is the status, the problem itself the `code`.",
      example: "about:blank",
    }),
    title: z.string().openapi({ description: "The status in words.", example: "Not Found" }),
    status: z.int().openapi({ description: "The HTTP status.", example: 404 }),
    detail: z.string().openapi({
      description: "What was wrong with this request.",
      example: 'No visible listing has the public id or refnum "lst_nowhere".',
    }),
    instance: z.string().openapi({ description: "The requested path.", example: "/v1/listings/lst_nowhere" }),
    code: z
      .enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]])
      .openapi({ description: "The error, for programs.", example: "not_found" }),
    requestId: z.string().openapi({
      description: "The `X-Request-Id` of the answer.",
      example: "0b6f6f6e-8a4e-4c39-9d6b-2f6f3c1f0f11",
    }),
    errors: z
      .array(z.object({ parameter: z.string(), detail: z.string(), allowed: z.array(z.string()) }))
      .optional()
      .openapi({
        description:
          "For an `invalid_parameter`: each parameter, what is wrong with it, and what is allowed.",
      }),
  })
  .openapi("Problem", { description: "An error, RFC 9457." });

export type ProblemParameters = {
  code: ProblemCode;
  detail: string;
  errors?: ParameterError[];
  headers?: Record<string, string>;
};

/** Ends a request with a problem; the app answers with it wherever it is thrown. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: ProblemParameters;

  constructor(parameters: ProblemParameters) {
    super(parameters.detail);
    this.problem = parameters;
  }
}

/** The text of a problem. @param path of the request, as it was sent */
function problemText(
  { code, detail, errors }: Omit<ProblemParameters, "headers">,
  { path, requestId }: { path: string; requestId: string },
): string {
  const [status] = PROBLEMS[code];
  return JSON.stringify({
    type: "about:blank",
    title: TITLES[status],
    status,
    detail,
    instance: asReference(path),
    code,
    requestId,
    ...(errors === undefined ? {} : { errors }),
  });
}

/** Answers with a problem. Errors are never cached: the next block may change them. */
export function problem(c: Context, { headers, ...about }: ProblemParameters): Response {
  const [status] = PROBLEMS[about.code];
  const path = new URL(c.req.url).pathname;
  const text = problemText(about, { path, requestId: c.get("requestId") ?? "" });
  return c.body(text, status, {
    "Content-Type": PROBLEM_TYPE,
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
    ...VARY,
    ...headers,
  });
}

/** Answers a request with a problem before the app sees it. @param common in lower case, as the names in `headers` */
export function refuse(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  common: Readonly<Record<string, string>>,
  { headers, ...about }: ProblemParameters,
): void {
  const requestId = requestIdOf(incoming.headers["x-request-id"] as string | undefined);
  const [path = ""] = (incoming.url ?? "").split("?");
  const text = problemText(about, { path, requestId });
  outgoing.writeHead(PROBLEMS[about.code][0], {
    ...common,
    "content-type": PROBLEM_TYPE,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    vary: VARY.Vary,
    ...headers,
    "x-request-id": requestId,
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : text);
}

/** Percent-encoded as it was sent, and what RFC 3986 excludes too: decoded it can hold what a page or a terminal acts on. */
function asReference(pathname: string): string {
  return pathname.replace(/%(?![0-9A-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/%-]/g, encodeURIComponent);
}

export function methodRefusal(c: Context) {
  const detail = `${c.req.method} is not allowed here: this interface only reads.`;
  return { detail, headers: { Allow: "GET, HEAD, OPTIONS" } };
}

export function methodNotAllowed(c: Context): Response {
  return problem(c, { code: "method_not_allowed", ...methodRefusal(c) });
}

export function notIndexedYet(): ProblemError {
  const detail = "The indexer has not finished its first block yet; ask again in a moment.";
  return new ProblemError({ code: "not_indexed_yet", detail, headers: { "Retry-After": "2" } });
}

/** @throws ProblemError when there is no page of the ledger yet */
export function pageOrProblem<Page extends object>(page: Page | "not_indexed_yet" | "backfilling"): Page {
  if (typeof page !== "string") return page;
  if (page === "not_indexed_yet") throw notIndexedYet();
  const detail =
    "The events of all listings can be read once the backfill is over; those of one listing can now.";
  throw new ProblemError({ code: page, detail, headers: { "Retry-After": "10" } });
}
