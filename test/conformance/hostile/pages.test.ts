/**
 * Titles, descriptions, names and reference numbers of third parties that do harm, the operator's own name for the
 * site, and what a visitor searches for: on every page, in both forms, they are text.
 */
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { markdownPath } from "../../../api/http/links.ts";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { appIn, BRAND } from "../../harness/app.ts";
import { asking } from "../../harness/asking.ts";
import {
  actionsOfHtml,
  harmless,
  shapeOfHtml,
  shapeOfMarkdown,
  tagsOfHtml,
  withoutIsolations,
} from "../../harness/hostile/html-shape.ts";
import { breakingText } from "../../harness/hostile/page.ts";
import { business } from "../../harness/market.ts";
import { factsOfMarkdown } from "../../harness/page-facts.ts";
import { DESK, entryDraft, everyState, offerRow, registryOf, tradeRow } from "../../harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../harness/snapshot.ts";

const PAGES = ["/", "/listings/lst_1", "/listings/lst_4", "/originators", "/originators/org_northwind"];

type Texts = { title: string; description: string; legalName: string; refnum: string; siteName: string };

/** The registry takes one to two hundred characters, and there has to be something to read. */
const shortText = breakingText
  .map((text) => [...`a${text}`].slice(0, 200).join(""))
  .map((text) => text.toWellFormed());
/** No pages are parted by a text of one line alone: an empty line begins a paragraph, also in a harmless text. */
const texts: fc.Arbitrary<Texts> = fc.record({
  title: shortText,
  description: shortText,
  legalName: shortText,
  refnum: shortText.map((text) => text.replaceAll("\u0000", "\ufffd")),
  siteName: shortText.map((text) => stripControl(text, { keepLineFeeds: false })),
});

