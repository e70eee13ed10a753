/** @module The page of all businesses, and its orders, `?sort=`. http.md, "Pages". */
import { isolatedQuote } from "../../../config/format/untrusted-text.ts";
import { DOLLAR } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import type { Originator } from "../../market/originator.ts";
import { GRADES } from "../../market/schema.ts";
import { type BusinessRecord, recordOf } from "../../market/stats.ts";
import { links, linkTo, paragraph, programsSection, section, table } from "../blocks.ts";
import type { Block, Page, PageRequest, PageResult, Section } from "../page.ts";
import { businessLink, businessName, CRUMBS, SITE_PATHS, streamPath } from "../paths.ts";
import { marketUpdated } from "../times.ts";
import { amount, country, grade, text } from "../value.ts";
import { type Paged, pageOf, pagingBlocks, refusedPage } from "./paging.ts";
import { onTimeValue, overdueValue, owedAmount, stagesText } from "./record.ts";

/** Every business with a visible raise, in the order of `?sort=`, 50 to a page (`?page=`). */
export function originatorsPage({ snapshot, query }: PageRequest): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const { market } = snapshot;
  const refused = (problem: string): PageResult => ({
    kind: "refused",
    page: refusedPage(pageWith([], market), problem),
  });
  const sort = sortOf(query);
  if (typeof sort !== "string") return refused(sort.problem);
  const recorded = market.originators.map((business) => ({ business, record: recordOf(business) }));
  const paged = pageOf(sorted(recorded, sort), query);
  if ("problem" in paged) return refused(paged.problem);
  const sections = [
    businessesSection(paged, sort),
    gradesSection(),
    programsSection(linkTo("All businesses", "/v1/originators", "JSON, with the figures behind each grade")),
  ];
  return { kind: "page", page: pageWith(sections, market) };
}

function pageWith(sections: readonly Section[], market: Market): Page {
  return {
    path: SITE_PATHS.originators,
    title: "Businesses",
    description: "Who raises money here, how reliably they repay it, and what they owe now.",
    updated: marketUpdated(market),
    crumbs: [CRUMBS.board],
    sections,
    isLive: true,
    stream: streamPath(),
  };
}

function businessesSection(paged: Paged<Recorded>, sort: Sort): Section {
  return section("businesses", null, [
    paged.items.length > 1 ? sortLinks(sort) : null,
    table({
      look: "rows",
      caption: `Amounts in ${DOLLAR}`,
      items: paged.items,
      keyOf: ({ business }) => business.publicId,
      columns: [
        ["legalName", "Business", ({ business }) => businessLink(business)],
        ["ratingGrade", "Grade", ({ business }) => grade(business.ratingGrade)],
        ["lent", "Lent", ({ record }) => amount(record.lent, null), "end"],
        ["outstanding", "Owed", ({ record }) => owedAmount(record.outstanding), "end"],
        ["overdue", "Overdue", ({ record }) => overdueValue(record)],
        ["jurisdiction", "Country", ({ business }) => country(business.jurisdiction)],
        ["onTime", "Repaid on time", ({ business }) => onTimeValue(business), "end"],
        ["stages", "Status of its raises", ({ record }) => text(stagesText(record))],
      ],
      empty: "No business has published a raise yet.",
    }),
    ...pagingBlocks(paged, sortPath(sort)),
  ]);
}

function gradesSection(): Section {
  return section("grades", "What a grade says", [
    paragraph(
      "A grade from A (best) to E sums up how a business has repaid its earlier raises here. A fixed formula computes it from the blockchain; nobody sets it by hand. NR means not rated: the business is not verified, or its record is too short.",
    ),
    links([linkTo("How grades are computed", `${SITE_PATHS.knowledge}/grades`)]),
  ]);
}

type Recorded = { business: Originator; record: BusinessRecord };

type Order = { label: string; compare(a: Recorded, b: Recorded): number };

const NAMES = new Intl.Collator("en");
const descending = (a: string, b: string) => Number(BigInt(b) > BigInt(a)) - Number(BigInt(b) < BigInt(a));
const mostLent = (a: Recorded, b: Recorded) => descending(a.record.lent, b.record.lent);
const gradeRank = ({ business }: Recorded) => GRADES.indexOf(business.ratingGrade);

/** The first one is the default. */
const ORDERS = {
  grade: { label: "Best grade", compare: (a, b) => gradeRank(a) - gradeRank(b) || mostLent(a, b) },
  name: {
    label: "Name",
    compare: (a, b) => NAMES.compare(businessName(a.business), businessName(b.business)),
  },
  lent: { label: "Most lent", compare: mostLent },
  owed: { label: "Most owed", compare: (a, b) => descending(a.record.outstanding, b.record.outstanding) },
} as const satisfies Record<string, Order>;

type Sort = keyof typeof ORDERS;
const SORTS = Object.keys(ORDERS) as Sort[];
const DEFAULT_SORT: Sort = "grade";

const ALTERNATIVES = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** The description of the parameter. */
export const SORT_ABOUT = `Order: ${ALTERNATIVES.format(SORTS.map((sort) => (sort === DEFAULT_SORT ? `\`${sort}\` (the default)` : `\`${sort}\``)))}.`;

function sortOf(query: URLSearchParams): Sort | { problem: string } {
  const values = query.getAll("sort");
  const [text = DEFAULT_SORT] = values;
  if (values.length > 1) return { problem: "The parameter sort is given more than once: name one." };
  const sort = SORTS.find((known) => known === text);
  return sort ?? { problem: `There is no order ${isolatedQuote(text)}: the orders are ${SORTS.join(", ")}.` };
}

/** Stable: equal items keep the market's order. */
function sorted(businesses: readonly Recorded[], sort: Sort): readonly Recorded[] {
  return businesses.toSorted(ORDERS[sort].compare);
}

function sortPath(sort: Sort): string {
  return sort === DEFAULT_SORT ? SITE_PATHS.originators : `${SITE_PATHS.originators}?sort=${sort}`;
}

function sortLinks(current: Sort): Block {
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
