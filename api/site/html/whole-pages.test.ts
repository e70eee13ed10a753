/** The rules for every page as a document: ids, targets, labels, the tags that name the page, and structured data that is true. */
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { appIn, BRAND } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { actionsOfHtml, tagsOfHtml } from "../../../test/harness/hostile/html-shape.ts";
import { busyLedger } from "../../../test/harness/mcp.ts";
import { DESK, everyState, offerRow, repaymentRow, tradeRow } from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";

const { rows, registry } = everyState();
const snapshot = await snapshotOf(
  tablesOf({ listings: rows, repayments: [repaymentRow()], offers: [offerRow()], trades: [tradeRow()] }),
  registry,
  { ...SITE, desk: DESK },
);
const overrides = { ledger: busyLedger(3) };
const ask = asking(await appIn({ snapshot, overrides }));
const asHtml = { headers: { Accept: "text/html" } };

const LISTINGS = [1, 2, 3, 4, 5, 6, 7, 8].map((id) => `/listings/lst_${id}`);
const PAGES = [
  "/",
  ...LISTINGS,
  "/originators",
  "/originators/org_northwind",
  "/originators/org_unverified",
  "/statistics",
  "/knowledge",
  ...(await pathsBelow("/knowledge/")),
  "/developers",
  "/developers/limits",
  "/data",
  "/developers/graphql",
  ...(await pathsBelow("/developers/reference")),
  "/system",
];
/** Pages without an address of their own, or with that of another page. */
const OTHERS = [
  "/?status=live&q=raise",
  "/?q=nothing-fits",
  "/?status=nonsense",
  "/listings/lst_2?before=nonsense",
  "/knowledge?q=refund",
  "/knowledge?q=zzqx",
  "/originators?page=9",
  "/compare",
  "/compare?ids=lst_1,lst_2,lst_3,lst_8",
  "/compare?ids=lst_1,lst_2,lst_3,lst_7,lst_8",
  "/compare?ids=lst_nowhere",
  "/watched",
  "/watched?ids=lst_1,lst_8,lst_nowhere",
  "/developers/graphql?query={__typename}",
  "/developers/graphql?query={nothing}&variables=x",
  "/developers/reference/nothing",
  "/nowhere",
  "/listings/lst_nowhere",
];

async function pathsBelow(start: string): Promise<string[]> {
  const { text } = await ask("/sitemap.txt");
  const paths = text.split("\n").map((url) => url.slice(SITE.publicUrl.length));
  return paths.filter((path) => path.startsWith(start));
}

it("these are all pages that the sitemap lists", async () => {
  const { text } = await ask("/sitemap.txt");
  const listed = text
    .trim()
    .split("\n")
    .map((url) => new URL(url).pathname);
  expect(PAGES.toSorted()).toEqual(listed.toSorted());
});

async function documentOf(path: string) {
  const { text, status } = await ask(path, asHtml);
  const { document } = parseHTML(text);
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  const attribute = (selector: string, name: string) =>
    document.querySelector(selector)?.getAttribute(name) ?? null;
  return { text, status, document, all, attribute };
}

