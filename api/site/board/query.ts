/** @module The query in the address of the board. Unknown parameters are ignored: links gain some on their way. */
import { isolatedQuote, stripControl } from "../../../config/format/untrusted-text.ts";
import type { BoardInput } from "../../market/board-inputs.ts";
import {
  FILTERS,
  type ListingsFilter,
  type ListingsFilters,
  LONGEST_SEARCH,
} from "../../market/listings-filters.ts";
import { SORTS } from "../../market/listings-order.ts";
import { decodeListingsCursor, isOfAnotherOrder, type ListingsQuery } from "../../market/listings-query.ts";
import type { Market } from "../../market/market.ts";
import type { Status } from "../../market/schema.ts";

/** The raises by what a reader can do with them. */
export const TABS = {
  open: { label: "Open", status: ["listed", "funding"] },
  repaying: { label: "Repaying", status: ["live"] },
  ended: { label: "Ended", status: ["matured", "refunding", "voided", "cancelled"] },
  all: { label: "All", status: [] },
} as const satisfies Record<string, { label: string; status: readonly Status[] }>;
export type Tab = keyof typeof TABS;

const CONTROLS = {
  show: "Which raises: `open`, `repaying`, `ended` or `all`; without it the open ones, or all for a search, a state or a business.",
  sort: "Order, as for `/listings`.",
  view: "`table` instead of cards.",
  cursor: "Position at which the previous page ended.",
} as const;
const CONTROL_LABELS = { show: "Show", sort: "Sort by", view: "View" } as const;

export type BoardFilter = Omit<ListingsFilter, "board"> & {
  field: string;
  board: BoardInput;
};

/** The filters that narrow what a tab shows, in the order of the board. */
export function boardFilters(filters: ListingsFilters = FILTERS): readonly BoardFilter[] {
  return Object.entries(filters)
    .flatMap(([field, { board, ...filter }]) => (board === null ? [] : [{ ...filter, field, board }]))
    .sort((a, b) => a.board.order - b.board.order);
}

/** The parameters, each with its meaning; `values` has them as they are in links and in the form. */
export function boardParameters(filters: ListingsFilters = FILTERS): Readonly<Record<string, string>> {
  const { show, ...rest } = CONTROLS;
  return {
    show,
    ...Object.fromEntries(boardFilters(filters).map(({ board }) => [board.name, board.about])),
    ...rest,
  };
}

/** By parameter, without the cursor; empty texts for what is not given. */
export type BoardValues = Readonly<
  Record<keyof typeof CONTROL_LABELS, string> & Partial<Record<string, string>>
>;

export function isFiltered(values: BoardValues, filters: ListingsFilters = FILTERS): boolean {
  return boardFilters(filters).some(({ board }) => (values[board.name] ?? "") !== "");
}

export type BoardQuery = {
  values: BoardValues;
  tab: Tab;
  /** without the states of the tab */
  filter: ListingsQuery;
  /** the filter with the states of the selected tab */
  query: ListingsQuery;
  isTable: boolean;
  /** what cannot be used, in sentences */
  problems: readonly string[];
  /** its address without empty or needless parameters; null when it is that already */
  clean: string | null;
};

/** A filter read from a text: the value for the query and the text for links, or the reason why it cannot be used. */
export function readFilter(
  { board, kind, allowed }: BoardFilter,
  given: readonly string[],
  now: bigint,
): { value?: unknown; text: string; problem?: string } {
  const { name, label, number, words = allowed } = board;
  const text = typedOn(given[0] ?? "");
  if (number !== undefined) {
    if (text === "") return { text };
    if (number.form.test(text)) return { value: number.valueOf(Number(text), now), text };
    const problem = `The parameter ${name} cannot be ${isolatedQuote(text)}. Allowed: ${number.allowed}.`;
    return { text: "", problem };
  }
  if (kind === "words" || kind === "country") {
    const { chosen, problem } = readWords({ name, label }, given, words);
    return { value: chosen, text: chosen.join(","), ...(problem !== undefined && { problem }) };
  }
  const value = text.slice(0, LONGEST_SEARCH);
  const isTooLong = kind === "text" && text.length > LONGEST_SEARCH;
  return {
    ...(value !== "" && { value }),
    text: value,
    ...(isTooLong && { problem: `${name} has at most ${LONGEST_SEARCH} characters.` }),
  };
}

