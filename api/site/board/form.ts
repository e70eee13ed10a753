/**
 * The form that narrows the board. An agent in the visitor's browser knows it as a tool: it brings what was asked for onto
 * the screen of the person, who sees what the agent looks at. The form works the same without any of this.
 * @module
 */

import { SORTS, type Sort } from "../../market/listings-query.ts";
import { GRADES, STATUSES } from "../../market/schema.ts";
import type { Field, FilterForm } from "../page.ts";
import { STATUS_WORDS } from "../value.ts";
import type { BoardValues } from "./query.ts";

/** Of none of the endpoint's tools: a page has one tool of a name. */
const NAME = "show_raises";

/**
 * Attributes of the form element, and of its fields by their names. A form has no attribute for the read-only hint of other
 * tools: its description begins with it.
 */
export const BOARD_FORM = {
  form: {
    toolname: NAME,
    tooltitle: "Show raises on the board",
    tooldescription:
      "Read-only. Shows the raises that match on the board, on the person's screen: it opens the board's page with this filter and answers with nothing. To read raises call list_deals instead. Leave a field empty not to filter by it.",
    // It only reads, and its answer has an address: no need for the person to press the button.
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
        "Lowest coupon in basis points a year, a whole number (1450 = 14.50 %); empty for all.",
    },
    sort: { toolparamdescription: "The order of the raises; the newest first when empty." },
  },
} as const;

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
