/** @module Links to the operator's block explorer, added to the page as data: HTML and Markdown have the same. */
import type { Explored, Explorer } from "../../config/url-values.ts";
import type { Page } from "./page.ts";

export function withExplorer(page: Page, explorer: Explorer | null): Page {
  return explorer === null ? page : (linked(page, explorer) as Page);
}

/** Replaces values anywhere in a page. Drawings are not plain objects, and stay unchanged. */
function linked(part: unknown, explorer: Explorer): unknown {
  if (Array.isArray(part)) return part.map((one) => linked(one, explorer));
  if (typeof part !== "object" || part === null || Object.getPrototypeOf(part) !== Object.prototype)
    return part;
  if (isExplored(part)) return { ...part, href: hrefOf(part, explorer) };
  return Object.fromEntries(Object.entries(part).map(([name, own]) => [name, linked(own, explorer)]));
}

type ExploredCode = { kind: "code"; text: string; explore: Explored };

function isExplored(part: object): part is ExploredCode {
  return "kind" in part && part.kind === "code" && "explore" in part && part.explore !== undefined;
}

/** Undefined if the explorer has no such page. */
function hrefOf({ text, explore }: ExploredCode, explorer: Explorer): string | undefined {
  return explorer[explore]?.replace(`{${explore}}`, encodeURIComponent(text));
}
