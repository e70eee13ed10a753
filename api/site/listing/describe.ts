/**
 * A listing's page from what is known of the listing. Pure: every figure on it is one that the market holds.
 * @module
 */

import type { Block } from "../../../src/fold/events.ts";
import { markdownPath } from "../../http/links.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import type { Listing, Originator, Schedule } from "../../market/schema.ts";
import type { Trading } from "../../market/trading-schema.ts";
import { elsewhereSection } from "../elsewhere.ts";
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
import { gradeSection, kybFact } from "../rating.ts";
import { counted, STATUS_WORDS } from "../value.ts";
import { deskSection } from "./desk.ts";
import { factOf, fieldSections } from "./fields.ts";
import { type History, historySection } from "./history.ts";
import { scheduleSection } from "./schedule.ts";
import { topSection } from "./top.ts";

export type ListingFacts = {
  listing: Listing;
  business: Originator;
  schedule: Schedule;
  trading: Trading;
  history: History;
  /** money over time */
  /** null on a page of older events */
  chart: Chart | null;
  head: Block;
  /** when the listing changed last; ISO 8601 */
  changedAt: string;
};

/** The page of a visible listing. */
export function describeListing(facts: ListingFacts): Page {
  const { listing, business, schedule, trading, history, chart, head, changedAt } = facts;
  const path = raisePath(listing);
  return {
    path,
    title: raiseTitle(listing),
    description: descriptionOf(listing, business),
    updated: changedAt,
    crumbs: crumbsOf(business),
    badges: badgesOf(listing),
    isLive: true,
    sections: [
      topSection(listing, head.timestamp),
      textSection(listing),
      ...(chart === null ? [] : [chartSection(chart)]),
      ...fieldSections(listing),
      gradeSection(business, "Grade of the business", [
        { key: "legalName", label: "Business", value: businessLink(business) },
        kybFact(business),
      ]),
      scheduleSection(listing, schedule),
      deskSection(trading, listing),
      historySection(history, path),
      elsewhere(listing, path),
    ],
  };
}

/** A page for a `before` that is no cursor of ours. */
export function describeBadCursor(listing: Listing, business: Originator, changedAt: string): Page {
  const path = raisePath(listing);
  return {
    path,
    title: raiseTitle(listing),
    description: "This address asks for a part of the raise's history that does not exist.",
    updated: changedAt,
    crumbs: crumbsOf(business),
    isLive: false,
    sections: [
      {
        id: "history",
        title: null,
        blocks: [
          {
            kind: "notice",
            tone: "error",
            text: "The parameter before has to be what a link to older events on this raise's page says.",
          },
          { kind: "links", links: [{ text: "This raise with its newest events", href: `${path}#history` }] },
        ],
      },
    ],
  };
}

function crumbsOf(business: Originator): Page["crumbs"] {
  return [CRUMBS.board, { title: businessName(business), path: businessPath(business) }];
}

/** How a loan stands is a badge once there is a loan: live does not say that payments are on time. */
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
  return {
    id: "description",
    title: "In the words of the business",
    blocks: [
      ...(metadataVerified
        ? []
        : [
            {
              kind: "notice" as const,
              tone: "warning" as const,
              text: "Title and description are not those that the chain commits to: they may have been changed since the raise was created.",
            },
          ]),
      description.trim() === ""
        ? { kind: "paragraph", text: "The business has written no description." }
        : { kind: "quote", text: description },
    ],
  };
}

function chartSection(chart: Chart): Section {
  return { id: "chart", title: "How the money moved", blocks: [{ kind: "chart", chart }] };
}

function elsewhere({ publicId }: Listing, path: string): Section {
  const rest = `/v1/listings/${publicId}`;
  return elsewhereSection([
    { text: "This raise", href: rest, note: "JSON" },
    { text: "Its events", href: `${rest}/events`, note: "JSON" },
    { text: "Its events as a table", href: `${rest}/events.csv`, note: "CSV" },
    { text: "Its schedule", href: `${rest}/schedule`, note: "JSON" },
    { text: "This page as text", href: markdownPath(path), note: "Markdown" },
    { text: "All interfaces", href: SITE_PATHS.developers, note: "REST, GraphQL and tools for agents" },
  ]);
}
