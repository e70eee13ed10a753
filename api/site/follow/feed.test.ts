import { readFileSync } from "node:fs";
import fc from "fast-check";
import { parseAtomFeed } from "feedsmith";
import { RelaxNGValidator, XmlDocument } from "libxml2-wasm";
import { describe, expect, it, vi } from "vitest";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { comparePositions } from "../../../src/fold/event-id.ts";
import { appIn, BRAND } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { fixedLedger } from "../../../test/harness/fixed-ledger.ts";
import { FINALITY, followedApp, later, ledgerOf, subscription } from "../../../test/harness/followed.ts";
import { withoutIsolations } from "../../../test/harness/hostile/html-shape.ts";
import { breakingText } from "../../../test/harness/hostile/page.ts";
import { business } from "../../../test/harness/market.ts";
import { neverInStep } from "../../../test/harness/never-in-step.ts";
import { entryDraft, everyState, HEAD, listingRow, NOW, registryOf } from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";

const FEEDS = ["/feed.atom", "/listings/lst_1/feed.atom", "/originators/org_unverified/feed.atom"] as const;
const GRAMMAR = new URL("../../../test/schema/official/atom.rng", import.meta.url);
const grammar = RelaxNGValidator.fromDoc(XmlDocument.fromString(readFileSync(GRAMMAR, "utf8")));

/** Throws when it is not what RFC 4287 allows; the feed as a reader of feeds reads it. */
function readFeed(xml: string) {
  const document = XmlDocument.fromString(xml);
  try {
    grammar.validate(document);
  } finally {
    document.dispose();
  }
  const feed = parseAtomFeed(xml);
  const entries = (feed.entries ?? []).map((entry) => ({
    ...entry,
    title: entry.title?.value,
    summary: entry.summary?.value,
  }));
  return { ...feed, entries };
}

const ROWS = [subscription(3n), subscription(40n), subscription(41n, 2n), subscription(60n, 4n)];

async function world(rows = ROWS) {
  const ledger = ledgerOf(rows);
  return { ...(await followedApp(await snapshotOf(tablesOf()), { ledger: ledger.reader })), ledger };
}

describe("the grammar", () => {
  it("refuses what is no feed", async () => {
    const { ask } = await world();
    const { text } = await ask(FEEDS[0]);
    const spoilt = [
      text.replace(/<id>.*<\/id>/, ""),
      text.replace(/<updated>.*?<\/updated>/, "<updated>yesterday</updated>"),
      text.replace(/<author>.*<\/author>/, ""),
      text.replace("<summary>", "<summary><b/>"),
      text.replace("</feed>", "<surprise/></feed>"),
    ];
    for (const xml of spoilt) {
      expect(xml).not.toBe(text);
      expect(() => readFeed(xml)).toThrow();
    }
  });
});

it("of a business opens no raise, of which the archive may have thousands", async () => {
  const snapshot = await snapshotOf(tablesOf());
  const listings = snapshot.market.originatorByPublicId.get("org_unverified")?.listings ?? expect.fail();
  const reads = (["all", Symbol.iterator] as const).map((name) => vi.spyOn(listings, name));
  const { ask } = await followedApp(snapshot, { ledger: ledgerOf([subscription(40n, 2n)]).reader });
  expect(readFeed((await ask("/originators/org_unverified/feed.atom")).text).entries).toHaveLength(1);
  for (const read of reads) expect(read).not.toHaveBeenCalled();
});

