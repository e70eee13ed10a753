/**
 * The form that asks the knowledge base. It works without a script: it asks by GET.
 * @module
 */
import type { FilterForm } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";

/** @param query what it was asked last; empty when nothing was */
export function searchForm(query: string): FilterForm {
  return {
    action: SITE_PATHS.knowledge,
    label: "Search the knowledge base",
    submit: "Search",
    fields: [
      {
        name: "q",
        label: "What do you want to know?",
        description: "A question or some words, such as: what happens below the minimum.",
        value: query,
        input: "search",
      },
    ],
    reset: query === "" ? null : SITE_PATHS.knowledge,
  };
}
