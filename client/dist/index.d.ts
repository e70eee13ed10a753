/**
 * A typed client of the read interface: `openapi-fetch` with the types from `openapi.json`, errors to catch
 * and pages to iterate over. It is stateless and needs no credentials.
 * @module
 */
import { type Client, type MethodResponse } from "openapi-fetch";
import { type Fetch } from "./fetch.js";
import type { components, paths } from "./schema.js";
export { type FollowOptions, follow, type StreamMessage } from "./follow.js";
export { patiently } from "./patiently.js";
export { RaisebookProblem } from "./problem.js";
export { createReplica, type Replica, type ReplicaCopy, type ReplicaOptions } from "./replica.js";
/** The bodies of the answers, by name: `Schemas["Listing"]`. */
export type Schemas = components["schemas"];
export type Listing = Schemas["Listing"];
export type Originator = Schemas["Originator"];
export type LedgerEvent = Schemas["LedgerEvent"];
type Media = "application/json" | "application/problem+json";
type Raw = Client<paths, Media>;
/** Paths with JSON answers. */
export type ReadPath = Exclude<keyof paths, `${string}.csv` | "/stream">;
/** The paths among them whose answers have pages. */
export type PagedPath = {
    [Path in ReadPath]: HasCursor<Query<Path>> extends true ? Path : never;
}[ReadPath];
type HasCursor<Asked> = [Asked] extends [never] ? false : "cursor" extends keyof Asked ? true : false;
type Parameters<Path extends ReadPath> = paths[Path]["get"]["parameters"];
type Query<Path extends ReadPath> = NonNullable<Parameters<Path>["query"]>;
/** The body of a path's answer. */
export type Answer<Path extends ReadPath> = MethodResponse<Raw, "get", Path>;
/** The parameters of a path: `path` for those in the path, `query` for the rest. */
export type Asked<Path extends ReadPath> = ([Parameters<Path>["path"]] extends [never | undefined] ? {
    path?: never;
} : {
    path: NonNullable<Parameters<Path>["path"]>;
}) & {
    query?: Query<Path>;
};
/** Optional if all parameters are. */
type Arguments<Path extends ReadPath> = Record<string, never> extends Asked<Path> ? [asked?: Asked<Path>] : [asked: Asked<Path>];
export type RaisebookClientOptions = {
    /** ends in `/v1`, such as `https://raises.example/v1` */
    baseUrl: string;
    /** names the client program, for the service's statistics */
    userAgent?: string;
    /** another `fetch`, for tests and proxies */
    fetch?: Fetch;
};
export type RaisebookClient = {
    /**
     * Requests a path. Amounts stay decimal strings in base units with 18 decimals: `BigInt(raisedAmount)`.
     * @throws {RaisebookProblem} when the service answers with an error
     * @example
     * const { listings } = await book.get("/listings", { query: { status: ["live", "funding"] } });
     * const listing = await book.get("/listings/{id}", { path: { id: "RB00001" } });
     */
    get<Path extends ReadPath>(path: Path, ...asked: Arguments<Path>): Promise<Answer<Path>>;
    /**
     * Requests changes: null if the body still has this tag. Without a tag, always the answer.
     * @throws {RaisebookProblem} when the service answers with an error
     * @example
     * let known = await book.getIfChanged("/listings", null);
     * // some seconds later
     * known = (await book.getIfChanged("/listings", known.etag)) ?? known;
     */
    getIfChanged<Path extends ReadPath>(path: Path, etag: null, ...asked: Arguments<Path>): Promise<Tagged<Path>>;
    getIfChanged<Path extends ReadPath>(path: Path, etag: string | null, ...asked: Arguments<Path>): Promise<Tagged<Path> | null>;
    /**
     * Iterates over the pages of a path, requesting each when it is needed. `/listings` is one page without a `limit`.
     * @throws {RaisebookProblem} when the service answers with an error
     * @example
     * for await (const { events } of book.pages("/events", { query: { kind: ["repaid"] } })) console.log(events);
     */
    pages<Path extends PagedPath>(path: Path, ...asked: Arguments<Path>): AsyncGenerator<Answer<Path>, void>;
    /** The underlying `openapi-fetch` client, for headers, CSV (`parseAs: "text"`) and other rare needs. */
    readonly raw: Raw;
};
/** A body with its entity tag. */
export type Tagged<Path extends ReadPath> = {
    data: Answer<Path>;
    etag: string | null;
};
/**
 * A client of the service at `baseUrl`.
 *
 * @example
 * const book = createRaisebookClient({ baseUrl: "https://raises.example/v1", userAgent: "my-agent/1.0" });
 * const { raised } = await book.get("/stats");
 */
export declare function createRaisebookClient(options: RaisebookClientOptions): RaisebookClient;
