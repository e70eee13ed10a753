import type { Hono } from "hono";
import { beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import type { Listing as ServedListing } from "../api/market/schema.ts";
import type { LedgerRow } from "../src/fold/state.ts";
import { appIn } from "../test/harness/app.ts";
import { fixedLedger } from "../test/harness/fixed-ledger.ts";
import { everyState, HEAD, listingRow, NOW } from "../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../test/harness/snapshot.ts";
import {
  type Answer,
  createRaisebookClient,
  type LedgerEvent,
  type Listing,
  type PagedPath,
  type RaisebookClient,
  RaisebookProblem,
} from "./index.ts";

const BASE_URL = "https://raises.example/v1";
const VISIBLE = everyState().registry.listings.length;

/** A client of the app, and what it has sent. */
function clientOf(app: Hono, userAgent?: string): { book: RaisebookClient; sent: Request[] } {
  const sent: Request[] = [];
  const fetch = async (request: Request) => {
    sent.push(request.clone());
    return app.request(request);
  };
  const agent = userAgent === undefined ? {} : { userAgent };
  return { book: createRaisebookClient({ baseUrl: BASE_URL, fetch, ...agent }), sent };
}

const ids = (listings: readonly { publicId: string }[]) => listings.map(({ publicId }) => publicId);

async function collect<Page>(pages: AsyncIterable<Page>): Promise<Page[]> {
  const collected: Page[] = [];
  for await (const page of pages) collected.push(page);
  return collected;
}

let app: Hono;
let book: RaisebookClient;
beforeAll(async () => {
  app = await appIn();
  ({ book } = clientOf(app));
});

describe("get", () => {
  it("gives what the service answers", async () => {
    const served = await (await app.request(`${BASE_URL}/listings`)).json();
    expect(await book.get("/listings")).toEqual(served);
    expect(ids((await book.get("/listings")).listings)).toHaveLength(VISIBLE);
  });

  it("asks with what stands in the path", async () => {
    expect((await book.get("/listings/{id}", { path: { id: "lst_2" } })).publicId).toBe("lst_2");
    expect(
      (await book.get("/originators/{publicId}", { path: { publicId: "org_northwind" } })).publicId,
    ).toBe("org_northwind");
  });

  it("keeps an amount a string", async () => {
    const { raisedAmount } = await book.get("/listings/{id}", { path: { id: "lst_2" } });
    expect(raisedAmount).toMatch(/^(0|[1-9]\d*)$/);
    expect(BigInt(raisedAmount)).toBeTypeOf("bigint");
  });

  it("asks for several values of a filter as the service reads them", async () => {
    const { listings } = await book.get("/listings");
    for (const status of [["live"], ["live", "funding", "matured"]] as const) {
      const { book, sent } = clientOf(app);
      const found = await book.get("/listings", { query: { status: [...status] } });
      expect(ids(found.listings)).toEqual(
        ids(listings.filter((listing) => status.some((wanted) => wanted === listing.status))),
      );
      expect(found.listings.length).toBeGreaterThan(0);
      expect(sent.map(({ url }) => url)).toEqual([`${BASE_URL}/listings?status=${status.join(",")}`]);
    }
  });

  it("escapes what stands in the path", async () => {
    const { book, sent } = clientOf(app);
    await expect(book.get("/listings/{id}", { path: { id: "a/b?c" } })).rejects.toThrow("a/b?c");
    expect(sent.map(({ url }) => url)).toEqual([`${BASE_URL}/listings/a%2Fb%3Fc`]);
  });

  it("says who is asking", async () => {
    for (const [given, expected] of [
      [undefined, "raisebook-client"],
      ["my-agent/1.0", "my-agent/1.0"],
    ] as const) {
      const { book, sent } = clientOf(app, given);
      await book.get("/health");
      expect(sent.map(({ headers }) => headers.get("User-Agent"))).toEqual([expected]);
    }
  });
});

describe("RaisebookProblem", () => {
  const problemOf = async (asked: Promise<unknown>): Promise<RaisebookProblem> => {
    const error = await asked.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof RaisebookProblem)) throw new Error(`not a problem: ${error}`);
    return error;
  };

  it("says what is not there", async () => {
    const { sent, book } = clientOf(app);
    const problem = await problemOf(book.get("/listings/{id}", { path: { id: "lst_nowhere" } }));
    expect(problem).toMatchObject({ name: "RaisebookProblem", status: 404, code: "not_found", errors: [] });
    expect(problem.message).toContain("lst_nowhere");
    expect(problem.requestId).not.toBe("");
    expect(problem.retryAfter).toBeNull();
    expect(sent).toHaveLength(1);
  });

  it("says which parameter is wrong, and what is allowed", async () => {
    const { code, errors } = await problemOf(book.get("/listings", { query: { limit: 1_000 } }));
    expect(code).toBe("invalid_parameter");
    expect(errors).toMatchObject([{ parameter: "limit", allowed: ["an integer from 1 to 200"] }]);
  });

  it("says when to ask again", async () => {
    const { book } = clientOf(await appIn({ snapshot: null }));
    const problem = await problemOf(book.get("/stats"));
    expect(problem).toMatchObject({ status: 503, code: "not_indexed_yet", retryAfter: 2 });
  });

  it.each([
    ["120", 120],
    ["Fri, 01 Jan 2100 00:00:00 GMT", expect.closeTo((Date.UTC(2100, 0) - Date.now()) / 1_000, -2)],
    ["Tue, 24 Nov 2020 11:00:00 GMT", 0],
    ["soon", null],
  ])("says when to ask again where something between has answered %j", async (header, seconds) => {
    const headers = { "Retry-After": header, "Content-Type": "application/problem+json" };
    const fetch = async () => new Response(`{"status": 503}`, { status: 503, headers });
    const behind = createRaisebookClient({ baseUrl: BASE_URL, fetch });
    expect((await problemOf(behind.get("/stats"))).retryAfter).toEqual(seconds);
  });

  it("is not thrown for a proxy's error page", async () => {
    const fetch = async () => new Response("<h1>Bad gateway</h1>", { status: 502 });
    const behind = createRaisebookClient({ baseUrl: BASE_URL, fetch });
    const error = await behind.get("/stats").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(RaisebookProblem);
    expect(String(error)).toContain("502");
  });
});

