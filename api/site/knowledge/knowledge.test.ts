import GithubSlugger from "github-slugger";
import { lexer, walkTokens } from "marked";
import { describe, expect, it } from "vitest";
import { business } from "../../../test/harness/market.ts";
import { DAY, DRAWN, entryDraft, listingRow, NOW, registryOf } from "../../../test/harness/rows.ts";
import { blocksOf, checkForm, hrefsIn, pageIn, sectionOf } from "../../../test/harness/site-pages.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { type Knowledge, type KnowledgePage, loadKnowledge } from "../../knowledge/load.ts";
import { inlineText, sectionsOf } from "../../knowledge/markdown.ts";
import { createSearch } from "../../knowledge/search.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { knowledgeIndexPage, knowledgePage } from "./page.ts";

const knowledge = await loadKnowledge(
  new URL("../../../knowledge", import.meta.url).pathname,
  SITE.publicUrl,
);
const search = createSearch(knowledge, SITE);

function knowledgeOf(texts: Record<string, string>): Knowledge {
  const pages = Object.entries(texts).map(([slug, markdown]): KnowledgePage => {
    const title = `Page ${slug}`;
    const sections = sectionsOf(markdown, title);
    return { slug, title, description: "What it says.", updated: "2026-01-01", markdown, sections };
  });
  return { pages, pageBySlug: new Map(pages.map((page) => [page.slug, page])) };
}

/** The ids that the headings of a text get. */
function anchorsOf(markdown: string): string[] {
  const slugger = new GithubSlugger();
  const anchors: string[] = [];
  walkTokens(lexer(markdown), (token) => {
    if (token.type === "heading") anchors.push(slugger.slug(inlineText(token.tokens)));
  });
  return anchors;
}

const ask = (query: string, snapshot: Snapshot | null = null) =>
  knowledgeIndexPage({ knowledge, search }, { snapshot, query: new URLSearchParams(query) });

describe("a page of the knowledge base", () => {
  it("has the title, the description, the day and the text of its file", () => {
    for (const { slug, title, description, updated, markdown } of knowledge.pages) {
      const page = pageIn(knowledgePage(knowledge, slug));
      checkForm(page);
      expect(page).toMatchObject({ path: `/knowledge/${slug}`, title, description, updated, isLive: false });
      expect(page.sections.flatMap((section) => blocksOf(section, "prose"))).toEqual([
        { kind: "prose", markdown },
      ]);
    }
  });

  it("leads to each of its headings for people, and to no place that is not there", () => {
    for (const { slug, markdown, sections } of knowledge.pages) {
      const page = pageIn(knowledgePage(knowledge, slug));
      const anchors = hrefsIn(page).flatMap((href) => href.split("#").slice(1));
      const all = sections.map(({ anchor }) => anchor).filter((anchor) => anchor !== "");
      // The sections after it are closed.
      const last = all.indexOf("for-developers");
      const expected = last < 0 ? all : all.slice(0, last + 1);
      expect(anchors).toEqual(expected.length < 3 ? [] : expected);
      expect(anchorsOf(markdown)).toEqual(expect.arrayContaining(anchors));
      // The page's own ids must not be those of headings.
      for (const { id } of page.sections) expect(anchorsOf(markdown)).not.toContain(id);
    }
  });

  it("has no contents where there is little to list", () => {
    const few = knowledgeOf({
      few: "## One\n\nText.\n\n## Two\n\nText.",
      many: "## A\n\na\n\n## B\n\nb\n\n## A\n\nc",
    });
    const anchorLinks = (slug: string) =>
      hrefsIn(pageIn(knowledgePage(few, slug))).filter((href) => href.includes("#"));
    expect(anchorLinks("few")).toEqual([]);
    expect(anchorLinks("many")).toEqual(["/knowledge/many#a", "/knowledge/many#b", "/knowledge/many#a-1"]);
  });

  it("keeps its own ids apart from headings of the same words", () => {
    const { pages, ...rest } = knowledgeOf({ odd: "## pageText\n\na\n\n## readOn\n\nb\n\n## Read on\n\nc" });
    const page = pageIn(knowledgePage({ pages, ...rest }, "odd"));
    const ids = page.sections.map(({ id }) => id);
    expect(anchorsOf(pages[0]?.markdown ?? "").filter((anchor) => ids.includes(anchor))).toEqual([]);
  });

  it("leads to its neighbours, in the order of the knowledge base", () => {
    const three = knowledgeOf({ a: "Text.", b: "Text.", c: "Text." });
    const onward = (slug: string) =>
      blocksOf(sectionOf(pageIn(knowledgePage(three, slug)), "readOn"), "links").flatMap(({ links }) =>
        links.map(({ href, note }) => `${href} ${note}`),
      );
    const all = "/knowledge all pages, and search";
    expect(onward("a")).toEqual(["/knowledge/b next page", all]);
    expect(onward("b")).toEqual(["/knowledge/a previous page", "/knowledge/c next page", all]);
    expect(onward("c")).toEqual(["/knowledge/b previous page", all]);
  });

  it("is missing under any other name", () => {
    for (const slug of ["nothing", "", "__proto__", "constructor", "Grades", "grades.md", "\u202Egrades"]) {
      expect(knowledgePage(knowledge, slug).kind).toBe("missing");
    }
  });
});

