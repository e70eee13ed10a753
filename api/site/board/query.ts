/**
 * The query in the address of the board: what is shown, and how. Unknown parameters are ignored, because links gain
 * parameters on their way. A value that cannot be used is named, with what is allowed.
 * @module
 */
import { quote, stripControl } from "../../../config/format/untrusted-text.ts";
import {
  decodeListingsCursor,
  isOfAnotherOrder,
  LISTINGS_FIELDS,
  type ListingsQuery,
} from "../../market/listings-query.ts";
import type { Market } from "../../market/market.ts";
import { GRADES, STATUSES, type Status } from "../../market/schema.ts";
import { COUNTRY_CODES } from "../../registry/countries.ts";

/** The raises by what a reader can do with them. */
export const TABS = {
  open: { label: "Open", status: ["listed", "funding"] },
  repaying: { label: "Repaying", status: ["live"] },
  ended: { label: "Ended", status: ["matured", "refunding", "voided", "cancelled"] },
  all: { label: "All", status: [] },
} as const satisfies Record<string, { label: string; status: readonly Status[] }>;
export type Tab = keyof typeof TABS;

/** What readers filter repayments by. */
const REPAYMENTS = ["current", "grace", "late", "default", "repaid", "written_off"] as const;

/** The parameters, each with its meaning; `values` has them as written in links and in the form. */
export const BOARD_PARAMETERS = {
  show: "Which raises: `open`, `repaying`, `ended` or `all`; without it the open ones, or all when others are asked for.",
  q: "Words from a title, a business's name or a reference number.",
  interest: "Lowest interest in percent per year.",
  term: "Longest term in days.",
  closing: "Only open raises that close within this many days, whatever `show` says.",
  country: "One or more countries of the business, ISO 3166-1 alpha-2, comma separated or repeated.",
  repayment: "One or more states of the repayment, comma separated or repeated.",
  grade: "One or more grades, comma separated or repeated.",
  status: "One or more states, comma separated or repeated, as for `/listings`.",
  originator: "ID of a business.",
  sort: "Order, as for `/listings`.",
  view: "`table` instead of cards.",
  cursor: "Position at which the previous page ended.",
} as const;

export type BoardValues = Record<Exclude<keyof typeof BOARD_PARAMETERS, "cursor">, string>;
/** The filters that narrow what a tab shows. */
export type FilterName = Exclude<keyof BoardValues, "show" | "sort" | "view">;
export const FILTERS = [
  "q",
  "interest",
  "term",
  "closing",
  "country",
  "repayment",
  "grade",
  "status",
  "originator",
] as const satisfies readonly FilterName[];

export type BoardQuery = {
  values: BoardValues;
  tab: Tab;
  /** without the states of the tab */
  filter: ListingsQuery;
  /** of the selected tab */
  query: ListingsQuery;
  /** of the tab that another filter leads to */
  narrowed: ListingsQuery;
  isTable: boolean;
  /** the ignored values, in sentences */
  problems: readonly string[];
};

const LABELS = {
  show: "Show",
  repayment: "Repayment",
  grade: "Grade",
  status: "Status",
  country: "Country",
  sort: "Sort by",
  view: "View",
} as const;
const LONGEST_SEARCH = 200;
const DAY = 86_400n;