describe("pages", () => {
  it("walks all listings, each once, in the order of one answer", async () => {
    for (const sort of ["newest", "highest_coupon"] as const) {
      const { book, sent } = clientOf(app);
      const { listings } = await book.get("/listings", { query: { sort } });
      const walked: string[] = [];
      for await (const page of book.pages("/listings", { query: { sort, limit: 3 } })) {
        expect(page.listings.length).toBeLessThanOrEqual(3);
        walked.push(...ids(page.listings));
      }
      expect(walked).toEqual(ids(listings));
      expect(sent).toHaveLength(1 + Math.ceil(listings.length / 3));
    }
  });

  it("goes on from a cursor", async () => {
    const first = await book.get("/listings", { query: { limit: 2 } });
    const cursor = first.page?.nextCursor ?? "";
    const rest: string[] = [];
    for await (const { listings } of book.pages("/listings", { query: { limit: 2, cursor } })) {
      rest.push(...ids(listings));
    }
    expect([...ids(first.listings), ...rest]).toEqual(ids((await book.get("/listings")).listings));
  });

  it("asks for a page only when it is wanted", async () => {
    const { book, sent } = clientOf(app);
    for await (const _ of book.pages("/listings", { query: { limit: 1 } })) break;
    expect(sent).toHaveLength(1);
  });

  it("is one page where nothing is asked for in pages", async () => {
    const { book, sent } = clientOf(app);
    const walked = await collect(book.pages("/listings"));
    expect(walked.map(({ listings }) => listings.length)).toEqual([VISIBLE]);
    expect(sent).toHaveLength(1);
  });

  it("walks the events of a listing", async () => {
    const row: LedgerRow = {
      escrowAddress: listingRow().escrowAddress,
      onchainId: 2n,
      eventId: "1".repeat(75),
      kind: "repaid",
      blockNumber: HEAD.number,
      blockTime: NOW,
      txHash: `0x${"7a".repeat(32)}`,
      logIndex: 4,
      part: 0,
      args: { principal: "5", interest: "6", totalRepaid: "11" },
    };
    const full = fixedLedger({ events: { rows: [row], next: { blockNumber: HEAD.number, logIndex: 4 } } });
    const last = fixedLedger();
    const ledger = {
      ...last,
      ofListing: (...[pair, query]: Parameters<typeof last.ofListing>) =>
        (query.before === null ? full : last).ofListing(pair, query),
    };
    const { book: walker } = clientOf(await appIn({ overrides: { ledger } }));
    const pages = await collect(walker.pages("/listings/{id}/events", { path: { id: "lst_2" } }));
    expect(pages.map(({ events }) => events.map(({ kind }) => kind))).toEqual([["repaid"], []]);
  });

  it("throws when the first page of a walk is refused", async () => {
    const walk = book.pages("/listings", { query: { limit: 2, cursor: "nonsense" } });
    await expect(walk.next()).rejects.toThrow(RaisebookProblem);
  });
});