describe.each(FEEDS)("%s", (path) => {
  it("is an Atom feed with an author, its own address and its page", async () => {
    const { ask } = await world();
    const { status, headers, text } = await ask(path);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
    const feed = readFeed(text);
    expect(feed.id).toBe(SITE.publicUrl + path);
    expect(feed.authors?.map(({ name }) => name)).toEqual([BRAND.name]);
    const links = feed.links?.map(({ rel, href }) => `${rel} ${href}`);
    const page = SITE.publicUrl + (path === "/feed.atom" ? "/" : path.replace("/feed.atom", ""));
    expect(links).toEqual([`self ${SITE.publicUrl}${path}`, `alternate ${page}`]);
  });

  it("is named by its page, in the header and in the head", async () => {
    const { ask } = await world();
    const page = path === "/feed.atom" ? "/" : path.replace("/feed.atom", "");
    const { headers, text } = await ask(page, { headers: { Accept: "text/html" } });
    expect(headers.get("link")).toContain(
      `<${SITE.publicUrl}${path}>; rel="alternate"; type="application/atom+xml"`,
    );
    expect(text).toContain(
      `<link rel="alternate" href="${SITE.publicUrl}${path}" type="application/atom+xml"`,
    );
    expect(text).toContain(`<a href="${path}"`);
    expect((await ask(page, { headers: { Accept: "text/markdown" } })).text).toContain(SITE.publicUrl + path);
  });

  it("answers HEAD, compresses, and has the headers of every answer", async () => {
    const listing = path === FEEDS[2] ? 2n : 1n;
    const { ask } = await world(
      Array.from({ length: 5 }, (_, at) => subscription(40n + BigInt(at), listing)),
    );
    const get = await ask(path);
    const head = await ask(path, { method: "HEAD" });
    expect(Object.fromEntries([...head.headers].filter(([name]) => name !== "x-request-id"))).toEqual(
      Object.fromEntries([...get.headers].filter(([name]) => name !== "x-request-id")),
    );
    expect(head.text).toBe("");
    const zipped = await ask(path, { headers: { "Accept-Encoding": "gzip" } });
    expect(zipped.headers.get("content-encoding")).toBe("gzip");
    expect(zipped.text).toBe(get.text);
    expect(get.headers.get("x-content-type-options")).toBe("nosniff");
    expect(get.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(get.headers.get("access-control-allow-origin")).toBe("*");
    expect(get.headers.get("x-indexed-block")).toBe(`${HEAD.number}`);
    expect((await ask(path, { method: "DELETE" })).status).toBe(405);
  });

  it("says 503 before the first block, and a problem when it fails", async () => {
    const empty = asking(await appIn({ snapshot: null }));
    const answer = await empty(path);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text)).toMatchObject({ code: "not_indexed_yet" });
    const { updater } = await neverInStep();
    const ledger = fixedLedger({ events: "backfilling" });
    const reading = asking(await appIn({ overrides: { updater, ledger } }));
    // The market is backfilled: the indexer has been started again.
    expect(JSON.parse((await reading(path)).text)).toMatchObject({ code: "reorganising" });
  });
});

it("has no feed of what is not visible", async () => {
  const { ask } = await world();
  for (const path of [
    "/listings/lst_98",
    "/listings/RB99999",
    "/originators/org_none",
    "/listings/org_unverified",
  ]) {
    const { status, headers } = await ask(`${path}/feed.atom`);
    expect(status, path).toBe(404);
    expect(headers.get("content-type")).toBe("application/problem+json");
  }
});

