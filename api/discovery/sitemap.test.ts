import { Hono } from "hono";
import { DOMParser } from "linkedom";
import { describe, expect, it } from "vitest";
import { asking } from "../../test/harness/asking.ts";
import { createSitemaps, FILE_LIMITS, type SitemapGroup, type SitemapPage, sitemapsOf } from "./sitemap.ts";

const ORIGIN = "https://raises.example";
const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";
/** `xsd:date` and `xsd:dateTime`, in the forms that W3C's note on dates allows. */
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2}))?$/;
/** Small ones; those of the protocol are much larger. */
const LIMITS = { urls: 50, bytes: 100_000 };

/** Pages in an order that is none. */
function pagesOf(count: number): SitemapPage[] {
  return Array.from({ length: count }, (_, at) => ({
    path: `/listings/lst_${(at * 7_919) % Math.max(count, 1)}`,
    updated: `2026-0${1 + (at % 9)}-1${at % 10}`,
  }));
}

let revisions = 0;

/** A group of these pages. */
function groupOf(pages: readonly SitemapPage[], name = "pages", longest = 200): SitemapGroup {
  const updated = sorted(pages.map((page) => page.updated)).at(-1) ?? "2026-01-01";
  return { name, count: pages.length, longest, revision: `${++revisions}`, updated, pages: () => pages };
}

function bodyAt(sitemaps: ReturnType<typeof sitemapsOf>, path: string): string {
  const file = sitemaps.fileAt(path);
  if (file === null) throw new Error(`nothing at ${path}`);
  return file.make().bytes.toString("utf8");
}

/** The entries of a file, which must be what the protocol's schemas say: root, namespace, order and types of elements. */
function readXml(text: string, root: "urlset" | "sitemapindex"): { loc: string; lastmod: string }[] {
  const item = root === "urlset" ? "url" : "sitemap";
  const [declaration, open, ...rest] = text.split("\n");
  expect(declaration).toBe('<?xml version="1.0" encoding="UTF-8"?>');
  expect(open).toBe(`<${root} xmlns="${NAMESPACE}">`);
  expect(rest.slice(-2)).toEqual([`</${root}>`, ""]);
  const line = new RegExp(`^  <${item}><loc>([^<>]+)</loc><lastmod>([^<>]+)</lastmod></${item}>$`);
  const entries = rest.slice(0, -2).map((entry) => {
    const [, loc = "", lastmod = ""] = line.exec(entry) ?? [];
    return { loc, lastmod };
  });
  for (const { loc, lastmod } of entries) {
    expect(lastmod).toMatch(MOMENT);
    expect(loc.startsWith(ORIGIN)).toBe(true);
    expect(loc.length).toBeLessThan(2_048);
  }
  expect(entries.length).toBeLessThanOrEqual(LIMITS.urls);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMITS.bytes);
  return entries;
}

const sorted = (urls: readonly string[]) => [...urls].sort((a, b) => (a < b ? -1 : 1));

