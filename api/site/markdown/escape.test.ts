import fc from "fast-check";
import { lexer, marked, type Token, type Tokens, walkTokens } from "marked";
import { describe, expect, it } from "vitest";
import { codeBlock, escapeLine, inlineCode } from "./escape.ts";

const NASTY = [
  "# heading",
  "- item",
  "+ item",
  "1. item",
  "12) item",
  "===",
  "---",
  "> quote",
  "**bold** _it_ ~~gone~~",
  "`code`",
  "[link](https://evil.example)",
  "![image](https://evil.example/x.png)",
  "<https://evil.example>",
  "https://evil.example/path",
  "www.evil.example",
  "mail@evil.example",
  "<script>alert(1)</script>",
  "a | b",
  "[ref]: https://evil.example",
  "\\*escaped\\*",
  "&lt;b&gt; &#42;",
  "```",
  "~~~",
  "    indented",
  "| a | b |\n|---|---|\n| 1 | 2 |",
  ": definition",
];
const texts = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.array(fc.constantFrom(...NASTY), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" ")),
  fc.string({ maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(...'\\`*_{}[]()#+-.!|<>&~:@/1 aw\n"'), maxLength: 40 }),
);

/** The kinds of all tokens but the paragraphs and their words. */
function marksIn(markdown: string): string[] {
  const kinds: string[] = [];
  walkTokens(lexer(markdown), ({ type }: Token) => {
    if (!["paragraph", "text", "escape", "space"].includes(type)) kinds.push(type);
  });
  return kinds;
}

/** The text of the HTML in a browser. */
function shown(html: string): string {
  const words = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };
  return html
    .replace(/<\/?p>/g, "")
    .replace(/&(lt|gt|quot|amp|#39);/g, (entity) => words[entity as keyof typeof words])
    .trim();
}

describe("escapeLine", () => {
  it("is a paragraph of text and nothing else, whatever it says", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(marksIn(escapeLine(text))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("reads as the text, on one line", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const html = marked.parse(escapeLine(text), { async: false });
        expect(shown(html)).toBe(text.replace(/\s+/g, " ").trim());
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves money, dates and common words as they are", () => {
    for (const text of ["1,250.50 USD-test", "21 Nov 2026, 13:44 UTC", "14.50%", "A second oven – phase 2"]) {
      expect(escapeLine(text)).toBe(text);
    }
  });
});

it("keeps code code", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const oneLine = text.replace(/\s+/g, " ").trim();
      fc.pre(oneLine !== "");
      const inline = marked.parse(inlineCode(text), { async: false });
      expect(inline).toMatch(/^<p><code>.*<\/code><\/p>\n$/s);
      const [block, ...more] = lexer(codeBlock("text", text));
      expect(block).toMatchObject({ type: "code", lang: "text" });
      // The reader of Markdown may leave out line ends behind the last line.
      expect((block as Tokens.Code).text.trimEnd()).toBe(text.trimEnd());
      expect(more).toEqual([]);
    }),
  );
});

it("leaves nothing of code of which nothing is seen: a pair of backticks would reach for the next one", () => {
  for (const text of ["", " ", "\u202E", "\u2066 \u2069"]) expect(inlineCode(text)).toBe("");
});
