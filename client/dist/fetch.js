/**
 * `fetch` with lasting abort signals. In Node (seen in 20 and 24) a request refers to its signal weakly: once garbage has been
 * collected, neither an abort nor a timeout ends a request without other references, and its caller waits forever.
 * @module
 */
/** The requests without an answer, and that of each answer that is still being read. */
const waiting = new Set();
const asked = new WeakMap();
/** Sends like `send`, and keeps each request alive until its answer has been read. */
export function abortable(send = (request) => fetch(request)) {
    return async (request) => {
        waiting.add(request);
        try {
            const response = await send(request);
            if (response.body !== null)
                asked.set(response.body, request);
            return response;
        }
        finally {
            waiting.delete(request);
        }
    };
}
