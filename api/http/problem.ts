/**
 * Errors as every face answers them: RFC 9457 `application/problem+json`.
 * @module
 */
import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

export const PROBLEM_TYPE = "application/problem+json";

/** Every error the service answers with: its code, status and title. */
export const PROBLEMS = {
  invalid_parameter: { status: 400, title: "Bad Request" },
  not_found: { status: 404, title: "Not Found" },
  method_not_allowed: { status: 405, title: "Method Not Allowed" },
  not_acceptable: { status: 406, title: "Not Acceptable" },
  payload_too_large: { status: 413, title: "Content Too Large" },
  uri_too_long: { status: 414, title: "URI Too Long" },
  unsupported_media_type: { status: 415, title: "Unsupported Media Type" },
  too_many_requests: { status: 429, title: "Too Many Requests" },
  internal_error: { status: 500, title: "Internal Server Error" },
  not_indexed_yet: { status: 503, title: "Service Unavailable" },
  backfilling: { status: 503, title: "Service Unavailable" },
  database_silent: { status: 503, title: "Service Unavailable" },
  chain_silent: { status: 503, title: "Service Unavailable" },
  not_ready: { status: 503, title: "Service Unavailable" },
} as const satisfies Record<string, { status: ContentfulStatusCode; title: string }>;

export type ProblemCode = keyof typeof PROBLEMS;

/** What was wrong with one parameter, and what is allowed. */
export type ParameterError = { parameter: string; detail: string; allowed: string[] };

export const problemSchema = z
  .object({
    type: z.string().openapi({
      description: "`about:blank`: the status says what kind of problem it is; `code` says which.",
      example: "about:blank",
    }),
    title: z.string().openapi({ description: "The status in words.", example: "Not Found" }),
    status: z.int().openapi({ description: "The HTTP status.", example: 404 }),
    detail: z.string().openapi({
      description: "What was wrong with this request.",
      example: 'No visible listing has the public id or refnum "lst_nowhere".',
    }),
    instance: z
      .string()
      .openapi({ description: "The path that was asked.", example: "/v1/listings/lst_nowhere" }),
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

/** Answers with a problem. Errors are never cached: the next block may change them. */
export function problem(c: Context, { code, detail, errors, headers }: ProblemParameters): Response {
  const { status, title } = PROBLEMS[code];
  const body = {
    type: "about:blank",
    title,
    status,
    detail,
    instance: asReference(new URL(c.req.url).pathname),
    code,
    requestId: c.get("requestId") ?? "",
    ...(errors === undefined ? {} : { errors }),
  };
  const text = JSON.stringify(body);
  return c.body(text, status, {
    "Content-Type": PROBLEM_TYPE,
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
    // Another `Accept` may get something else at the same address.
    Vary: "Accept, Accept-Encoding",
    ...headers,
  });
}

/**
 * The path as it was sent, percent-encoded: the decoded one can hold what a page or a terminal acts on. What a URL
 * lets through and RFC 3986 does not is encoded too.
 */
function asReference(pathname: string): string {
  return pathname.replace(/%(?![0-9A-Fa-f]{2})|[^\w.~!$&'()*+,;=:@/%-]/g, encodeURIComponent);
}

/** For paths that only answer reads. */
export function methodNotAllowed(c: Context): Response {
  const detail = `${c.req.method} is not allowed here: this interface only reads.`;
  return problem(c, { code: "method_not_allowed", detail, headers: { Allow: "GET, HEAD, OPTIONS" } });
}
