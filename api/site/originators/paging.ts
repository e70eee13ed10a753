/** @module Numbered pages of a long table, `?page=`. */
import { isolatedQuote } from "../../../config/format/untrusted-text.ts";
import { links, linkTo, notice, paragraph, section } from "../blocks.ts";
import type { Block, Page, PageLink } from "../page.ts";

/** About as long as people scroll on a phone. */
const ROWS_A_PAGE = 50;

export type Paged<Item> = { items: readonly Item[]; page: number; pages: number };

export function pageOf<Item>(
  items: readonly Item[],
  query: URLSearchParams,
): Paged<Item> | { problem: string } {
  const pages = Math.max(1, Math.ceil(items.length / ROWS_A_PAGE));
  const values = query.getAll("page");
  const [text = "1"] = values;
  const page = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  if (values.length > 1) return { problem: "The parameter page is given more than once: name one." };
  if (page < 1 || page > pages) {
    const allowed = pages === 1 ? "there is only page 1" : `the pages are 1 to ${pages}`;
    return { problem: `There is no page ${isolatedQuote(text)}: ${allowed}.` };
  }
  const first = (page - 1) * ROWS_A_PAGE;
  return { items: items.slice(first, first + ROWS_A_PAGE), page, pages };
}

/** Nothing when all rows fit on one page. @param path of the first page, perhaps with a query */
export function pagingBlocks({ page, pages }: Omit<Paged<unknown>, "items">, path: string): readonly Block[] {
  if (pages === 1) return [];
  const sign = path.includes("?") ? "&" : "?";
  const to = (target: number, text: string): PageLink[] =>
    target < 1 || target > pages ? [] : [linkTo(text, target === 1 ? path : `${path}${sign}page=${target}`)];
  return [
    paragraph(`Page ${page} of ${pages}.`),
    links([...to(page - 1, "Previous page"), ...to(page + 1, "Next page")]),
  ];
}

export function refusedPage(page: Page, problem: string): Page {
  return {
    ...page,
    sections: [
      section("refused", null, [notice("error", problem), links([linkTo("The first page", page.path)])]),
    ],
    isLive: false,
  };
}
