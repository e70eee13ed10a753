/**
 * The parameters of the paths that answer from the market.
 * @module
 */
import { z } from "@hono/zod-openapi";
import type { AsOf } from "../history/history.ts";
import {
  integerParameter,
  limitParameter,
  listParameter,
  parameter,
  wordParameter,
} from "../http/parameters.ts";
import { MOMENT_FORM, parseMoment, parseTime } from "../market/moment.ts";
import { decodeCursor, SORTS } from "../market/query.ts";
import { GRADES, STATUSES } from "../market/schema.ts";

/** The largest coupon that the chain can carry: 32 bits. */
const LARGEST_COUPON = 2 ** 32 - 1;

const CURSOR_FORM = "a `page.nextCursor` of this path, with the same order";

const asOf = parameter(
  (text): AsOf | null => (text === "head" ? "head" : parseMoment(text)),
  ["head", MOMENT_FORM],
  {
    description:
      "The market as it stood: `head` (the live answer), a block number, or a time in ISO 8601. `holderCount` is null in the past.",
    example: "2026-03-01T12:00:00Z",
  },
);

/** Of the paths that take a moment alone. */
export const asOfParameters = z.object({ asOf });

/** Of `/v1/listings`. */
export const listingsParameters = z
  .object({
    status: listParameter(STATUSES, { description: "Only these states.", example: "live,funding" }),
    grade: listParameter(GRADES, { description: "Only these grades of the originator.", example: "A,B" }),
    originator: parameter(
      (text) => (/^org_[A-Za-z0-9_-]{1,64}$/.test(text) ? text : null),
      ["the public id of an originator, such as org_northwind"],
      { description: "Only raises of this originator.", example: "org_northwind" },
    ),
    minCouponBps: integerParameter(0, LARGEST_COUPON, {
      description: "Only coupons of at least so many basis points per annum.",
      example: "1200",
    }),
    closingBefore: parameter(parseTime, ["a time such as 2026-03-01T12:00:00Z"], {
      description: "Only raises that have a closing time before this time in ISO 8601.",
      example: "2026-03-01T12:00:00Z",
    }),
    sort: wordParameter(SORTS, {
      description: "The order; ties by public id. `newest` when not given.",
      example: "closing_soon",
    }),
    limit: limitParameter(null, 200),
    cursor: parameter(decodeCursor, [CURSOR_FORM], {
      description:
        "Goes on where another page ended: the `page.nextCursor` of that answer, with the same order.",
    }),
    asOf,
  })
  .superRefine(
    ({ sort, cursor }, context) => {
      if (sort === undefined || cursor === undefined || cursor.sort === sort) return;
      const message = `It is of the order ${cursor.sort}, not of ${sort}`;
      context.addIssue({ code: "custom", path: ["cursor"], message, params: { allowed: [CURSOR_FORM] } });
    },
    // Also when another parameter is wrong: all that is wrong is said at once.
    { when: ({ issues }) => !issues.some(({ path }) => path?.[0] === "sort" || path?.[0] === "cursor") },
  );
