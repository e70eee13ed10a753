/** Builds a listing's page from its data. Pure: every figure comes from the market. @module */
import type { PublicSettings } from "../../../config/public-settings.ts";
import type { Block } from "../../../src/fold/events.ts";
import type { Audit } from "../../health/audit.ts";
import { markdownPath } from "../../http/links.ts";
import { formatAmount } from "../../market/amount.ts";
import type { Listing, Originator, Schedule } from "../../market/schema.ts";
import { rateWords, warningsOf } from "../../market/sentences.ts";
import type { DeskTrade } from "../../market/trading.ts";
import type { Trading } from "../../market/trading-schema.ts";
import {
  fact,
  facts,
  links,
  linkTo,
  notice,
  paragraph,
  programsSection,
  section,
  snippet,
  warningSection,
} from "../blocks.ts";
import { gradeSection, kybFact } from "../grade.ts";
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
import { counted, country, STATUS_WORDS, shortCode } from "../value.ts";
import { deskSection } from "./desk.ts";
import { factOf, fieldSections } from "./fields.ts";
import { type History, historySection } from "./history.ts";
import { scheduleSection } from "./schedule.ts";
import { fieldsInState, stateSection } from "./state.ts";

export type ListingFacts = {
  listing: Listing;
  business: Originator;
  schedule: Schedule;
  trading: Trading;
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
  publicSettings: Pick<PublicSettings, "publicUrl" | "chainId" | "registrySigner">;
};

export function describeListing(given: ListingFacts): Page {
  const { listing, business, schedule, trading, history, chart, auction, head, changedAt } = given;
  const warnings = warningSection(warningsOf(listing, business));
  const state = stateSection(listing, schedule, head.timestamp, warnings !== null);
  const proof = proofSection(given);
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
  return {
    path,
    title: raiseTitle(listing),
    description: descriptionOf(listing, business),
    updated: changedAt,
    crumbs: crumbsOf(business),
    watch: listing.publicId,
    badges: [
      factOf(listing, "originatorGrade"),
      fact("originator", "Business", businessLink(business)),
      fact("jurisdiction", "Country", country(business.jurisdiction)),
      factOf(listing, "refnum"),
    ],
    // The state says it, each figure once.
    lead: null,
    layout: "columns",
    isLive: true,
    stream: streamPath({ listing: listing.publicId }),
    sections: [
      ...(warnings === null ? [] : [warnings]),
      state,
      proof,
      textSection(listing),
      ...(chart === null
        ? []
        : [section("chart", "How the money moved", [{ kind: "chart" as const, chart }])]),
      ...(auction === null ? [] : [auction]),
      scheduleSection(listing, schedule, given.until),
      deskSection(trading, listing, given),
      historySection(history, path),
      ...[
        gradeSection(business, "Grade of the business", [kybFact(business)]),
        ...fieldSections(listing, shown),
        programsSection(
          linkTo("This raise", rest, "JSON"),
          linkTo("Its events", `${rest}/events`, "JSON"),
          linkTo("Its events as a table", `${rest}/events.csv`, "CSV"),
          linkTo("Its schedule", `${rest}/schedule`, "JSON"),
          linkTo("This page as text", markdownPath(path), "Markdown"),
          linkTo("All interfaces", SITE_PATHS.developers, "REST, GraphQL and tools for agents"),
        ),
      ].map((folded) => ({ ...folded, isFolded: true })),
    ],
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

const PROOF_FIELDS = ["escrowAddress", "tokenAddress"] as const;

function proofSection({
  listing,
  audit,
  publicSettings: { publicUrl, chainId, registrySigner },
}: Pick<ListingFacts, "listing" | "audit" | "publicSettings">): Section {
  const proof = auditBadgeOfRaise(audit, listing);
  const { publicId } = listing;
  return {
    ...section("proof", "Check it yourself", [
      proof === null ? null : { kind: "proof", proof },
      facts("list", [
        ...PROOF_FIELDS.flatMap((field) => {
          const address = listing[field];
          return address === null
            ? []
            : [{ ...factOf(listing, field), value: shortCode(address, "address") }];
        }),
        ...(registrySigner === null
          ? []
          : [fact("registry.signer", "Operator's key", shortCode(registrySigner, "address"))]),
      ]),
      paragraph(
        "Each figure links to the events it is made of, and each event names its transaction. The totals have proofs: with your own node you need not trust anyone, not even this site.",
      ),
      snippet({
        label: "Prove the totals",
        language: "sh",
        text: `npx raisebook verify ${publicUrl}${raisePath(listing)} --rpc https://a-node-of-yours.example`,
      }),
      { kind: "prover", publicId, chainId },
      paragraph(
        `Names and texts are not on the blockchain. ${registrySigner === null ? "The operator has not signed them." : "They are signed with the operator's key."}`,
      ),
    ]),
    isBeside: true,
    tone: "idle",
  };
}

function descriptionOf(listing: Listing, business: Originator): string {
  const { acceptsMoney, status, targetAmount, raisedAmount, tenorDays } = listing;
  const seeks = acceptsMoney ? "seeks" : "sought";
  const terms = `${formatAmount(targetAmount)} for ${counted(tenorDays, "days")}, ${listing.couponIsMaximum ? "" : "at "}${rateWords(listing, { per: " a year" })}`;
  const committed = raisedAmount === "0" ? "nothing" : formatAmount(raisedAmount);
  return `${businessName(business)} ${seeks} ${terms}; ${committed} ${acceptsMoney ? "is" : "was"} committed. Status: ${STATUS_WORDS[status]}.`;
}

function textSection({ description, metadataOnChain }: Listing): Section {
  return section("description", "In the business's own words", [
    metadataOnChain
      ? null
      : notice(
          "warning",
          "Nothing on the chain confirms title and description: they are from the operator's registry alone.",
        ),
    description.trim() === ""
      ? paragraph("The business has not written a description.")
      : { kind: "quote", text: description },
  ]);
}
