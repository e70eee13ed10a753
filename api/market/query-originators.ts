/**
 * Filters and pages of originators: the same for every face. Pure.
 * @module
 */
import type { Grade, Originator } from "./schema.ts";

/** Which originators; by public id. What is not given does not filter. */
export type OriginatorsQuery = {
  grade?: ReadonlySet<Grade> | undefined;
  /** ISO 3166-1 alpha-2 */
  jurisdiction?: string | undefined;
  /** all when not given */
  limit?: number | undefined;
  /** public id that the page before this one ended with */
  cursor?: string | undefined;
};

export type OriginatorsPage = { originators: readonly Originator[]; nextCursor: string | null };

/** The originators that fit, by `publicId`. */
export function queryOriginators(
  originators: readonly Originator[],
  { grade, jurisdiction, limit, cursor }: OriginatorsQuery,
): OriginatorsPage {
  const found = originators.filter(
    (originator) =>
      (grade === undefined || grade.has(originator.ratingGrade)) &&
      (jurisdiction === undefined || originator.jurisdiction === jurisdiction) &&
      (cursor === undefined || originator.publicId > cursor),
  );
  const page = limit === undefined ? found : found.slice(0, limit);
  const last = page.at(-1);
  const isMore = page.length < found.length && last !== undefined;
  return { originators: page, nextCursor: isMore ? encodeOriginatorsCursor(last.publicId) : null };
}

/** The cursor of the page that begins after this originator. */
export function encodeOriginatorsCursor(publicId: string): string {
  return Buffer.from(publicId).toString("base64url");
}

/** Reads a cursor that `queryOriginators` gave out: the public id. null when it is none. */
export function decodeOriginatorsCursor(text: string): string | null {
  if (!/^[\w-]{1,100}$/.test(text)) return null;
  const publicId = Buffer.from(text, "base64url").toString();
  return /^org_[A-Za-z0-9_-]{1,64}$/.test(publicId) ? publicId : null;
}
