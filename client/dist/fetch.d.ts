/**
 * `fetch` with signals that last. In Node (seen in 20 and 24) a request follows its signal by weak references: once garbage has been
 * collected, neither an abort nor a timeout ends a request that nobody holds, and whoever waits for it waits for good.
 * @module
 */
export type Fetch = (request: Request) => Promise<Response>;
/** Sends as `send` does, and holds each request until its answer has been read. */
export declare function abortable(send?: Fetch): Fetch;
