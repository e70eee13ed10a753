/**
 * What the knowledge base answers to a question: the same hits as the tool `search_knowledge` finds.
 * @module
 */
import type { Knowledge } from "../../knowledge/load.ts";
import type { Hit, Search } from "../../knowledge/search.ts";
import { stripControl } from "../../untrusted-text.ts";
import type { Block, Page, PageLink, PageRequest, Section } from "../page.ts";
import { contentsSection, knowledgeIndexPage } from "./contents.ts";
import { searchForm } from "./form.ts";

const MOST_HITS = 10;
/** The search looks at no more. */
const LONGEST_QUERY = 400;
/** Characters of it that a title takes. */
const LONGEST_IN_TITLE = 80;

/** The page of `/knowledge?q=…`; without a question the list of all pages. */
export function knowledgeSearchPage(
  { knowledge, search }: { knowledge: Knowledge; search: Search },
  { snapshot, query }: PageRequest,
): Page {
  const contents = knowledgeIndexPage(knowledge);
  const asked = questionOf(query.get("q") ?? "");
  if (asked === "") return contents;
  const hits = search.search(asked, MOST_HITS, snapshot?.market ?? null);
  return {
    ...contents,
    isUnlisted: true,
    title: titleOf(asked),
    description: "What the knowledge base, and the market's own texts, say to a question.",
    sections: [
      { id: "search", title: null, blocks: [{ kind: "form", form: searchForm(asked) }] },
      resultsSection(hits),
      ...(hits.length === 0 ? [contentsSection(knowledge)] : []),
    ],
  };
}

/** What is looked at, on one line. */
function questionOf(typed: string): string {
  const oneLine = typed.slice(0, LONGEST_QUERY).toWellFormed().replace(/\s+/g, " ");
  return stripControl(oneLine, { keepLineFeeds: false }).trim();
}

function titleOf(asked: string): string {
  const characters = [...asked];
  const shown =
    characters.length <= LONGEST_IN_TITLE ? asked : `${characters.slice(0, LONGEST_IN_TITLE).join("")}…`;
  return `"${shown}" – search`;
}

function resultsSection(hits: readonly Hit[]): Section {
  const block: Block =
    hits.length === 0
      ? {
          kind: "notice",
          tone: "info",
          text: "Nothing was found. Other words may help; all pages are below.",
        }
      : { kind: "links", links: hits.map(linkTo) };
  return { id: "results", title: "Results", blocks: [block] };
}

function linkTo({ kind, title, heading, excerpt, url }: Hit): PageLink {
  // A page's beginning has the page's own title as heading.
  const shown = heading === null || heading === title ? title : `${heading} – ${title}`;
  // What a business wrote is not the service's own answer.
  const note = kind === "knowledge" ? excerpt : `${KIND_WORDS[kind]}: ${excerpt}`;
  return { text: shown, href: url, note };
}

const KIND_WORDS = { listing: "A raise, in its own words", originator: "A business" } as const;
