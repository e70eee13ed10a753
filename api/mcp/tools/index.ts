/**
 * The tools, in the order in which they are listed. No more than these four: interface document, "Tool endpoint".
 * @module
 */
import type { Tool } from "../tool.ts";
import { getDeal } from "./get-deal.ts";
import { listBusinesses } from "./list-businesses.ts";
import { listDeals } from "./list-deals.ts";
import { searchKnowledge } from "./search-knowledge.ts";

export const TOOLS: readonly Tool[] = [listDeals, getDeal, listBusinesses, searchKnowledge];
