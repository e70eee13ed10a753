/**
 * Arguments and fields shared by several tools.
 * @module
 */
import { z } from "zod";
import { isoTime } from "../../../format/time.ts";
import { formatAmount } from "../../market/amount.ts";
import { limitField, type QueryField } from "../../market/query-field.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { ANSWER_BUDGET, longestPage } from "../tool.ts";

/** Items of a page, unless the caller says otherwise. */
const PAGE_LENGTH = 10;
const LONGEST_PAGE = 50;

/** A field of a query as an argument. */
export function argument<Schema extends z.ZodType>({ schema, description }: QueryField<Schema>) {
  return schema.optional().describe(`${description}.`);
}

/** A field that takes several words as an argument: an array, of which an empty one does not filter. */
export function wordsArgument<Schema extends z.ZodArray>({
  schema,
  allowed,
  description,
}: QueryField<Schema>) {
  return schema.max(allowed.length).optional().describe(`${description}; all when not given.`);
}

export const limit = argument(limitField(LONGEST_PAGE, PAGE_LENGTH));

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
