/**
 * The form that filters the board. An agent in the visitor's browser sees it as a tool that shows the filtered board on
 * the person's screen. Without an agent it is an ordinary form. Each choice says how many raises it would leave.
 * @module
 */
import { countByOption, type ListingsOption } from "../../market/listings-options.ts";
import { countListings, SORTS, type Sort } from "../../market/listings-query.ts";
import type { Market } from "../../market/market.ts";
import { GRADES } from "../../market/schema.ts";
import type { Field, FilterForm, PageLink } from "../page.ts";
import { countryName, repaymentWord } from "../value.ts";
import { type BoardQuery, type BoardValues, boardPath, FILTERS, type FilterName, TABS } from "./query.ts";

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
    q: { toolparamdescription: "Words of a raise or of its business, or a reference number; empty for all." },
    sort: { toolparamdescription: "The order of the raises; the newest first when empty." },
    interest: { toolparamdescription: "Lowest interest in percent per year; empty for all." },
    term: { toolparamdescription: "Longest term in days; empty for all." },
    closing: { toolparamdescription: "Only open raises that close within this many days; empty for all." },
    country: { toolparamdescription: "Only businesses of this country, ISO 3166-1 alpha-2; empty for all." },
    repayment: { toolparamdescription: "Only loans in this state of repayment; empty for all." },
    grade: {
      toolparamdescription:
        "Only raises of businesses with this grade: A is best, NR is not rated; empty for all.",
    },
  },
} as const;

const SORT_WORDS: Record<Sort, string> = {
  newest: "Newest",
  closing_soon: "Closing soon",
  most_raised: "Most committed",
  most_subscribers: "Most backers",
  highest_coupon: "Highest interest",
};

type Choice = { value: string; label: string; option: ListingsOption };
type ChoiceName = "interest" | "term" | "closing" | "country" | "repayment" | "grade";

const DAY = 86_400n;

/** The choices of each filter; countries are those of the market's businesses. */
function choicesOf({ originators, head }: Market): Record<ChoiceName, { any: string; choices: Choice[] }> {
  const countries = [...new Set(originators.map(({ jurisdiction }) => jurisdiction))];
  return {
    interest: {
      any: "Any interest",
      choices: [5, 8, 10, 12, 15].map((percent) => ({
        value: `${percent}`,
        label: `From ${percent}%`,
        option: { minCouponBps: percent * 100 },
      })),
    },
    term: {
      any: "Any term",
      choices: [90, 180, 365].map((days) => ({
        value: `${days}`,
        label: `Up to ${days} days`,
        option: { maxTenorDays: days },
      })),
    },
    closing: {
      any: "Any time",
      choices: [1, 7, 30].map((days) => ({
        value: `${days}`,
        label: days === 1 ? "Within a day" : `Within ${days} days`,
        option: { closingBefore: head.timestamp + BigInt(days) * DAY },
      })),
    },
    country: {
      any: "Any country",
      choices: countries
        .map((code) => ({ value: code, label: countryName(code), option: { jurisdiction: [code] } }))
        .sort((a, b) => (a.label < b.label ? -1 : 1)),
    },
    repayment: {
      any: "Any state",
      choices: (["current", "grace", "late", "default", "repaid", "written_off"] as const).map((state) => ({
        value: state,
        label: repaymentWord(state),
        option: { repayment: [state] },
      })),
    },
    grade: {
      any: "Any grade",
      choices: GRADES.map((grade) => ({ value: grade, label: grade, option: { grade: [grade] } })),
    },
  };
}

const LABELS: Record<FilterName, string> = {
  q: "Search",
  interest: "Interest per year",
  term: "Term",
  closing: "Closing",
  country: "Country",
  repayment: "Repayment",
  grade: "Grade",
  status: "Status",
  originator: "Business ID",
};

/** The form over what is in a tab. */
export function boardForm({ values, narrowed, filter }: BoardQuery, market: Market): FilterForm {
  const named = choicesOf(market);
  const counts = countByOption(
    market,
    narrowed,
    Object.values(named).flatMap(({ choices }) => choices.map(({ option }) => option)),
  );
  // In every tab, only open raises can close.
  const { status = [] } = filter;
  for (const { option } of named.closing.choices) {
    const closing = { ...filter, ...option, status: status.length > 0 ? status : TABS.open.status };
    counts.set(option, countListings(market.listings, closing, market.originatorByPublicId));
  }
  const selects = Object.entries(named) as [ChoiceName, (typeof named)[ChoiceName]][];
  return {
    action: "/",
    label: "Search raises",
    submit: "Search",
    attributes: BOARD_FORM.form,
    reset: null,
    hidden: Object.fromEntries(
      (["show", "status", "originator", "view"] as const).flatMap((name) =>
        values[name] === "" ? [] : [[name, values[name]]],
      ),
    ),
    fields: [
      field("q", "Title, business or reference", values.q, { input: "search" }),
      field("sort", "Sort by", values.sort, {
        // Newest first is the default order.
        options: SORTS.map((sort) => ({ value: sort === "newest" ? "" : sort, label: SORT_WORDS[sort] })),
      }),
      ...selects.map(([name, { any, choices }]) =>
        field(name, LABELS[name], values[name], {
          isExtra: true,
          options: withCurrent(values[name], [
            { value: "", label: any },
            ...choices.map(({ value, label, option }) => ({
              value,
              label: `${label} (${counts.get(option) ?? 0})`,
            })),
          ]),
        }),
      ),
    ],
  };
}

type FieldName = keyof typeof BOARD_FORM.fields;

function field(name: FieldName, label: string, value: string, rest: Partial<Field>): Field {
  const attributes = BOARD_FORM.fields[name];
  return { name, label, value, description: attributes.toolparamdescription, attributes, ...rest };
}

/** A URL may ask for something that is not a choice, such as several grades: it becomes one more choice. */
function withCurrent(value: string, options: readonly { value: string; label: string }[]) {
  return options.some((one) => one.value === value)
    ? options
    : [...options, { value, label: value.replaceAll(",", ", ") }];
}

/** The active filters, each with a link that removes it. */
export function filterChips(values: BoardValues, market: Market): readonly PageLink[] {
  const named: Partial<Record<FilterName, { choices: readonly Choice[] }>> = choicesOf(market);
  const chips = FILTERS.flatMap((name): PageLink[] => {
    if (values[name] === "") return [];
    const known = named[name]?.choices.find(({ value }) => value === values[name])?.label;
    const said = known ?? values[name].replaceAll(",", ", ");
    return [{ text: `${LABELS[name]}: ${said}`, href: boardPath(values, { [name]: "" }) }];
  });
  return chips.length < 2
    ? chips
    : [...chips, { text: "All filters", href: boardPath(CLEARED, { show: values.show }) }];
}

const CLEARED = Object.fromEntries(
  [...FILTERS, "show", "sort", "view"].map((name) => [name, ""]),
) as BoardValues;
