/** @module The tool server by name, revision and tool. `app.ts` hands the catalog to the faces that speak of it. */
import type { Tool } from "./tool.ts";
import { inputJsonSchema } from "./tool-schema.ts";
import { getDeal } from "./tools/get-deal.ts";
import { listBusinesses } from "./tools/list-businesses.ts";
import { listDeals } from "./tools/list-deals.ts";
import { searchKnowledge } from "./tools/search-knowledge.ts";

export const SERVER_NAME = "raisebook";
export const SERVER_TITLE = "Raisebook";

/** Oldest first, for the handshake, the server's card and errors. Those before 2025-06-18 require batches, which are refused. */
export const MCP_REVISIONS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;

/** In the order in which they are listed. No more than these four: interface document, "Tool endpoint". */
export const TOOLS: readonly Tool[] = [listDeals, getDeal, listBusinesses, searchKnowledge];

export const TOOL_CATALOG = {
  name: SERVER_NAME,
  title: SERVER_TITLE,
  revisions: MCP_REVISIONS,
  tools: TOOLS.map(catalogEntry),
};

export function catalogEntry({ name, title, description, input }: Tool) {
  return { name, title, description, inputSchema: inputJsonSchema(input) };
}
