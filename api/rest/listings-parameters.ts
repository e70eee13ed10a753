/**
 * The parameters of the paths that answer from the market.
 * @module
 */
import { z } from "@hono/zod-openapi";
import type { AsOf } from "../history/history.ts";
import { decodeListingsCursor, isOfAnotherOrder, LISTINGS_FIELDS } from "../market/listings-query.ts";
import { LONGEST_PAGE, limitField, textField } from "../market/query-field.ts";
import { BLOCK_OR_TIME_FORM, parseBlockOrTime } from "../time.ts";
import { parameter } from "./parameters.ts";

const asOf = parameter({
  ...textField((text): AsOf | null => (text === "head" ? "head" : parseBlockOrTime(text)), "head", {
    description:
      "The market as it stood: `head` (the live answer), a block number, or a time in ISO 8601. `holderCount` is null in the past",
    example: "2026-03-01T12:00:00Z",
  }),
  allowed: ["head", BLOCK_OR_TIME_FORM],
});

/** Of the paths that take a time alone. */
export const asOfParameters = z.object({ asOf });

const CURSOR_FORM = "a `page.nextCursor` of this path, with the same order";
const { status, grade, originator, minCouponBps, closingBefore, sort } = LISTINGS_FIELDS;

/** Of `/v1/listings`. */
export const listingsParameters = z
  .object({
    status: parameter(status),
    grade: parameter(grade),
    originator: parameter(originator),
    minCouponBps: parameter(minCouponBps),
    closingBefore: parameter(closingBefore),
    sort: parameter(sort),
    limit: parameter(limitField(LONGEST_PAGE, null)),
    cursor: parameter(
      textField(decodeListingsCursor, CURSOR_FORM, {
        description: "Continues after another page: the `page.nextCursor` of that answer, in the same order",
      }),
    ),
    asOf,
  })
  .superRefine(
    ({ sort, cursor }, context) => {
      if (!isOfAnotherOrder({ sort, cursor })) return;
      const message = `It is of the order ${cursor?.sort}, not of ${sort}`;
      context.addIssue({ code: "custom", path: ["cursor"], message, params: { allowed: [CURSOR_FORM] } });
    },
    // Also when another parameter is wrong: all that is wrong is said at once.
    { when: ({ issues }) => !issues.some(({ path }) => path?.[0] === "sort" || path?.[0] === "cursor") },
  );
