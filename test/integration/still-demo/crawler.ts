/**
 * The whole site of the real demo service, as a crawler finds it: every link leads to what it announces, every page is in
 * the sitemaps and says the same in HTML, in Markdown and by REST. http.md, "Pages" and "Discovery files".
 * @module
 */
import { beforeAll, describe, expect, test } from "vitest";
import { type Crawl, type CrawledLink, crawl, get, type Visit } from "../../harness/crawl.ts";
import {
  type ExactFact,
  exactFactsOf,
  factsOfHtml,
  factsOfMarkdown,
  headingsOfMarkdown,
  idsOfHtml,
  linksInHead,
  paragraphsOfHtml,
  textOfMarkdown,
} from "../../harness/page-facts.ts";
import { checkAgainst, type Fields } from "../../harness/rest-facts.ts";
import { essenceOf, jsonLinks, parseLinkHeader } from "../../harness/web-links.ts";
import { place } from "./demo.ts";

/** More addresses than the demo has. */
const MOST = 2_500;
/** Its anchors are of its program's making. */
const REFERENCE = "/developers/reference";

const DISCOVERY_JSON = [
  "/.well-known/ai-catalog.json",
  "/.well-known/ard.json",
  "/.well-known/api-catalog",
  "/.well-known/mcp/server-card.json",
  "/.well-known/agent-skills/index.json",
];

/** without a slash at the end */
let root: string;
/** from the front page alone, without the sitemaps */
let walked: Crawl;
/** from all that there is to begin at */
let whole: Crawl;

beforeAll(async () => {
  root = place.url;
  walked = await crawl([`${root}/`], { most: MOST, except: (url) => /\/sitemap[^/]*$/.test(url) });
  const starts = [
    "/",
    "/llms.txt",
    "/auth.md",
    "/robots.txt",
    "/sitemap.xml",
    "/sitemap.txt",
    "/openapi.json",
  ];
  whole = await crawl(
    [...starts, ...DISCOVERY_JSON].map((path) => root + path),
    { most: MOST },
  );
});

const pathOf = (url: string) => new URL(url).pathname;
/** Our pages among what was visited, without those that a query narrows and those that search engines are to ignore. */
function pagesOf({ visits }: Crawl): Visit[] {
  return [...visits.values()].filter(
    ({ url, type, status, text }) =>
      status === 200 &&
      type === "text/html" &&
      new URL(url).search === "" &&
      !text.includes('<meta name="robots" content="noindex"'),
  );
}

const sorted = (values: Iterable<string>) => [...values].sort();

async function sitemapUrls(path: string, pattern: RegExp): Promise<string[]> {
  const { status, text } = await get(root + path);
  expect(status).toBe(200);
  return [...text.matchAll(pattern)].map(([, url = ""]) => url);
}

describe("every link", () => {
  test("leads to an answer, and to the type that it announces", () => {
    const wrong = whole.links.filter((link) => {
      const visit = visitOf(whole, link);
      // Pages of pages are not followed for ever.
      if (visit === undefined) return new URL(link.href).search === "";
      // A draft's name for what is served as the JSON that it is.
      const type = link.type === "application/openapi+json" ? "application/json" : link.type;
      const isType = type === undefined || essenceOf(type) === visit.type;
      return visit.status < 200 || visit.status > 299 || !isType;
    });
    expect(wrong.map((link) => ({ ...link, found: visitOf(whole, link)?.status }))).toEqual([]);
    expect(whole.links.length).toBeGreaterThan(2_000);
    const announced = new Set(
      whole.links.flatMap(({ type }) => (type === undefined ? [] : [essenceOf(type)])),
    );
    for (const type of ["text/markdown", "application/json", "application/linkset+json", "image/svg+xml"]) {
      expect(announced).toContain(type);
    }
  });

  test("with an anchor has its place", () => {
    const places = new Map<string, ReadonlySet<string>>();
    const withAnchor = whole.links.filter(({ href }) => new URL(href).hash !== "");
    const wrong = withAnchor.filter((link) => {
      const visit = visitOf(whole, link);
      if (visit === undefined || pathOf(visit.url) === REFERENCE) return false;
      const anchor = decodeURIComponent(new URL(link.href).hash.slice(1));
      const found = visit.type === "text/html" ? idsOfHtml : headingsOfMarkdown;
      const known = places.get(visit.url) ?? new Set(found(visit.text));
      places.set(visit.url, known);
      return !known.has(anchor);
    });
    expect(wrong).toEqual([]);
    expect(withAnchor.length).toBeGreaterThan(20);
  });

  test("of each discovery file in JSON is among those that were followed", async () => {
    for (const path of DISCOVERY_JSON) {
      const own = jsonLinks(JSON.parse((await get(root + path)).text)).filter(({ href }) =>
        href.startsWith(root),
      );
      expect(own.length, path).toBeGreaterThan(0);
      for (const { href } of own) expect(whole.visits.get(new URL(href).href)?.status, href).toBe(200);
    }
  });

  test("of the description: what can be asked without filling anything in answers", async () => {
    const asked = whole.links
      .filter(({ from }) => from === `${root}/openapi.json`)
      .map(({ href }) => pathOf(href));
    for (const path of [
      "/v1/listings",
      "/v1/originators",
      "/v1/stats",
      "/v1/events",
      "/v1/health",
      "/v1/ready",
    ]) {
      expect(asked).toContain(path);
    }
  });
});

