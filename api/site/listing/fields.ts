/**
 * Every field of a listing as a fact: its label, and what a newcomer needs to know about it.
 * @module
 */

import type { Listing } from "../../market/schema.ts";
import { NO_APP } from "../../market/sentences.ts";
import { hasFailed } from "../../market/status.ts";
import { fact, facts, section } from "../blocks.ts";
import type { Fact, Section } from "../page.ts";
import { businessPath } from "../paths.ts";
import {
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

type Field = {
  label: string;
  value(listing: Listing): Value;
  note?(listing: Listing): string | undefined;
};

/** Without the description, which has a section of its own. */
type FieldName = Exclude<keyof Listing, "description">;

const OUTCOME_NOTES: Record<NonNullable<Listing["outcome"]>, string> = {
  repaid: "The contract settled the raise as repaid by the business.",
  repaid_with_reserve: "The contract settled the raise as repaid, partly from the reserve.",
  defaulted: "The contract settled the raise as defaulted.",
  unknown: "The contract settled the raise with an outcome that its interface does not define.",
};

const GROUPS = {
  money: {
    title: "Money",
    fields: {
      targetAmount: { label: "Target", value: (one) => amount(one.targetAmount) },
      minRaise: {
        label: "Minimum",
        value: (one) => amount(one.minRaise),
        note: () => "With less than this at the close, the raise fails and all backers get their money back.",
      },
      raisedAmount: {
        label: "Committed",
        value: (one) => amount(one.raisedAmount),
        note: () => "Fixed at the close, even if the money is refunded later.",
      },
      subscriberCount: { label: "Backers", value: (one) => count(one.subscriberCount) },
      refundedAmount: {
        label: "Refunded",
        value: (one) => amount(one.refundedAmount),
        note: () => "All refunds, for any reason.",
      },
      refundableAmount: {
        label: "Refunds not yet claimed",
        value: (one) => amount(one.refundableAmount),
        note: (one) =>
          hasFailed(one) ? "What backers can still claim of their commitments." : "The raise has not failed.",
      },
      repaidAmount: {
        label: "Repaid",
        value: (one) => amount(one.repaidAmount),
        note: () => "Principal and interest.",
      },
      outstandingPrincipal: {
        label: "Outstanding",
        value: (one) => amount(one.outstandingPrincipal),
        note: () => "Principal drawn and not yet repaid: zero before the drawdown and after settlement.",
      },
      reserveBalance: {
        label: "Reserve held",
        value: (one) => amount(one.reserveBalance),
        note: () => "What the escrow actually holds to cover unpaid principal of this raise.",
      },
    },
  },
  terms: {
    title: "Terms",
    fields: {
      couponRateBps: {
        label: "Coupon a year",
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
            : "The coupon is fixed, and every backer earns it.",
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
    title: "State and times",
    fields: {
      status: { label: "Status", value: (one) => status(one.status) },
      statusSince: { label: "In this status since", value: (one) => time(one.statusSince) },
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
        label: "Maturity",
        value: (one) => time(one.maturityAt),
        note: (one) => {
          if (one.maturityAt !== null) return undefined;
          return hasFailed(one) ? "None without a drawdown." : "Known once the money is drawn.";
        },
      },
    },
  },
  identity: {
    title: "Identity and contracts",
    fields: {
      title: { label: "Title", value: (one) => text(one.title) },
      publicId: { label: "Public id", value: (one) => code(one.publicId) },
      refnum: {
        label: "Reference number",
        value: (one) => code(one.refnum),
        note: () => "Also the symbol of the raise's token.",
      },
      originator: {
        label: "Id of the business",
        value: (one) => link(one.originator, businessPath({ publicId: one.originator })),
      },
      originatorVerified: {
        label: "Created by the business",
        value: (one) => yesOrNo(one.originatorVerified),
        note: () => "Whether a published address of the business created this raise on the chain.",
      },
      metadataVerified: {
        label: "Title and description match the chain",
        value: (one) => yesOrNo(one.metadataVerified),
        note: () => "Whether they match the hash on the chain.",
      },
      chainId: { label: "Chain", value: (one) => code(String(one.chainId)) },
      escrowAddress: {
        label: "Escrow contract",
        value: (one) => code(one.escrowAddress),
        note: () => "Holds the backers' money.",
      },
      onchainId: {
        label: "Id in the escrow",
        value: (one) => code(one.onchainId),
        note: () => "Unique only together with the escrow contract.",
      },
      tokenAddress: {
        label: "Token contract",
        value: (one) => code(one.tokenAddress),
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

/** A field of a listing, without its note. */
export function factOf(listing: Listing, key: FieldName): Fact {
  const { label, value } = FIELDS[key];
  return fact(key, label, value(listing));
}

/** Every field except the description, each once, with its note. */
export function fieldSections(listing: Listing): Section[] {
  return Object.entries(GROUPS).map(([id, { title, fields }]) =>
    section(id, title, [
      facts(
        "grid",
        Object.entries<Field>(fields).map(([key, { label, value, note }]) =>
          fact(key, label, value(listing), note?.(listing)),
        ),
      ),
    ]),
  );
}
