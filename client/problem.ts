/**
 * The service's error answers as exceptions.
 * @module
 */
import type { components } from "./schema.ts";

type Problem = components["schemas"]["Problem"];

/**
 * The service has answered with an error (RFC 9457).
 *
 * @example
 * try {
 *   await book.get("/listings/{id}", { path: { id: "lst_nowhere" } });
 * } catch (error) {
 *   if (error instanceof RaisebookProblem && error.code === "not_found") return null;
 *   throw error;
 * }
 */
export class RaisebookProblem extends Error {
  override readonly name = "RaisebookProblem";
  /** the HTTP status */
  readonly status: number;
  /** identifies the error, for programs */
  readonly code: Problem["code"];
  /** for `invalid_parameter`: each parameter, what is wrong with it, and what is allowed */
  readonly errors: NonNullable<Problem["errors"]>;
  /** identifies the request, for questions about it */
  readonly requestId: string;
  /** seconds until a retry makes sense; null when the service names none */
  readonly retryAfter: number | null;

  constructor({ detail, status, code, errors = [], requestId }: Problem, headers: Headers) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
    const retryAfter = retryAfterOf(headers.get("Retry-After"), Date.now());
    this.retryAfter = retryAfter === null ? null : retryAfter / 1_000;
  }
}

/** The pause in a `Retry-After` header (RFC 9110, section 10.2.3), in milliseconds; null if it is absent or invalid. */
export function retryAfterOf(header: string | null, now: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000;
  // HTTP dates contain letters; Date.parse would accept much else.
  const moment = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}

/** The error of an answer that is not 2xx. A body that is not the service's comes from something in between. */
export function errorOf(body: unknown, { status, url, headers }: Response): Error {
  const isProblem = headers.get("Content-Type")?.startsWith("application/problem+json") === true;
  return isProblem
    ? new RaisebookProblem(body as Problem, headers)
    : new Error(`${url} answers ${status}, and not as the service does`);
}
