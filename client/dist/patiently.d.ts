/**
 * Asks again where the service says when to come back (429 and 503 with `Retry-After`), in up to six attempts.
 *
 * @example
 * const proof = await patiently(() => book.get("/events/{event}/proof", { path: { event: "120-3" } }));
 */
export declare function patiently<Result>(ask: () => Promise<Result>): Promise<Result>;