describe.each([
  { count: 0, files: 1 },
  { count: 1, files: 1 },
  { count: 50, files: 1 },
  { count: 51, files: 2 },
  { count: 120, files: 3 },
])("$count pages", ({ count, files }) => {
  const pages = pagesOf(count);
  const sitemaps = sitemapsOf([groupOf(pages)], ORIGIN, LIMITS);
  const isSplit = files > 1;
  const given = pages.map(({ path }) => ORIGIN + path);
  const wanted = isSplit ? given : sorted(given);
  const numbered = Array.from({ length: files }, (_, at) => (at === 0 ? "pages" : `pages-${at + 1}`));
  const names = (form: string) =>
    isSplit ? numbered.map((n) => `/sitemap-${n}.${form}`) : [`/sitemap.${form}`];

  it(`are in ${files} file(s) of each form, and there are no others`, () => {
    const paths = ["/sitemap.xml", "/sitemap.txt", ...(isSplit ? [...names("xml"), ...names("txt")] : [])];
    expect(sorted(sitemaps.paths)).toEqual(sorted(paths));
    for (const path of [`/sitemap-pages-${files + 1}.xml`, "/sitemap-1.txt", "/sitemap", "/"]) {
      expect(sitemaps.fileAt(path), path).toBeNull();
    }
    if (!isSplit) expect(sitemaps.fileAt("/sitemap-pages.xml")).toBeNull();
  });

  it("are there once, each with its last change; sorted in one file, as they come in several", () => {
    const entries = names("xml").flatMap((path) => readXml(bodyAt(sitemaps, path), "urlset"));
    expect(entries.map(({ loc }) => loc)).toEqual(wanted);
    const updated = new Map(pages.map((page) => [ORIGIN + page.path, page.updated]));
    expect(entries.filter(({ loc, lastmod }) => updated.get(loc) !== lastmod)).toEqual([]);
  });

  it("stand in the text form in the same parts", () => {
    for (const [at, path] of names("txt").entries()) {
      const lines = bodyAt(sitemaps, path).split("\n");
      expect(lines.pop()).toBe("");
      const inXml = readXml(bodyAt(sitemaps, names("xml")[at] ?? ""), "urlset");
      expect(lines).toEqual(inXml.map(({ loc }) => loc));
    }
    expect(bodyAt(sitemaps, "/sitemap.txt")).toBe(bodyAt(sitemaps, names("txt")[0] ?? ""));
  });

  it(`${isSplit ? "have" : "need no"} index of the XML files, with the last change of the group`, () => {
    if (!isSplit) {
      expect(bodyAt(sitemaps, "/sitemap.xml")).not.toContain("sitemapindex");
      return;
    }
    const index = readXml(bodyAt(sitemaps, "/sitemap.xml"), "sitemapindex");
    expect(index.map(({ loc }) => loc)).toEqual(names("xml").map((path) => ORIGIN + path));
    for (const { loc, lastmod } of index) {
      const entries = readXml(bodyAt(sitemaps, loc.slice(ORIGIN.length)), "urlset");
      expect(entries.length).toBeGreaterThan(0);
      expect(lastmod).toBe(sorted(pages.map(({ updated }) => updated)).at(-1));
    }
  });
});

describe("an address", () => {
  it("appears once if it is listed twice, with its latest change", () => {
    const page = { path: "/listings/lst_1", updated: "2026-05-01" };
    const sitemaps = sitemapsOf(
      [groupOf([page, { ...page, updated: "2026-06-01T10:00:00Z" }, page])],
      ORIGIN,
    );
    expect(readXml(bodyAt(sitemaps, "/sitemap.xml"), "urlset")).toEqual([
      { loc: `${ORIGIN}/listings/lst_1`, lastmod: "2026-06-01T10:00:00Z" },
    ]);
  });

  it.each([
    ["/a&b", "/a&b", "/a&amp;b"],
    ["/it's", "/it's", "/it&#39;s"],
    ['/"<x>"', "/%22%3Cx%3E%22", "/%22%3Cx%3E%22"],
    ["/größe/日本", "/gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC", "/gr%C3%B6%C3%9Fe/%E6%97%A5%E6%9C%AC"],
    ["/a%26b%2Fc", "/a%26b%2Fc", "/a%26b%2Fc"],
  ])("%s is encoded for URLs, then escaped for XML", (path, url, escaped) => {
    const sitemaps = sitemapsOf([groupOf([{ path, updated: "2026-05-01" }])], ORIGIN);
    const xml = bodyAt(sitemaps, "/sitemap.xml");
    expect(readXml(xml, "urlset").map(({ loc }) => loc)).toEqual([ORIGIN + escaped]);
    const read = new DOMParser().parseFromString(xml, "text/xml").querySelector("loc");
    expect(read?.textContent).toBe(ORIGIN + url);
    expect(bodyAt(sitemaps, "/sitemap.txt")).toBe(`${ORIGIN + url}\n`);
  });

  it("keeps the root as it is configured, with a port that the scheme implies too", () => {
    const sitemaps = sitemapsOf([groupOf([{ path: "/", updated: "2026-05-01" }])], "http://[::1]:80");
    expect(bodyAt(sitemaps, "/sitemap.txt")).toBe("http://[::1]:80/\n");
  });

  it("is left out if it is longer than the protocol allows", () => {
    const fits = `/${"x".repeat(2_047 - ORIGIN.length - 1)}`;
    const pages = [fits, `${fits}x`].map((path) => ({ path, updated: "2026-05-01" }));
    expect(bodyAt(sitemapsOf([groupOf(pages)], ORIGIN), "/sitemap.txt")).toBe(`${ORIGIN}${fits}\n`);
  });
});

