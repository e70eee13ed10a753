/**
 * The page of one business. http.md, "Pages".
 * @module
 */
import { DOLLAR } from "../../market/amount.ts";
import type { Market } from "../../market/project.ts";
import type { Listing, Originator } from "../../market/schema.ts";
import { totalsOf } from "../../market/stats.ts";
import { quote } from "../../untrusted-text.ts";
import { elsewhereSection } from "../elsewhere.ts";
import type { Page, PageRequest, PageResult, Section } from "../page.ts";
import { businessName, businessPath, CRUMBS, raiseLink } from "../paths.ts";
import { gradeSection } from "../rating.ts";
import { raisesUpdated } from "../updated.ts";
import { amount, code, count, country, kyb, rate, text, time } from "../value.ts";
import { type Paged, pageOf, pagingBlocks, refusedPage } from "./paging.ts";
import { verifiedSection } from "./verified-section.ts";

/** The business with this public id; `?page=` has the next hundred of its raises. */
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
    elsewhereSection([
      { text: "This business", href: `/v1/originators/${originator.publicId}`, note: "JSON" },
      { text: "Its raises", href: `/v1/listings?originator=${originator.publicId}`, note: "JSON" },
    ]),
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
      { key: "ratingGrade", label: "Grade", value: { kind: "grade", grade: ratingGrade } },
      { key: "kybStatus", label: "Verification", value: kyb(kybStatus) },
    ],
    sections,
    isLive: true,
  };
}

/** Who it is, and its raises in figures. */
function summarySection({ publicId, legalName, jurisdiction, listings }: Originator): Section {
  const { raised, repaid, outstanding } = totalsOf(listings);
  return {
    id: "summary",
    title: null,
    blocks: [
      {
        kind: "facts",
        look: "headline",
        facts: [
          { key: "count", label: "Raises", value: count(listings.length) },
          { key: "raised", label: "Committed", value: amount(raised) },
          { key: "repaid", label: "Repaid", value: amount(repaid) },
          { key: "outstanding", label: "Outstanding", value: amount(outstanding) },
        ],
      },
      {
        kind: "facts",
        look: "grid",
        facts: [
          { key: "legalName", label: "Legal name", value: text(legalName) },
          { key: "jurisdiction", label: "Incorporated in", value: country(jurisdiction) },
          { key: "publicId", label: "Public id", value: code(publicId) },
        ],
      },
    ],
  };
}

function raisesSection(paged: Paged<Listing>, path: string): Section {
  return {
    id: "raises",
    title: "Raises",
    blocks: [
      {
        kind: "table",
        table: {
          caption: `Raises of this business, newest first; amounts in ${DOLLAR}`,
          columns: [
            { key: "title", label: "Raise" },
            { key: "status", label: "Status" },
            { key: "repayment", label: "Repayment" },
            { key: "raisedAmount", label: "Committed", align: "end" },
            { key: "targetAmount", label: "Target", align: "end" },
            { key: "outstandingPrincipal", label: "Outstanding", align: "end" },
            { key: "couponRateBps", label: "Coupon a year", align: "end" },
            { key: "tenorDays", label: "Term", align: "end" },
            { key: "closeAt", label: "Closing time" },
          ],
          rows: paged.items.map((listing) => ({
            key: listing.publicId,
            cells: [
              raiseLink(listing),
              { kind: "status", status: listing.status },
              { kind: "repayment", repayment: listing.repayment },
              amount(listing.raisedAmount, null),
              amount(listing.targetAmount, null),
              amount(listing.outstandingPrincipal, null),
              rate(listing.couponRateBps),
              count(listing.tenorDays, "days"),
              time(listing.closeAt),
            ],
          })),
          empty: "This business has no visible raise.",
        },
      },
      ...pagingBlocks(paged, path),
    ],
  };
}
