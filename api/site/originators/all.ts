/**
 * The page of all businesses. http.md, "Pages".
 * @module
 */
import { DOLLAR } from "../../market/amount.ts";
import type { Market } from "../../market/project.ts";
import { type Originator, STATUSES } from "../../market/schema.ts";
import { totalsOf } from "../../market/stats.ts";
import type { Page, PageRequest, PageResult, Row, Section } from "../page.ts";
import { businessLink, CRUMBS, SITE_PATHS } from "../paths.ts";
import { raisesUpdated } from "../updated.ts";
import { amount, count, country, STATUS_WORDS, text } from "../value.ts";
import { type Paged, pageOf, pagingBlocks, refusedPage } from "./paging.ts";

/** Every business that has published a raise; `?page=` has the next hundred. */
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
      "The businesses that raise money here, each with its grade and what was committed to its raises.",
    updated: raisesUpdated(market, market.listings),
    crumbs: [CRUMBS.board],
    sections,
    isLive: true,
  };
}

function businessesSection(paged: Paged<Originator>): Section {
  return {
    id: "businesses",
    title: null,
    blocks: [
      {
        kind: "table",
        table: {
          caption: `Businesses with a visible raise; amounts in ${DOLLAR}`,
          columns: [
            { key: "legalName", label: "Business" },
            { key: "jurisdiction", label: "Country" },
            { key: "ratingGrade", label: "Grade" },
            { key: "listings", label: "Raises", align: "end" },
            { key: "byStatus", label: "By status" },
            { key: "raised", label: "Committed", align: "end" },
            { key: "outstanding", label: "Outstanding", align: "end" },
          ],
          rows: paged.items.map(rowOf),
          empty: "No business has published a raise yet.",
        },
      },
      ...pagingBlocks(paged, SITE_PATHS.originators),
    ],
  };
}

function rowOf(originator: Originator): Row {
  const { publicId, jurisdiction, ratingGrade, listings } = originator;
  const { byStatus, raised, outstanding } = totalsOf(listings);
  const states = STATUSES.filter((status) => byStatus[status] > 0).map(
    (status) => `${byStatus[status]} ${STATUS_WORDS[status].toLowerCase()}`,
  );
  return {
    key: publicId,
    cells: [
      businessLink(originator),
      country(jurisdiction),
      { kind: "grade", grade: ratingGrade },
      count(listings.length),
      text(states.join(", ")),
      amount(raised, null),
      amount(outstanding, null),
    ],
  };
}

function gradesSection(): Section {
  return {
    id: "grades",
    title: "What a grade says",
    blocks: [
      {
        kind: "paragraph",
        text: "A grade from A (best) to E sums up how a business has repaid its earlier raises here. It follows a fixed formula over what the chain says; nobody sets it by hand. NR means not rated: the business is not verified, or its record is too short.",
      },
      {
        kind: "links",
        links: [
          { text: "How grades are computed", href: `${SITE_PATHS.knowledge}/grades` },
          {
            text: "All businesses as JSON",
            href: "/v1/originators",
            note: "with the figures behind each grade",
          },
        ],
      },
    ],
  };
}
