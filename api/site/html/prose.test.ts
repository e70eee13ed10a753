import fc from "fast-check";
import GithubSlugger from "github-slugger";
import { parseHTML } from "linkedom";
import { lexer, type Tokens } from "marked";
import { describe, expect, it } from "vitest";
import { dependenciesIn } from "../../../test/harness/app.ts";
import { actionsOfHtml, tagsOfHtml } from "../../../test/harness/hostile/html-shape.ts";
import { hostileText } from "../../../test/harness/hostile/text.ts";
import { inlineText, plainText } from "../../knowledge/markdown.ts";
import { proseHtml } from "./prose.ts";

const { knowledge } = await dependenciesIn();

function bodyOf(html: string) {
  const { document } = parseHTML(`<!doctype html><html><body>${html}</body></html>`);
  return document.body;
}

const headingsOf = (markdown: string) =>
  lexer(markdown).filter((token): token is Tokens.Heading => token.type === "heading");
const words = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();

describe("the knowledge base", () => {
  it.each(knowledge.pages)(
    "$slug: headings have the anchors that links point at",
    ({ markdown, sections }) => {
      const slugger = new GithubSlugger();
      const expected = headingsOf(markdown).map(({ tokens }) => slugger.slug(inlineText(tokens)));
      const shown = [...bodyOf(proseHtml(markdown)).querySelectorAll("h1, h2, h3, h4, h5, h6")];
      expect(shown.map((heading) => heading.id)).toEqual(expected);
      for (const { anchor } of sections) if (anchor !== "") expect(expected).toContain(anchor);
    },
  );

  it.each(knowledge.pages)("$slug: reads as its file does", ({ markdown }) => {
    const html = proseHtml(markdown);
    const body = bodyOf(html);
    // The plain text of a row names no columns.
    for (const head of body.querySelectorAll("thead")) head.remove();
    expect(words(body.textContent).replace(/[ ,:]/g, "")).toBe(
      words(plainText(lexer(markdown))).replace(/[ ,:]/g, ""),
    );
    expect(actionsOfHtml(`<html><body>${html}</body></html>`)).toEqual([]);
    expect(tagsOfHtml(html)).not.toContain("h1");
  });
});

describe("what is for developers", () => {
  it("is closed, from the heading on, and keeps its place in the numbers of repeated headings", () => {
    const html = proseHtml("## A\n\na\n\n## For developers\n\nb\n\n## A\n\nc");
    const [details] = bodyOf(html).querySelectorAll("details");
    expect(details?.hasAttribute("open")).toBe(false);
    expect(details?.querySelector("summary > h2")?.id).toBe("for-developers");
    expect([...(details?.querySelectorAll("h2") ?? [])].map(({ id }) => id)).toEqual([
      "for-developers",
      "a-1",
    ]);
    expect(words(details?.textContent)).toBe("For developers b A c");
    expect(bodyOf(html).querySelector("#a")?.closest("details")).toBeNull();
  });

  it("is nothing without that heading, nor below another level or a quotation", () => {
    for (const markdown of ["## A\n\nFor developers", "### For developers\n\nb", "> ## For developers"]) {
      expect(tagsOfHtml(proseHtml(markdown))).not.toContain("details");
    }
  });
});

describe("what a page of prose may hold", () => {
  const html = (markdown: string) => proseHtml(markdown).trim();

  it.each([
    [
      "a web link",
      "[x](https://raises.example/a?b=1&c=2)",
      '<p><a href="https://raises.example/a?b=1&amp;c=2">x</a></p>',
    ],
    ["a link on this site", "[x](/knowledge/grades#a)", '<p><a href="/knowledge/grades#a">x</a></p>'],
    ["a link on this page", "[x](#a)", '<p><a href="#a">x</a></p>'],
    ["emphasis", "**a** _b_ `c < d`", "<p><strong>a</strong> <em>b</em> <code>c &lt; d</code></p>"],
    ["a heading below the page's own", "# A & B\n", '<h2 id="a--b">A &amp; B</h2>'],
    ["two headings of one name", "## A\n\n## A", '<h2 id="a">A</h2>\n<h2 id="a-1">A</h2>'],
    ["nested lists", "- a\n  - b", "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>"],
  ])("%s", (_what, markdown, expected) => expect(html(markdown)).toBe(expected));

  it("a table, which is scrolled by itself where it is too wide", () => {
    const body = bodyOf(proseHtml("| a | b |\n|---|---:|\n| <b> | 1 |"));
    expect([...body.querySelectorAll("th")].map((cell) => cell.outerHTML)).toEqual([
      '<th scope="col">a</th>',
      '<th scope="col" class="end">b</th>',
    ]);
    expect([...body.querySelectorAll("td")].map((cell) => cell.textContent)).toEqual(["<b>", "1"]);
    expect(body.querySelector("div")?.getAttribute("tabindex")).toBe("0");
  });

  it("code as it is", () => {
    const body = bodyOf(proseHtml("```html\n<script>hostile()</script>\n```"));
    expect(body.querySelector("pre code")?.textContent).toBe("<script>hostile()</script>");
    expect(body.querySelector("script")).toBeNull();
  });
});

describe("what it may not hold is text", () => {
  it.each([
    ["an element", "<script>hostile()</script>"],
    ["an element in a line", "a <b onclick=hostile()>b</b> c"],
    ["a comment", "<!-- hidden -->"],
    ["an image", "![seen](https://hostile.example/x.png)"],
    ["a script as a link", "[seen](javascript:hostile())"],
    ["a script as a link, in capitals", "[seen](JAVASCRIPT:hostile())"],
    ["data as a link", "[seen](data:text/html,hostile)"],
    ["another host as a path", "[seen](//hostile.example/)"],
    ["another host behind what nobody sees", "[seen](/\u202E/hostile.example/)"],
    ["a link of a definition", "[seen][x]\n\n[x]: javascript:hostile()"],
    ["a bare script", "<javascript:hostile()>"],
  ])("%s", (_what, markdown) => {
    const shown = proseHtml(markdown);
    expect([...bodyOf(shown).querySelectorAll("*")].map(({ localName }) => localName)).toEqual(
      expect.not.arrayContaining(["script", "b", "img", "a"]),
    );
    expect(shown).not.toMatch(/<!--|<a |<img/);
    expect(bodyOf(shown).textContent?.trim()).not.toBe("");
  });

  it("whatever the Markdown: only links to the web or to this site can act", () => {
    const marks = fc.constantFrom(
      "[",
      "](",
      ")",
      "![",
      "<",
      ">",
      '"',
      "'",
      "&",
      "javascript:",
      "\n",
      "|",
      "`",
      "#",
      "- ",
    );
    const texts = fc
      .array(fc.oneof(hostileText, marks, marks), { maxLength: 12 })
      .map((parts) => parts.join("").toWellFormed());
    const allowed = new Set(
      "a p h2 h3 h4 h5 h6 ul ol li strong em del code pre div table thead tbody tr th td blockquote br hr input".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(texts, (markdown) => {
        const html = proseHtml(markdown);
        const names = tagsOfHtml(html).map((tag) => tag.split(" ")[0] ?? "");
        expect(names.filter((name) => !allowed.has(name))).toEqual([]);
        expect(actionsOfHtml(`<html><body>${html}</body></html>`)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});
