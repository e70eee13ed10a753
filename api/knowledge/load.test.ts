import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { stripControl } from "../../config/format/untrusted-text.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { KnowledgeError, loadKnowledge } from "./load.ts";

const ROOT = "https://raises.example";
const FRONT = { title: "Grades", description: "How grades come about.", order: "1", updated: "2026-01-31" };

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function page(body: string, front: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ ...FRONT, ...front }).map(([key, value]) => `${key}: ${value}`);
  return `---\n${lines.join("\n")}\n---\n\n${body}\n`;
}

function write(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
}

async function problemsOf(files: Readonly<Record<string, string | Uint8Array>>): Promise<readonly string[]> {
  write(files);
  const outcome = await loadKnowledge(folder, ROOT).then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof KnowledgeError) return outcome.problems;
  if (outcome !== null) throw outcome;
  return [];
}

describe("loadKnowledge", () => {
  it("has the pages in their order, with sections, plain texts and absolute links", async () => {
    write({
      "b-page.md": page("Intro with [a link](/knowledge/a-page#what--why).\n\n## One\n\nText.\n", {
        order: "-1",
      }),
      "a-page.md": page(
        [
          "## What & `why`?",
          "",
          "**Bold** and _thin_, `minRaise` < 3 &amp; more,",
          "[over two",
          'lines](/v1/listings "all of them") and <https://b.example/>.',
          "",
          "- [x](/auth.md)",
          "- two",
          "",
          "| A | B |",
          "| - | - |",
          "| 1 | [y](https://c.example/) |",
          "",
          "### Below",
          "",
          "```text",
          "a = b # [z](/elsewhere)",
          "```",
          "",
          "## What & why",
          "",
          "Again: [up](/knowledge/a-page#below), [md](/md/knowledge/b-page), [all](/knowledge).",
        ].join("\r\n"),
        { title: '"A: page"', group: "Start here" },
      ),
      "notes.txt": "not read",
      ".#a-page.md": "an editor's own",
    });
    const { pages, pageBySlug } = await loadKnowledge(folder, ROOT);
    expect(pages.map(({ slug, group }) => [slug, group])).toEqual([
      ["b-page", undefined],
      ["a-page", "Start here"],
    ]);
    const a = pageBySlug.get("a-page");
    expect(a).toMatchObject({ title: "A: page", description: FRONT.description, updated: "2026-01-31" });
    expect(a?.sections.map(({ anchor, heading }) => [anchor, heading])).toEqual([
      ["what--why", "What & why?"],
      ["what--why-1", "What & why"],
    ]);
    expect(a?.sections[0]?.text.split("\n")).toEqual([
      "Bold and thin, minRaise < 3 & more, over two lines and https://b.example/.",
      "x",
      "two",
      "1: y",
      "Below",
      "a = b # [z](/elsewhere)",
    ]);
    expect(a?.markdown).toContain(`lines](${ROOT}/v1/listings "all of them")`);
    expect(a?.markdown).toContain("[z](/elsewhere)");
    expect(a?.sections[1]?.markdown).toBe(
      `Again: [up](${ROOT}/knowledge/a-page#below), [md](${ROOT}/md/knowledge/b-page), [all](${ROOT}/knowledge).`,
    );
    expect(pages[0]?.sections[0]).toEqual({
      anchor: "",
      heading: "Grades",
      markdown: `Intro with [a link](${ROOT}/knowledge/a-page#what--why).`,
      text: "Intro with a link.",
    });
  });

  it("says everything that is wrong with all files at once", async () => {
    expect(
      await problemsOf({
        "A_b.md": page("# Top\n\nText", { updated: "yesterday", colour: "red" }),
        "b.md": page("[x](/knowledge/none) <b>bold</b>"),
      }),
    ).toEqual([
      "A_b.md: has a bad name: a page is named with a-z, 0-9 and single hyphens, such as my-page.md",
      "A_b.md: frontmatter updated must be a date in the form 2026-01-31",
      'A_b.md: frontmatter has "colour", which it does not know (it knows title, description, order, updated and group)',
      'A_b.md: has the heading # "Top"; the title is the heading: begin with ##',
      'b.md: has raw HTML: "<b>"; write Markdown, and < in code or as &lt;',
      'b.md: has raw HTML: "</b>"; write Markdown, and < in code or as &lt;',
      'b.md: links to "/knowledge/none", but there is no "none.md"',
    ]);
  });

  it.each<[string, string, string]>([
    ["no frontmatter", "Text", "must begin with frontmatter"],
    ["frontmatter without an end", "---\ntitle: x\n\nText", "must begin with frontmatter"],
    ["frontmatter that is not YAML", "---\ntitle: [\n---\nText", "frontmatter is not YAML"],
    ["frontmatter that says a thing twice", page("Text", { "title ": "x" }), "frontmatter is not YAML"],
    ["frontmatter that is a list", "---\n- a\n---\nText", "must have title, description, order and updated"],
    ["frontmatter with an alias", "---\na: &a 1\nb: *a\n---\nText", "frontmatter"],
    ["empty frontmatter", "---\n---\nText", "must have title, description, order and updated"],
    ["no title", "---\ndescription: d\norder: 1\nupdated: 2026-01-31\n---\nText", "frontmatter title must"],
    ["an empty title", page("Text", { title: '" "' }), "title must be a text of 1 to 80 characters"],
    ["a title of many lines", page("Text", { title: '"a\\nb"' }), "title must hold no line break"],
    ["a hidden override in the title", page("Text", { title: '"a\\u202Eb"' }), "bidirectional"],
    ["a long description", page("Text", { description: "x".repeat(161) }), "1 to 160 characters"],
    ["a group of many lines", page("Text", { group: '"a\\nb"' }), "group must hold no line break"],
    ["a long group", page("Text", { group: "x".repeat(41) }), "group must be a text of 1 to 40 characters"],
    ["an order that is no integer", page("Text", { order: "1.5" }), "order must be an integer"],
    ["a day that does not exist", page("Text", { updated: "2026-02-30" }), "updated must be a date"],
    ["an empty file", " \n", "is empty"],
    ["no text below the frontmatter", page(""), "has no text below its frontmatter"],
    ["a heading of the first level", page("Big\n===\n\nText"), 'has the heading # "Big"'],
    ["a heading without text below", page("## One\n\n## Two\n\nText"), 'nothing below the heading "One"'],
    ["a heading of signs alone", page("Text\n\n## ?!\n\nText"), "a heading without a letter or a digit"],
    ["an HTML comment", page("Text <!-- x -->"), "has raw HTML"],
    ["a block of HTML", page("<div>\n\nText\n\n</div>"), "has raw HTML"],
    ["an image", page("![x](/x.png)"), 'has the image "/x.png"'],
    ["a definition of a link", page("[x][y]\n\n[y]: /z"), 'defines the link "y" apart'],
    [
      "a link to an anchor that is not there",
      page("[x](/knowledge/page#two)\n\n## One\n\nText"),
      "(it has #one)",
    ],
    ["the same in the Markdown form", page("[x](/md/knowledge/page#two)"), "no such anchor (it has none)"],
    ["a link with another scheme", page("[x](javascript:alert)"), 'links to "javascript:alert"'],
    ["a link without encryption", page("[x](http://127.0.0.1/)"), 'links to "http://127.0.0.1/"'],
    ["a bare link without encryption", page("see www.a.example"), 'links to "http://www.a.example"'],
    ["a mail address", page("write to a@b.example"), 'links to "mailto:a@b.example"'],
    ["a password in a link", page("[x](https://a:b@c.example/)"), "links to"],
    ["a link to another host by two slashes", page("[x](//a.example/)"), 'links to "//a.example/"'],
    ["a relative link", page("[x](page.md)"), "allowed are https:// and paths from the root"],
    ["an anchor alone", page("[x](#one)\n\n## One\n\nText"), "allowed are https:// and paths from the root"],
    ["a tab", page("a\tb"), "(such as a tab) in line 8"],
    ["a bidirectional override", page("a\u202Eb"), "has a control or bidirectional character in line 8"],
    [
      "code that reads like the link behind it",
      page("`[x](/auth.md)` and [x](/auth.md)"),
      "has code that reads like a link next to a real one",
    ],
  ])("refuses %s", async (_, content, problem) => {
    const problems = await problemsOf({ "page.md": content });
    expect(problems.join("\n")).toContain(problem);
    for (const one of problems) expect(stripControl(one, { keepLineFeeds: false })).toBe(one);
  });

  it("refuses an order that another page has", async () => {
    expect(await problemsOf({ "a.md": page("Text"), "b.md": page("Text") })).toEqual([
      "b.md: frontmatter order 1 is already that of a.md",
    ]);
  });

  it("takes pages of any number and length: llms.txt is what is shortened", async () => {
    const text = page("x".repeat(120_000));
    expect(await problemsOf({ "a.md": text, "b.md": text.replace("order: 1", "order: 2") })).toEqual([]);
  });

  it("refuses what is no text, a folder in place of a page, and a file far too large", async () => {
    mkdirSync(join(folder, "folder.md"));
    expect(
      await problemsOf({ "bytes.md": Buffer.from([0xff, 0xfe, 0x00]), "large.md": "x".repeat(1_000_001) }),
    ).toEqual([
      "bytes.md: is not UTF-8",
      "folder.md: cannot be read (EISDIR)",
      "large.md: is larger than 1000000 bytes",
    ]);
  });

  it("refuses a folder that is empty, missing, or none", async () => {
    expect(await problemsOf({})).toEqual([expect.stringMatching(/^the folder ".*" has no .md file$/)]);
    await expect(loadKnowledge(join(folder, "none"), ROOT)).rejects.toThrow("does not exist");
    write({ file: "x" });
    await expect(loadKnowledge(join(folder, "file"), ROOT)).rejects.toThrow("is not a folder");
  });
});
