/** The form that filters the board; to an agent in the visitor's browser it is a tool. @module */
import { FILTERS, type ListingsFilters } from "../../market/listings-filters.ts";
import { countByOption, type ListingsOption } from "../../market/listings-options.ts";
import { countListings, SORTS, type Sort } from "../../market/listings-query.ts";
import type { Market } from "../../market/market.ts";
import { REPAYMENTS } from "../../market/schema.ts";
import type { Field, FilterForm, PageLink } from "../page.ts";
import { countryName, REPAYMENT_WORDS } from "../value.ts";
import {
  type BoardFilter,
  type BoardQuery,
  type BoardValues,
  boardFilters,
  boardPath,
  readFilter,
  TABS,
} from "./query.ts";

const SORT_HINT = "The order of the raises; the newest first when empty.";

/** None of the endpoint's tools has this name: names must be unique on a page. */
const NAME = "show_raises";

/** Forms have no attribute for the read-only hint of other tools, so the description begins with it. */
export const BOARD_FORM = {
  form: {
    toolname: NAME,
    tooltitle: "Show raises on the board",
    tooldescription:
      "Read-only. Shows the raises that match on the board, on the person's screen: it opens the board's page with this filter and answers with nothing. To read raises call list_deals instead. Leave a field empty not to filter by it.",
    // It only reads, and its result has a URL: the person need not press the button.
    toolautosubmit: "",
  },
  fields: formFields(boardFilters()),
};

type FieldAttributes = { toolparamdescription: string };

function formFields(filters: readonly BoardFilter[]): Readonly<Record<string, FieldAttributes>> {
  const hints = filters.flatMap(({ kind, board: { name, hint } }) =>
    hint === undefined ? [] : [{ name, hint, isFirst: kind === "text" }],
  );
  const inForm = [
    ...hints.filter(({ isFirst }) => isFirst),
    { name: "sort", hint: SORT_HINT },
    ...hints.filter(({ isFirst }) => !isFirst),
  ];
  return Object.fromEntries(inForm.map(({ name, hint }) => [name, { toolparamdescription: hint }]));
}

const SORT_WORDS: Record<Sort, string> = {
  newest: "Newest",
  closing_soon: "Closing soon",
  most_raised: "Most committed",
  most_subscribers: "Most backers",
  highest_coupon: "Highest interest",
};

type Choice = { value: string; label: string; option: ListingsOption };

/** The choices of a filter, where its field has any; countries are those of the market's businesses. */
function choicesOf(filter: BoardFilter, { originators, head }: Market): Choice[] {
  const { kind, field, board, allowed } = filter;
  const choice = (value: string, label: string): Choice => {
    const option = { [field]: readFilter(filter, [value], head.timestamp).value };
    return { value, label, option };
  };
  const { number } = board;
  if (number !== undefined) return number.choices.map((one) => choice(`${one}`, number.labelOf(one)));
  if (kind === "country") {
    return [...new Set(originators.map(({ jurisdiction }) => jurisdiction))]
      .map((code) => choice(code, countryName(code)))
      .sort((a, b) => (a.label < b.label ? -1 : 1));
  }
  return kind === "words" ? (board.words ?? allowed).map((word) => choice(word, labelOfWord(word))) : [];
}

function labelOfWord(word: string): string {
  const state = REPAYMENTS.find((one) => one === word);
  return state === undefined ? word : REPAYMENT_WORDS[state];
}

export function boardForm(
  { values, narrowed, filter }: BoardQuery,
  market: Market,
  filters: ListingsFilters = FILTERS,
): FilterForm {
  const onBoard = boardFilters(filters);
  const attributes = formFields(onBoard);
  const selects = onBoard.flatMap((one) =>
    one.board.any === undefined
      ? []
      : [{ ...one.board, any: one.board.any, choices: choicesOf(one, market) }],
  );
  const counts = countByOption(
    market,
    narrowed,
    selects.flatMap(({ choices }) => choices.map(({ option }) => option)),
    filters,
  );
  // Whatever is shown now, only open raises can close.
  const { status = [] } = filter;
  for (const { option } of selects.flatMap(({ isOfOpen, choices }) => (isOfOpen ? choices : []))) {
    const closing = { ...filter, ...option, status: status.length > 0 ? status : TABS.open.status };
    counts.set(option, countListings(market.listings, closing, market.originatorByPublicId, filters));
  }
  const field = (name: string, label: string, rest: Partial<Field>): Field => {
    const own = attributes[name] ?? { toolparamdescription: label };
    const description = own.toolparamdescription;
    return { name, label, value: values[name] ?? "", description, attributes: own, ...rest };
  };
  const kept = onBoard.flatMap(({ board: { name, hint } }) => (hint === undefined ? [name] : []));
  return {
    action: "/",
    label: "Search raises",
    submit: "Search",
    attributes: BOARD_FORM.form,
    reset: null,
    hidden: Object.fromEntries(
      ["show", ...kept, "view"].flatMap((name) => {
        const value = values[name] ?? "";
        return value === "" ? [] : [[name, value]];
      }),
    ),
    fields: [
      ...onBoard.flatMap(({ kind, board: { name, hint, label, fieldLabel = label } }) =>
        kind === "text" && hint !== undefined ? [field(name, fieldLabel, { input: "search" })] : [],
      ),
      field("sort", "Sort by", {
        options: SORTS.map((sort) => ({ value: sort === "newest" ? "" : sort, label: SORT_WORDS[sort] })),
      }),
      ...selects.map(({ name, label, any, choices }) =>
        field(name, label, {
          isExtra: true,
          options: withCurrent(values[name] ?? "", [
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

/** A URL may ask for what no choice says, such as several grades: it becomes one more choice. */
function withCurrent(value: string, options: readonly { value: string; label: string }[]) {
  return options.some((one) => one.value === value)
    ? options
    : [...options, { value, label: value.replaceAll(",", ", ") }];
}

export function filterChips(
  values: BoardValues,
  market: Market,
  filters: ListingsFilters = FILTERS,
): readonly PageLink[] {
  const chips = boardFilters(filters).flatMap((filter): PageLink[] => {
    const { name, label, any } = filter.board;
    const value = values[name] ?? "";
    if (value === "") return [];
    const choices = any === undefined ? [] : choicesOf(filter, market);
    const text = choices.find((choice) => choice.value === value)?.label ?? value.replaceAll(",", ", ");
    return [{ text: `${label}: ${text}`, href: boardPath(values, { [name]: "" }) }];
  });
  const { show } = values;
  return chips.length < 2
    ? chips
    : [...chips, { text: "All filters", href: boardPath({ show, sort: "", view: "" }) }];
}
