/**
 * The page that lists the knowledge base and asks it. http.md, "Pages".
 * @module
 */
import type { Knowledge, KnowledgePage } from "../../knowledge/load.ts";
import type { Page, PageLink, Section } from "../page.ts";
import { CRUMBS, SITE_PATHS } from "../paths.ts";
import { knowledgeUpdated } from "../updated.ts";
import { searchForm } from "./form.ts";

export function knowledgeIndexPage(knowledge: Knowledge): Page {
  return {
    path: SITE_PATHS.knowledge,
    title: "Knowledge base",
    description: "All pages that explain the market, its words and rules, and how to read it.",
    updated: knowledgeUpdated(knowledge),
    crumbs: [CRUMBS.board],
    sections: [
      { id: "search", title: null, blocks: [{ kind: "form", form: searchForm("") }] },
      contentsSection(knowledge),
    ],
    isLive: false,
  };
}

/** Every page with what it is about. */
export function contentsSection({ pages }: Knowledge): Section {
  return { id: "pages", title: "Pages", blocks: [{ kind: "links", links: pages.map(linkTo) }] };
}

export function pathOf({ slug }: Pick<KnowledgePage, "slug">): string {
  return `${SITE_PATHS.knowledge}/${slug}`;
}

function linkTo({ slug, title, description }: KnowledgePage): PageLink {
  return { text: title, href: pathOf({ slug }), note: description };
}
