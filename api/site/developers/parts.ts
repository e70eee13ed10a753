/**
 * What several sections of the developers' page are put together from.
 * @module
 */
import type { SiteDependencies } from "../dependencies.ts";
import type { Block, Snippet } from "../page.ts";
import { SITE_PATHS } from "../paths.ts";
import type { Operations } from "./operations.ts";
import type { Snippets } from "./snippets.ts";

export const REFERENCE = SITE_PATHS.reference;

export type Parts = Pick<SiteDependencies, "toolServer" | "queryLimits"> & {
  publicUrl: string;
  operations: Operations;
  snippets: Snippets;
};

/** Tags of the description whose operations are an interface of their own; the others are files and pages. */
export const TAGS = {
  rest: ["Market", "Ledger", "Service"],
  tools: ["Tools"],
  graphql: ["GraphQL"],
} as const;

/** The operations of these tags. */
export function tables({ tables }: Operations, tags: readonly string[]): Block[] {
  return tags.flatMap((tag): Block[] => {
    const table = tables.get(tag);
    return table === undefined ? [] : [{ kind: "table", table }];
  });
}

/** The operations of all tags that no interface has. */
export function otherTables(operations: Operations): Block[] {
  const taken = new Set<string>(Object.values(TAGS).flat());
  return tables(
    operations,
    [...operations.tables.keys()].filter((tag) => !taken.has(tag)),
  );
}

export function snippet(snippet: Snippet): Block {
  return { kind: "snippet", snippet };
}

export function paragraph(text: string): Block {
  return { kind: "paragraph", text };
}