it("a file is split before it is too large, however few addresses it has", () => {
  const long = "x".repeat(1_950);
  const pages = Array.from({ length: LIMITS.urls }, (_, at) => ({
    path: `/${long}${at}`,
    updated: "2026-05-01",
  }));
  const sitemaps = sitemapsOf([groupOf(pages, "pages", 1_953)], ORIGIN, LIMITS);
  expect(sitemaps.paths).toContain("/sitemap-pages-2.xml");
  expect(sitemaps.paths).not.toContain("/sitemap-pages-3.xml");
  const sizes = sitemaps.paths.map((path) => Buffer.byteLength(bodyAt(sitemaps, path)));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(LIMITS.bytes);
  expect(sizes.filter((size) => size > LIMITS.bytes * 0.9).length).toBeGreaterThan(0);
});

it("the limits of a file are the protocol's", () => {
  expect(FILE_LIMITS).toEqual({ urls: 50_000, bytes: 52_428_800 });
});

describe("groups", () => {
  const pagesIn = (name: string, count: number) =>
    pagesOf(count).map(({ path, updated }) => ({ path: `/${name}${path}`, updated }));
  const months = ["raises-2026-01", "raises-2026-02", "raises-2026-03"];
  const groups = months.map((name, at) => groupOf(pagesIn(name, 40 + 30 * at), name));
  const sitemaps = sitemapsOf([groupOf(pagesIn("own", 3), "pages"), ...groups], ORIGIN, LIMITS);

  it("have files of their own, as many as their pages need", () => {
    const files = [
      "pages",
      "raises-2026-01",
      "raises-2026-02",
      "raises-2026-02-2",
      "raises-2026-03",
      "raises-2026-03-2",
    ];
    const paths = ["", ...files.map((name) => `-${name}`)].flatMap((name) => [
      `/sitemap${name}.xml`,
      `/sitemap${name}.txt`,
    ]);
    expect(sorted(sitemaps.paths)).toEqual(sorted(paths));
    const index = readXml(bodyAt(sitemaps, "/sitemap.xml"), "sitemapindex");
    expect(index.map(({ loc }) => loc)).toEqual(files.map((name) => `${ORIGIN}/sitemap-${name}.xml`));
    const lengths = files.map((name) => readXml(bodyAt(sitemaps, `/sitemap-${name}.xml`), "urlset").length);
    expect(lengths).toEqual([3, 40, 50, 20, 50, 50]);
    expect(bodyAt(sitemaps, "/sitemap.txt")).toBe(bodyAt(sitemaps, "/sitemap-pages.txt"));
  });

  it("leave the files of others as they are when a page is added", () => {
    const more = [...pagesIn("raises-2026-03", 100), { path: "/new", updated: "2026-09-30" }];
    const later = sitemapsOf(
      [groupOf(pagesIn("own", 3), "pages"), ...groups.slice(0, 2), groupOf(more, "raises-2026-03")],
      ORIGIN,
      LIMITS,
    );
    const texts = (of: typeof later) =>
      of.paths.filter((path) => path.endsWith(".txt")).map((path) => [path, bodyAt(of, path)]);
    expect(texts(later)).toEqual([
      ...texts(sitemaps).slice(0, -1),
      ["/sitemap-raises-2026-03-3.txt", `${ORIGIN}/new\n`],
      ...texts(sitemaps).slice(-1),
    ]);
    for (const [at, path] of ["/sitemap-raises-2026-01.xml", "/sitemap-raises-2026-02-2.xml"].entries())
      expect(later.fileAt(path)?.revision).toBe(groups[at]?.revision);
    expect(later.fileAt("/sitemap.xml")?.revision).not.toBe(sitemaps.fileAt("/sitemap.xml")?.revision);
  });

  it("are read only for a file that is asked for", () => {
    const asked: string[] = [];
    const noted = groups.map((group) => ({
      ...group,
      pages() {
        asked.push(group.name);
        return group.pages();
      },
    }));
    const unread = sitemapsOf(noted, ORIGIN, LIMITS);
    bodyAt(unread, "/sitemap.xml");
    expect(asked).toEqual([]);
    bodyAt(unread, "/sitemap-raises-2026-02-2.xml");
    expect(asked).toEqual(["raises-2026-02"]);
  });
});