function visitOf({ visits }: Crawl, { href }: CrawledLink): Visit | undefined {
  const target = new URL(href);
  target.hash = "";
  return visits.get(target.href);
}

describe("the sitemaps", () => {
  test("have every page that links lead to, and no other", async () => {
    const listed = await sitemapUrls("/sitemap.xml", /<loc>([^<]+)<\/loc>/g);
    expect(sorted(new Set(listed))).toEqual(sorted(listed));
    expect(await sitemapUrls("/sitemap.txt", /^(.+)$/gm)).toEqual(listed);
    expect(sorted(pagesOf(walked).map(({ url }) => url))).toEqual(sorted(listed));
    expect(sorted(pagesOf(whole).map(({ url }) => url))).toEqual(sorted(listed));
    const kinds = [
      "/",
      "/listings/",
      "/originators",
      "/originators/",
      "/knowledge",
      "/knowledge/",
      "/developers",
      "/developers/limits",
      "/data",
      "/developers/reference",
      "/developers/reference/",
      "/developers/graphql",
      "/system",
    ];
    for (const kind of kinds) {
      const ofKind = listed.filter((url) =>
        kind.length > 1 && kind.endsWith("/") ? pathOf(url).startsWith(kind) : pathOf(url) === kind,
      );
      expect(ofKind.length, kind).toBeGreaterThan(0);
    }
  });

  test("say of each page when it last changed, as the page itself does", async () => {
    const { text } = await get(`${root}/sitemap.xml`);
    const entries = [...text.matchAll(/<loc>([^<]+)<\/loc><lastmod>([^<]+)<\/lastmod>/g)];
    expect(entries.length).toBeGreaterThan(20);
    for (const [, url = "", lastmod] of entries) {
      // How the service is doing is said as of now.
      if (pathOf(url) === "/system") continue;
      const markdown = (await get(url, "text/markdown")).text;
      expect(/\nlast_updated: "([^"]+)"\n/.exec(markdown)?.[1], url).toBe(lastmod);
    }
  });
});

describe("well-known paths", () => {
  test("are never HTML, whether there is something or nothing", async () => {
    const found = [...whole.visits.values()].filter(({ url }) => pathOf(url).startsWith("/.well-known"));
    expect(found.length).toBeGreaterThanOrEqual(8);
    for (const { url, type } of found) expect(type, url).not.toBe("text/html");
    const unknown = [
      "/.well-known/",
      "/.well-known/nothing",
      "/.well-known/oauth-protected-resource/v1/mcp",
      "/.well-known/jwks.json",
    ];
    for (const path of unknown) {
      const { status, type } = await get(root + path, "text/html");
      expect([status, type], path).toEqual([404, "application/problem+json"]);
    }
  });
});