describe("getIfChanged", () => {
  it("is null while the body is the same", async () => {
    const known = await book.getIfChanged("/listings", null, { query: { status: ["live"] } });
    expect(known.data).toEqual(await book.get("/listings", { query: { status: ["live"] } }));
    expect(known.etag).toMatch(/^W\//);
    expect(await book.getIfChanged("/listings", known.etag, { query: { status: ["live"] } })).toBeNull();
    expect(await book.getIfChanged("/listings", known.etag)).not.toBeNull();
  });

  it("is the new body when it changes", async () => {
    const { etag } = await book.getIfChanged("/listings", null);
    const fewer = await snapshotOf(tablesOf({ listings: everyState().rows.slice(1) }));
    const { book: later } = clientOf(await appIn({ snapshot: fewer }));
    const changed = await later.getIfChanged("/listings", etag);
    expect(changed?.data.listings).toHaveLength(VISIBLE - 1);
    expect(changed?.etag).not.toBe(etag);
  });

  it("throws like any other", async () => {
    const missing = book.getIfChanged("/listings/{id}", 'W/"x"', { path: { id: "lst_nowhere" } });
    await expect(missing).rejects.toThrow(RaisebookProblem);
  });
});

describe("raw", () => {
  it("reads CSV and headers", async () => {
    const { data, response } = await book.raw.GET("/listings.csv", { parseAs: "text" });
    expectTypeOf(data).toEqualTypeOf<string | undefined>();
    expect(data?.split("\r\n")[0]).toMatch(/^publicId,refnum,/);
    expect(response.headers.get("X-Indexed-Block")).toBe(`${HEAD.number}`);
  });
});

describe("the types", () => {
  it("are those of the service", () => {
    expectTypeOf<Listing>().toEqualTypeOf<ServedListing>();
    expectTypeOf<Answer<"/listings/{id}">>().toEqualTypeOf<Listing>();
    expectTypeOf<Answer<"/events">["events"][number]>().toEqualTypeOf<LedgerEvent>();
    expectTypeOf<Listing["raisedAmount"]>().toEqualTypeOf<string>();
    expectTypeOf<PagedPath>().toEqualTypeOf<
      "/listings" | "/originators" | "/events" | "/listings/{id}/events" | "/anomalies"
    >();
    expectTypeOf<Extract<LedgerEvent, { kind: "repaid" }>["principal"]>().toEqualTypeOf<string | null>();
  });

  it("refuse what the service would refuse", () => {
    const unasked = (book: RaisebookClient) => [
      // @ts-expect-error: no such path
      book.get("/listing"),
      // @ts-expect-error: no such state
      book.get("/listings", { query: { status: ["open"] } }),
      // @ts-expect-error: no such parameter
      book.get("/listings", { query: { colour: "blue" } }),
      // @ts-expect-error: the id is missing
      book.get("/listings/{id}"),
      // @ts-expect-error: it has no pages
      book.pages("/stats"),
    ];
    expect(unasked).toBeTypeOf("function");
  });
});
