/** @module The filters of listings, each declared once: REST, GraphQL, the tool and the form of the board derive theirs. Pure. */
import { z } from "zod";
import { DAY, parseTime, TIME_FORM } from "../../config/format/time.ts";
import { COUNTRY_CODES } from "../registry/countries.ts";
import { isRow, type ListingFacts, secondsAt, type TimeName } from "./archive/facts.ts";
import { type BoardInput, interestInput, termInput } from "./board-inputs.ts";
import { searchOf } from "./listings-search.ts";
import type { Lookup } from "./market.ts";
import type { Originator } from "./originator.ts";
import { PACES, paceOf } from "./pace.ts";
import { blockOrTimeField, integerField, type QueryField, textField, wordsField } from "./query-field.ts";
import { GRADES, originatorSchema, REPAYMENTS, STATUSES } from "./schema.ts";

/** The largest coupon, in basis points, and the longest term, in days, that the chain can carry: 32 bits. */
const LARGEST_COUPON = 2 ** 32 - 1;
const LONGEST_TENOR = 2 ** 32 - 1;

/** Longer searches name nothing. Characters. */
export const LONGEST_SEARCH = 200;

/** The originators of the listings, by public id: their names and countries are filtered by too. */
export type Originators = Lookup<Pick<Originator, "legalName" | "jurisdiction">>;

export type Accepts = (listing: ListingFacts) => boolean;

/** The test that a time is before a limit, unix seconds; no time ever is. */
function isBefore(name: TimeName, limit: bigint): Accepts {
  return (listing) => (secondsAt(listing, name) ?? limit) < limit;
}

export type ListingsFilter = QueryField & {
  /** what a value is: each face has a form for it */
  kind: "text" | "words" | "integer" | "time" | "moment" | "originator" | "country";
  /** the tests of a value; null for a value that accepts every listing, such as no words */
  accepts(value: never, originators: Originators): Accepts | null;
  /** a shorter description: every client reads those of the tools into its context */
  brief?: string;
  /** whether all listings of an originator are the same in it */
  isOfOriginator?: true;
  /** null where the board does not ask for it */
  board: BoardInput | null;
};

export type ListingsFilters = Readonly<Record<string, ListingsFilter>>;

export function mapFilters<Made>(
  filters: ListingsFilters,
  make: (filter: ListingsFilter) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(filters).map(([name, filter]) => [name, make(filter)]));
}

function filter<
  Schema extends z.ZodType,
  Field extends QueryField<Schema> & Omit<ListingsFilter, keyof QueryField | "accepts">,
>(
  field: Field & { schema: Schema },
  accepts: (value: Readonly<z.output<Schema>>, originators: Originators) => Accepts | null,
) {
  return { ...field, accepts };
}

/** Accepts the listings with one of the chosen words. */
function oneOf(wordOf: (listing: ListingFacts, originators: Originators) => string | undefined) {
  return (chosen: readonly string[], originators: Originators): Accepts | null => {
    const accepted = new Set<string | undefined>(chosen);
    return accepted.size === 0 ? null : (listing) => accepted.has(wordOf(listing, originators));
  };
}

