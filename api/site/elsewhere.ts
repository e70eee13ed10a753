/**
 * The part of a page that says where programs read the same.
 * @module
 */
import type { PageLink, Section } from "./page.ts";

export function elsewhereSection(links: readonly PageLink[]): Section {
  return { id: "elsewhere", title: "The same for programs", blocks: [{ kind: "links", links }] };
}