describe("over HTTP", () => {
  /** A market that a test moves on. */
  function live(start: readonly SitemapPage[]) {
    let state = { version: {}, pages: start };
    let listed = 0;
    const ask = asking(
      new Hono().use(
        createSitemaps({
          publicUrl: ORIGIN,
          now: () => ({
            version: state.version,
            groups: () => {
              listed++;
              return [groupOf(state.pages)];
            },
          }),
        }),
      ),
    );
    return {
      ask,
      moveOn: (pages: readonly SitemapPage[]) => {
        state = { version: {}, pages };
      },
      timesListed: () => listed,
    };
  }

  it("they follow the market, with another tag when they have changed and only then", async () => {
    const { ask, moveOn } = live(pagesOf(3));
    const before = await ask("/sitemap.xml");
    expect(before.status).toBe(200);
    expect(before.headers.get("content-type")).toBe("application/xml");
    expect(before.headers.get("cache-control")).toBe("public, max-age=3600");
    const etag = before.headers.get("etag") ?? "";
    const again = { headers: { "If-None-Match": etag } };
    expect((await ask("/sitemap.xml", again)).status).toBe(304);

    moveOn(pagesOf(3));
    expect((await ask("/sitemap.xml", again)).status).toBe(304);

    moveOn(pagesOf(4));
    const after = await ask("/sitemap.xml", again);
    expect(after.status).toBe(200);
    expect(readXml(after.text, "urlset")).toHaveLength(4);
    const { text, headers } = await ask("/sitemap.txt");
    expect(text.trim().split("\n")).toHaveLength(4);
    expect(headers.get("content-type")).toBe("text/plain; charset=utf-8");
  });

  it("the groups are listed once for each version, whatever is asked", async () => {
    const { ask, moveOn, timesListed } = live(pagesOf(3));
    const asked = ["/sitemap.xml", "/sitemap.txt", "/sitemap-pages.xml", "/sitemap-pages-99.txt"];
    for (const path of asked) await ask(path);
    expect(timesListed()).toBe(1);
    moveOn(pagesOf(3));
    await ask("/sitemap.xml");
    expect(timesListed()).toBe(2);
  });

  it("files of groups come and go with the market; what is not there is left to others", async () => {
    const { ask, moveOn } = live(pagesOf(50_001));
    expect((await ask("/sitemap-pages-2.xml")).status).toBe(200);
    expect((await ask("/sitemap-pages-2.txt", { method: "HEAD" })).status).toBe(200);
    expect((await ask("/sitemap-pages-2.txt", { method: "POST" })).status).toBe(405);
    for (const path of [
      "/sitemap-pages-3.xml",
      "/sitemap-pages-02.xml",
      "/sitemap-raises.xml",
      "/sitemap-.xml",
      "/sitemap.json",
    ]) {
      expect((await ask(path)).status, path).toBe(404);
    }
    moveOn(pagesOf(50_000));
    expect((await ask("/sitemap-pages-2.xml")).status).toBe(404);
    expect((await ask("/sitemap-pages-2.xml", { method: "POST" })).status).toBe(404);
    expect((await ask("/sitemap.xml", { method: "POST" })).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});
