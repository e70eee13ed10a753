/** The fast lane gives the app's own answers: the same bytes and the same head, for as long as the app would give them. */
import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { ledgerRevisionOf } from "../../api/database/checkpoint.ts";
import { encodeEventCursor } from "../../api/ledger/cursor.ts";
import type { LedgerQueries } from "../../api/ledger/read.ts";
import { Listings } from "../../api/market/listings.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import type { LedgerRow } from "../../src/fold/state.ts";
import { appIn } from "../harness/app.ts";
import { recordedLedger } from "../harness/fixed-ledger.ts";
import { DOLLAR, entryDraft, everyState, HEAD, listingRow, registryOf } from "../harness/rows.ts";
import { type ServedApp, serveApp } from "../harness/serve-app.ts";
import { snapshotOf, tablesOf } from "../harness/snapshot.ts";

type Ask = { path: string; method?: string; headers?: Record<string, string> };

/** An answer as it came over the wire, without its date. */
async function wire(served: ServedApp, { path, method = "GET", headers = {} }: Ask) {
  const { promise, resolve, reject } = Promise.withResolvers<{ head: unknown; body: string }>();
  const asked = request(`${served.url}${path}`, {
    method,
    headers: { "X-Request-Id": "the-same", ...headers },
  });
  asked.on("error", reject);
  asked.on("response", async (response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    const lines = response.rawHeaders.flatMap((name, at, all) =>
      at % 2 === 0 && name !== "Date" ? [`${name}: ${all[at + 1]}`] : [],
    );
    resolve({
      head: [response.statusCode, response.httpVersion, ...lines.sort()],
      body: Buffer.concat(chunks).toString("base64"),
    });
  });
  asked.end();
  return promise;
}

/** Enough for an answer that is not compressed while a client waits. */
const MANY = Array.from({ length: 300 }, (_, index) => `${index + 100}`);
const manyRows = MANY.map((id) => listingRow({ onchainId: BigInt(id) }));
const { rows, registry } = everyState();
const listings = [...rows, ...manyRows];
const published = registryOf(
  [...registry.listings, ...MANY.map((onchainId) => entryDraft({ onchainId }))],
  [...registry.originators].map((originator) => ({ ...originator, addresses: [...originator.addresses] })),
);
const snapshot = await snapshotOf(tablesOf({ listings }), published);

const PATHS = [
  "/v1/listings",
  "/v1/listings?limit=3",
  "/v1/listings?status=live&sort=most_raised&limit=20",
  "/v1/listings.csv?limit=2",
  "/v1/listings/lst_1",
  "/v1/listings/RB00002",
  "/v1/listings/lst_3/schedule",
  "/v1/originators",
  "/v1/originators/org_northwind",
  "/v1/stats",
  "/v1",
  "/",
  "/?status=live",
  "/listings/lst_3",
  "/md/listings/lst_3",
  "/originators",
  "/knowledge/grades",
  "/developers",
  "/openapi.json",
  "/llms.txt",
  "/sitemap.xml",
  "/robots.txt",
  "/.well-known/api-catalog",
  "/.well-known/mcp/server-card.json",
  "/site.webmanifest",
];
const CODINGS = ["identity", "gzip", "br", "gzip;q=0.5, br;q=0", "br, identity;q=0"];

describe("the fast lane", () => {
  it.each(PATHS)("answers %s as the app does", async (path) => {
    const app = await appIn({ snapshot });
    await using plain = await serveApp(app, { hasFastLane: false });
    await using fast = await serveApp(app);
    const etag = (await fetch(`${plain.url}${path}`)).headers.get("etag") ?? "";
    expect(etag).not.toBe("");
    const variants: Ask[] = [
      ...CODINGS.map((coding) => ({ path, headers: { "Accept-Encoding": coding } })),
      { path, method: "HEAD", headers: { "Accept-Encoding": "gzip" } },
      { path, headers: { "If-None-Match": etag } },
      { path, headers: { "If-None-Match": `"other", ${etag.slice(2)}` } },
      { path, headers: { "If-None-Match": '"other"', "X-Request-Id": "a b" } },
      { path, headers: { Accept: "application/json;q=0.5, */*" } },
    ];
    for (const variant of variants) {
      // A large answer is compressed behind the first one, for both.
      await wire(fast, variant);
      await wire(plain, variant);
      const isOwnId = variant.headers?.["X-Request-Id"] === undefined;
      const without = ({ head, body }: Awaited<ReturnType<typeof wire>>) => ({
        body,
        head: isOwnId ? head : (head as string[]).filter((line) => !`${line}`.startsWith("x-request-id")),
      });
      await expect
        .poll(async () => without(await wire(fast, variant)))
        .toEqual(without(await wire(plain, variant)));
    }
    const before = fast.askedApp();
    for (const variant of variants) await wire(fast, variant);
    expect(fast.askedApp()).toBe(before);
    expect(plain.askedApp()).toBeGreaterThan(2 * variants.length);
  });

  it.each([
    ["/v1/health"],
    ["/v1/listings?status=nonsense"],
    ["/v1/listings/lst_nowhere"],
    ["/v1/listings?asOf=1"],
    ["/v1/mcp"],
    ["/nowhere"],
  ])("has no answer to %s", async (path) => {
    await using fast = await serveApp(await appIn({ snapshot }));
    for (let count = 1; count <= 3; count++) {
      await wire(fast, { path });
      expect(fast.askedApp()).toBe(count);
    }
  });

  it("leaves requests that do more than read, or have a body, to the app", async () => {
    await using fast = await serveApp(await appIn({ snapshot }));
    await wire(fast, { path: "/v1/stats" });
    for (const method of ["POST", "OPTIONS", "DELETE"]) await wire(fast, { path: "/v1/stats", method });
    await wire(fast, { path: "/v1/stats", headers: { "Content-Length": "0" } });
    expect(fast.askedApp()).toBe(5);
  });
});

