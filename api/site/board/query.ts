/**
 * How the address of the board carries the listings query. Unknown parameters do not count: people follow links that others
 * have added theirs to. A value that cannot be used is named, with what is allowed.
 * @module
 */

import { quote, stripControl } from "../../../format/untrusted-text.ts";
import {
  decodeListingsCursor,
  isOfAnotherOrder,
  LISTINGS_FIELDS,
  type ListingsQuery,
} from "../../market/listings-query.ts";
import { readField, wholeNumber } from "../../market/query-field.ts";

/** The values as they stand in the form, and in the links to other pages of the board. */
export type BoardValues = {
  q: string;
  status: string;
  grade: string;
  minCouponBps: string;
  originator: string;
  sort: string;
};

export type BoardQuery = {
  values: BoardValues;
  query: ListingsQuery;
  /** what cannot be used, in sentences */
  problems: readonly string[];
};

const LABELS = { status: "Status", grade: "Grade", sort: "Order" } as const;
const LONGEST_SEARCH = 200;

export function readBoardQuery(parameters: URLSearchParams): BoardQuery {
  const problems: string[] = [];
  const given = (name: string) => typedOn(parameters.get(name) ?? "");
  const wordsIn = <Name extends keyof typeof LABELS>(name: Name) => {
    type Word = (typeof LISTINGS_FIELDS)[Name]["allowed"][number];
    const allowed: readonly string[] = LISTINGS_FIELDS[name].allowed;
    const words = given(name).split(",").filter(Boolean);
    const known = words.filter((word): word is Word => allowed.includes(word));
    if (known.length < words.length) {
      const unknown = words.find((word) => !allowed.includes(word));
      problems.push(`${LABELS[name]} (${name}) cannot be ${quote(unknown)}. Allowed: ${allowed.join(", ")}.`);
    }
    return known;
  };

  const status = wordsIn("status");
  const grade = wordsIn("grade");
  const sorts = wordsIn("sort");
  const [sort] = sorts;
  if (sorts.length > 1) problems.push("Order (sort) takes one word.");
  const couponText = given("minCouponBps");
  const coupon = couponText === "" ? null : readField(LISTINGS_FIELDS.minCouponBps, wholeNumber(couponText));
  const minCouponBps = coupon !== null && "value" in coupon ? coupon.value : undefined;
  if (coupon !== null && minCouponBps === undefined) {
    problems.push(
      `Coupon (minCouponBps) cannot be ${quote(couponText)}. Allowed: a whole number of basis points, such as 1450.`,
    );
  }
  const cursorText = given("cursor");
  const cursor = cursorText === "" ? undefined : decodeListingsCursor(cursorText);
  if (cursor === null) problems.push("The cursor is not one of this board. Leave it out for the first page.");
  if (cursor && isOfAnotherOrder({ sort, cursor })) {
    problems.push("The cursor is of another order. Leave it out for the first page.");
  }
  const q = given("q");
  if (q.length > LONGEST_SEARCH) problems.push(`q has at most ${LONGEST_SEARCH} characters.`);

  return {
    values: {
      q: q.slice(0, LONGEST_SEARCH),
      status: status.join(","),
      grade: grade.join(","),
      minCouponBps: minCouponBps === undefined ? "" : couponText,
      originator: given("originator").slice(0, LONGEST_SEARCH),
      sort: sort ?? "",
    },
    query: {
      status,
      grade,
      minCouponBps,
      originator: given("originator") || undefined,
      sort,
      cursor: cursor ?? undefined,
    },
    problems,
  };
}

/** The search text, on one line and without invisible characters: it is shown again. */
function typedOn(text: string): string {
  return stripControl(text.replace(/\s+/g, " "), { keepLineFeeds: false }).trim();
}

/** The address of the board that asks for these values, from the first page on or from a cursor. */
export function boardPath(values: BoardValues, cursor?: string): string {
  const given = Object.entries({ ...values, cursor: cursor ?? "" }).filter(([, value]) => value !== "");
  const query = new URLSearchParams(given).toString();
  return query === "" ? "/" : `/?${query}`;
}
