/** @module Arguments and fields shared by several tools. */
import { z } from "zod";
import { type BlockOrTime, isoTime } from "../../../config/format/time.ts";
import { formatAmount } from "../../market/amount.ts";
import { limitField, type QueryField } from "../../market/query-field.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { COUNTRY_CODES } from "../../registry/countries.ts";
import { ANSWER_BUDGET, longestPage } from "../tool.ts";

/** Items of a page, unless the caller says otherwise. */
const PAGE_LENGTH = 10;
const LONGEST_PAGE = 50;

export function argument<Schema extends z.ZodType>({ schema, description }: QueryField<Schema>) {
  return schema.optional().describe(`${description}.`);
}

/** A field that takes several words as an argument: an array; an empty one does not filter. */
export function wordsArgument<Schema extends z.ZodArray>({
  schema,
  allowed,
  description,
}: QueryField<Schema>) {
  return schema.max(allowed.length).optional().describe(`${description}.`);
}

/** A time as an argument: of any form, and refused with advice that a model can follow. */
export function timeArgument(description: string) {
  return z.string().max(40).optional().describe(description);
}

/** The times or blocks that are given, by name; advice on the first one that `parse` refuses. */
export function readMoments<Name extends string, Moment>(
  given: Readonly<Record<Name, string | undefined>>,
  parse: (text: string) => Moment | null,
  form: string,
): Partial<Record<Name, Moment>> | { advice: string } {
  const moments: Partial<Record<Name, Moment>> = {};
  for (const [name, text] of Object.entries<string | undefined>(given) as [Name, string | undefined][]) {
    if (text === undefined) continue;
    const moment = parse(text);
    if (moment === null) return { advice: `${name} must be ${form}.` };
    moments[name] = moment;
  }
  return moments;
}

/** How far the answer that a caller goes on from may be ahead: it may come from another reader. */
const MOST_AHEAD = { blocks: 100n, seconds: 600n };

/** The advice on a beginning that no indexed block has reached; null for an earlier one. */
export function adviceOnLater(
  name: string,
  moment: BlockOrTime,
  { number, timestamp }: Snapshot["market"]["head"],
): { advice: string } | null {
  const isLater =
    "block" in moment
      ? moment.block > number + MOST_AHEAD.blocks
      : moment.time > timestamp + MOST_AHEAD.seconds;
  if (!isLater) return null;
  const last = `${number}, ${isoTime(timestamp)}`;
  return { advice: `${name} is after the last indexed block (${last}): give an earlier one.` };
}

/** A country as an argument: in letters of either case. */
export const country = z.string().max(100).optional().describe("ISO 3166-1 alpha-2, such as SG.");

export const COUNTRY_ADVICE = "jurisdiction must be a country's ISO 3166-1 alpha-2 code, such as SG or DE.";

/** The code of a country; null for an unknown name. */
export function readCountry(text: string | undefined): string | undefined | null {
  if (text === undefined) return undefined;
  return COUNTRY_CODES.find((code) => code === text.toUpperCase()) ?? null;
}

export const limit = argument(limitField(LONGEST_PAGE, PAGE_LENGTH));

export const cursor = z.string().max(400).optional().describe("nextCursor of the page before.");

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

/** An object whose fields are not listed: every client reads the list of tools into its context. */
export const anyObject = z.looseObject({});

export const nextCursor = z.string().nullable();

/** The last indexed block and its time, to which the whole answer refers. */
export const asOf = z.looseObject({});

export function asOfSnapshot({ market: { head } }: Snapshot): { block: string; time: string } {
  return { block: head.number.toString(), time: isoTime(head.timestamp) };
}

export const CURSOR_ADVICE =
  "This cursor is not of this list: leave it out for the first page, then pass each answer's nextCursor with the other arguments unchanged.";

export const NOT_INDEXED_YET =
  "The indexer has not finished its first block yet: ask again in a few seconds.";
