/** @module The originators query of every face: its fields and their meaning. Pure. */
import { withoutCaseAndAccents } from "../../config/format/letters.ts";
import { COUNTRY_CODES } from "../registry/countries.ts";
import type { Originator } from "./originator.ts";
import { type FieldValues, isAmong, wordField, wordsField } from "./query-field.ts";
import { GRADES, originatorSchema } from "./schema.ts";

export const ORIGINATORS_FIELDS = {
  grade: wordsField(GRADES, { description: "Only these grades", example: ["A", "B"] }),
  jurisdiction: wordField(COUNTRY_CODES, {
    description: "Only this country: ISO 3166-1 alpha-2, such as SG",
    example: "SG",
  }),
};

export type OriginatorsQuery = FieldValues<typeof ORIGINATORS_FIELDS> & {
  /** all when not given */
  limit?: number | undefined;
  /** last public id of the previous page */
  cursor?: string | undefined;
};

export type OriginatorsPage = { originators: readonly Originator[]; nextCursor: string | null };

/**
 * The originators that match the query, one page of them. Interface document, GET /originators; without parameters it returns all.
 * @param originators by public id
 * @returns the page, with a cursor for the next one; null on the last
 */
export function queryOriginators(
  originators: readonly Originator[],
  query: OriginatorsQuery,
): OriginatorsPage {
  const { limit, cursor } = query;
  const matching = originators.filter(
    (originator) => matches(originator, query) && (cursor === undefined || originator.publicId > cursor),
  );
  const page = limit === undefined ? matching : matching.slice(0, limit);
  const last = page.at(-1);
  const isMore = page.length < matching.length && last !== undefined;
  return { originators: page, nextCursor: isMore ? originatorsCursorAfter(last) : null };
}

/** The originators with all of these words in their name or public id; case and accents do not matter. */
export function originatorsNamed(originators: readonly Originator[], q: string): readonly Originator[] {
  const words = withoutCaseAndAccents(q).split(/\s+/).filter(Boolean);
  if (words.length === 0) return originators;
  return originators.filter(({ legalName, publicId }) => {
    const name = withoutCaseAndAccents(`${legalName} ${publicId}`);
    return words.every((word) => name.includes(word));
  });
}

export function countOriginators(originators: readonly Originator[], query: OriginatorsQuery): number {
  return originators.filter((originator) => matches(originator, query)).length;
}

export function originatorsCursorAfter({ publicId }: Originator): string {
  return Buffer.from(publicId).toString("base64url");
}

/** Reads a cursor that `queryOriginators` returned: the public id. Null for any other text. */
export function decodeOriginatorsCursor(text: string): string | null {
  if (!/^[\w-]{1,100}$/.test(text)) return null;
  const publicId = Buffer.from(text, "base64url").toString();
  return originatorSchema.shape.publicId.safeParse(publicId).success ? publicId : null;
}

function matches({ ratingGrade, jurisdiction }: Originator, query: OriginatorsQuery): boolean {
  return (
    isAmong(query.grade, ratingGrade) &&
    (query.jurisdiction === undefined || jurisdiction === query.jurisdiction)
  );
}
