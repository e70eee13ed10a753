/** @module Builds a listing's page from its data. Pure: every figure comes from the market. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { counted } from "../../../config/format/counted.ts";
import type { PublicSettings } from "../../../config/public-settings.ts";
import type { Block } from "../../../src/fold/events.ts";
import type { Audit } from "../../health/audit.ts";
import { markdownPath } from "../../http/links.ts";
import { formatAmount } from "../../market/amount.ts";
import type { DeskListing } from "../../market/desk.ts";
import type { Originator } from "../../market/originator.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import { type Closing, rateWords, warningsOf } from "../../market/sentences.ts";
import type { DeskTrade } from "../../market/trading.ts";
import type { Trading } from "../../market/trading-schema.ts";
import {
  fact,
  links,
  linkTo,
  notice,
  paragraph,
  programsSection,
  section,
  warningSection,
} from "../blocks.ts";
import { embedSection } from "../embed/section.tsx";
import type { Chart, Page, Section } from "../page.ts";
import {
  businessLink,
  businessName,
  businessPath,
  CRUMBS,
  raisePath,
  raiseTitle,
  SITE_PATHS,
  streamPath,
} from "../paths.ts";
import { auditBadgeOfRaise } from "../proof.ts";
import { stateOf } from "../standing.ts";
import { country } from "../value.ts";
import { businessSection } from "./business-card.ts";
import { deskSection } from "./desk.ts";
import { type AskedAmount, estimateSection } from "./estimate.ts";
import { detailsSection, factOf } from "./fields.ts";
import { type History, historySection } from "./history.ts";
import { PROOF_FIELDS, type ProofSettings, proofSection } from "./proof.ts";
import { riskSection } from "./risks.ts";
import { scheduleSection } from "./schedule.ts";
import { fieldsInState, stateSection } from "./state.ts";

export type ListingFacts = {
  listing: Listing;
  business: Originator;
  schedule: Schedule;
  closing: Closing;
  trading: Trading;
  /** null where the desk has nothing of the listing */
  desk: DeskListing | null;
  history: History;
  /** chart of money over time; null on a page of older events */
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
  /** the last one; null before the first */
  audit: Audit | null;
  /** to estimate the outcomes of, from the address */
  asked: AskedAmount;
  cover: JSX.Element;
  publicSettings: ProofSettings & Pick<PublicSettings, "embedOrigins">;
};

export function describeListing(given: ListingFacts): Page {
  const { listing, business, schedule, closing, trading, history, chart, auction } = given;
  const { head, changedAt, audit } = given;
  const warnings = warningSection(warningsOf(listing, business));
  const shown = new Set([
    ...fieldsInState(listing),
    ...PROOF_FIELDS,
    "title",
    "originator",
    "originatorGrade",
    "refnum",
  ]);
  const path = raisePath(listing);
  const rest = `/v1/listings/${listing.publicId}`;
  const desk = deskSection(given);
  const estimate = estimateSection(given);
  const sections: (Section | null)[] = [
    warnings,
    stateSection({ listing, schedule, closing, now: head.timestamp, isDoubtful: warnings !== null }),
    listing.acceptsMoney ? estimate : null,
    businessSection(business),
    textSection(listing),
    riskSection(listing, trading.enabled),
    auction,
    scheduleSection(listing, schedule, given.until),
    chart === null ? null : section("chart", chart.title, [{ kind: "chart", chart }]),
    listing.acceptsMoney ? null : estimate,
    ...(desk.isFolded ? [] : [desk]),
    historySection(history, path),
    proofSection(listing, given.publicSettings),
    ...(desk.isFolded ? [desk] : []),
    detailsSection(listing, shown, closing.contracts.lifecycle),
    embedSection(listing, given.publicSettings),
    {
      ...programsSection(
        linkTo("This raise", rest, "JSON"),
        linkTo("Its events", `${rest}/events`, "JSON"),
        linkTo("Its events as a table", `${rest}/events.csv`, "CSV"),
        linkTo("Its schedule", `${rest}/schedule`, "JSON"),
        linkTo("This page as text", markdownPath(path), "Markdown"),
        linkTo("All interfaces", SITE_PATHS.developers, "REST, GraphQL and tools for agents"),
      ),
      isFolded: true,
    },
  ];
  return {
    path,
    title: raiseTitle(listing),
    description: descriptionOf(listing, business, head.timestamp),
    updated: changedAt,
    crumbs: crumbsOf(business),
    cover: given.cover,
    proof: auditBadgeOfRaise(audit, listing) ?? undefined,
    watch: listing.publicId,
    canShare: true,
    badges: [
      factOf(listing, "originatorGrade"),
      fact("originator", "Business", businessLink(business)),
      fact("jurisdiction", "Country", country(business.jurisdiction)),
      factOf(listing, "refnum"),
    ],
    // The state says it, each figure once.
    lead: null,
    layout: "columns",
    // With an invalid amount the page says so, until another one is asked for.
    isLive: estimate === null || given.asked.amount !== null,
    stream: streamPath({ listing: listing.publicId }),
    sections: sections.filter((one) => one !== null),
  };
}

/** The page for a part of the history that does not exist. @param problem the reason, in a sentence */
export function describeRefusal(
  listing: Listing,
  business: Originator,
  changedAt: string,
  problem: string,
): Page {
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
        notice("error", problem),
        links([linkTo("This raise with its newest events", `${path}#history`)]),
      ]),
    ],
  };
}

function crumbsOf(business: Originator): Page["crumbs"] {
  return [CRUMBS.board, { title: businessName(business), path: businessPath(business) }];
}

function descriptionOf(listing: Listing, business: Originator, now: bigint): string {
  const { acceptsMoney, targetAmount, raisedAmount, tenorDays } = listing;
  const seeks = acceptsMoney ? "seeks" : "sought";
  const terms = `${formatAmount(targetAmount)} for ${counted(tenorDays, "days")}, ${listing.couponIsMaximum ? "" : "at "}${rateWords(listing, { per: " a year" })}`;
  const committed = raisedAmount === "0" ? "nothing" : formatAmount(raisedAmount);
  return `${businessName(business)} ${seeks} ${terms}; ${committed} ${acceptsMoney ? "is" : "was"} committed. Status: ${stateOf(listing, now).label}.`;
}

function textSection({ description, metadataOnChain }: Listing): Section {
  return section("description", "In the business's own words", [
    metadataOnChain
      ? null
      : notice(
          "warning",
          "The chain does not confirm title and description: they come from the operator's registry alone.",
        ),
    description.trim() === ""
      ? paragraph("The business has not written a description.")
      : { kind: "quote", text: description },
  ]);
}
