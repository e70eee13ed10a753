/**
 * `fetch` with lasting abort signals. In Node (seen in 20 and 24) a request refers to its signal weakly: once garbage has been
 * collected, neither an abort nor a timeout ends a request without other references, and its caller waits forever.
 * @module
 */
export type Fetch = (request: Request) => Promise<Response>;
/** Sends like `send`, and keeps each request alive until its answer has been read. */
export declare function abortable(send?: Fetch): Fetch;
