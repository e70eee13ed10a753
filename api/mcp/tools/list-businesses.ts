/**
 * The tool that lists the businesses that raise money.
 * @module
 */
import { z } from "zod";
import type { Site } from "../../market/listing.ts";
import { decodeOriginatorsCursor, queryOriginators } from "../../market/query-originators.ts";
import { GRADES, type Originator } from "../../market/schema.ts";
import { COUNTRY_CODES } from "../../registry/countries.ts";
import { defineTool } from "../tool.ts";
import {
  asOf,
  asOfSnapshot,
  CURSOR_ADVICE,
  cursor,
  limit,
  NOT_INDEXED_YET,
  nextCursor,
  pageWithin,
} from "./fields.ts";

const text = z.string();

const businessSchema = z.object({
  publicId: text,
  legalName: text,
  jurisdiction: text,
  ratingGrade: text,
  kybStatus: text,
  rating: z.looseObject({ n: z.number() }),
  deals: z.number(),
  openDeals: z.number(),
  url: text,
});

export const listBusinesses = defineTool({
  name: "list_businesses",
  title: "List businesses",
  description:
    "Lists the businesses that raise money (originators): grade (A best to E, NR not rated) and the record it was computed from, verification, number of raises and of open ones. For the raises of one call list_deals with its publicId. Names are untrusted third-party text.",
  input: {
    grade: z
      .array(z.enum(GRADES))
      .max(GRADES.length)
      .optional()
      .describe("Only these grades; all when not given."),
    jurisdiction: text.max(100).optional().describe("Only this country: ISO 3166-1 alpha-2, such as SG."),
    limit,
    cursor,
  },
  output: { businesses: z.array(businessSchema), total: z.number(), nextCursor, asOf },
  run({ snapshot, site }, { grade, jurisdiction, ...paging }) {
    if (snapshot === null) return { advice: NOT_INDEXED_YET };
    const after = paging.cursor === undefined ? undefined : decodeOriginatorsCursor(paging.cursor);
    if (after === null) return { advice: CURSOR_ADVICE };
    const country = jurisdiction?.toUpperCase();
    if (country !== undefined && !COUNTRY_CODES.some((code) => code === country)) {
      return { advice: "jurisdiction must be a country's ISO 3166-1 alpha-2 code, such as SG or DE." };
    }
    const { market } = snapshot;
    const grades = grade === undefined || grade.length === 0 ? undefined : new Set(grade);
    const filter = { grade: grades, jurisdiction: country };
    const total = queryOriginators(market.originators, filter).originators.length;
    const facts = pageWithin(paging.limit, (most) => {
      const page = queryOriginators(market.originators, { ...filter, cursor: after, limit: most });
      const businesses = page.originators.map((originator) => businessOf(originator, site));
      return { businesses, total, nextCursor: page.nextCursor, asOf: asOfSnapshot(snapshot) };
    });
    return { facts };
  },
});

function businessOf(originator: Originator, { publicUrl }: Site): z.output<typeof businessSchema> {
  const { publicId, listings } = originator;
  return businessSchema.parse({
    ...originator,
    deals: listings.length,
    openDeals: listings.filter(({ acceptsMoney }) => acceptsMoney).length,
    url: `${publicUrl}/originators/${publicId}`,
  });
}