describe("the list of pages", () => {
  it("leads to each, in order, with what it is about", () => {
    const page = ask("");
    checkForm(page);
    const days = knowledge.pages.map(({ updated }) => updated).toSorted();
    expect(page).toMatchObject({ path: "/knowledge", title: "Knowledge base", updated: days.at(-1) });
    const groups = page.sections.slice(1);
    expect(groups.map(({ title }) => title)).toEqual([
      ...["Start here", "Before you lend", "While it runs", "When things go wrong", "For developers"],
    ]);
    expect(groups.flatMap((group) => blocksOf(group, "links")[0]?.links)).toEqual(
      knowledge.pages.map(({ slug, title, description }) => ({
        text: title,
        href: `/knowledge/${slug}`,
        note: description,
      })),
    );
    const [form] = blocksOf(sectionOf(page, "search"), "form");
    expect(form?.form).toMatchObject({
      action: "/knowledge",
      fields: [{ name: "q", value: "" }],
      reset: null,
    });
  });

  it("has the pages without a group under a heading at the end", () => {
    const { pages } = knowledgeOf({ a: "Text.", b: "Text." });
    const grouped = pages.map((page, at) => (at === 1 ? { ...page, group: "First" } : page));
    const some = { pages: grouped, pageBySlug: new Map(grouped.map((page) => [page.slug, page])) };
    const page = knowledgeIndexPage(
      { knowledge: some, search },
      { snapshot: null, query: new URLSearchParams() },
    );
    const shown = page.sections
      .slice(1)
      .map((group) => [group.title, ...hrefsIn({ ...page, crumbs: [], sections: [group] })]);
    expect(shown).toEqual([
      ["First", "/knowledge/b"],
      ["More pages", "/knowledge/a"],
    ]);
  });

  it("is what an empty question gets", () => {
    for (const query of ["", "q=", "q=%20%09", "q=%E2%80%AE", "other=1"]) {
      expect(ask(query)).toEqual(ask(""));
    }
  });
});

