/** @module The page of one business: its standing, raises, verification and grade. http.md, "Pages". */

import { counted } from "../../../config/format/counted.ts";
import { isolated, isolatedQuote } from "../../../config/format/untrusted-text.ts";
import { DOLLAR, formatAmount } from "../../market/amount.ts";
import { Listings } from "../../market/listings.ts";
import { realisedBps } from "../../market/loan.ts";
import type { Market } from "../../market/market.ts";
import type { Originator } from "../../market/originator.ts";
import { type Listing, OWED_REPAYMENTS } from "../../market/schema.ts";
import { businessWarningsOf, isOfStranger, isOtherText } from "../../market/sentences.ts";
import { type BusinessRecord, recordOf } from "../../market/stats.ts";
import {
  fact,
  facts,
  linkTo,
  notice,
  paragraph,
  programsSection,
  section,
  table,
  warningSection,
} from "../blocks.ts";
import { gradeFigure, kybFact, ratingSection } from "../grade.ts";
import type { Block, Page, PageRequest, PageResult, Section } from "../page.ts";
import { businessName, businessPath, CRUMBS, raiseLink, streamPath } from "../paths.ts";
import { OWED_LOOKS, stateValue } from "../standing.ts";
import { raisesUpdated } from "../times.ts";
import {
  amount,
  code,
  count,
  country,
  coupon,
  REPAYMENT_WORDS,
  rate,
  text,
  type Value,
  word,
  yesOrNo,
} from "../value.ts";
import { aboutSection } from "./about.ts";
import { gradesSection } from "./grades.ts";
import { type BusinessLoan, loansOf, recordSection } from "./loans.ts";
import { type Paged, pageOf, pagingBlocks, refusedPage } from "./paging.ts";
import { byStage, countsUnpublished, owedAmount, stagesText, toneOf } from "./record.ts";

/** The business with this public id, and its raises, 50 to a page (`?page=`). */
export function originatorPage({ snapshot, query }: PageRequest, id: string): PageResult {
  if (snapshot === null) return { kind: "not_indexed_yet" };
  const { market } = snapshot;
  const originator = market.originatorByPublicId.get(id);
  if (originator === undefined) {
    return { kind: "missing", detail: `There is no business with the ID ${isolatedQuote(id)}.` };
  }
  // Read once: opening thousands of raises of the archive takes longer than everything else.
  const whole = { ...originator, listings: new Listings(originator.listings.all()) };
  const paged = pageOf(byStage(whole.listings), query);
  if ("problem" in paged) {
    return { kind: "refused", page: refusedPage(pageWith([], whole, market), paged.problem) };
  }
  const warnings = warningSection(businessWarningsOf(whole));
  const loans = loansOf(whole, market);
  const led = [
    warnings,
    standingSection(originator, loans),
    aboutSection(originator, snapshot),
    recordSection(loans, market),
    gradesSection(originator, loans, market),
  ].filter((one) => one !== null);
  const sections = [
    ...led,
    raisesSection(paged, originator, market.head.timestamp),
    verifiedSection(whole),
    ratingSection(originator, countsUnpublished(originator, loans, market.head.timestamp)),
    {
      ...programsSection(
        linkTo("This business", `/v1/originators/${originator.publicId}`, "JSON"),
        linkTo("Its raises", `/v1/listings?originator=${originator.publicId}`, "JSON"),
      ),
      isFolded: true,
    },
  ];
  return { kind: "page", page: pageWith(sections, whole, market) };
}

function pageWith(sections: readonly Section[], originator: Originator, market: Market): Page {
  const { listings } = originator;
  const title = businessName(originator);
  const raises = listings.length === 1 ? "its raise" : `its ${counted(listings.length, "raises")}`;
  return {
    path: businessPath(originator),
    title,
    description: `How reliably ${title} repays: its grade, ${raises}, and what it owes now.`,
    updated: raisesUpdated(market, listings),
    crumbs: [CRUMBS.board, CRUMBS.originators],
    canShare: true,
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
        ["couponRateBps", "Interest", (raise) => coupon(raise, { isShort: true }), "end"],
        ["drawnAmount", "Lent", (raise) => amount(raise.drawnAmount, null), "end"],
        ["outstandingPrincipal", "Owed", (raise) => owedAmount(raise.outstandingPrincipal), "end"],
        ["status", "State", (raise) => stateValue(raise, now)],
        ["tenorDays", "Term", (raise) => count(raise.tenorDays, "days")],
      ],
      empty: "This business has no visible raise.",
    }),
    ...pagingBlocks(paged, businessPath(business)),
  ]);
}

