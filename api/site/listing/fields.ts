/** @module Every field of a listing as a fact: its label, and what a newcomer needs to know about it. */
import type { Lifecycle } from "../../../src/fold/derived.ts";
import { DOLLAR } from "../../market/amount.ts";
import type { Listing } from "../../market/schema.ts";
import { NO_APP } from "../../market/sentences.ts";
import { hasFailed } from "../../market/status.ts";
import { fact, facts, linkTo, section } from "../blocks.ts";
import type { Fact, Section } from "../page.ts";
import { businessPath, raisePath } from "../paths.ts";
import {
  addressCode,
  amount,
  code,
  count,
  coupon,
  grade,
  link,
  NONE,
  outcome,
  pricing,
  rate,
  repayment,
  status,
  text,
  time,
  type Value,
  word,
  yesOrNo,
} from "../value.ts";
import { EVENT_GROUPS, type EventGroup, historyPath } from "./history.ts";

/** The label of a field, the value to show, and what a newcomer needs to know. */
type Field<Key extends keyof Listing> = readonly [
  label: string,
  show: (value: Listing[Key], listing: Listing) => Value,
  note?: string | ((listing: Listing, lifecycle: Lifecycle) => string | undefined),
];

/** Without the description, which has its own section. */
export type FieldName = Exclude<keyof Listing, "description">;

const OUTCOME_NOTES: Record<NonNullable<Listing["outcome"]>, string> = {
  repaid: "The contract settled the raise as repaid by the business.",
  repaid_with_reserve: "The contract settled the raise as repaid, partly from the reserve.",
  defaulted: "The contract settled the raise as defaulted.",
  unknown: "The contract settled the raise with an outcome that its interface does not define.",
};

const dollars = (baseUnits: string) => amount(baseUnits, null);

const GROUPS = {
  money: {
    title: `Amounts, in ${DOLLAR}`,
    fields: {
      targetAmount: ["Target", dollars],
      minRaise: [
        "Minimum",
        dollars,
        "With less than this at the close, the raise fails and all backers get their money back.",
      ],
      raisedAmount: ["Committed", dollars, "Fixed once the raise closes, even if money is later refunded."],
      projectedAmount: [
        "Projected at the close",
        (projected) => (projected === null ? NONE : dollars(projected)),
        ({ projectedAmount }) =>
          projectedAmount === null
            ? "Only for open raises with a closing time, after a day."
            : "If money keeps coming at the average pace since the raise opened: an estimate, not a promise.",
      ],
      subscriberCount: ["Backers", (backers) => count(backers)],
      refundedAmount: ["Refunded in all", dollars, "Before the close and after it, for any reason."],
      withdrawnAmount: [
        "Withdrawn before the close",
        dollars,
        "By backers, or given back to those who were outbid; no longer part of what is committed.",
      ],
      returnedAmount: ["Returned", dollars, "Commitments that backers got back after the raise failed."],
      refundableAmount: [
        "Still to be claimed",
        dollars,
        (one) =>
          hasFailed(one) ? "What backers can still claim of their commitments." : "The raise has not failed.",
      ],
      drawnAmount: ["Lent", dollars, "What the business drew, the fee included."],
      repaidAmount: ["Repaid with interest", dollars, "Principal and interest."],
      outstandingPrincipal: [
        "Principal still owed",
        dollars,
        "Principal drawn and not yet repaid; zero before the money is drawn and after the raise is settled.",
      ],
      writtenOffAmount: ["Lost", dollars, "Principal that was never paid; known once the raise is settled."],
      reserveBalance: ["Reserve held", dollars, "Held in escrow to cover unpaid principal."],
    },
  },
  terms: {
    title: "Terms",
    fields: {
      couponRateBps: [
        "Interest per year",
        (_, listing) => coupon(listing),
        ({ pricingMode }) =>
          pricingMode === "auction"
            ? "The highest rate that a bid may ask for, until the auction clears; then the clearing rate."
            : undefined,
      ],
      couponIsMaximum: [
        "Rate still open",
        yesOrNo,
        "Whether the interest is only the most that backers can get, as in an auction until its close.",
      ],
      indicativeRateBps: [
        "Rate at the bids so far",
        rate,
        ({ indicativeRateBps, couponIsMaximum, raisedAmount, minRaise }) => {
          if (indicativeRateBps !== null) return "The highest rate among the bids that would be accepted.";
          if (!couponIsMaximum) return "The rate is fixed.";
          return BigInt(raisedAmount) < BigInt(minRaise)
            ? "None: it would miss its minimum, and every bid would be refunded."
            : undefined;
        },
      ],
      pricingMode: [
        "Pricing",
        pricing,
        ({ pricingMode }) =>
          pricingMode === "auction"
            ? "Backers bid the rate that they want; the lowest bids are accepted."
            : "The rate is fixed, and every backer earns it.",
      ],
      tenorDays: ["Term", (days) => count(days, "days"), "From the drawdown to maturity."],
      insuranceBps: [
        "Required reserve",
        rate,
        "As a share of the target; the business posts it before it draws the money.",
      ],
    },
  },
  times: {
    title: "Dates",
    fields: {
      status: ["Status", (of) => status(of)],
      statusSince: ["Since", time],
      acceptsMoney: ["Accepts money", yesOrNo],
      termsUpdates: [
        "Changes of the terms",
        (times) => count(times),
        "By the business, while the raise was open.",
      ],
      termsUpdatedAt: ["Terms last changed", time],
      updatedAt: [
        "Last event",
        time,
        ({ updatedAt }) =>
          updatedAt === null ? "None yet." : "On the chain; resales on the desk do not count.",
      ],
      repayment: ["Repayment", repayment],
      outcome: [
        "Outcome",
        outcome,
        (one, { derivesSettlement }) => {
          // No event says it: it follows from the payments.
          if (derivesSettlement && one.outcome !== null) return "All principal was repaid.";
          if (one.outcome !== null) return OUTCOME_NOTES[one.outcome];
          return hasFailed(one) ? "Only raises that were drawn are settled." : "Not settled yet.";
        },
      ],
      originatorGrade: ["Business grade", grade],
      goLiveAt: ["Go-live", time, "By the terms; a raise never opens before it was created."],
      closeAt: [
        "Closing time",
        time,
        ({ closeAt }) =>
          closeAt === null ? "This raise has none." : "By the terms; a raise can also close earlier.",
      ],
      drawnDownAt: [
        "Money drawn",
        time,
        (one) => {
          if (one.drawnDownAt !== null) return undefined;
          return hasFailed(one) ? "No money was drawn." : "No money has been drawn yet.";
        },
      ],
      maturityAt: [
        "Due",
        time,
        (one) => {
          if (one.maturityAt !== null) return undefined;
          return hasFailed(one) ? "None without a drawdown." : "Known once the money is drawn.";
        },
      ],
    },
  },
  identity: {
    title: "Identifiers and contracts",
    fields: {
      title: ["Title", text],
      publicId: ["ID", code],
      refnum: ["Reference number", code, "Also the symbol of the raise's token."],
      originator: ["Business ID", (publicId) => link(publicId, businessPath({ publicId }))],
      originatorVerified: [
        "Created by the business",
        yesOrNo,
        "Whether a published address of the business created this raise on the chain.",
      ],
      originatorOnChain: ["Creator on the chain", yesOrNo, "Whether the contract tells who created it."],
      metadataVerified: [
        "Text unchanged",
        yesOrNo,
        "Whether title and description match the hash on the chain.",
      ],
      metadataOnChain: ["Text on the chain", yesOrNo, "Whether the contract commits to the text."],
      termsFrom: [
        "Terms from",
        (source) => word(source === "chain" ? "The contract" : "The operator's registry", source),
        ({ termsFrom }) => (termsFrom === "chain" ? undefined : "The contract does not give them."),
      ],
      updatedBlock: [
        "Block of the last event",
        (updatedBlock) => (updatedBlock === null ? NONE : code(updatedBlock)),
      ],
      finality: [
        "Certainty of the last event",
        (finality, { updatedBlock }) =>
          updatedBlock === null ? word("None yet", finality) : { kind: "finality", finality },
        "Pending while a reorganisation of the chain can still take it back.",
      ],
      chainId: ["Chain", (chainId) => code(String(chainId))],
      escrowAddress: ["Escrow contract", addressCode, "Holds the backers' money."],
      onchainId: ["ID in the escrow", code, "Unique only together with the escrow contract."],
      tokenAddress: [
        "Token contract",
        (tokenAddress) => (tokenAddress === null ? NONE : addressCode(tokenAddress)),
        "Backers hold one token for each dollar of principal.",
      ],
      url: ["This page", (url) => link(url, url)],
      appUrl: [
        "Where a person signs",
        (appUrl) => (appUrl === null ? NONE : link(appUrl, appUrl)),
        ({ appUrl }) => (appUrl === null ? NO_APP : "With their own wallet. This site only reads."),
      ],
    },
  },
} satisfies Record<string, { title: string; fields: { [Key in FieldName]?: Field<Key> } }>;