export const FILTERS = {
  q: filter(
    {
      kind: "text",
      schema: z.string().max(LONGEST_SEARCH),
      allowed: [`at most ${LONGEST_SEARCH} characters`],
      description:
        "Only raises with every one of these words in their title, refnum or public id, or in the name of the originator; of several refnums or public ids, those with one of them; case and accents do not matter",
      example: "bakery oven",
      brief: "Words of title or business; refnums",
      board: {
        name: "q",
        order: 1,
        label: "Search",
        fieldLabel: "Search raises",
        about: "Words from a title, a business's name or a reference number.",
        hint: "Words of a raise or of its business, or a reference number; empty for all.",
        isOfAll: true,
      },
    },
    searchOf,
  ),
  status: filter(
    {
      kind: "words",
      ...wordsField(STATUSES, { description: "Only these states", example: ["live", "funding"] }),
      board: {
        name: "status",
        order: 8,
        label: "Status",
        about: "One or more states, comma separated or repeated, as for `/listings`.",
        isOfAll: true,
      },
    },
    oneOf(({ status }) => status),
  ),
  grade: filter(
    {
      kind: "words",
      ...wordsField(GRADES, { description: "Only these grades of the originator", example: ["A", "B"] }),
      brief: "Only these grades",
      isOfOriginator: true,
      board: {
        name: "grade",
        order: 7,
        label: "Grade",
        about: "One or more grades, comma separated or repeated.",
        hint: "Only raises of businesses with these grades: A is best, NR is not rated; none for all.",
        isRanked: true,
      },
    },
    oneOf(({ originatorGrade }) => originatorGrade),
  ),
  originator: filter(
    {
      kind: "originator",
      schema: originatorSchema.shape.publicId,
      allowed: ["the public id of an originator, such as org_northwind"],
      description: "Only raises of this originator",
      example: "org_northwind",
      brief: "publicId of a business",
      isOfOriginator: true,
      board: {
        name: "originator",
        order: 9,
        label: "Business ID",
        about: "ID of a business.",
        isOfAll: true,
      },
    },
    (publicId) =>
      ({ originator }) =>
        originator === publicId,
  ),
  jurisdiction: filter(
    {
      kind: "country",
      ...wordsField(COUNTRY_CODES, {
        description: "Only originators of these countries, ISO 3166-1 alpha-2",
        example: ["SG", "DE"],
      }),
      isOfOriginator: true,
      board: {
        name: "country",
        order: 5,
        label: "Country",
        about: "One or more countries of the business, ISO 3166-1 alpha-2, comma separated or repeated.",
        hint: "Only businesses of this country, ISO 3166-1 alpha-2; empty for all.",
        any: "Any country",
      },
    },
    oneOf(({ originator }, originators) => originators.get(originator)?.jurisdiction),
  ),
  repayment: filter(
    {
      kind: "words",
      ...wordsField(REPAYMENTS, {
        description: "Only these states of repayment",
        example: ["late", "default"],
      }),
      brief: "Only these states",
      board: {
        name: "repayment",
        order: 6,
        label: "Repayment",
        about: "One or more states of the repayment, comma separated or repeated.",
        hint: "Only loans in this state of repayment; empty for all.",
        any: "Any state",
        isOfAll: true,
        words: REPAYMENTS.filter((state) => state !== "not_drawn"),
      },
    },
    oneOf(({ repayment }) => repayment),
  ),
  minCouponBps: filter(
    {
      kind: "integer",
      ...integerField(0, LARGEST_COUPON, {
        description: "Lowest coupon, basis points per year (1450 = 14.50%)",
        example: 1200,
      }),
      brief: "Basis points a year (1450 = 14.50%)",
      board: interestInput("interest", 2, "from"),
    },
    (least) =>
      ({ couponRateBps }) =>
        couponRateBps >= least,
  ),
  maxCouponBps: filter(
    {
      kind: "integer",
      ...integerField(0, LARGEST_COUPON, {
        description: "Highest coupon, basis points per year (1450 = 14.50%)",
        example: 1000,
      }),
      brief: "Basis points a year",
      board: interestInput("interest_to", 2.5, "to"),
    },
    (most) =>
      ({ couponRateBps }) =>
        couponRateBps <= most,
  ),
  minTenorDays: filter(
    {
      kind: "integer",
      ...integerField(0, LONGEST_TENOR, { description: "Shortest term in days", example: 200 }),
      brief: "Term in days",
      board: termInput("term_from", 3, "from"),
    },
    (least) =>
      ({ tenorDays }) =>
        tenorDays >= least,
  ),
  maxTenorDays: filter(
    {
      kind: "integer",
      ...integerField(0, LONGEST_TENOR, { description: "Longest term in days", example: 180 }),
      brief: "Term in days",
      board: termInput("term", 3.5, "to"),
    },
    (most) =>
      ({ tenorDays }) =>
        tenorDays <= most,
  ),
  /** A listing without a closing time never closes before it. */
  closingBefore: filter(
    {
      kind: "time",
      ...textField(parseTime, TIME_FORM, {
        description:
          "Only raises with a closing time before this time or date, in ISO 8601 (a date is its start in UTC)",
        example: "2026-03-01T12:00:00Z",
      }),
      brief: "Closes or closed before this time",
      board: {
        name: "closing",
        order: 4,
        label: "Closing",
        about: "Only open raises that close within so many days: whatever `show` says.",
        hint: "Only open raises that close within so many days; empty for all.",
        any: "Any time",
        number: {
          form: /^[1-9]\d{0,3}$/,
          allowed: "a whole number of days, such as 7",
          choices: [1, 7, 30],
          labelOf: (days) => (days === 1 ? "Within a day" : `Within ${days} days`),
          valueOf: (days, now) => now + BigInt(days) * DAY,
        },
        isOfOpen: true,
      },
    },
    (limit) => isBefore("closeAt", limit),
  ),
  /** A raise without principal owed is never due. */
  dueBefore: filter(
    {
      kind: "time",
      ...textField(parseTime, TIME_FORM, {
        description:
          "Only raises that still owe principal and are due before this time or date, overdue ones included, in ISO 8601 (a date is its start in UTC)",
        example: "2026-04-01T12:00:00Z",
      }),
      brief: "Owes principal due before this time",
      board: null,
    },
    (limit) => {
      const isDue = isBefore("maturityAt", limit);
      return (listing) => listing.outstandingPrincipal !== "0" && isDue(listing);
    },
  ),
  pace: filter(
    {
      kind: "words",
      ...wordsField(PACES, {
        description:
          "Only open raises that will reach, or miss, their minimum at the pace of `projectedAmount`; neither for one below it without that amount",
        example: ["misses_minimum"],
      }),
      brief: "Open raises, by projectedAmount",
      board: null,
    },
    oneOf((listing) => paceOf(listing) ?? undefined),
  ),
  changedSince: filter(
    {
      kind: "moment",
      ...blockOrTimeField({
        description:
          "Only raises with an event in or after this block, or at or after this time or date (ISO 8601)",
        example: "2026-03-01T12:00:00Z",
      }),
      brief: "Has an event since this block, time or date",
      board: null,
    },
    (since) => (listing) => {
      if ("time" in since) return (secondsAt(listing, "updatedAt") ?? since.time - 1n) >= since.time;
      if (isRow(listing)) return listing.lastBlock >= since.block;
      return listing.updatedBlock !== null && BigInt(listing.updatedBlock) >= since.block;
    },
  ),
};
