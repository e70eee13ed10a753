/**
 * The form that filters the board. An agent in the visitor's browser sees it as a tool that shows the filtered board on
 * the person's screen. Without an agent it is an ordinary form.
 * @module
 */

import { SORTS, type Sort } from "../../market/listings-query.ts";
import { GRADES, STATUSES } from "../../market/schema.ts";
import type { Field, FilterForm } from "../page.ts";
import { STATUS_WORDS } from "../value.ts";
import type { BoardValues } from "./query.ts";

/** None of the endpoint's tools has this name: names must be unique on a page. */
const NAME = "show_raises";

/**
 * Attributes of the form and of its fields, by name. Forms have no attribute for the read-only hint of other tools, so
 * the description begins with it.
 */
export const BOARD_FORM = {
  form: {
    toolname: NAME,
    tooltitle: "Show raises on the board",
    tooldescription:
      "Read-only. Shows the raises that match on the board, on the person's screen: it opens the board's page with this filter and answers with nothing. To read raises call list_deals instead. Leave a field empty not to filter by it.",
    // It only reads, and its result has a URL: the person need not press the button.
    toolautosubmit: "",
  },
  fields: {
    q: {
      toolparamdescription: "Words of a raise or of its business, or a reference number; empty for all.",
    },
    status: { toolparamdescription: "Only raises in this state; empty for all." },
    grade: {
      toolparamdescription:
        "Only raises of businesses with this grade: A is best, NR is not rated; empty for all.",
    },
    minCouponBps: {
      toolparamdescription:
        "Lowest coupon in basis points a year, a whole number (1450 = 14.50%); empty for all.",
    },
    sort: { toolparamdescription: "The order of the raises; the newest first when empty." },
  },
} as const;

const SORT_WORDS: Record<Sort, string> = {
  newest: "Newest",
  closing_soon: "Closing soon",
  most_raised: "Most committed",
  most_subscribers: "Most backers",
  highest_coupon: "Highest coupon",
};

/** @param isFiltered whether any filter is set, so that there is something to reset */
export function boardForm(values: BoardValues, isFiltered: boolean): FilterForm {
  return {
    action: "/",
    label: "Find raises",
    submit: "Find",
    attributes: BOARD_FORM.form,
    reset: isFiltered ? "/" : null,
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
      field("minCouponBps", "Minimum coupon, basis points", values.minCouponBps, { input: "number" }),
      field("sort", "Order", values.sort, {
        // Newest first is the default order.
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

/** This filter comes from links only: it is shown so that it is neither lost nor overlooked. */
function ofBusiness(publicId: string): Field {
  const label = "Business, by its public id";
  return { name: "originator", label, description: "Only raises of this business.", value: publicId };
}

/** A URL may select several values at once, which a select cannot show: they become one more choice. */
function choices(any: string, value: string, pairs: readonly (readonly [string, string])[]) {
  const known = [{ value: "", label: any }, ...pairs.map(([word, label]) => ({ value: word, label }))];
  return known.some((one) => one.value === value)
    ? known
    : [...known, { value, label: value.replaceAll(",", ", ") }];
}