export function readBoardQuery(parameters: URLSearchParams, { head }: Pick<Market, "head">): BoardQuery {
  const problems: string[] = [];
  const given = (name: keyof typeof BOARD_PARAMETERS) => typedOn(parameters.get(name) ?? "");
  const words = <Word extends string>(name: keyof typeof LABELS, allowed: readonly Word[]): Word[] => {
    const asked = parameters.getAll(name).join(",").split(",").map(typedOn).filter(Boolean);
    const unknown = asked.find((word) => !allowed.some((one) => one === word));
    if (unknown !== undefined) {
      problems.push(`${LABELS[name]} (${name}) cannot be ${quote(unknown)}. Allowed: ${allowed.join(", ")}.`);
    }
    return allowed.filter((word) => asked.includes(word));
  };
  const word = <Word extends string>(
    name: keyof typeof LABELS,
    allowed: readonly Word[],
  ): Word | undefined => {
    const [first, second] = words(name, allowed);
    if (second !== undefined) problems.push(`${LABELS[name]} (${name}) takes one word.`);
    return first;
  };
  const number = (name: "interest" | "term" | "closing", form: RegExp, what: string): number | undefined => {
    const text = given(name);
    if (text === "" || form.test(text)) return text === "" ? undefined : Number(text);
    problems.push(`The parameter ${name} cannot be ${quote(text)}. Allowed: ${what}.`);
    return undefined;
  };

  const interest = number("interest", /^\d{1,6}(\.\d{1,2})?$/, "a percentage such as 8 or 12.5");
  const term = number("term", /^[1-9]\d{0,4}$/, "a whole number of days, such as 180");
  const closing = number("closing", /^[1-9]\d{0,3}$/, "a whole number of days, such as 7");
  const [grade, status] = [words("grade", GRADES), words("status", STATUSES)];
  const repayment = words("repayment", REPAYMENTS);
  const jurisdiction = words("country", COUNTRY_CODES);
  const sort = word("sort", LISTINGS_FIELDS.sort.allowed as readonly NonNullable<ListingsQuery["sort"]>[]);
  const isTable = word("view", ["cards", "table"]) === "table";
  const show = word("show", Object.keys(TABS) as Tab[]);
  const q = given("q");
  if (q.length > LONGEST_SEARCH) problems.push(`q has at most ${LONGEST_SEARCH} characters.`);
  const cursorText = given("cursor");
  const cursor = cursorText === "" ? undefined : decodeListingsCursor(cursorText);
  if (cursor === null) problems.push("The cursor is not one of this board. Leave it out for the first page.");
  if (cursor && isOfAnotherOrder({ sort, cursor })) {
    problems.push("The cursor is of another order. Leave it out for the first page.");
  }

  const values: BoardValues = {
    show: show ?? "",
    q: q.slice(0, LONGEST_SEARCH),
    interest: interest === undefined ? "" : given("interest"),
    term: term === undefined ? "" : given("term"),
    closing: closing === undefined ? "" : given("closing"),
    country: jurisdiction.join(","),
    repayment: repayment.join(","),
    grade: grade.join(","),
    status: status.join(","),
    originator: given("originator").slice(0, LONGEST_SEARCH),
    sort: sort ?? "",
    view: isTable ? "table" : "",
  };
  const filter: ListingsQuery = {
    ...(values.q !== "" && { q: values.q }),
    ...(interest !== undefined && { minCouponBps: Math.round(interest * 100) }),
    ...(term !== undefined && { maxTenorDays: term }),
    ...(closing !== undefined && { closingBefore: head.timestamp + BigInt(closing) * DAY }),
    ...(values.originator !== "" && { originator: values.originator }),
    jurisdiction,
    repayment,
    grade,
    status,
  };
  // Named states are as narrow as a tab. Closed raises cannot close within some days.
  const chosen = status.length > 0 ? "all" : closing !== undefined ? "open" : show;
  const tab = chosen ?? (FILTERS.some((name) => values[name] !== "") ? "all" : "open");
  return {
    values,
    tab,
    filter,
    query: { ...inTab(filter, tab), sort, cursor: cursor ?? undefined },
    narrowed: inTab(filter, chosen ?? "all"),
    isTable,
    problems,
  };
}

/** The filter with the states of a tab in place of its own; the last tab keeps the filter's states. */
function inTab(filter: ListingsQuery, tab: Tab): ListingsQuery {
  return tab === "all" ? filter : { ...filter, status: TABS[tab].status };
}

/** The search text, on one line and without invisible characters, as the page shows it. */
function typedOn(text: string): string {
  return stripControl(text.replace(/\s+/g, " "), { keepLineFeeds: false }).trim();
}

/** The address of the board with these values, from the first page on or from a cursor. */
export function boardPath(
  values: BoardValues,
  changes: Partial<BoardValues> & { cursor?: string } = {},
): string {
  const given = Object.entries({ ...values, ...changes }).filter(([, value]) => value !== "");
  const query = new URLSearchParams(given as [string, string][]).toString();
  return query === "" ? "/" : `/?${query}`;
}