describe.each([...PAGES, ...OTHERS])("%s", (path) => {
  it("is written plainly: every attribute in quotes, nothing that acts, no style", async () => {
    const { text } = await documentOf(path);
    expect(tagsOfHtml(text).length).toBeGreaterThan(50);
    expect(actionsOfHtml(text)).toEqual([]);
    expect(text).not.toMatch(/<style|\son\w+=|javascript:/i);
    // A value that is missing.
    expect(text.replace(/<script[\s\S]*?<\/script>/g, "")).not.toMatch(/\bundefined\b|\bNaN\b|\[object /);
  });

  it("has each id once, and every name of one leads to it", async () => {
    const { all } = await documentOf(path);
    const ids = all("[id]").map((element) => element.id);
    expect(ids).toEqual([...new Set(ids)]);
    for (const id of ids) expect(id).toMatch(/^\S+$/);
    const named = ["for", "aria-labelledby", "aria-describedby", "aria-controls"].flatMap((name) =>
      all(`[${name}]`).flatMap((element) => (element.getAttribute(name) ?? "").split(" ")),
    );
    const anchors = all('a[href^="#"]').map((link) =>
      decodeURIComponent(link.getAttribute("href") ?? "").slice(1),
    );
    for (const target of [...named, ...anchors]) expect(ids).toContain(target);
    expect(anchors.length).toBeGreaterThan(0);
  });

  it("has one title, one heading of the first level, no empty heading and no skipped level", async () => {
    const { all, document } = await documentOf(path);
    expect(all("h1")).toHaveLength(1);
    expect(document.title).toContain(document.querySelector("h1")?.textContent ?? "?");
    const levels = all("h1, h2, h3, h4, h5, h6").map((heading) => {
      expect(heading.textContent?.trim()).not.toBe("");
      return Number(heading.localName.slice(1));
    });
    for (const [at, level] of levels.entries()) expect(level - (levels[at - 1] ?? 0)).toBeLessThanOrEqual(1);
  });

  it("has a name for every field and every part", async () => {
    const { all } = await documentOf(path);
    const labelled = new Set(all("label[for]").map((label) => label.getAttribute("for")));
    for (const field of all("input:not([type=hidden]), select, textarea")) {
      if (field.closest("label") === null) expect(labelled).toContain(field.id);
      else expect(field.closest("label")?.textContent?.trim()).not.toBe("");
    }
    for (const part of all("nav, figure.chart, form, svg[role]"))
      expect(part.getAttribute("aria-label") ?? part.getAttribute("aria-labelledby")).toBeTruthy();
    for (const image of all("img")) expect(image.hasAttribute("alt")).toBe(true);
    for (const link of all("a[href]")) expect(link.textContent?.trim()).not.toBe("");
    for (const heading of all("th")) expect(["col", "row"]).toContain(heading.getAttribute("scope"));
  });
});

describe.each(PAGES)("%s", (path) => {
  it("says once which page it is", async () => {
    const { attribute, all, document, status } = await documentOf(path);
    expect(status).toBe(200);
    const canonical = SITE.publicUrl + path;
    expect(all('link[rel="canonical"]').map((link) => link.getAttribute("href"))).toEqual([canonical]);
    expect(attribute('meta[property="og:url"]', "content")).toBe(canonical);
    expect(attribute('meta[property="og:title"]', "content")).toBe(document.title);
    expect(attribute('meta[property="og:site_name"]', "content")).toBe(BRAND.name);
    expect(attribute('meta[property="og:description"]', "content")).toBe(
      attribute('meta[name="description"]', "content"),
    );
    expect(attribute('meta[name="description"]', "content")?.length).toBeGreaterThan(30);
    expect(all('meta[name="robots"]')).toEqual([]);
    expect(attribute("html", "lang")).toBe("en");
  });

  it("has structured data that says what the page says", async () => {
    const { all } = await documentOf(path);
    const blocks = all('script[type="application/ld+json"]').map((script) =>
      JSON.parse(script.textContent ?? ""),
    );
    const types = blocks.flatMap((block) => (block["@graph"] ?? [block]).map((one: Typed) => one["@type"]));
    expect(types).toEqual(path === "/" ? ["Organization", "WebSite"] : ["BreadcrumbList"]);
    for (const block of blocks) expect(block["@context"]).toBe("https://schema.org");
    for (const url of urlsIn(blocks)) {
      expect(url.startsWith(`${SITE.publicUrl}/`), url).toBe(true);
      const target = url.slice(SITE.publicUrl.length).replace(/#.*/, "");
      expect((await ask(target)).status, url).toBe(200);
    }
    if (path === "/") return;
    const [{ itemListElement: items }] = blocks;
    const shown = all(".crumbs a").map((link) => [
      link.textContent,
      SITE.publicUrl + link.getAttribute("href"),
    ]);
    const [heading] = all("h1");
    const expected = [...shown, [heading?.textContent, SITE.publicUrl + path]];
    expect(items).toEqual(
      expected.map(([name, item], at) => ({ "@type": "ListItem", position: at + 1, name, item })),
    );
  });
});

type Typed = { "@type": string };

/** Every address in structured data, but for that of the vocabulary. */
function urlsIn(value: unknown): string[] {
  if (typeof value === "string")
    return /^https?:/.test(value) && value !== "https://schema.org" ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(urlsIn) : [];
}

describe.each(OTHERS.slice(-2))("%s", (path) => {
  it("says of no page that it is that one, and wants to be listed nowhere", async () => {
    const { all, attribute, status } = await documentOf(path);
    expect(status).toBe(404);
    expect(all('link[rel="canonical"], meta[property^="og:"], script[type="application/ld+json"]')).toEqual(
      [],
    );
    expect(attribute('meta[name="robots"]', "content")).toBe("noindex");
    expect(all('link[rel="alternate"]')).toEqual([]);
    for (const link of all("main a[href], footer a[href]"))
      expect((await ask(link.getAttribute("href") ?? "")).status).toBe(200);
  });
});