function standingSection(originator: Originator, loans: readonly BusinessLoan[]): Section {
  const { listings } = originator;
  const record = recordOf(originator);
  const { raised, lent, returned, repaid, outstanding, writtenOff } = record;
  const realised = realisedBps(loans.map(({ loan }) => loan));
  const lost =
    writtenOff === "0"
      ? amount(writtenOff, null)
      : word(formatAmount(writtenOff, { unit: null }), writtenOff, "bad");
  return {
    ...section("standing", "Standing", [
      gradeFigure(originator),
      outstanding === "0" ? facts("grid", [owedFact(record)]) : owedByState(record),
      facts("grid", [
        fact("lent", "Lent", amount(lent, null)),
        fact("raised", "Committed in all", amount(raised, null), returnedNote(returned)),
        fact("repaid", "Repaid with interest", amount(repaid, null)),
        fact("writtenOff", "Lost by backers", lost),
        fact("realisedBps", "Backers earned a year", rate(realised), realisedNote(realised, loans)),
        fact("stages", listings.length === 1 ? "Raise" : "Raises", text(stagesText(record))),
      ]),
    ]),
    isBeside: true,
    tone: toneOf(record),
  };
}

function realisedNote(realised: number | null, loans: readonly BusinessLoan[]): string {
  if (realised !== null) return "on loans that have ended, after losses";
  return loans.every(({ loan }) => loan.endedAt === null)
    ? "No loan has ended yet"
    : "The loans that have ended were too short for a yearly rate";
}

function returnedNote(returned: string): string | undefined {
  return returned === "0"
    ? undefined
    : `${formatAmount(returned, { unit: null })} of it was returned to backers`;
}

function owedFact({ outstanding }: BusinessRecord) {
  return fact("outstanding", `Owed now, in ${DOLLAR}`, amount(outstanding, null));
}

function owedByState(record: BusinessRecord): Block {
  const parts = OWED_REPAYMENTS.flatMap((state) => {
    const weight = record.outstandingByRepayment[state].amount;
    return weight === "0"
      ? []
      : [
          {
            fact: fact(`owed.${state}`, REPAYMENT_WORDS[state], amount(weight, null)),
            weight,
            ...OWED_LOOKS[state],
          },
        ];
  });
  const raises = OWED_REPAYMENTS.reduce(
    (sum, state) => sum + record.outstandingByRepayment[state].listings,
    0,
  );
  const text = `Owed in ${counted(raises, "raises")}.`;
  return { kind: "shares", shares: { label: "Owed", whole: owedFact(record), parts, text } };
}

const KYB_NOTES: Record<Originator["kybStatus"], string> = {
  not_started: "The operator has not started to check who this business is.",
  submitted: "The business has sent in its documents; nobody has reviewed them yet.",
  in_review: "The operator is reviewing the documents of this business.",
  approved: "The operator verified this business's identity. This is not a judgement of its raises.",
  rejected: "The operator could not confirm who this business is.",
  expired: "The check of this business is out of date.",
};

/** Only raises that differ from the chain are listed one by one. */
function verifiedSection({ publicId, legalName, kybStatus, listings }: Originator): Section {
  const doubtful = listings.filter((raise) => !raise.originatorVerified || !raise.metadataVerified);
  const differing = doubtful.filter((raise) => isOfStranger(raise) || isOtherText(raise));
  return section("verified", "Verification", [
    facts("list", [
      { ...kybFact({ kybStatus }), note: KYB_NOTES[kybStatus] },
      fact("legalName", "Legal name", text(isolated(legalName))),
      fact("publicId", "Business ID", code(publicId)),
    ]),
    doubtful.every(({ originatorOnChain, metadataOnChain }) => originatorOnChain && metadataOnChain)
      ? null
      : notice(
          "warning",
          "For at least one raise nothing on the blockchain confirms the business or the text: they come from the operator's registry alone.",
        ),
    doubtful.length > 0
      ? null
      : paragraph(
          "Every raise here was created by this business, and its text is unchanged. The blockchain confirms both.",
        ),
    differing.length === 0
      ? null
      : table({
          caption: "Raises that differ from the blockchain",
          items: differing,
          keyOf: ({ publicId }) => publicId,
          columns: [
            ["title", "Raise", raiseLink],
            [
              "originatorVerified",
              "Created by this business",
              (raise) => confirmed(raise.originatorVerified, raise.originatorOnChain),
            ],
            [
              "metadataVerified",
              "Text unchanged",
              (raise) => confirmed(raise.metadataVerified, raise.metadataOnChain),
            ],
          ],
          empty: "",
        }),
  ]);
}

function confirmed(isConfirmed: boolean, isOnChain: boolean): Value {
  return isOnChain ? yesOrNo(isConfirmed) : word("Not on the chain", `${isConfirmed}`);
}
