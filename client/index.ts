/**
 * A typed client of the read interface: `openapi-fetch` with the types from `openapi.json`, errors to catch
 * and pages to iterate over. It is stateless and needs no credentials.
 * @module
 */
import createClient, { type Client, type MethodResponse } from "openapi-fetch";
import { abortable, type Fetch } from "./fetch.ts";
import { errorOf } from "./problem.ts";
import type { components, paths } from "./schema.ts";

export { type FollowOptions, follow, type StreamMessage } from "./follow.ts";
export { patiently } from "./patiently.ts";
export { RaisebookProblem } from "./problem.ts";
export { createReplica, type Replica, type ReplicaCopy, type ReplicaOptions } from "./replica.ts";

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
export type PagedPath = { [Path in ReadPath]: HasCursor<Query<Path>> extends true ? Path : never }[ReadPath];

type HasCursor<Asked> = [Asked] extends [never] ? false : "cursor" extends keyof Asked ? true : false;
type Parameters<Path extends ReadPath> = paths[Path]["get"]["parameters"];
type Query<Path extends ReadPath> = NonNullable<Parameters<Path>["query"]>;
/** The body of a path's answer. */
export type Answer<Path extends ReadPath> = MethodResponse<Raw, "get", Path>;

/** The parameters of a path: `path` for those in the path, `query` for the rest. */
export type Asked<Path extends ReadPath> = ([Parameters<Path>["path"]] extends [never | undefined]
  ? { path?: never }
  : { path: NonNullable<Parameters<Path>["path"]> }) & { query?: Query<Path> };
/** Optional if all parameters are. */
type Arguments<Path extends ReadPath> =
  Record<string, never> extends Asked<Path> ? [asked?: Asked<Path>] : [asked: Asked<Path>];

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
  getIfChanged<Path extends ReadPath>(
    path: Path,
    etag: null,
    ...asked: Arguments<Path>
  ): Promise<Tagged<Path>>;
  getIfChanged<Path extends ReadPath>(
    path: Path,
    etag: string | null,
    ...asked: Arguments<Path>
  ): Promise<Tagged<Path> | null>;
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
export type Tagged<Path extends ReadPath> = { data: Answer<Path>; etag: string | null };

/**
 * A client of the service at `baseUrl`.
 *
 * @example
 * const book = createRaisebookClient({ baseUrl: "https://raises.example/v1", userAgent: "my-agent/1.0" });
 * const { raised } = await book.get("/stats");
 */
export function createRaisebookClient(options: RaisebookClientOptions): RaisebookClient {
  const { baseUrl, userAgent = "raisebook-client", fetch } = options;
  const raw: Raw = createClient<paths, Media>({
    baseUrl,
    headers: { "User-Agent": userAgent },
    // The service takes a list with commas, and no parameter twice.
    querySerializer: { array: { style: "form", explode: false } },
    fetch: abortable(fetch),
  });

  // The library's types cannot follow a path that is known only at run time.
  const send = raw.GET as unknown as Send;

  /** @throws {RaisebookProblem} */
  const ask = async (path: ReadPath, asked: object | undefined) =>
    dataOf(await send(path, { params: { ...asked } }));

  const getIfChanged = async (path: ReadPath, etag: string | null, asked?: object) => {
    const header = etag === null ? {} : { "if-none-match": etag };
    const answer = await send(path, { params: { ...asked, header } });
    if (answer.response.status === 304) return null;
    return { data: dataOf(answer), etag: answer.response.headers.get("ETag") };
  };

  async function* pages(path: PagedPath, asked: { query?: { cursor?: string } } = {}) {
    let cursor = asked.query?.cursor ?? null;
    do {
      const query = { ...asked.query, ...(cursor === null ? {} : { cursor }) };
      const answer = (await ask(path, { ...asked, query })) as { page?: Schemas["Page"] };
      yield answer;
      cursor = answer.page?.nextCursor ?? null;
    } while (cursor !== null);
  }
  return { raw, get: ask, getIfChanged, pages } as RaisebookClient;
}

type Sent = { data?: unknown; error?: unknown; response: Response };
type Send = (path: string, init: { params: object }) => Promise<Sent>;

function dataOf({ data, error, response }: Sent): unknown {
  if (!response.ok) throw errorOf(error, response);
  return data;
}
