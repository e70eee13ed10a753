/**
 * The page of one business. http.md, "Pages".
 * @module
 */

import { quote } from "../../../format/untrusted-text.ts";
import { DOLLAR } from "../../market/amount.ts";
import type { Market } from "../../market/market.ts";
import type { Listing, Originator } from "../../market/schema.ts";
import { totalsOf } from "../../market/stats.ts";
import { fact, facts, linkTo, programsSection, section, table } from "../blocks.ts";
import { gradeSection } from "../grade.ts";
import type { Page, PageRequest, PageResult, Section } from "../page.ts";
import { businessName, businessPath, CRUMBS, raiseLink } from "../paths.ts";
import { raisesUpdated } from "../times.ts";
import { amount, code, count, country, grade, kyb, rate, repayment, status, text, time } from "../value.ts";
import { type Paged, pageOf, pagingBlocks, refusedPage } from "./paging.ts";
import { verifiedSection } from "./verified-section.ts";

/** The business with this public id, and its raises, 100 to a page (`?page=`). */
export function originatorPage({ snapshot, query }: PageRequest, id: string): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const { market } = snapshot;
  const originator = market.originatorByPublicId.get(id);
  if (originator === undefined) {
    return { kind: "missing", detail: `No visible business has the public id ${quote(id)}.` };
  }
  const paged = pageOf(originator.listings, query);
  if ("problem" in paged) {
    return { kind: "refused", page: refusedPage(pageWith([], originator, market), paged.problem) };
  }
  const sections = [
    summarySection(originator),
    gradeSection(originator, "Grade"),
    raisesSection(paged, businessPath(originator)),
    verifiedSection(originator, paged),
    programsSection(
      linkTo("This business", `/v1/originators/${originator.publicId}`, "JSON"),
      linkTo("Its raises", `/v1/listings?originator=${originator.publicId}`, "JSON"),
    ),
  ];
  return { kind: "page", page: pageWith(sections, originator, market) };
}

function pageWith(sections: readonly Section[], originator: Originator, market: Market): Page {
  const { ratingGrade, kybStatus, listings } = originator;
  const title = businessName(originator);
  const raises = listings.length === 1 ? "its raise" : `its ${listings.length} raises`;
  return {
    path: businessPath(originator),
    title,
    description: `The business ${title}: its grade with the figures behind it, and ${raises}.`,
    updated: raisesUpdated(market, listings),
    crumbs: [CRUMBS.board, CRUMBS.originators],
    badges: [
      fact("ratingGrade", "Grade", grade(ratingGrade)),
      fact("kybStatus", "Verification", kyb(kybStatus)),
    ],
    sections,
    isLive: true,
  };
}

/** Its identity, and the totals of its raises. */
function summarySection({ publicId, legalName, jurisdiction, listings }: Originator): Section {
  const { raised, repaid, outstanding } = totalsOf(listings);
  return section("summary", null, [
    facts("headline", [
      fact("count", "Raises", count(listings.length)),
      fact("raised", "Committed", amount(raised)),
      fact("repaid", "Repaid", amount(repaid)),
      fact("outstanding", "Outstanding", amount(outstanding)),
    ]),
    facts("grid", [
      fact("legalName", "Legal name", text(legalName)),
      fact("jurisdiction", "Incorporated in", country(jurisdiction)),
      fact("publicId", "Public id", code(publicId)),
    ]),
  ]);
}

function raisesSection(paged: Paged<Listing>, path: string): Section {
  return section("raises", "Raises", [
    table({
      caption: `Raises of this business, newest first; amounts in ${DOLLAR}`,
      items: paged.items,
      keyOf: ({ publicId }) => publicId,
      columns: [
        ["title", "Raise", raiseLink],
        ["status", "Status", (raise) => status(raise.status)],
        ["repayment", "Repayment", (raise) => repayment(raise.repayment)],
        ["raisedAmount", "Committed", (raise) => amount(raise.raisedAmount, null), "end"],
        ["targetAmount", "Target", (raise) => amount(raise.targetAmount, null), "end"],
        ["outstandingPrincipal", "Outstanding", (raise) => amount(raise.outstandingPrincipal, null), "end"],
        ["couponRateBps", "Coupon a year", (raise) => rate(raise.couponRateBps), "end"],
        ["tenorDays", "Term", (raise) => count(raise.tenorDays, "days"), "end"],
        ["closeAt", "Closing time", (raise) => time(raise.closeAt)],
      ],
      empty: "This business has no visible raise.",
    }),
    ...pagingBlocks(paged, path),
  ]);
}
