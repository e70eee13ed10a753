/**
 * The orders of the list of businesses, `?sort=`.
 * @module
 */
import { quote } from "../../../config/format/untrusted-text.ts";
import { GRADES, type Originator } from "../../market/schema.ts";
import type { Block } from "../page.ts";
import { businessName, SITE_PATHS } from "../paths.ts";
import type { BusinessRecord } from "./record.ts";

export type Recorded = { business: Originator; record: BusinessRecord };

type Order = { label: string; compare(a: Recorded, b: Recorded): number };

const NAMES = new Intl.Collator("en");
const descending = (a: string, b: string) => Number(BigInt(b) > BigInt(a)) - Number(BigInt(b) < BigInt(a));
const mostRaised = (a: Recorded, b: Recorded) => descending(a.record.raised, b.record.raised);
const gradeRank = ({ business }: Recorded) => GRADES.indexOf(business.ratingGrade);

/** The first one is the default. */
const ORDERS = {
  grade: { label: "Best grade", compare: (a, b) => gradeRank(a) - gradeRank(b) || mostRaised(a, b) },
  name: {
    label: "Name",
    compare: (a, b) => NAMES.compare(businessName(a.business), businessName(b.business)),
  },
  raised: { label: "Most raised", compare: mostRaised },
  owed: { label: "Most owed", compare: (a, b) => descending(a.record.outstanding, b.record.outstanding) },
} as const satisfies Record<string, Order>;

export type Sort = keyof typeof ORDERS;
const SORTS = Object.keys(ORDERS) as Sort[];
const DEFAULT_SORT: Sort = "grade";

/** The requested order, or the error of the request. */
export function sortOf(query: URLSearchParams): Sort | { problem: string } {
  const values = query.getAll("sort");
  const [text = DEFAULT_SORT] = values;
  if (values.length > 1) return { problem: "The parameter sort is given more than once: name one." };
  const sort = SORTS.find((known) => known === text);
  return sort ?? { problem: `There is no order ${quote(text)}: the orders are ${SORTS.join(", ")}.` };
}

/** Stable: equal items keep the market's order. */
export function sorted(businesses: readonly Recorded[], sort: Sort): readonly Recorded[] {
  return businesses.toSorted(ORDERS[sort].compare);
}

/** The list in this order, from its first page on. */
export function sortPath(sort: Sort): string {
  return sort === DEFAULT_SORT ? SITE_PATHS.originators : `${SITE_PATHS.originators}?sort=${sort}`;
}

export function sortLinks(current: Sort): Block {
  return {
    kind: "links",
    look: "choices",
    label: "Sort by",
    links: SORTS.map((sort) => ({
      text: ORDERS[sort].label,
      href: sortPath(sort),
      isCurrent: sort === current,
    })),
  };
}
