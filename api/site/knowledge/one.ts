/**
 * One page of the knowledge base, with what stands before and behind it. http.md, "Pages".
 * @module
 */
import type { Knowledge, KnowledgePage } from "../../knowledge/load.ts";
import { quote } from "../../untrusted-text.ts";
import type { Block, PageLink, PageResult, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { pathOf } from "./contents.ts";

/** A page with fewer headings is seen at a glance. */
const FEWEST_HEADINGS = 3;

export function knowledgePage(knowledge: Knowledge, slug: string): PageResult {
  const page = knowledge.pageBySlug.get(slug);
  if (page === undefined) {
    return { kind: "missing", detail: `The knowledge base has no page ${quote(slug)}.` };
  }
  const { title, description, updated, markdown } = page;
  // The headings of the text have lower-case anchors: an id with a capital is never one of them.
  const text: Section = {
    id: "pageText",
    title: null,
    blocks: [...tableOfContents(page), { kind: "prose", markdown }],
  };
  return {
    kind: "page",
    page: {
      path: pathOf(page),
      title,
      description,
      updated,
      crumbs: [CRUMBS.board, CRUMBS.knowledge],
      sections: [text, readOn(knowledge, page)],
      isLive: false,
    },
  };
}

function tableOfContents(page: KnowledgePage): readonly Block[] {
  const links = page.sections
    .filter(({ anchor }) => anchor !== "")
    .map(({ anchor, heading }): PageLink => ({ text: heading, href: `${pathOf(page)}#${anchor}` }));
  if (links.length < FEWEST_HEADINGS) return [];
  return [
    { kind: "paragraph", text: "On this page:" },
    { kind: "links", links },
  ];
}

function readOn({ pages }: Knowledge, page: KnowledgePage): Section {
  const place = pages.indexOf(page);
  const to = (target: KnowledgePage | undefined, note: string): PageLink[] =>
    target === undefined ? [] : [{ text: target.title, href: pathOf(target), note }];
  const links = [
    ...to(pages[place - 1], "the page before"),
    ...to(pages[place + 1], "the next page"),
    { text: "Knowledge base", href: SITE_PATHS.knowledge, note: "all pages, and a search" },
  ];
  return { id: "readOn", title: "Read on", blocks: [{ kind: "links", links }] };
}
