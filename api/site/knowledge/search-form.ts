/** @module The search of the knowledge base, raises and businesses: a GET form, which works without a script. */
import type { KnowledgePage } from "../../knowledge/load.ts";
import type { FilterForm } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";

/** @param words the last search; empty for none */
export function searchForm(words: string): FilterForm {
  return {
    action: SITE_PATHS.knowledge,
    label: "Search the knowledge base",
    submit: "Search",
    fields: [
      {
        name: "q",
        label: "Your question",
        description: "A question or some words, such as: what if the business does not pay, or: who is late.",
        value: words,
        input: "search",
      },
    ],
    reset: words === "" ? null : SITE_PATHS.knowledge,
  };
}

export function knowledgePath({ slug }: Pick<KnowledgePage, "slug">): string {
  return `${SITE_PATHS.knowledge}/${slug}`;
}
