/**
 * The form that narrows the board. An agent in the browser knows it as a tool.
 * @module
 */

import { SORTS, type Sort } from "../../market/listings-query.ts";
import { GRADES, STATUSES } from "../../market/schema.ts";
import { BOARD_FORM } from "../browser-tools/form.ts";
import type { Field, FilterForm } from "../page.ts";
import { STATUS_WORDS } from "../value.ts";
import type { BoardValues } from "./query.ts";

const SORT_WORDS: Record<Sort, string> = {
  newest: "Newest",
  closing_soon: "Closing soon",
  most_raised: "Most committed",
  most_subscribers: "Most subscribers",
  highest_coupon: "Highest coupon",
};

/** @param isNarrowed whether anything is asked for, so that there is something to take back */
export function boardForm(values: BoardValues, isNarrowed: boolean): FilterForm {
  return {
    action: "/",
    label: "Find raises",
    submit: "Find",
    attributes: BOARD_FORM.form,
    reset: isNarrowed ? "/" : null,
    fields: [
      field("q", "Title, business or reference", values.q, {}),
      field("status", "Status", values.status, {
        options: choices(
          "Any status",
          values.status,
          STATUSES.map((status) => [status, STATUS_WORDS[status]]),
        ),
      }),
      field("grade", "Grade", values.grade, {
        options: choices(
          "Any grade",
          values.grade,
          GRADES.map((grade) => [grade, grade]),
        ),
      }),
      field("minCouponBps", "Coupon from, basis points", values.minCouponBps, { input: "number" }),
      field("sort", "Order", values.sort, {
        // The newest first is what an address without an order means.
        options: SORTS.map((sort) => ({ value: sort === "newest" ? "" : sort, label: SORT_WORDS[sort] })),
      }),
      ...(values.originator === "" ? [] : [ofBusiness(values.originator)]),
    ],
  };
}

type FieldName = keyof typeof BOARD_FORM.fields;

function field(name: FieldName, label: string, value: string, rest: Partial<Field>): Field {
  const attributes = BOARD_FORM.fields[name];
  return { name, label, value, description: attributes.toolparamdescription ?? label, attributes, ...rest };
}

/** A link brought this filter: it is shown, so that it is neither lost nor forgotten. */
function ofBusiness(publicId: string): Field {
  const label = "Business, by its public id";
  return { name: "originator", label, description: "Only raises of this business.", value: publicId };
}

/** An address may ask for several words at once, which a select has no choice for: then they are one more. */
function choices(any: string, value: string, pairs: readonly (readonly [string, string])[]) {
  const known = [{ value: "", label: any }, ...pairs.map(([word, label]) => ({ value: word, label }))];
  return known.some((one) => one.value === value)
    ? known
    : [...known, { value, label: value.replaceAll(",", ", ") }];
}
