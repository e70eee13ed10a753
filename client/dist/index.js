/**
 * A typed client of the read interface: `openapi-fetch` with the types from `openapi.json`, errors to catch
 * and pages to iterate over. It is stateless and needs no credentials.
 * @module
 */
import createClient, {} from "openapi-fetch";
import { abortable } from "./fetch.js";
import { errorOf } from "./problem.js";
export { follow } from "./follow.js";
export { patiently } from "./patiently.js";
export { RaisebookProblem } from "./problem.js";
export { createReplica } from "./replica.js";
/**
 * A client of the service at `baseUrl`.
 *
 * @example
 * const book = createRaisebookClient({ baseUrl: "https://raises.example/v1", userAgent: "my-agent/1.0" });
 * const { raised } = await book.get("/stats");
 */
export function createRaisebookClient(options) {
    const { baseUrl, userAgent = "raisebook-client", fetch } = options;
    const raw = createClient({
        baseUrl,
        headers: { "User-Agent": userAgent },
        // The service takes a list with commas, and no parameter twice.
        querySerializer: { array: { style: "form", explode: false } },
        fetch: abortable(fetch),
    });
    // The library's types cannot follow a path that is known only at run time.
    const send = raw.GET;
    /** @throws {RaisebookProblem} */
    const ask = async (path, asked) => dataOf(await send(path, { params: { ...asked } }));
    const getIfChanged = async (path, etag, asked) => {
        const header = etag === null ? {} : { "if-none-match": etag };
        const answer = await send(path, { params: { ...asked, header } });
        if (answer.response.status === 304)
            return null;
        return { data: dataOf(answer), etag: answer.response.headers.get("ETag") };
    };
    async function* pages(path, asked = {}) {
        let cursor = asked.query?.cursor ?? null;
        do {
            const query = { ...asked.query, ...(cursor === null ? {} : { cursor }) };
            const answer = (await ask(path, { ...asked, query }));
            yield answer;
            cursor = answer.page?.nextCursor ?? null;
        } while (cursor !== null);
    }
    return { raw, get: ask, getIfChanged, pages };
}
function dataOf({ data, error, response }) {
    if (!response.ok)
        throw errorOf(error, response);
    return data;
}
