/**
 * The page of one business: its standing first, then its raises, then the details of the grade. http.md, "Pages".
 * @module
 */

import { quote } from "../../../config/format/untrusted-text.ts";
import { DOLLAR } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import type { Listing, Originator } from "../../market/schema.ts";
import { fact, linkTo, programsSection, section, table } from "../blocks.ts";
import { ratingSection } from "../grade.ts";
import type { Page, PageRequest, PageResult, Section } from "../page.ts";
import { businessName, businessPath, CRUMBS, raiseLink, streamPath } from "../paths.ts";
import { stateValue } from "../standing.ts";
import { raisesUpdated } from "../times.ts";
import { amount, count, country, shortRate } from "../value.ts";
import { type Paged, pageOf, pagingBlocks, refusedPage } from "./paging.ts";
import { byStage } from "./record.ts";
import { standingSection } from "./standing-section.ts";
import { verifiedSection } from "./verified-section.ts";

/** The business with this public id, and its raises, 50 to a page (`?page=`). */
export function originatorPage({ snapshot, query }: PageRequest, id: string): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const { market } = snapshot;
  const originator = market.originatorByPublicId.get(id);
  if (originator === undefined) {
    return { kind: "missing", detail: `There is no business with the ID ${quote(id)}.` };
  }
  const paged = pageOf(byStage(originator.listings), query);
  if ("problem" in paged) {
    return { kind: "refused", page: refusedPage(pageWith([], originator, market), paged.problem) };
  }
  const sections = [
    standingSection(originator),
    raisesSection(paged, originator, market.head.timestamp),
    verifiedSection(originator),
    ratingSection(originator),
    {
      ...programsSection(
        linkTo("This business", `/v1/originators/${originator.publicId}`, "JSON"),
        linkTo("Its raises", `/v1/listings?originator=${originator.publicId}`, "JSON"),
      ),
      isFolded: true,
    },
  ];
  return { kind: "page", page: pageWith(sections, originator, market) };
}

function pageWith(sections: readonly Section[], originator: Originator, market: Market): Page {
  const { listings } = originator;
  const title = businessName(originator);
  const raises = listings.length === 1 ? "its raise" : `its ${listings.length} raises`;
  return {
    path: businessPath(originator),
    title,
    description: `How reliably ${title} repays: its grade, ${raises}, and what it owes now.`,
    updated: raisesUpdated(market, listings),
    crumbs: [CRUMBS.board, CRUMBS.originators],
    badges: [fact("jurisdiction", "Country", country(originator.jurisdiction))],
    lead: null,
    layout: "columns",
    sections,
    isLive: true,
    stream: streamPath({ originator: originator.publicId }),
  };
}

/** @param now unix seconds of the head */
function raisesSection(paged: Paged<Listing>, business: Originator, now: bigint): Section {
  return section("raises", "Raises", [
    table({
      look: "rows",
      caption: `Open ones first; interest per year, amounts in ${DOLLAR}`,
      items: paged.items,
      keyOf: ({ publicId }) => publicId,
      columns: [
        ["title", "Raise", raiseLink],
        ["couponRateBps", "Interest", (raise) => shortRate(raise.couponRateBps), "end"],
        ["raisedAmount", "Raised", (raise) => amount(raise.raisedAmount, null), "end"],
        ["outstandingPrincipal", "Owed", (raise) => amount(raise.outstandingPrincipal, null), "end"],
        ["status", "State", (raise) => stateValue(raise, now)],
        ["tenorDays", "Term", (raise) => count(raise.tenorDays, "days")],
      ],
      empty: "This business has no visible raise.",
    }),
    ...pagingBlocks(paged, businessPath(business)),
  ]);
}
