/**
 * Arguments and fields shared by several tools.
 * @module
 */
import { z } from "zod";
import { formatAmount } from "../../market/amount.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { isoTime } from "../../market/time.ts";
import { ANSWER_BUDGET, longestPage } from "../tool.ts";

/** Items of a page, unless the caller says otherwise. */
const PAGE_LENGTH = 10;
const LONGEST_PAGE = 50;

export const limit = z
  .number()
  .int()
  .min(1)
  .max(LONGEST_PAGE)
  .optional()
  .describe(`How many at most, 1 to ${LONGEST_PAGE}; ${PAGE_LENGTH} when not given.`);

export const cursor = z
  .string()
  .max(400)
  .optional()
  .describe("nextCursor of the page before; keep the other arguments.");

/** The page of `wanted` items, or of fewer when their texts are long. */
export function pageWithin<Page>(wanted: number | undefined, pageOf: (limit: number) => Page): Page {
  const budget = wanted === undefined ? ANSWER_BUDGET.byDefault : ANSWER_BUDGET.most;
  return longestPage(wanted ?? PAGE_LENGTH, budget, pageOf);
}

/** These amounts as people read them, by the same names. */
export function readable<Name extends string>(
  amounts: Readonly<Record<Name, string>>,
  names: readonly Name[],
): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, formatAmount(amounts[name])]));
}

export const nextCursor = z.string().nullable();

/** The last indexed block and its time: everything beside it is as of then. */
export const asOf = z.object({ block: z.string(), time: z.string() });

export function asOfSnapshot({ market: { head } }: Snapshot): z.output<typeof asOf> {
  return { block: head.number.toString(), time: isoTime(head.timestamp) };
}

export const CURSOR_ADVICE =
  "This cursor is not of this list: leave it out for the first page, then pass each answer's nextCursor with the other arguments unchanged.";

export const NOT_INDEXED_YET =
  "The indexer has not finished its first block yet: ask again in a few seconds.";
