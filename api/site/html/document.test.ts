/**
 * Any text, in every place of a page: the document has the elements that a harmless text gives it, and the
 * text reads as it was written.
 */
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import {
  actionsOfHtml,
  harmless,
  shapeOfHtml,
  tagsOfHtml,
  withoutIsolations,
} from "../../../test/harness/hostile/html-shape.ts";
import { breakingText, pageSaying } from "../../../test/harness/hostile/page.ts";
import { linksOfPage } from "../../http/links.ts";
import type { Sync } from "../system/sync.ts";
import { documentHtml } from "./document.tsx";

const PUBLIC_URL = "https://raises.example";
const SYNC: Sync = { state: "ok", indexed: 1n, head: 1n, start: 0n, percent: 100, text: "", progress: null };

function htmlSaying(said: string, siteName = said, isError = false, behind?: Partial<Sync>): string {
  const shell = {
    publicUrl: PUBLIC_URL,
    siteName,
    chainId: 97,
    assets: {
      css: "/assets/site.css",
      script: "/assets/site.js",
      logo: "/brand/logo.svg",
      favicon: { href: "/favicon.svg", type: "image/svg+xml" },
      manifest: "/site.webmanifest",
    },
    themeColours: { light: "#fff", dark: "#000" },
    tools: "",
    navigation: [],
  };
  const page = pageSaying(said);
  const links = linksOfPage(PUBLIC_URL, isError ? null : page.path);
  const sync = { ...SYNC, text: said, state: "degraded" as const, ...behind };
  return withoutIsolations(documentHtml({ page, shell, links, sync, isError }));
}

const strip = (said: string, keepLineFeeds = true) => stripControl(said, { keepLineFeeds });

describe("a text of any kind", () => {
  it("adds no element and no attribute, by a parser and by a scanner", () => {
    fc.assert(
      fc.property(breakingText, fc.boolean(), (said, isError) => {
        const html = htmlSaying(said, said, isError);
        const plain = htmlSaying(harmless(strip(said)), harmless(strip(said)), isError);
        expect(tagsOfHtml(html)).toEqual(tagsOfHtml(plain));
        expect(shapeOfHtml(html)).toEqual(shapeOfHtml(plain));
        expect(actionsOfHtml(html)).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it("reads as it was written in every place, except for invisible characters", () => {
    fc.assert(
      fc.property(breakingText, (said) => {
        const { document } = parseHTML(htmlSaying(said));
        const shown = (selector: string) => document.querySelector(selector)?.textContent;
        const attribute = (selector: string, name: string) =>
          document.querySelector(selector)?.getAttribute(name);
        const whole = strip(said);
        const line = strip(said, false);
        expect(document.title).toBe(`${whole} – ${whole}`);
        for (const selector of [
          "h1",
          "h2",
          ".lead",
          ".crumbs a",
          ".site-name span",
          "#syncState p",
          ".empty",
        ])
          expect(shown(selector), selector).toBe(whole);
        for (const selector of ["#all > p", "dt", "figcaption", "pre code", "caption", "thead th", "label"])
          expect(shown(selector), selector).toBe(whole);
        for (const selector of [".progress-text", ".button", "form button", "option", ".links a"])
          expect(shown(selector), selector).toBe(whole);
        for (const selector of ['[data-fact="badge"]', '[data-fact="k"]', '[data-fact="l"] a'])
          expect(shown(selector), selector).toBe(line);
        for (const selector of ['tbody [data-fact="a"]', 'tbody [data-fact="b"]'])
          expect(shown(selector), selector).toBe(line);
        expect(shown(".fact-note")?.trim()).toBe(whole.trim());
        expect(shown(".notice")).toBe(`Problem: ${whole}`);
        expect(attribute('meta[name="description"]', "content")).toBe(whole);
        expect(attribute('meta[property="og:description"]', "content")).toBe(whole);
        expect(attribute('meta[property="og:title"]', "content")).toBe(`${whole} – ${whole}`);
        expect(attribute('meta[property="og:site_name"]', "content")).toBe(whole);
        expect(attribute("input", "value")).toBe(whole);
        expect(attribute("option", "value")).toBe(whole);
        expect(attribute("tbody td", "data-label")).toBe(whole);
        expect(attribute("svg", "aria-label")).toBe(`${whole}: ${whole}, ${whole}`);
        const [organization, crumbs] = [...document.querySelectorAll('script[type$="ld+json"]')].map(
          (script) => JSON.parse(script.textContent ?? ""),
        );
        expect(strip(organization.name)).toBe(whole);
        expect(crumbs.itemListElement.map(({ name }: { name: string }) => strip(name))).toEqual([
          whole,
          whole,
        ]);
      }),
      { numRuns: 150 },
    );
  });

  it("holds nothing that turns a line around, or that a terminal acts on", () => {
    fc.assert(
      fc.property(breakingText, (said) => {
        const html = htmlSaying(said);
        expect(strip(html)).toBe(html);
      }),
      { numRuns: 100 },
    );
  });
});

it("the banner is not read out again for each block that the index comes to", () => {
  const banners = [5n, 6n].map((indexed) => {
    const progress = `block ${indexed} of 9, 50%`;
    const text = `Catching up: ${progress}. Figures are old.`;
    const html = htmlSaying("", "", false, { state: "syncing", indexed, head: 9n, text, progress });
    const banner = parseHTML(html).document.querySelector("[role=status]");
    expect(banner?.querySelector("p")?.textContent).toBe(text);
    for (const silent of banner?.querySelectorAll('[aria-live="off"]') ?? []) silent.remove();
    return banner?.textContent;
  });
  expect(banners[0]).toMatch(/^Catching up: \. Figures are old\./);
  expect(banners[1]).toBe(banners[0]);
});

describe("the scanner", () => {
  it.each([
    ["<p>a < b</p>"],
    ["<p onclick=hostile()>"],
    ['<p title="a"b">'],
    ["<p title='a'>"],
    ["<!-- x -->"],
    ["<script>a<script>b</script>"],
  ])("refuses %s", (html) => expect(() => tagsOfHtml(html)).toThrow());

  it("sees what was added", () => {
    expect(tagsOfHtml('<p class="a">x</p><br/>')).toEqual(["p class", "br"]);
    expect(actionsOfHtml('<a href="javascript:x">x</a><p style="color:red" onclick="x">x</p>')).toHaveLength(
      3,
    );
    expect(shapeOfHtml("<p><b>x</b></p>")).not.toEqual(shapeOfHtml("<p>x</p>"));
  });
});
