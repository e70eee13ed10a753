/**
 * Any text, in every place of a page: the Markdown has the marks that a harmless text gives it, and nothing
 * that a terminal acts on.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { stripControl } from "../../../config/format/untrusted-text.ts";
import { harmless, shapeOfMarkdown, withoutIsolations } from "../../../test/harness/hostile/html-shape.ts";
import { breakingText, pageSaying } from "../../../test/harness/hostile/page.ts";
import { factsOfMarkdown, textOfMarkdown } from "../../../test/harness/page-facts.ts";
import type { Sync } from "../system/sync.ts";
import { documentMarkdown } from "./document.ts";

const PUBLIC_URL = "https://raises.example";
const BEHIND: Sync = {
  state: "syncing",
  indexed: 1n,
  head: 2n,
  start: 0n,
  percent: 50,
  text: "",
  progress: null,
};

/** Characters with a meaning in Markdown, and those that hide that two marks belong together. */
const MARKS = [
  "# heading",
  "1\u202E. item",
  "1. item",
  "- item",
  "> quote",
  "---",
  "***",
  "```",
  "~~~",
  "`",
  "``",
  "|",
  "[x](https://hostile.example)",
  "![x](https://hostile.example/x.png)",
  "[x]: https://hostile.example",
  "<https://hostile.example>",
  "https:\u200E//hostile.example",
  "www.hostile.example",
  "someone@hostile.example",
  "<script>hostile()</script>",
  "**bold** _it_ ~~gone~~",
  "&lt;",
  "\\",
  "\u2066",
  "x\n\ny",
  "title: mine\n---",
];
const texts = fc.oneof(
  breakingText,
  fc.array(fc.constantFrom(...MARKS), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
  fc.array(fc.constantFrom(...MARKS), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" ")),
  fc.string({ unit: fc.constantFrom(...'\\`*_{}[]()#+-.!|<>&~:@/1 aw\n"\u202E'), maxLength: 30 }),
);

const markdownSaying = (said: string, isInLlms = true) =>
  withoutIsolations(
    documentMarkdown({
      page: pageSaying(said),
      sync: { ...BEHIND, text: said },
      publicUrl: PUBLIC_URL,
      isInLlms,
      isError: false,
    }),
  );
const lineOf = (said: string) => stripControl(said.replace(/\s+/g, " "), { keepLineFeeds: false });
const oneLine = (said: string) => lineOf(said).replace(/\s+/g, " ").trim();

describe("a text of any kind", () => {
  it("adds no mark to the Markdown of a page", () => {
    fc.assert(
      fc.property(texts, (said) => {
        const plain = harmless(stripControl(said, { keepLineFeeds: true }));
        fc.pre(plain.trim() !== "");
        const shape = shapeOfMarkdown(markdownSaying(said));
        const isCode = (kind: string) => kind !== "codespan" || !said.includes("|");
        expect(shape.filter(isCode)).toEqual(shapeOfMarkdown(markdownSaying(plain)).filter(isCode));
      }),
      { numRuns: 600 },
    );
  });

  it("reads as it was written, except for invisible characters", () => {
    fc.assert(
      fc.property(texts, (said) => {
        const line = oneLine(said);
        fc.pre(line !== "");
        const markdown = markdownSaying(said);
        const { title, description, canonical, tables } = factsOfMarkdown(markdown, PUBLIC_URL);
        expect([title, description]).toEqual([
          stripControl(said, { keepLineFeeds: false }),
          stripControl(said, { keepLineFeeds: false }),
        ]);
        expect(canonical).toBe(`${PUBLIC_URL}/listings/lst_1`);
        expect(tables[0]?.columns).toEqual([line, line]);
        expect(textOfMarkdown(markdown)).toContain(line);
      }),
      { numRuns: 300 },
    );
  });

  it("cannot end the frontmatter, or name a field in it", () => {
    fc.assert(
      fc.property(texts, (said) => {
        const [, yaml = ""] = /^---\n([\s\S]*?)\n---\n/.exec(markdownSaying(said)) ?? [];
        const fields: unknown = parseDocument(yaml).toJS();
        expect(Object.keys(fields as object)).toEqual(["title", "description", "canonical", "last_updated"]);
      }),
      { numRuns: 300 },
    );
  });

  it("holds nothing that turns a line around, or that a terminal acts on", () => {
    fc.assert(
      fc.property(texts, (said) => {
        const markdown = markdownSaying(said);
        expect(stripControl(markdown, { keepLineFeeds: true })).toBe(markdown);
      }),
      { numRuns: 300 },
    );
  });
});

it("leads to llms.txt before anything else, and says when the index is behind", () => {
  const lines = markdownSaying("Text.").split("\n").slice(6, 12);
  expect(lines).toEqual([
    "",
    "# Text.",
    "",
    `> Text. All pages of the knowledge base in one file: [llms.txt](${PUBLIC_URL}/llms.txt)`,
    "",
    "> **Note:** Text.",
  ]);
  expect(markdownSaying("Text.", false)).toContain(
    `> Text. Index of this site for agents: [llms.txt](${PUBLIC_URL}/llms.txt)`,
  );
});
