/**
 * The service's error answers as exceptions.
 * @module
 */
import type { components } from "./schema.js";
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
export declare class RaisebookProblem extends Error {
    readonly name = "RaisebookProblem";
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
    constructor({ detail, status, code, errors, requestId }: Problem, headers: Headers);
}
/** The pause in a `Retry-After` header (RFC 9110, section 10.2.3), in milliseconds; null if it is absent or invalid. */
export declare function retryAfterOf(header: string | null, now: number): number | null;
/** The error of an answer without the expected body. */
export declare function errorOf(body: unknown, response: Response): Error;
export declare function hasType({ headers }: Response, type: string): boolean;
/** Whether it makes no sense to repeat the request. @param isKnown whether the service has answered at this address before */
export declare function isPermanent(error: unknown, isKnown: boolean): boolean;
export {};
