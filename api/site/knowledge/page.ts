/** @module The pages of the knowledge base, and the page that lists and searches them. http.md, "Pages". */
import { isolated, isolatedQuote, stripControl } from "../../../config/format/untrusted-text.ts";
import type { Hit } from "../../knowledge/hit.ts";
import type { Knowledge, KnowledgePage } from "../../knowledge/load.ts";
import { FOR_DEVELOPERS } from "../../knowledge/markdown.ts";
import { links, linkTo, notice, section } from "../blocks.ts";
import type { SiteDependencies } from "../dependencies.ts";
import type { Block, Page, PageLink, PageRequest, PageResult, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../times.ts";
import { lifeDiagram } from "./life-diagram.tsx";
import { knowledgePath, searchForm } from "./search-form.ts";

/** Shorter pages need no table of contents. */
const FEWEST_HEADINGS = 3;

export function knowledgePage(knowledge: Knowledge, slug: string): PageResult {
  const page = knowledge.pageBySlug.get(slug);
  if (page === undefined) {
    return { kind: "missing", detail: `The knowledge base has no page ${isolatedQuote(slug)}.` };
  }
  const { title, description, updated, markdown } = page;
  return {
    kind: "page",
    page: {
      path: knowledgePath(page),
      title,
      description,
      updated,
      crumbs: [CRUMBS.board, CRUMBS.knowledge],
      layout: "columns",
      // Anchors of the text are lower case: an id with a capital never equals one.
      sections: [
        ...tableOfContents(page),
        section("pageText", null, [...(DIAGRAMS[slug] ?? []), { kind: "prose", markdown }]),
        readOn(knowledge, page),
      ],
      isLive: false,
    },
  };
}

/** By page: pages are text alone, so drawings come from here. */
const DIAGRAMS: Readonly<Record<string, readonly Block[]>> = {
  "life-of-a-raise": [{ kind: "chart", chart: lifeDiagram }],
};

/** The contents for people: what is below "For developers" is closed. */
function tableOfContents(page: KnowledgePage): readonly Section[] {
  const named = page.sections.filter(({ anchor }) => anchor !== "");
  const last = named.findIndex(({ heading }) => heading === FOR_DEVELOPERS);
  const headings = named
    .slice(0, last < 0 ? undefined : last + 1)
    .map(({ anchor, heading }) => linkTo(heading, `${knowledgePath(page)}#${anchor}`));
  if (headings.length < FEWEST_HEADINGS) return [];
  return [{ ...section("onThisPage", "On this page", [links(headings)]), isBeside: true }];
}

function readOn({ pages }: Knowledge, page: KnowledgePage): Section {
  const place = pages.indexOf(page);
  const neighbour = (target: KnowledgePage | undefined, note: string): PageLink[] =>
    target === undefined ? [] : [linkTo(target.title, knowledgePath(target), note)];
  return section("readOn", "Read on", [
    links([
      ...neighbour(pages[place - 1], "previous page"),
      ...neighbour(pages[place + 1], "next page"),
      linkTo("Knowledge base", SITE_PATHS.knowledge, "all pages, and search"),
    ]),
  ]);
}

const MOST_HITS = 10;
/** The search ignores the rest. */
const LONGEST_QUERY = 400;
const LONGEST_IN_TITLE = 80;

/** The page at `/knowledge`, with or without a search (`?q=…`). */
export function knowledgeIndexPage(
  { knowledge, search }: Pick<SiteDependencies, "knowledge" | "search">,
  { snapshot, query }: PageRequest,
): Page {
  const words = onOneLine(query.get("q") ?? "");
  const page = {
    path: SITE_PATHS.knowledge,
    updated: knowledgeUpdated(knowledge),
    crumbs: [CRUMBS.board],
    isLive: false,
  };
  if (words === "") {
    return {
      ...page,
      title: "Knowledge base",
      description:
        "What a raise is, what can go wrong, and how to read every figure. Ask a question, or pick a page.",
      sections: [searchSection(words, [QUESTIONS]), ...contentsSections(knowledge)],
    };
  }
  const market = snapshot?.market ?? null;
  const hits = search.search(words, MOST_HITS, market);
  return {
    ...page,
    isUnlisted: true,
    isPassing: market !== null && !search.isComplete(market),
    title: `"${isolated(shortened(words))}" – search`,
    description: "What the knowledge base, and the raises and businesses themselves, say about it.",
    sections: [
      searchSection(words),
      resultsSection(hits),
      ...(hits.length === 0 ? contentsSections(knowledge) : []),
    ],
  };
}

function onOneLine(typed: string): string {
  const oneLine = typed.slice(0, LONGEST_QUERY).toWellFormed().replace(/\s+/g, " ");
  return stripControl(oneLine, { keepLineFeeds: false }).trim();
}

function shortened(words: string): string {
  const characters = [...words];
  return characters.length <= LONGEST_IN_TITLE ? words : `${characters.slice(0, LONGEST_IN_TITLE).join("")}…`;
}

const ASKED = [
  "What if the business does not pay?",
  "Who is late?",
  "Can I get out early?",
  "Which raises are open?",
];
/** Common questions, as searches. */
const QUESTIONS: Block = {
  kind: "links",
  look: "choices",
  label: "Common questions",
  links: ASKED.map((words) => linkTo(words, `${SITE_PATHS.knowledge}?${new URLSearchParams({ q: words })}`)),
};

/** @param words the last search; empty for none */
function searchSection(words: string, more: readonly Block[] = []): Section {
  return section("search", null, [{ kind: "form", form: searchForm(words) }, ...more]);
}

const OTHER_PAGES = "More pages";

/** The pages by group; groups in the order of their first page, pages without one last. */
function contentsSections({ pages }: Knowledge): Section[] {
  const groups = Map.groupBy(pages, ({ group }) => group ?? OTHER_PAGES);
  const others = groups.get(OTHER_PAGES);
  if (groups.delete(OTHER_PAGES) && others !== undefined) groups.set(OTHER_PAGES, others);
  return [...groups].map(([group, its], at) =>
    section(`pages-${at + 1}`, group, [
      links(its.map((page) => linkTo(page.title, knowledgePath(page), page.description))),
    ]),
  );
}

function resultsSection(hits: readonly Hit[]): Section {
  return section("results", "Results", [
    hits.length === 0
      ? notice("info", "Nothing found. Try other words; all pages are listed below.")
      : links(hits.map(linkToHit)),
  ]);
}

function linkToHit({ kind, title, heading, excerpt, marks, isQuoted, url }: Hit): PageLink {
  // The first section of a page has the page's title as its heading.
  const shown = heading === null || heading === title ? isolated(title) : `${heading} – ${title}`;
  // Text of a business must not look like the service's own.
  const whose = isQuoted ? `${kind === "listing" ? "A raise, in its own words" : "A business"}: ` : "";
  const quoted = isQuoted ? isolated(excerpt) : excerpt;
  const before = whose.length + quoted.indexOf(excerpt);
  const moved = marks.map(([start, end]) => [start + before, end + before] as const);
  return { ...linkTo(shown, url, whose + quoted), marks: moved };
}
