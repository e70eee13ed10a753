/**
 * A page of the knowledge base, with links to the previous and the next. http.md, "Pages".
 * @module
 */

import { quote } from "../../../config/format/untrusted-text.ts";
import type { Knowledge, KnowledgePage } from "../../knowledge/load.ts";
import { links, linkTo, section } from "../blocks.ts";
import type { PageLink, PageResult, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgePath } from "./contents.ts";

/** Shorter pages need no table of contents. */
const FEWEST_HEADINGS = 3;

export function knowledgePage(knowledge: Knowledge, slug: string): PageResult {
  const page = knowledge.pageBySlug.get(slug);
  if (page === undefined) {
    return { kind: "missing", detail: `The knowledge base has no page ${quote(slug)}.` };
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
        section("pageText", null, [{ kind: "prose", markdown }]),
        readOn(knowledge, page),
      ],
      isLive: false,
    },
  };
}

function tableOfContents(page: KnowledgePage): readonly Section[] {
  const headings = page.sections
    .filter(({ anchor }) => anchor !== "")
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