const FIELDS: { [Key in FieldName]: Field<Key> } = {
  ...GROUPS.money.fields,
  ...GROUPS.terms.fields,
  ...GROUPS.times.fields,
  ...GROUPS.identity.fields,
};

const SOURCES: Partial<Record<FieldName, EventGroup>> = {
  raisedAmount: "subscriptions",
  subscriberCount: "subscriptions",
  refundedAmount: "refunds",
  withdrawnAmount: "refunds",
  returnedAmount: "refunds",
  drawnAmount: "lifecycle",
  repaidAmount: "repayments",
  outstandingPrincipal: "repayments",
  writtenOffAmount: "lifecycle",
  reserveBalance: "reserve",
};

/** A field of a listing, without its note, with a link to its events. */
export function factOf<Key extends FieldName>(listing: Listing, key: Key, relabelled?: string): Fact {
  const [label, show]: Field<Key> = FIELDS[key];
  const group = SOURCES[key];
  const source =
    group && linkTo(EVENT_GROUPS[group].label, historyPath(raisePath(listing), { events: group }));
  return { ...fact(key, relabelled ?? label, show(listing[key], listing)), ...(source && { source }) };
}

/** Every field except the description and those that the page already shows, each once, with its note; folded. */
export function detailsSection(listing: Listing, shown: ReadonlySet<string>, lifecycle: Lifecycle): Section {
  const groups = Object.values(GROUPS).flatMap(({ title, fields }) => {
    const rest = (Object.keys(fields) as FieldName[]).filter((key) => !shown.has(key));
    if (rest.length === 0) return [];
    const listed = rest.map((key) => {
      const [, , note] = FIELDS[key];
      return { ...factOf(listing, key), note: typeof note === "function" ? note(listing, lifecycle) : note };
    });
    return [{ ...facts("grid", listed), heading: title }];
  });
  return { ...section("details", "All figures and identifiers", groups), isFolded: true };
}
