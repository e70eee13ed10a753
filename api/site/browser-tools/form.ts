/**
 * The board's form as a tool for an agent in the visitor's browser: it brings what was asked for onto the screen of the
 * person, who sees what the agent looks at. The form works the same without any of this.
 * @module
 */

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
