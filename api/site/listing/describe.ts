/**
 * Builds a listing's page from its data. Pure: every figure comes from the market.
 * @module
 */
import type { Block } from "../../../src/fold/events.ts";
import { markdownPath } from "../../http/links.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import type { Listing, Originator, Schedule } from "../../market/schema.ts";
import type { DeskTrade } from "../../market/trades.ts";
import type { Trading } from "../../market/trading-schema.ts";
import { fact, links, linkTo, notice, paragraph, programsSection, section } from "../blocks.ts";
import { gradeSection, kybFact } from "../grade.ts";
import type { Chart, Fact, Page, Section } from "../page.ts";
import {
  businessLink,
  businessName,
  businessPath,
  CRUMBS,
  raisePath,
  raiseTitle,
  SITE_PATHS,
} from "../paths.ts";
import { counted, STATUS_WORDS } from "../value.ts";
import { deskSection } from "./desk.ts";
import { factOf, fieldSections } from "./fields.ts";
import { type History, historySection } from "./history.ts";
import { scheduleSection } from "./schedule.ts";
import { summarySection } from "./summary.ts";

export type ListingFacts = {
  listing: Listing;
  business: Originator;
  schedule: Schedule;
  trading: Trading;
  history: History;
  /** of money over time; null on a page of older events */
  chart: Chart | null;
  /** the bids of an auction; null for a fixed price, and on a page of older events */
  auction: Section | null;
  /** the newest trades on the desk, oldest first */
  trades: readonly DeskTrade[];
  /** end of the time axes: at the head or a little before it; unix seconds */
  until: bigint;
  head: Block;
  /** when the listing changed last; ISO 8601 */
  changedAt: string;
};

/** The page of a visible listing. */
export function describeListing(facts: ListingFacts): Page {
  const { listing, business, schedule, trading, history, chart, auction, head, changedAt } = facts;
  const path = raisePath(listing);
  const rest = `/v1/listings/${listing.publicId}`;
  return {
    path,
    title: raiseTitle(listing),
    description: descriptionOf(listing, business),
    updated: changedAt,
    crumbs: crumbsOf(business),
    badges: badgesOf(listing),
    isLive: true,
    sections: [
      summarySection(listing, head.timestamp),
      textSection(listing),
      ...(chart === null ? [] : [section("chart", "How the money moved", [{ kind: "chart", chart }])]),
      ...(auction === null ? [] : [auction]),
      ...fieldSections(listing),
      gradeSection(business, "Grade of the business", [
        fact("legalName", "Business", businessLink(business)),
        kybFact(business),
      ]),
      scheduleSection(listing, schedule, facts.until),
      deskSection(trading, listing, facts),
      historySection(history, path),
      programsSection(
        linkTo("This raise", rest, "JSON"),
        linkTo("Its events", `${rest}/events`, "JSON"),
        linkTo("Its events as a table", `${rest}/events.csv`, "CSV"),
        linkTo("Its schedule", `${rest}/schedule`, "JSON"),
        linkTo("This page as text", markdownPath(path), "Markdown"),
        linkTo("All interfaces", SITE_PATHS.developers, "REST, GraphQL and tools for agents"),
      ),
    ],
  };
}

/** The page for an invalid cursor in `before`. */
export function describeBadCursor(listing: Listing, business: Originator, changedAt: string): Page {
  const path = raisePath(listing);
  return {
    path,
    title: raiseTitle(listing),
    description: "This address points to a part of the raise's history that does not exist.",
    updated: changedAt,
    crumbs: crumbsOf(business),
    isLive: false,
    sections: [
      section("history", null, [
        notice("error", "The parameter before must come from a link to older events on this raise's page."),
        links([linkTo("This raise with its newest events", `${path}#history`)]),
      ]),
    ],
  };
}

function crumbsOf(business: Originator): Page["crumbs"] {
  return [CRUMBS.board, { title: businessName(business), path: businessPath(business) }];
}

/** Once there is a loan, its repayment is a badge too: "live" does not say that payments are on time. */
function badgesOf(listing: Listing): Fact[] {
  const { repayment } = listing;
  return [
    factOf(listing, "status"),
    ...(repayment === "not_drawn" ? [] : [factOf(listing, "repayment")]),
    factOf(listing, "originatorGrade"),
  ];
}

function descriptionOf(listing: Listing, business: Originator): string {
  const { acceptsMoney, status, targetAmount, raisedAmount, couponRateBps, tenorDays, pricingMode } = listing;
  const seeks = acceptsMoney ? "seeks" : "sought";
  const at = acceptsMoney && pricingMode === "auction" ? "at most" : "at";
  const terms = `${formatAmount(targetAmount)} for ${counted(tenorDays, "days")}, ${at} ${formatRate(couponRateBps)} a year`;
  const committed = raisedAmount === "0" ? "nothing" : formatAmount(raisedAmount);
  return `${businessName(business)} ${seeks} ${terms}; ${committed} ${acceptsMoney ? "is" : "was"} committed. Status: ${STATUS_WORDS[status]}.`;
}

function textSection({ description, metadataVerified }: Listing): Section {
  return section("description", "In the business's own words", [
    metadataVerified
      ? null
      : notice(
          "warning",
          "Title and description do not match the hash on the chain: they may have been changed since the raise was created.",
        ),
    description.trim() === ""
      ? paragraph("The business has not written a description.")
      : { kind: "quote", text: description },
  ]);
}
