/**
 * What happens next with a raise, in words, for every status and repayment state. The rules are those of the reference
 * escrow; market.md, "Status".
 * @module
 */
import { formatAmount } from "../../market/amount.ts";
import type { Listing } from "../../market/schema.ts";
import { refundSentence } from "../../market/sentences.ts";
import { linkTo } from "../blocks.ts";
import type { PageLink } from "../page.ts";
import { formatTime } from "../times.ts";
import { counted } from "../value.ts";

export type NextStep = {
  text: string;
  /** whether backers should be warned */
  isWarning: boolean;
  /** the page that explains the rules */
  rules: PageLink;
};

const RULES = {
  close: linkTo("When a raise closes", "/knowledge/how-raises-work#when-does-a-raise-close"),
  drawdown: linkTo("Drawdown and maturity", "/knowledge/how-raises-work#drawdown-maturity-and-fee"),
  repayment: linkTo("Repayment and payouts", "/knowledge/how-raises-work#repayment-and-payouts"),
  overdue: linkTo("Late and default", "/knowledge/statuses#is-it-late-or-in-default"),
  reserve: linkTo(
    "What the reserve covers",
    "/knowledge/refunds-and-reserve#what-does-the-reserve-cover-and-in-which-order",
  ),
  refund: linkTo("How to get a refund", "/knowledge/refunds-and-reserve#how-do-i-get-a-refund"),
  calledOff: linkTo(
    "Cancelled and voided raises",
    "/knowledge/refunds-and-reserve#cancelled-or-voided-what-is-the-difference",
  ),
} as const satisfies Record<string, PageLink>;

/** What happens next, from the listing's status and repayment. */
export function nextStep(listing: Listing): NextStep {
  const next = byStatus(listing);
  // The reference escrow allows drawdowns of live raises only; with another, a failed or open raise may have been
  // drawn.
  if (listing.status === "live" || listing.status === "matured" || listing.repayment === "not_drawn") {
    return next;
  }
  return {
    ...next,
    isWarning: true,
    text: `${next.text} Even so, money was drawn from it: ${loanOf(listing).text}`,
  };
}

function byStatus(listing: Listing): NextStep {
  switch (listing.status) {
    case "listed":
      return calm(`Nobody has subscribed yet. ${openWords(listing)}`, RULES.close);
    case "funding":
      return calm(openWords(listing), RULES.close);
    case "live":
      return loanOf(listing);
    case "matured":
      return endOf(listing);
    case "refunding":
      return failureOf(listing);
    case "voided":
      return calm(`The raise was undone after its close. ${refundSentence(listing)}`, RULES.calledOff);
    case "cancelled":
      return calm(`The raise was called off. ${refundSentence(listing)}`, RULES.calledOff);
  }
}

function openWords({ closeAt, pricingMode, minRaise }: Listing): string {
  const early =
    pricingMode === "fixed"
      ? "the target is reached or the operator closes the raise"
      : "the operator closes the raise";
  const end = closeAt === null ? early : `${formatTime(closeAt)}, or earlier if ${early}`;
  // Without any commitment a raise never succeeds, however low its minimum.
  const least = BigInt(minRaise) > 0n ? `at least ${formatAmount(minRaise)}` : "any money";
  return `Backers can subscribe until ${end}. With ${least} committed by then the raise succeeds; otherwise the money goes back to the backers.`;
}

function loanOf({ repayment, outstandingPrincipal, maturityAt, tenorDays }: Listing): NextStep {
  if (repayment === "not_drawn") {
    return calm(
      `The raise closed with its minimum met. Once its reserve is posted the business can draw the money, and the term of ${counted(tenorDays, "days")} begins.`,
      RULES.drawdown,
    );
  }
  // Until settlement, lateness is a matter of time alone.
  if (outstandingPrincipal === "0") {
    return calm("No principal is outstanding any more; the raise ends when it is settled.", RULES.repayment);
  }
  const owed = formatAmount(outstandingPrincipal);
  const due = maturityAt === null ? "at maturity" : `on ${formatTime(maturityAt)}`;
  switch (repayment) {
    case "grace":
      return {
        text: `Principal and interest were due ${due}, and ${owed} of principal is still owed; up to 7 days after maturity this counts as grace.`,
        isWarning: true,
        rules: RULES.overdue,
      };
    case "late":
      return {
        text: `Principal and interest were due ${due}, more than 7 days ago, and ${owed} of principal is still owed; after 90 days this counts as a default.`,
        isWarning: true,
        rules: RULES.overdue,
      };
    case "default":
      return {
        text: `Principal and interest were due ${due}, more than 90 days ago, and ${owed} of principal is still owed; what the business and the reserve do not pay is written off at settlement.`,
        isWarning: true,
        rules: RULES.overdue,
      };
    default:
      return calm(
        `The business has drawn the money and owes ${owed} of principal; principal and interest are due ${due}.`,
        RULES.repayment,
      );
  }
}

function endOf({ repayment, outcome, repaidAmount }: Listing): NextStep {
  const paid = `${formatAmount(repaidAmount)} of principal and interest were repaid`;
  if (repayment === "written_off") {
    return {
      text: `The raise ended with a loss: ${paid}, and the unpaid principal was written off.`,
      isWarning: true,
      rules: RULES.reserve,
    };
  }
  const source = outcome === "repaid_with_reserve" ? ", partly from the reserve" : "";
  return calm(`The raise ended without a loss of principal: ${paid}${source}.`, RULES.repayment);
}

function failureOf(listing: Listing): NextStep {
  if (listing.raisedAmount === "0") {
    return calm(
      `The raise closed with nothing committed, so there is no money to lend. ${refundSentence(listing)}`,
      RULES.close,
    );
  }
  return calm(`The raise closed below its minimum. ${refundSentence(listing)}`, RULES.refund);
}

function calm(text: string, rules: PageLink): NextStep {
  return { text, isWarning: false, rules };
}
