/** Every field of a listing as a fact: its label, and what a newcomer needs to know about it. @module */
import { DOLLAR } from "../../market/amount.ts";
import type { Listing } from "../../market/schema.ts";
import { NO_APP } from "../../market/sentences.ts";
import { hasFailed } from "../../market/status.ts";
import { fact, facts, linkTo, section } from "../blocks.ts";
import type { Fact, PageLink, Section } from "../page.ts";
import { businessPath, raisePath } from "../paths.ts";
import {
  addressCode,
  amount,
  code,
  count,
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
  yesOrNo,
} from "../value.ts";
import { EVENT_GROUPS, type EventGroup, historyPath } from "./history.ts";

type Field = {
  label: string;
  value(listing: Listing): Value;
  note?(listing: Listing): string | undefined;
};

/** Without the description, which has its own section. */
export type FieldName = Exclude<keyof Listing, "description">;

const OUTCOME_NOTES: Record<NonNullable<Listing["outcome"]>, string> = {
  repaid: "The contract settled the raise as repaid by the business.",
  repaid_with_reserve: "The contract settled the raise as repaid, partly from the reserve.",
  defaulted: "The contract settled the raise as defaulted.",
  unknown: "The contract settled the raise with an outcome that its interface does not define.",
};

const GROUPS = {
  money: {
    title: `Money, in ${DOLLAR}`,
    fields: {
      targetAmount: { label: "Target", value: (one) => amount(one.targetAmount, null) },
      minRaise: {
        label: "Minimum",
        value: (one) => amount(one.minRaise, null),
        note: () => "With less than this at the close, the raise fails and all backers get their money back.",
      },
      raisedAmount: {
        label: "Committed",
        value: (one) => amount(one.raisedAmount, null),
        note: () => "Fixed once the raise closes, even if money is later refunded.",
      },
      subscriberCount: { label: "Backers", value: (one) => count(one.subscriberCount) },
      refundedAmount: {
        label: "Refunded",
        value: (one) => amount(one.refundedAmount, null),
        note: () => "All refunds, for any reason.",
      },
      refundableAmount: {
        label: "Still to be claimed",
        value: (one) => amount(one.refundableAmount, null),
        note: (one) =>
          hasFailed(one) ? "What backers can still claim of their commitments." : "The raise has not failed.",
      },
      repaidAmount: {
        label: "Repaid",
        value: (one) => amount(one.repaidAmount, null),
        note: () => "Principal and interest.",
      },
      outstandingPrincipal: {
        label: "Owed",
        value: (one) => amount(one.outstandingPrincipal, null),
        note: () =>
          "Principal drawn and not yet repaid; zero before the money is drawn and after the raise is settled.",
      },
      writtenOffAmount: {
        label: "Lost",
        value: (one) => amount(one.writtenOffAmount, null),
        note: () => "Principal that was never paid; known once the raise is settled.",
      },
      reserveBalance: {
        label: "Reserve held",
        value: (one) => amount(one.reserveBalance, null),
        note: () => "Held in escrow to cover unpaid principal.",
      },
    },
  },
  terms: {
    title: "Terms",
    fields: {
      couponRateBps: {
        label: "Interest per year",
        value: (one) => rate(one.couponRateBps),
        note: ({ pricingMode }) =>
          pricingMode === "auction"
            ? "The highest rate that a bid may ask for, until the auction clears; then the clearing rate."
            : undefined,
      },
      pricingMode: {
        label: "Pricing",
        value: (one) => pricing(one.pricingMode),
        note: ({ pricingMode }) =>
          pricingMode === "auction"
            ? "Backers bid the rate that they want; the lowest bids are accepted."
            : "The rate is fixed, and every backer earns it.",
      },
      tenorDays: {
        label: "Term",
        value: (one) => count(one.tenorDays, "days"),
        note: () => "From the drawdown to maturity.",
      },
      insuranceBps: {
        label: "Required reserve",
        value: (one) => rate(one.insuranceBps),
        note: () => "As a share of the target; the business posts it before it draws the money.",
      },
    },
  },
  times: {
    title: "Dates",
    fields: {
      status: { label: "Status", value: (one) => status(one.status) },
      statusSince: { label: "Since", value: (one) => time(one.statusSince) },
      acceptsMoney: { label: "Accepts money", value: (one) => yesOrNo(one.acceptsMoney) },
      repayment: { label: "Repayment", value: (one) => repayment(one.repayment) },
      outcome: {
        label: "Outcome",
        value: (one) => outcome(one.outcome),
        note: (one) => {
          if (one.outcome !== null) return OUTCOME_NOTES[one.outcome];
          return hasFailed(one) ? "Only raises that were drawn are settled." : "Not settled yet.";
        },
      },
      originatorGrade: {
        label: "Grade of the business",
        value: (one) => grade(one.originatorGrade),
      },
      goLiveAt: { label: "Opened", value: (one) => time(one.goLiveAt) },
      closeAt: {
        label: "Closing time",
        value: (one) => time(one.closeAt),
        note: ({ closeAt }) =>
          closeAt === null ? "This raise has none." : "By the terms; a raise can also close earlier.",
      },
      drawnDownAt: {
        label: "Money drawn",
        value: (one) => time(one.drawnDownAt),
        note: (one) => {
          if (one.drawnDownAt !== null) return undefined;
          return hasFailed(one) ? "No money was drawn." : "No money has been drawn yet.";
        },
      },
      maturityAt: {
        label: "Due",
        value: (one) => time(one.maturityAt),
        note: (one) => {
          if (one.maturityAt !== null) return undefined;
          return hasFailed(one) ? "None without a drawdown." : "Known once the money is drawn.";
        },
      },
    },
  },
  identity: {
    title: "Identifiers and contracts",
    fields: {
      title: { label: "Title", value: (one) => text(one.title) },
      publicId: { label: "ID", value: (one) => code(one.publicId) },
      refnum: {
        label: "Reference number",
        value: (one) => code(one.refnum),
        note: () => "Also the symbol of the raise's token.",
      },
      originator: {
        label: "Business ID",
        value: (one) => link(one.originator, businessPath({ publicId: one.originator })),
      },
      originatorVerified: {
        label: "Created by the business",
        value: (one) => yesOrNo(one.originatorVerified),
        note: () => "Whether a published address of the business created this raise on the chain.",
      },
      metadataVerified: {
        label: "Text unchanged",
        value: (one) => yesOrNo(one.metadataVerified),
        note: () => "Whether title and description match the hash on the chain.",
      },
      finality: {
        label: "Last event",
        value: (one) => ({ kind: "finality", finality: one.finality }),
        note: () => "Pending while a reorganisation of the chain can still take it back.",
      },
      chainId: { label: "Chain", value: (one) => code(String(one.chainId)) },
      escrowAddress: {
        label: "Escrow contract",
        value: (one) => addressCode(one.escrowAddress),
        note: () => "Holds the backers' money.",
      },
      onchainId: {
        label: "ID in the escrow",
        value: (one) => code(one.onchainId),
        note: () => "Unique only together with the escrow contract.",
      },
      tokenAddress: {
        label: "Token contract",
        value: (one) => addressCode(one.tokenAddress),
        note: () => "Backers hold one token for each dollar of principal.",
      },
      url: {
        label: "This page",
        value: (one) => link(one.url, one.url),
      },
      appUrl: {
        label: "Where a person signs",
        value: (one) => (one.appUrl === null ? NONE : link(one.appUrl, one.appUrl)),
        note: ({ appUrl }) => (appUrl === null ? NO_APP : "With their own wallet. This site only reads."),
      },
    },
  },
} satisfies Record<string, { title: string; fields: Partial<Record<FieldName, Field>> }>;

