/**
 * PROVISIONAL, so that the faces can be built: replaced by the real search.
 * @module
 */
import type { Site } from "../market/listing.ts";
import type { Market } from "../market/project.ts";
import type { Knowledge, Section } from "./load.ts";

export type Hit = {
  kind: "knowledge" | "listing" | "originator";
  title: string;
  heading: string | null;
  excerpt: string;
  url: string;
  section?: Section;
};
export type Search = { search(query: string, limit: number, market: Market | null): Hit[] };

export function createSearch(knowledge: Knowledge, site: Site): Search {
  return {
    search(query, limit) {
      const words = query.toLowerCase().split(/\W+/).filter(Boolean);
      return knowledge.pages
        .flatMap((page) => page.sections.map((section) => ({ page, section })))
        .map((found) => ({
          ...found,
          score: words.filter((word) =>
            `${found.section.heading} ${found.section.text}`.toLowerCase().includes(word),
          ).length,
        }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
        .map(({ page, section }) => ({
          kind: "knowledge" as const,
          title: page.title,
          heading: section.heading,
          excerpt: section.text.slice(0, 240),
          url: `${site.publicUrl}/knowledge/${page.slug}#${section.anchor}`,
          section,
        }));
    },
  };
}
