/**
 * `fetch` with signals that last. In Node (seen in 20 and 24) a request follows its signal by weak references: once garbage has been
 * collected, neither an abort nor a timeout ends a request that nobody holds, and whoever waits for it waits for good.
 * @module
 */
/** What an answer that is still being read was asked with. */
const asked = new WeakMap();
/** Sends as `send` does, and holds each request until its answer has been read. */
export function abortable(send = (request) => fetch(request)) {
    return async (request) => {
        const response = await send(request);
        const { body } = response;
        if (body !== null)
            asked.set(body, request);
        return response;
    };
}