function readWords<Word extends string>(
  { name, label }: { name: string; label: string },
  given: readonly string[],
  allowed: readonly Word[],
): { chosen: Word[]; problem?: string } {
  const asked = given.join(",").split(",").map(typedOn).filter(Boolean);
  const chosen = allowed.filter((word) => asked.includes(word));
  const unknown = asked.find((word) => !allowed.some((one) => one === word));
  if (unknown === undefined) return { chosen };
  const problem = `${label} (${name}) cannot be ${isolatedQuote(unknown)}. Allowed: ${allowed.join(", ")}.`;
  return { chosen, problem };
}

export function readBoardQuery(
  parameters: URLSearchParams,
  { head }: Pick<Market, "head">,
  filters: ListingsFilters = FILTERS,
): BoardQuery {
  const problems: string[] = [];
  const word = <Word extends string>(
    name: keyof typeof CONTROL_LABELS,
    allowed: readonly Word[],
  ): Word | undefined => {
    const label = CONTROL_LABELS[name];
    const { chosen, problem } = readWords({ name, label }, parameters.getAll(name), allowed);
    if (problem !== undefined) problems.push(problem);
    if (chosen.length > 1) problems.push(`${label} (${name}) takes one word.`);
    return chosen[0];
  };

  const read = boardFilters(filters).map((filter) => ({
    filter,
    ...readFilter(filter, parameters.getAll(filter.board.name), head.timestamp),
  }));
  problems.push(...read.flatMap(({ problem }) => problem ?? []));
  const sort = word("sort", SORTS);
  const isTable = word("view", ["cards", "table"]) === "table";
  const show = word("show", Object.keys(TABS) as Tab[]);
  const cursorText = typedOn(parameters.get("cursor") ?? "");
  const cursor = cursorText === "" ? undefined : decodeListingsCursor(cursorText);
  if (cursor === null) problems.push("The cursor is not one of this board. Leave it out for the first page.");
  if (cursor && isOfAnotherOrder({ sort, cursor })) {
    problems.push("The cursor is of another order. Leave it out for the first page.");
  }

  const values: BoardValues = {
    show: show ?? "",
    ...Object.fromEntries(read.map(({ filter, text }) => [filter.board.name, text])),
    sort: sort === undefined || sort === DEFAULTS.sort ? "" : sort,
    view: isTable ? "table" : "",
  };
  const filter: ListingsQuery = Object.fromEntries(
    read.flatMap(({ filter, value }) => (value === undefined ? [] : [[filter.field, value]])),
  );
  const tab = tabOf(values, filters);
  return {
    values,
    tab,
    filter,
    query: { ...inTab(filter, tab), sort: sort ?? cursor?.sort, cursor: cursor ?? undefined },
    isTable,
    problems,
    clean: problems.length > 0 || isClean(parameters) ? null : boardPath(values, { cursor: cursorText }),
  };
}

/** Named states are as narrow as a tab, and what has closed cannot close within some days. */
export function tabOf(values: BoardValues, filters: ListingsFilters = FILTERS): Tab {
  const given = boardFilters(filters).flatMap(({ board }) => (values[board.name] ? [board] : []));
  if (values.status) return "all";
  if (given.some(({ isOfOpen }) => isOfOpen)) return "open";
  const fallback = given.some(({ isOfAll }) => isOfAll) ? "all" : "open";
  return (Object.keys(TABS) as Tab[]).find((tab) => tab === values.show) ?? fallback;
}

/** The filter with the states of a tab in the place of its own; of the last tab, with its own. */
export function inTab(filter: ListingsQuery, tab: Tab): ListingsQuery {
  return tab === "all" ? filter : { ...filter, status: TABS[tab].status };
}

/** Words that say what goes without saying. */
const DEFAULTS: Readonly<Record<string, string>> = { sort: "newest", view: "cards" };

/** Whether every parameter is there once, with something to say. A form without scripts sends others too. */
function isClean(parameters: URLSearchParams): boolean {
  const entries = [...parameters];
  return (
    new Set(parameters.keys()).size === entries.length &&
    entries.every(([name, value]) => typedOn(value) !== "" && DEFAULTS[name] !== value)
  );
}

/** The search text, on one line and without invisible characters: it is shown again. */
function typedOn(text: string): string {
  return stripControl(text.replace(/\s+/g, " "), { keepLineFeeds: false }).trim();
}

/** The address of the board with these values, from the first page on or from a cursor. */
export function boardPath(
  values: BoardValues,
  changes: Readonly<Partial<Record<string, string>>> = {},
): string {
  const given = Object.entries({ ...values, ...changes }).flatMap(([name, value = ""]) =>
    value === "" ? [] : [[name, value]],
  );
  // A comma needs no escape in a query.
  const query = new URLSearchParams(given).toString().replaceAll("%2C", ",");
  return query === "" ? "/" : `/?${query}`;
}