describe("every page", () => {
  test("has the links of its header in its head, and its own address", () => {
    for (const { url, headers, text } of pagesOf(whole)) {
      const ofHeader = parseLinkHeader(headers.get("link") ?? "").filter(({ rel }) => rel !== "canonical");
      // A page that can be followed has a feed and a calendar.
      const isFollowed = /^\/$|^\/(listings|originators)\/./.test(new URL(url).pathname);
      expect(ofHeader.length, url).toBe(isFollowed ? 16 : 14);
      expect(linksInHead(text), url).toEqual(ofHeader);
      expect(factsOfHtml(text, url).canonical).toBe(url);
    }
  });

  test("says in Markdown what it says in HTML, field by field", async () => {
    let facts = 0;
    for (const { url } of pagesOf(whole)) {
      const [html, markdown] = [await get(url, "text/html"), await get(url, "text/markdown")];
      expect([html.type, markdown.type], url).toEqual(["text/html", "text/markdown"]);
      const [ofHtml, ofMarkdown] = [factsOfHtml(html.text, url), factsOfMarkdown(markdown.text, url)];
      expect(ofMarkdown.title, url).toBe(ofHtml.title);
      expect(ofMarkdown.description, url).toBe(ofHtml.description);
      expect(ofMarkdown.canonical).toBe(ofHtml.canonical);
      expect(ofMarkdown.facts, url).toEqual(ofHtml.facts);
      expect(ofMarkdown.tables.length, url).toBe(ofHtml.tables.length);
      for (const [at, table] of ofHtml.tables.entries()) {
        // A table of the knowledge base has no caption; the line above it is part of the text.
        const caption = table.caption === null ? { caption: null } : {};
        expect({ ...ofMarkdown.tables[at], ...caption }, url).toEqual(table);
      }
      const lead = [`${root}/llms.txt`, `${root}/`];
      const others = (links: readonly string[]) => links.filter((link) => !lead.includes(link));
      // In Markdown the place of an object on the same page of the reference is its heading.
      const placed = ofHtml.links.map((link) =>
        link.startsWith(`${url}#`)
          ? link.replace(/#(?:object|type)-(\w+)$/, (_, name) => `#${name.toLowerCase()}`)
          : link,
      );
      expect(others(ofMarkdown.links).toSorted(), url).toEqual(others(placed).toSorted());
      const words = textOfMarkdown(markdown.text);
      for (const paragraph of paragraphsOfHtml(html.text)) expect(words, url).toContain(paragraph);
      facts += ofHtml.facts.length + ofHtml.tables.flatMap(({ rows }) => rows).length;
    }
    expect(facts).toBeGreaterThan(1_000);
  });
});

const json = async (path: string): Promise<Fields> => JSON.parse((await get(root + path)).text);

describe("the figures of the pages are those of REST", () => {
  const factsAt = async (path: string) =>
    exactFactsOf((await get(root + path, "text/html")).text, root + path);
  const alone = (facts: readonly ExactFact[]) => facts.filter(({ row }) => row === null);
  const inRow = (facts: readonly ExactFact[], row: string) => facts.filter((fact) => fact.row === row);
  const listings = async () => (await json("/v1/listings")).listings as Fields[];

  test("of every raise: all its fields, its schedule, its payments, the desk and its latest events", async () => {
    const { trading } = await json("/v1/listings");
    const seen = { payments: 0, events: 0, desk: 0 };
    for (const listing of await listings()) {
      const path = `/listings/${listing.publicId}`;
      const facts = await factsAt(path);
      const schedule = await json(`/v1${path}/schedule`);
      const { events } = (await json(`/v1${path}/events`)) as { events: Fields[] };
      const desk = (trading as { listings: Fields[] }).listings.find(
        ({ publicId }) => publicId === listing.publicId,
      );
      const subjects = [listing, schedule, ...(desk === undefined ? [] : [desk])];
      const checked = checkAgainst(alone(facts), subjects, path);
      const fields = Object.keys(listing).filter((key) => key !== "description" && key !== "title");
      expect(
        fields.filter((key) => !checked.includes(key)),
        path,
      ).toEqual([]);
      for (const event of events) {
        const row = inRow(facts, `${event.blockNumber}.${event.logIndex}`);
        expect(sorted(checkAgainst(row, [event], path))).toEqual([
          "blockNumber",
          "blockTime",
          "finality",
          "txHash",
        ]);
        seen.events++;
      }
      for (const [at, payment] of (schedule.payments as Fields[]).entries()) {
        const row = inRow(facts, `payment-${at + 1}`);
        expect(sorted(checkAgainst(row, [payment], path))).toEqual(["at", "interest", "principal", "txHash"]);
        seen.payments++;
      }
      if (desk !== undefined) seen.desk++;
    }
    expect(seen.events).toBeGreaterThan(50);
    expect(seen.payments).toBeGreaterThan(3);
    expect(seen.desk).toBeGreaterThan(0);
  });

  test("of every business, and of its raises", async () => {
    const { originators } = (await json("/v1/originators")) as { originators: Fields[] };
    expect(originators.length).toBeGreaterThan(2);
    const all = await factsAt("/originators");
    for (const business of originators) {
      const path = `/originators/${business.publicId}`;
      const facts = await factsAt(path);
      const checked = checkAgainst(alone(facts), [business], path);
      // How late they were is told in words.
      const { byDaysLate: _, ...figures } = business.rating as Fields;
      const rating = Object.keys(figures).map((key) => `rating.${key}`);
      const fields = ["publicId", "legalName", "jurisdiction", "kybStatus", "ratingGrade", ...rating];
      expect(
        fields.filter((key) => !checked.includes(key)),
        path,
      ).toEqual([]);
      for (const listing of business.listings as Fields[]) {
        const row = inRow(facts, String(listing.publicId));
        expect(checkAgainst(row, [listing], path).length, path).toBeGreaterThan(5);
      }
      const row = inRow(all, String(business.publicId));
      expect(checkAgainst(row, [business], "/originators")).toEqual(
        expect.arrayContaining(["jurisdiction", "ratingGrade"]),
      );
    }
  });

  test("of the board: each raise, the totals and the desk", async () => {
    const facts = await factsAt("/?show=all&view=table");
    const { trading } = await json("/v1/listings");
    const checked = checkAgainst(alone(facts), [await json("/v1/stats"), trading as Fields], "/");
    for (const key of ["raised", "repaid", "returned", "outstanding", "defaultRateBps"])
      expect(checked).toContain(key);
    const rows = (await listings()).filter(({ publicId }) => inRow(facts, String(publicId)).length > 0);
    expect(rows.length).toBeGreaterThan(5);
    for (const listing of rows) {
      const row = inRow(facts, String(listing.publicId));
      expect(checkAgainst(row, [listing], "/").length).toBeGreaterThan(5);
    }
  });

  test("of the service", async () => {
    const checked = checkAgainst(alone(await factsAt("/system")), [await json("/v1/health")], "/system");
    for (const key of [
      "status",
      "chainId",
      "indexedBlock",
      "headBlock",
      "indexedAt",
      "lagSeconds",
      "version",
    ]) {
      expect(checked).toContain(key);
    }
  });
});
