/** @module The form that filters the board; to an agent in the visitor's browser it is a tool. */
import { isolated } from "../../../config/format/untrusted-text.ts";
import { FILTERS, type ListingsFilters } from "../../market/listings-filters.ts";
import { countByOption, type ListingsOption } from "../../market/listings-options.ts";
import { SORTS, type Sort } from "../../market/listings-order.ts";
import type { Market } from "../../market/market.ts";
import { REPAYMENTS, STATUSES } from "../../market/schema.ts";
import { countryName } from "../../registry/countries.ts";
import type { Field, FilterForm, PageLink } from "../page.ts";
import { REPAYMENT_WORDS, STATUS_WORDS } from "../value.ts";
import {
  type BoardFilter,
  type BoardQuery,
  type BoardValues,
  boardFilters,
  boardPath,
  inTab,
  isFiltered,
  readFilter,
  TABS,
  type Tab,
  tabOf,
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
  oldest: "Oldest",
  closing_soon: "Closing soon",
  closing_late: "Closing last",
  due_soon: "Due soon",
  due_late: "Due last",
  most_raised: "Most committed",
  least_raised: "Least committed",
  largest_target: "Largest target",
  smallest_target: "Smallest target",
  most_funded: "Most funded",
  least_funded: "Least funded",
  most_subscribers: "Most backers",
  fewest_subscribers: "Fewest backers",
  highest_coupon: "Highest interest",
  lowest_coupon: "Lowest interest",
  shortest_term: "Shortest term",
  longest_term: "Longest term",
  best_grade: "Best grade",
  worst_grade: "Worst grade",
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
  return kind === "words"
    ? (board.words ?? allowed).map((word) => choice(word, labelOfWord(filter, word)))
    : [];
}

function labelOfWord({ kind }: Pick<BoardFilter, "kind">, word: string): string {
  if (kind === "country") return countryName(word);
  const state = [...REPAYMENTS, ...STATUSES].find((one) => one === word);
  return state === undefined ? word : { ...STATUS_WORDS, ...REPAYMENT_WORDS }[state];
}

/** Every word up to one, of words with an order: "B or better". */
function upTo(words: readonly string[], word: string): { text: string; value: string } {
  const chosen = words.slice(0, words.indexOf(word) + 1);
  return { text: chosen.length === 1 ? word : `${word} or better`, value: chosen.join(",") };
}

/** A filter value in words. */
function valueText(filter: BoardFilter, value: string): string {
  const { kind, board, allowed } = filter;
  if (board.number !== undefined) return board.number.labelOf(Number(value));
  if (kind !== "words" && kind !== "country") return isolated(value);
  const words = value.split(",");
  const ranked = board.isRanked ? upTo(allowed.slice(0, -1), words.at(-1) ?? "") : null;
  return ranked?.value === value ? ranked.text : words.map((one) => labelOfWord(filter, one)).join(", ");
}

/** Shortcuts of a filter with an order; the first word alone is a check box, and all but the last are hardly a filter. */
function shortcutsOf({ board, allowed }: BoardFilter, values: BoardValues): PageLink[] {
  if (!board.isRanked) return [];
  return allowed.slice(1, -3).map((word) => {
    const { text, value } = upTo(allowed, word);
    const isCurrent = values[board.name] === value;
    return { text, href: boardPath(values, { [board.name]: isCurrent ? "" : value }), isCurrent };
  });
}

/** The number of raises that each choice leaves, among those that it leads to. */
function countChoices(
  { values, filter }: BoardQuery,
  market: Market,
  asked: readonly { name: string; choices: readonly Choice[] }[],
  filters: ListingsFilters,
): Map<ListingsOption, number> {
  const tabs = asked.map(({ name, choices }) => ({
    tab: tabOf({ ...values, [name]: choices[0]?.value ?? "" }, filters),
    options: choices.map(({ option }) => option),
  }));
  const counts = (Object.keys(TABS) as Tab[]).flatMap((own) => {
    const options = tabs.flatMap(({ tab, options }) => (tab === own ? options : []));
    return options.length === 0
      ? []
      : [...countByOption(market, inTab(filter, own), options, filters).entries()];
  });
  return new Map(counts);
}

export function boardForm(board: BoardQuery, market: Market, filters: ListingsFilters = FILTERS): FilterForm {
  const { values } = board;
  const onBoard = boardFilters(filters);
  const attributes = formFields(onBoard);
  const asked = onBoard.map((filter) => ({
    filter,
    name: filter.board.name,
    choices: filter.board.any === undefined && !filter.board.isRanked ? [] : choicesOf(filter, market),
  }));
  const counts = countChoices(board, market, asked, filters);
  const field = (name: string, label: string, rest: Partial<Field>): Field => {
    const own = attributes[name] ?? { toolparamdescription: label };
    const description = own.toolparamdescription;
    return { name, label, value: values[name] ?? "", description, attributes: own, ...rest };
  };
  const extra = ({ filter, name, choices }: (typeof asked)[number]): Field => {
    const { label, fieldLabel = label, any, range, isRanked } = filter.board;
    const value = values[name] ?? "";
    const options = choices.map(({ value, label, option }) => ({
      value,
      label: `${label} (${counts.get(option) ?? 0})`,
    }));
    if (isRanked) {
      const chosen = value.split(",");
      const checks = options.map((one) => ({ ...one, isChosen: chosen.includes(one.value) }));
      return field(name, label, { isExtra: true, checks, shortcuts: shortcutsOf(filter, values) });
    }
    if (any === undefined) return field(name, fieldLabel, { isExtra: true, input: "decimal", range });
    const all = [{ value: "", label: any }, ...options];
    // A URL may ask for what no choice says, such as several countries: it becomes one more choice.
    const isKnown = all.some((one) => one.value === value);
    return field(name, label, {
      isExtra: true,
      options: isKnown ? all : [...all, { value, label: valueText(filter, value) }],
    });
  };
  const isSearch = ({ filter }: (typeof asked)[number]) => filter.kind === "text";
  const inForm = asked.filter(({ filter }) => filter.board.hint !== undefined);
  const kept = asked.flatMap(({ filter, name }) => (filter.board.hint === undefined ? [name] : []));
  return {
    action: "/",
    label: "Search raises",
    submit: "Search",
    apply: "Show raises",
    attributes: BOARD_FORM.form,
    reset: isFiltered(values, filters) ? clearPath(values) : null,
    hidden: Object.fromEntries(
      ["show", ...kept, "view"].flatMap((name) => {
        const value = values[name] ?? "";
        return value === "" ? [] : [[name, value]];
      }),
    ),
    fields: [
      ...inForm
        .filter(isSearch)
        .map(({ filter: { board }, name }) =>
          field(name, board.fieldLabel ?? board.label, { input: "search" }),
        ),
      field("sort", "Sort by", {
        options: SORTS.map((sort) => ({ value: sort === "newest" ? "" : sort, label: SORT_WORDS[sort] })),
      }),
      ...inForm.filter((one) => !isSearch(one)).map(extra),
    ],
  };
}

/** The board without any filter, among the same raises and in the same view. */
export function clearPath({ show, sort, view }: BoardValues): string {
  return boardPath({ show, sort, view });
}

/** The filters that are set, each in words, with the address of the board without it. */
export function filterChips(values: BoardValues, filters: ListingsFilters = FILTERS): readonly PageLink[] {
  return boardFilters(filters).flatMap((filter): PageLink[] => {
    const { name, label } = filter.board;
    const value = values[name] ?? "";
    if (value === "") return [];
    return [{ text: `${label}: ${valueText(filter, value)}`, href: boardPath(values, { [name]: "" }) }];
  });
}
