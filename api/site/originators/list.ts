/**
 * The page of all businesses. http.md, "Pages".
 * @module
 */
import { DOLLAR } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import { type Originator, STATUSES } from "../../market/schema.ts";
import { totalsOf } from "../../market/stats.ts";
import { links, linkTo, paragraph, section, table } from "../blocks.ts";
import type { Page, PageRequest, PageResult, Section } from "../page.ts";
import { businessLink, CRUMBS, SITE_PATHS } from "../paths.ts";
import { raisesUpdated } from "../times.ts";
import { amount, count, country, grade, STATUS_WORDS, text } from "../value.ts";
import { type Paged, pageOf, pagingBlocks, refusedPage } from "./paging.ts";

/** Every business with a visible raise, 100 to a page (`?page=`). */
export function originatorsPage({ snapshot, query }: PageRequest): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const { market } = snapshot;
  const paged = pageOf(market.originators, query);
  if ("problem" in paged) {
    return { kind: "refused", page: refusedPage(pageWith([], market), paged.problem) };
  }
  return { kind: "page", page: pageWith([businessesSection(paged), gradesSection()], market) };
}

function pageWith(sections: readonly Section[], market: Market): Page {
  return {
    path: SITE_PATHS.originators,
    title: "Businesses",
    description:
      "The businesses that raise money here, each with its grade and the amount committed to its raises.",
    updated: raisesUpdated(market, market.listings),
    crumbs: [CRUMBS.board],
    sections,
    isLive: true,
  };
}

function businessesSection(paged: Paged<Originator>): Section {
  const rows = paged.items.map((business) => ({ business, totals: totalsOf(business.listings) }));
  return section("businesses", null, [
    table({
      caption: `Businesses with a visible raise; amounts in ${DOLLAR}`,
      items: rows,
      keyOf: ({ business }) => business.publicId,
      columns: [
        ["legalName", "Business", ({ business }) => businessLink(business)],
        ["jurisdiction", "Country", ({ business }) => country(business.jurisdiction)],
        ["ratingGrade", "Grade", ({ business }) => grade(business.ratingGrade)],
        ["listings", "Raises", ({ business }) => count(business.listings.length), "end"],
        ["byStatus", "By status", ({ totals }) => text(countsOf(totals.byStatus))],
        ["raised", "Committed", ({ totals }) => amount(totals.raised, null), "end"],
        ["outstanding", "Outstanding", ({ totals }) => amount(totals.outstanding, null), "end"],
      ],
      empty: "No business has published a raise yet.",
    }),
    ...pagingBlocks(paged, SITE_PATHS.originators),
  ]);
}

function countsOf(byStatus: ReturnType<typeof totalsOf>["byStatus"]): string {
  return STATUSES.filter((status) => byStatus[status] > 0)
    .map((status) => `${byStatus[status]} ${STATUS_WORDS[status].toLowerCase()}`)
    .join(", ");
}

function gradesSection(): Section {
  return section("grades", "What a grade says", [
    paragraph(
      "A grade from A (best) to E sums up how a business has repaid its earlier raises here. It comes from a fixed formula over on-chain data; nobody sets it by hand. NR means not rated: the business is not verified, or its record is too short.",
    ),
    links([
      linkTo("How grades are computed", `${SITE_PATHS.knowledge}/grades`),
      linkTo("All businesses as JSON", "/v1/originators", "with the figures behind each grade"),
    ]),
  ]);
}