describe("the entries", () => {
  it("are the final events alone, newest first, with the sentences of the page", async () => {
    const { ask } = await world();
    const { entries, updated } = readFeed((await ask(FEEDS[0])).text);
    expect(entries.map(({ title }) => title)).toEqual([
      "Raise 1: A backer subscribed 1 USD-test",
      "Raise 2: A backer subscribed 1 USD-test",
      "Raise 4: A backer subscribed 1 USD-test",
    ]);
    expect(entries.map(({ links }) => links?.[0]?.href)).toEqual(
      [1, 2, 4].map((id) => `${SITE.publicUrl}/listings/lst_${id}`),
    );
    expect(updated).toBe(entries[0]?.updated);
    expect(entries[0]?.summary).toMatch(/^A backer subscribed 1 USD-test\. Running total: 1\.$/);
    expect(entries[0]?.id).toBe(`tag:raises.example,2026:97/${HEAD.number - 40n}-4`);
  });

  it("are the same in each feed that has them, and of the subject alone", async () => {
    const { ask } = await world();
    const [market, raise, originator] = await Promise.all(
      FEEDS.map(async (path) => readFeed((await ask(path)).text).entries),
    );
    expect(raise).toEqual(market?.filter(({ title }) => title?.startsWith("Raise 1:")));
    expect(raise).toHaveLength(1);
    expect(originator).toEqual(market?.slice(0, 2));
    expect(new Set(market?.map(({ id }) => id)).size).toBe(3);
  });

  it("are at most fifty, whatever is pending", async () => {
    const rows = Array.from({ length: 90 }, (_, at) => subscription(BigInt(at)));
    const { ask } = await world(rows);
    const { entries } = readFeed((await ask(FEEDS[1])).text);
    expect(entries).toHaveLength(50);
    expect(entries[0]?.id).toContain(`/${HEAD.number - FINALITY}-`);
  });

  it.each([FEEDS[2], "/feed.atom?originator=org_unverified"])(
    "%s looks for its own beyond pages of other raises' events",
    async (path) => {
      const others = Array.from({ length: 7 }, (_, at) => subscription(FINALITY + BigInt(at), 4n));
      const rows = [...others, subscription(40n), subscription(41n, 2n)];
      const { reader } = ledgerOf(rows);
      const ofListings: typeof reader.ofListings = async (listings, { before, ...query }) => {
        // As the real one, which reads so many events of all raises at a time.
        const older = rows.filter((row) => before === null || comparePositions(row, before) < 0);
        const scanned = older.slice(0, 3);
        const page = await ledgerOf(scanned).reader.ofListings(listings, { ...query, before });
        return typeof page === "string"
          ? page
          : { ...page, next: scanned.length < older.length ? (scanned.at(-1) ?? null) : null };
      };
      const { ask } = await followedApp(await snapshotOf(tablesOf()), { ledger: { ...reader, ofListings } });
      const { entries } = readFeed((await ask(path)).text);
      expect(entries.map(({ title }) => title?.slice(0, 7))).toEqual(["Raise 1", "Raise 2"]);
    },
  );

  it("may be missing: the feed then dates from the first opening", async () => {
    const { ask } = await world([]);
    for (const path of FEEDS) {
      const { entries, updated } = readFeed((await ask(path)).text);
      expect(entries).toEqual([]);
      expect(Date.parse(`${updated}`)).toBeLessThan(Number(HEAD.timestamp) * 1000);
    }
  });
});

