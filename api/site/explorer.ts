/**
 * Links from hashes, addresses and blocks to the operator's block explorer. They are added to the page as data, before it is
 * written: HTML and Markdown have the same ones.
 * @module
 */
import type { Explored, Explorer } from "../../config/values.ts";
import type { Page } from "./page.ts";

/** The page with an address on every value that the explorer has a page of. */
export function withExplorer(page: Page, explorer: Explorer | null): Page {
  return explorer === null ? page : (linked(page, explorer) as Page);
}

/** Wherever a value stands in a page, whatever the block. Drawings are no plain objects, and stay as they are. */
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

/** Undefined where the explorer has no such page. */
function hrefOf({ text, explore }: ExploredCode, explorer: Explorer): string | undefined {
  return explorer[explore]?.replace(`{${explore}}`, encodeURIComponent(text));
}
