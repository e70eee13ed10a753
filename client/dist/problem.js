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
    name = "RaisebookProblem";
    /** the HTTP status */
    status;
    /** identifies the error, for programs */
    code;
    /** for `invalid_parameter`: each parameter, what is wrong with it, and what is allowed */
    errors;
    /** identifies the request, for questions about it */
    requestId;
    /** seconds until a retry makes sense; null when the service names none */
    retryAfter;
    constructor({ detail, status, code, errors = [], requestId }, headers) {
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
export function retryAfterOf(header, now) {
    const text = header?.trim() ?? "";
    if (/^\d{1,10}$/.test(text))
        return Number(text) * 1_000;
    // HTTP dates contain letters; Date.parse would accept much else.
    const moment = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(moment) ? null : Math.max(0, moment - now);
}
/** An answer that is not the service's, but from something in between or from another server. */
class ForeignAnswer extends Error {
    status;
    constructor({ status, url }) {
        super(`${url} answers ${status}, and not as the service does`);
        this.status = status;
    }
}
/** The error of an answer without the expected body. */
export function errorOf(body, response) {
    return hasType(response, "application/problem+json")
        ? new RaisebookProblem(body, response.headers)
        : new ForeignAnswer(response);
}
export function hasType({ headers }, type) {
    return headers.get("Content-Type")?.startsWith(type) === true;
}
/** Whether it makes no sense to repeat the request. @param isKnown whether the service has answered at this address before */
export function isPermanent(error, isKnown) {
    if (!(error instanceof RaisebookProblem || (error instanceof ForeignAnswer && !isKnown)))
        return false;
    return error.status < 500 && error.status !== 408 && error.status !== 429;
}