describe("a search", () => {
  const linksOf = (query: string, snapshot: Snapshot | null = null) =>
    blocksOf(sectionOf(ask(query, snapshot), "results"), "links").flatMap(({ links }) => links);

  it("finds what the tool finds, in its order, each with its place", () => {
    const question = "what happens below the minimum";
    const page = ask(`q=${question.replaceAll(" ", "+")}`);
    checkForm(page);
    expect(page.path).toBe("/knowledge");
    expect(page.title).toBe(`"${question}" – search`);
    expect(page.crumbs).toEqual(ask("").crumbs);
    const [form] = blocksOf(sectionOf(page, "search"), "form");
    expect(form?.form).toMatchObject({ fields: [{ name: "q", value: question }], reset: "/knowledge" });
    const hits = search.search(question, 10, null);
    expect(hits.length).toBeGreaterThan(2);
    expect(linksOf(`q=${question}`).map(({ href, note }) => ({ href, note }))).toEqual(
      hits.map(({ url, excerpt }) => ({ href: url, note: excerpt })),
    );
    expect(linksOf(`q=${question}`)[0]).toMatchObject({
      text: expect.stringContaining("What happens below the minimum?"),
      href: "https://raises.example/knowledge/refunds-and-reserve#what-happens-below-the-minimum",
    });
  });

  it("points at headings that are there", () => {
    const questions = ["grade", "refund", "coupon", "mcp", "drawdown", "late or default", "csv", "wallet"];
    const links = questions.map((question) => linksOf(`q=${question}`));
    expect(links).not.toContainEqual([]);
    for (const { href } of links.flat()) {
      const { pathname, hash } = new URL(href);
      const markdown = knowledge.pageBySlug.get(pathname.replace("/knowledge/", ""))?.markdown;
      expect(markdown).toBeDefined();
      if (hash !== "") expect(anchorsOf(markdown ?? "")).toContain(decodeURIComponent(hash.slice(1)));
    }
  });

  it("finds a raise and a business as well, and says whose words they are", async () => {
    const snapshot = await snapshotOf(
      tablesOf({ listings: [listingRow()] }),
      registryOf(
        [entryDraft({ title: "<b>Zanzibar</b> cloves" })],
        [business({ legalName: "Zanzibar Spice Ltd." })],
      ),
    );
    const links = linksOf("q=zanzibar", snapshot);
    expect(links).toContainEqual({
      text: "<b>Zanzibar</b> cloves",
      href: "https://raises.example/listings/lst_1",
      note: expect.stringMatching(/^A raise, in its own words: /),
      marks: [],
    });
    const ofBusiness = links.find(({ text }) => text === "Zanzibar Spice Ltd.");
    expect(ofBusiness).toEqual({
      text: "Zanzibar Spice Ltd.",
      href: "https://raises.example/originators/org_northwind",
      note: "A business: Zanzibar Spice Ltd., Singapore (SG)",
      marks: [[12, 20]],
    });
  });

  it("says who is late, in our words", async () => {
    const late = listingRow({ ...DRAWN, maturityAt: NOW - 20n * DAY });
    const snapshot = await snapshotOf(
      tablesOf({ listings: [late] }),
      registryOf([entryDraft({ title: "Rye mill" })], [business()]),
    );
    expect(linksOf("q=who is late", snapshot).slice(0, 2)).toEqual([
      {
        text: "1 raise is late or in default",
        href: "https://raises.example/?repayment=late,default",
        note: "On the board, with its figures.",
        marks: [],
      },
      {
        text: "Rye mill",
        href: "https://raises.example/listings/lst_1",
        note: "Late, 20 days overdue: 80,000 USD-test of principal is owed.",
        marks: [],
      },
    ]);
  });

  it("says so when nothing is found, and lists the pages", () => {
    const page = ask("q=xyzzyplugh");
    checkForm(page);
    expect(linksOf("q=xyzzyplugh")).toEqual([]);
    expect(blocksOf(sectionOf(page, "results"), "notice")[0]?.text).toContain("Nothing found");
    expect(hrefsIn(page)).toContain("/knowledge/grades");
  });

  it("takes any text as a question", () => {
    const texts = [
      "\u0000\u202E<script>alert(1)</script>",
      "a".repeat(10_000),
      "\uD800",
      '"><',
      "__proto__",
      "`*_[](",
    ];
    for (const text of texts) {
      const query = new URLSearchParams({ q: text });
      const page = knowledgeIndexPage({ knowledge, search }, { snapshot: null, query });
      checkForm(page);
      const [form] = blocksOf(sectionOf(page, "search"), "form");
      const typed = form?.form.fields[0]?.value ?? "";
      expect(typed.length).toBeLessThanOrEqual(400);
      expect([...page.title].length).toBeLessThanOrEqual(92);
      for (const shown of [typed, page.title]) {
        expect(shown).not.toMatch(/[\p{Cc}\u202E]/u);
        expect(shown.isWellFormed()).toBe(true);
      }
    }
  });
});