const FIELDS: Record<FieldName, Field> = {
  ...GROUPS.money.fields,
  ...GROUPS.terms.fields,
  ...GROUPS.times.fields,
  ...GROUPS.identity.fields,
};

/** The part of the history behind a figure. */
const SOURCES: Partial<Record<FieldName, EventGroup>> = {
  raisedAmount: "subscriptions",
  subscriberCount: "subscriptions",
  refundedAmount: "refunds",
  repaidAmount: "repayments",
  outstandingPrincipal: "repayments",
  writtenOffAmount: "lifecycle",
  reserveBalance: "reserve",
};

/** A field of a listing, without its note, with a link to its events. */
export function factOf(listing: Listing, key: FieldName, label = FIELDS[key].label): Fact {
  const source = SOURCES[key];
  return {
    ...fact(key, label, FIELDS[key].value(listing)),
    ...(source && { source: sourceLink(listing, source) }),
  };
}

function sourceLink(listing: Listing, group: EventGroup): PageLink {
  return linkTo(EVENT_GROUPS[group].label, historyPath(raisePath(listing), { events: group }));
}

/** Every field except the description and those that the page already shows, each once, with its note; folded. */
export function fieldSections(listing: Listing, shown: ReadonlySet<string>): Section[] {
  return Object.entries(GROUPS).flatMap(([id, { title, fields }]) => {
    const rest = Object.entries<Field>(fields).filter(([key]) => !shown.has(key));
    if (rest.length === 0) return [];
    const listed = rest.map(([key, { note }]) => ({
      ...factOf(listing, key as FieldName),
      note: note?.(listing),
    }));
    return [{ ...section(id, title, [facts("grid", listed)]), isFolded: true }];
  });
}
