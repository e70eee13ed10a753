/**
 * What the board's address asks for. Unknown parameters do not count: people follow links that others have added theirs
 * to. A value that cannot be used is said, with what is allowed.
 * @module
 */
import type { ListingsQuery } from "../../market/query.ts";
import { decodeCursor, SORTS } from "../../market/query.ts";
import { GRADES, STATUSES } from "../../market/schema.ts";
import { quote, stripControl } from "../../untrusted-text.ts";

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
const WHOLE_NUMBER = /^\d{1,10}$/;

export function readBoardQuery(parameters: URLSearchParams): BoardQuery {
  const problems: string[] = [];
  const given = (name: string) => typedOn(parameters.get(name) ?? "");
  const wordsIn = <Word extends string>(name: keyof typeof LABELS, allowed: readonly Word[]): Word[] => {
    const words = given(name).split(",").filter(Boolean);
    const known = words.filter((word): word is Word => (allowed as readonly string[]).includes(word));
    if (known.length < words.length) {
      const unknown = words.find((word) => !(allowed as readonly string[]).includes(word));
      problems.push(`${LABELS[name]} (${name}) cannot be ${quote(unknown)}. Allowed: ${allowed.join(", ")}.`);
    }
    return known;
  };

  const status = wordsIn("status", STATUSES);
  const grade = wordsIn("grade", GRADES);
  const sorts = wordsIn("sort", SORTS);
  const [sort] = sorts;
  if (sorts.length > 1) problems.push("Order (sort) takes one word.");
  const minCoupon = given("minCouponBps");
  if (minCoupon !== "" && !WHOLE_NUMBER.test(minCoupon)) {
    problems.push(
      `Coupon (minCouponBps) cannot be ${quote(minCoupon)}. Allowed: a whole number of basis points, such as 1450.`,
    );
  }
  const cursorText = given("cursor");
  const cursor = cursorText === "" ? undefined : decodeCursor(cursorText);
  if (cursor === null) problems.push("The cursor is not one of this board. Leave it out for the first page.");
  if (cursor && sort !== undefined && cursor.sort !== sort) {
    problems.push("The cursor is of another order. Leave it out for the first page.");
  }
  const q = given("q");
  if (q.length > LONGEST_SEARCH) problems.push(`q has at most ${LONGEST_SEARCH} characters.`);

  return {
    values: {
      q: q.slice(0, LONGEST_SEARCH),
      status: status.join(","),
      grade: grade.join(","),
      minCouponBps: WHOLE_NUMBER.test(minCoupon) ? minCoupon : "",
      originator: given("originator").slice(0, LONGEST_SEARCH),
      sort: sort ?? "",
    },
    query: {
      status: status.length === 0 ? undefined : new Set(status),
      grade: grade.length === 0 ? undefined : new Set(grade),
      minCouponBps: WHOLE_NUMBER.test(minCoupon) ? Number(minCoupon) : undefined,
      originator: given("originator") || undefined,
      sort,
      cursor: cursor ?? undefined,
    },
    problems,
  };
}

/** What was typed, on one line and without what nobody sees: it is shown again. */
function typedOn(text: string): string {
  return stripControl(text.replace(/\s+/g, " "), { keepLineFeeds: false }).trim();
}

/** The address of the board that asks for these values, from the first page on or from a cursor. */
export function boardPath(values: BoardValues, cursor?: string): string {
  const given = Object.entries({ ...values, cursor: cursor ?? "" }).filter(([, value]) => value !== "");
  const query = new URLSearchParams(given).toString();
  return query === "" ? "/" : `/?${query}`;
}