describe.each(FEEDS)("the tag of %s", (path) => {
  it("stays while blocks come that change nothing of it, and nothing is read for it", async () => {
    const { ask, show, ledger } = await world(ROWS.slice(1));
    const first = await ask(path);
    const reads = ledger.reads();
    show(await later(1n, { listings: everyState().rows }));
    const again = await ask(path, { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
    expect(again.headers.get("x-indexed-block")).toBe(`${HEAD.number + 1n}`);
    // The snapshots of two reads have registries of their own.
    expect(ledger.reads() - reads).toBeLessThanOrEqual(1);
    const before = ledger.reads();
    for (let request = 0; request < 5; request++) await ask(path);
    expect(ledger.reads()).toBe(before);
  });

  it("changes when a pending event becomes final, without any change to the ledger", async () => {
    const { ask, show } = await world([subscription(20n), ...ROWS.slice(1)]);
    const first = await ask(path);
    const snapshot = await later(0n);
    show({ ...snapshot, finalized: { number: HEAD.number - 20n, timestamp: HEAD.timestamp } });
    const second = await ask(path);
    expect(second.headers.get("etag")).not.toBe(first.headers.get("etag"));
    expect(readFeed(second.text).entries.length).toBe(readFeed(first.text).entries.length + 1);
  });

  it("changes with a name that it shows, and not with a text that it does not", async () => {
    const { rows } = everyState();
    const tagWith = async (draft: { title?: string; description?: string }) => {
      const registry = registryOf(
        rows.slice(0, 4).map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}`, ...draft })),
        [business({ publicId: "org_unverified" })].concat(business()),
      );
      const { ask, show } = await world();
      show(await snapshotOf(tablesOf(), registry));
      return (await ask(path.replace("org_unverified", "org_northwind"))).headers.get("etag");
    };
    const tag = await tagWith({ title: "A second oven" });
    expect(await tagWith({ title: "A second oven", description: "Other words." })).toBe(tag);
    expect(await tagWith({ title: "A third oven" })).not.toBe(tag);
  });
});

it.each([FEEDS[0], FEEDS[2]])("%s has a raise once it opens, by time alone", async (path) => {
  const listings = [listingRow(), listingRow({ onchainId: 2n, goLiveAt: NOW + 60n })];
  const entries = listings.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` }));
  const registry = registryOf(entries, [business({ publicId: "org_unverified" }), business()]);
  const at = (seconds: bigint) => {
    const head = { number: HEAD.number + seconds, timestamp: NOW + seconds };
    return snapshotOf(tablesOf({ listings, head }), registry);
  };
  const { ask, show } = await followedApp(await at(0n), { ledger: ledgerOf(ROWS).reader });
  const asked = path.replace("org_unverified", "org_northwind");
  const titles = async () => readFeed((await ask(asked)).text).entries.map(({ title }) => title?.slice(0, 7));
  expect(await titles()).toEqual(["Raise 1"]);
  show(await at(59n));
  expect(await titles()).toEqual(["Raise 1"]);
  show(await at(60n));
  expect(await titles()).toEqual(["Raise 1", "Raise 2"]);
});

it("several who ask at once wait for one reading", async () => {
  const { ask, ledger } = await world(ROWS.slice(1));
  await Promise.all(Array.from({ length: 10 }, () => ask(FEEDS[1])));
  expect(ledger.reads()).toBe(1);
});

it("texts of third parties are text", async () => {
  const hostile = fc.record({ title: breakingText, legalName: breakingText, siteName: breakingText });
  const property = fc.asyncProperty(hostile, async ({ title, legalName, siteName }) => {
    const named = (text: string) => `a${text}`.slice(0, 200).toWellFormed();
    const registry = registryOf(
      [entryDraft({ title: named(title) })],
      [business({ legalName: named(legalName) })],
    );
    const snapshot = await snapshotOf(tablesOf({ listings: [listingRow()] }), registry);
    const brand = { ...BRAND, name: named(siteName) };
    const { ask } = await followedApp(snapshot, { brand, ledger: ledgerOf(ROWS).reader });
    const plain = (text: string) =>
      stripControl(text.replace(/[\r\n\u2028\u2029]+/g, " "), { keepLineFeeds: false }).replaceAll(
        /[\uFFFE\uFFFF]/g,
        "",
      );
    // As the market has it.
    const ofMarket = (text: string) => plain(stripControl(named(text), { keepLineFeeds: false }));
    for (const path of ["/feed.atom", "/listings/lst_1/feed.atom", "/originators/org_northwind/feed.atom"]) {
      const { text } = await ask(path);
      readFeed(text);
      using document = XmlDocument.fromString(withoutIsolations(text));
      const [feedTitle, entryTitle] = document
        .find("//a:title", { a: "http://www.w3.org/2005/Atom" })
        .map(({ content }) => content);
      expect(entryTitle).toBe(`${ofMarket(title)}: A backer subscribed 1 USD-test`);
      expect(feedTitle).toContain(plain(named(siteName)));
      if (path.startsWith("/orig")) expect(feedTitle).toContain(ofMarket(legalName));
    }
  });
  await fc.assert(property, { numRuns: 10 });
});