describe("when the market moves on", () => {
  const at = (blocks: bigint, raised: bigint) =>
    snapshotOf(
      tablesOf({
        head: { number: HEAD.number + blocks, timestamp: HEAD.timestamp + blocks },
        listings: listings.map((row) => (row.onchainId === 1n ? { ...row, raisedAmount: raised } : row)),
      }),
      published,
    );

  async function serving(first: Snapshot) {
    const now = { snapshot: first };
    const app = await appIn({ overrides: { updater: { current: () => now.snapshot } } });
    return { now, served: await serveApp(app) };
  }

  it("an answer of the same content names the new block, without asking the app", async () => {
    const first = await at(0n, DOLLAR);
    const { now, served } = await serving(first);
    await using _ = served;
    const before = await wire(served, { path: "/v1/listings" });
    now.snapshot = { ...first, market: { ...first.market, head: { number: 1n, timestamp: 1n } } };
    const after = await wire(served, { path: "/v1/listings" });
    expect(served.askedApp()).toBe(1);
    expect(after.body).toBe(before.body);
    expect(after.head).toContain("x-indexed-block: 1");
  });

  it("a page of events is read again when the ledger or the finality of its rows changes", async () => {
    const first = await at(0n, DOLLAR);
    const { asked, reader } = recordedLedger();
    const now = { snapshot: first, revisions: tablesOf().revisions };
    const updater = { current: () => now.snapshot };
    const { escrowAddress, onchainId } = listingRow();
    const place = {
      eventId: "9".repeat(75),
      blockNumber: HEAD.number,
      blockTime: HEAD.timestamp,
      logIndex: 1,
      part: 0,
    };
    const row: LedgerRow = {
      ...{ escrowAddress, onchainId, ...place },
      ...{ kind: "listing_cancelled", args: { reason: "0x" }, txHash: "0x7a" },
    };
    const ledger: LedgerQueries = {
      ...reader,
      async ofListings(some, query) {
        const page = await reader.ofListings(some, query);
        if (typeof page === "string") return page;
        // Its ledger is at the market's block: any other page would be read once more.
        return { ...page, rows: [row], progress: { ...page.progress, revisions: now.revisions } };
      },
    };
    await using served = await serveApp(await appIn({ overrides: { updater, ledger } }));
    const oldest = `/v1/events?cursor=${encodeEventCursor({ blockNumber: 5n, logIndex: 1 })}`;
    const readsAfter = async (next: Partial<Snapshot>, revisions = now.revisions) => {
      now.revisions = revisions;
      now.snapshot = { ...first, ledgerRevision: ledgerRevisionOf({ revisions }), ...next };
      const before = asked.events.length;
      for (const path of ["/v1/events", oldest]) await wire(served, { path });
      return asked.events.length - before;
    };
    const block = (number: bigint) => ({ number, timestamp: HEAD.timestamp });
    expect(await readsAfter({})).toBe(2);
    expect(await readsAfter({})).toBe(0);
    expect(await readsAfter({ market: { ...first.market, head: block(HEAD.number + 1n) } })).toBe(0);
    expect(await readsAfter({}, { listings: "another" })).toBe(1);
    expect(await readsAfter({ finalized: block(HEAD.number - 1n) })).toBe(1);
    expect(await readsAfter({ finalized: block(HEAD.number) })).toBe(1);
    expect(await readsAfter({ finalized: block(HEAD.number + 9n) })).toBe(0);
    expect(
      await readsAfter({ market: { ...first.market, listings: new Listings(first.market.listings.all()) } }),
    ).toBe(2);
  });

  it("an answer with other content is made again", async () => {
    const { now, served } = await serving(await at(0n, DOLLAR));
    await using _ = served;
    const paths = [
      "/v1/listings",
      "/v1/listings/lst_1",
      "/v1/stats",
      "/v1/originators",
      "/",
      "/listings/lst_1",
    ];
    const before = await Promise.all(paths.map((path) => wire(served, { path })));
    now.snapshot = await at(1n, 2n * DOLLAR);
    for (const [index, path] of paths.entries()) {
      expect((await wire(served, { path })).body).not.toBe(before[index]?.body);
    }
  });
});