/** A market of every state in which all texts are these. */
async function askOf({ title, description, legalName, refnum, siteName }: Texts) {
  const rows = everyState().rows.slice(0, 8);
  const snapshot = await snapshotOf(
    tablesOf({
      listings: rows.map((row, index) => (index === 0 ? { ...row, refnum } : row)),
      offers: [offerRow({ desk: DESK })],
      trades: [tradeRow()],
    }),
    registryOf(
      rows.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}`, title, description })),
      [business({ legalName })],
    ),
    { ...SITE, desk: DESK },
  );
  const brand = { ...BRAND, name: siteName };
  const ask = asking(await appIn({ snapshot, overrides: { brand } }));
  return async (path: string) => {
    const answer = await ask(path);
    return { ...answer, text: withoutIsolations(answer.text) };
  };
}

/** With nothing that anybody could mean by them, and nothing hidden. */
function plainOf(hostile: Texts): Texts {
  const plain = (text: string) => harmless(stripControl(text, { keepLineFeeds: true }));
  return {
    title: plain(stripControl(hostile.title, { keepLineFeeds: false })),
    description: plain(hostile.description),
    legalName: plain(stripControl(hostile.legalName, { keepLineFeeds: false })),
    refnum: plain(stripControl(hostile.refnum, { keepLineFeeds: false })),
    siteName: plain(hostile.siteName),
  };
}

it("texts of third parties are text on every page, in both forms", async () => {
  const property = fc.asyncProperty(texts, async (hostile) => {
    const ask = await askOf(hostile);
    const askPlain = await askOf(plainOf(hostile));
    for (const path of PAGES) {
      const [html, plainHtml] = await Promise.all([ask(path), askPlain(path)]);
      expect(html.status, path).toBe(200);
      expect(tagsOfHtml(html.text), path).toEqual(tagsOfHtml(plainHtml.text));
      expect(shapeOfHtml(html.text), path).toEqual(shapeOfHtml(plainHtml.text));
      expect(actionsOfHtml(html.text), path).toEqual([]);
      expect(stripControl(html.text, { keepLineFeeds: true }), path).toBe(html.text);

      const [markdown, plainMarkdown] = await Promise.all([
        ask(markdownPath(path)),
        askPlain(markdownPath(path)),
      ]);
      expect(withoutCode(shapeOfMarkdown(markdown.text)), path).toEqual(
        withoutCode(shapeOfMarkdown(plainMarkdown.text)),
      );
      expect(stripControl(markdown.text, { keepLineFeeds: true }), path).toBe(markdown.text);
    }
  });
  await fc.assert(property, { numRuns: 5 });
});

/** A reference number with a bar in it cannot be code in a table. */
const withoutCode = (shape: readonly string[]) => shape.filter((kind) => kind !== "codespan");

it("texts of third parties read as they were written", async () => {
  const property = fc.asyncProperty(texts, async (hostile) => {
    const ask = await askOf(hostile);
    const shown = (text: string) => stripControl(text, { keepLineFeeds: false });
    const { document } = parseHTML((await ask("/listings/lst_1")).text);
    const text = (selector: string) => document.querySelector(selector)?.textContent;
    expect(text("h1")).toBe(shown(hostile.title));
    expect(text('.page-title [data-fact="refnum"]')).toBe(shown(hostile.refnum));
    expect(text('.page-title [data-fact="originator"]')).toBe(shown(hostile.legalName));
    expect(text(".site-name span")).toBe(hostile.siteName);
    expect(document.title).toBe(`${shown(hostile.title)} – ${hostile.siteName}`);
    const quoted = [...document.querySelectorAll("#description blockquote p")].map((one) => one.textContent);
    expect(quoted.join("\n\n").replace(/\s+/g, " ").trim()).toBe(
      stripControl(hostile.description, { keepLineFeeds: true }).replace(/\s+/g, " ").trim(),
    );
    const markdown = factsOfMarkdown((await ask("/md/listings/lst_1")).text, SITE.publicUrl);
    expect(markdown.title).toBe(shown(hostile.title));
  });
  await fc.assert(property, { numRuns: 8 });
});

describe("what a visitor types", async () => {
  const ask = asking(await appIn());
  const queries = (path: string, q: string) => `${path}?${new URLSearchParams({ q })}`;

  it.each(["/", "/knowledge"])("is plain text in the page at %s", async (path) => {
    const property = fc.asyncProperty(breakingText, async (typed) => {
      // A word that is nowhere, so that both find nothing.
      const found = await ask(queries(path, `zzqx ${typed}`.slice(0, 150).toWellFormed()));
      expect(tagsOfHtml(found.text).length).toBeGreaterThan(50);
      expect(actionsOfHtml(found.text)).toEqual([]);
      const { document } = parseHTML(found.text);
      const value = document.querySelector('input[name="q"]')?.getAttribute("value") ?? "";
      expect(value.replace(/\s+/g, " ")).toBe(
        stripControl(`zzqx ${typed}`.slice(0, 150).toWellFormed().replace(/\s+/g, " "), {
          keepLineFeeds: false,
        })
          .replace(/\s+/g, " ")
          .trim(),
      );
      // The only script beside our files is the one that is on every page.
      expect(document.querySelectorAll("script:not([src]):not([type])")).toHaveLength(1);
    });
    await fc.assert(property, { numRuns: 30 });
  });

  it("is plain text in the 404 page if it is the name of a page", async () => {
    const property = fc.asyncProperty(breakingText, async (typed) => {
      for (const folder of ["listings", "originators", "knowledge"]) {
        const path = `/${folder}/zz${encodeURIComponent(typed.slice(0, 200).toWellFormed())}`;
        const { status, text } = await ask(path, { headers: { Accept: "text/html" } });
        expect(status, path).toBe(404);
        tagsOfHtml(text);
        expect(actionsOfHtml(text)).toEqual([]);
        // Text that is written from right to left is isolated by us, in pairs.
        const plain = text.replace(/\u2068([^\u2068\u2069]*)\u2069/g, "$1");
        expect(stripControl(plain, { keepLineFeeds: true })).toBe(plain);
      }
    });
    await fc.assert(property, { numRuns: 20, examples: [["\u0590"]] });
  });
});
