/** The next step of a raise in words, by the rules of the reference escrow. market.md, "Status". @module */
import { formatAmount } from "../../market/amount.ts";
import { daysOverdue } from "../../market/schedule.ts";
import type { Listing } from "../../market/schema.ts";
import { refundSentence } from "../../market/sentences.ts";
import { linkTo } from "../blocks.ts";
import type { PageLink } from "../page.ts";
import { formatTime } from "../times.ts";
import { counted } from "../value.ts";

export type NextStep = {
  text: string;
  /** the first word of a warning; null without a warning */
  warning: string | null;
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

/** The next step, from the listing's status and repayment. @param now unix seconds of the head */
export function nextStep(listing: Listing, now: bigint): NextStep {
  const next = byStatus(listing, now);
  // The reference escrow allows drawdowns of live raises only; with another, a failed or open raise may have been
  // drawn.
  if (listing.status === "live" || listing.status === "matured" || listing.repayment === "not_drawn") {
    return next;
  }
  return {
    ...next,
    warning: "Warning:",
    text: `${next.text} Even so, money was drawn from it: ${loanOf(listing, now).text}`,
  };
}

function byStatus(listing: Listing, now: bigint): NextStep {
  switch (listing.status) {
    case "listed":
      return calm(`Nobody has subscribed yet. ${openWords(listing)}`, RULES.close);
    case "funding":
      return calm(openWords(listing), RULES.close);
    case "live":
      return loanOf(listing, now);
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

function loanOf(listing: Listing, now: bigint): NextStep {
  const { repayment, outstandingPrincipal, maturityAt, tenorDays } = listing;
  if (repayment === "not_drawn") {
    return calm(
      `The raise closed with its minimum met. Once its reserve is posted the business can draw the money, and the term of ${counted(tenorDays, "days")} begins.`,
      RULES.drawdown,
    );
  }
  // Until settlement, lateness is a matter of time alone.
  if (outstandingPrincipal === "0") {
    return calm("No principal is owed any more; the raise ends when it is settled.", RULES.repayment);
  }
  const owed = formatAmount(outstandingPrincipal);
  const days = daysOverdue(listing, now);
  if (days === null) {
    const due = maturityAt === null ? "at maturity" : `on ${formatTime(maturityAt)}`;
    return calm(`The business owes ${owed} of principal; it is due with interest ${due}.`, RULES.repayment);
  }
  const late = days === 0 ? "Payment was due today" : `Payment was due ${counted(days, "days")} ago`;
  return {
    text: `${late}, and ${owed} of principal is still owed. ${coverOf(listing)} ${OVERDUE_NEXT[repayment] ?? ""}`.trim(),
    warning: repayment === "default" ? "In default:" : "Overdue:",
    rules: RULES.overdue,
  };
}

/** The consequence of each state of an overdue loan. Days after maturity; market.md, "Repayment". */
const OVERDUE_NEXT: Partial<Record<Listing["repayment"], string>> = {
  grace: "From 7 days on it counts as late.",
  late: "From 90 days on it counts as a default.",
  default: "What neither the business nor the reserve pays is written off when the raise is settled.",
};

function coverOf({ reserveBalance, outstandingPrincipal }: Listing): string {
  const [held, owed] = [BigInt(reserveBalance), BigInt(outstandingPrincipal)];
  if (held === 0n) return "No reserve is held to cover it.";
  if (held >= owed) return "The reserve covers all of it.";
  return `The reserve covers ${formatAmount(held)} of it.`;
}

function endOf({ repayment, outcome, repaidAmount, writtenOffAmount }: Listing): NextStep {
  const paid = `${formatAmount(repaidAmount)} of principal and interest were repaid`;
  if (repayment === "written_off") {
    return {
      text: `${paid}; ${formatAmount(writtenOffAmount)} of principal was never paid and is written off.`,
      warning: "Loss:",
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
  return { text, warning: null, rules };
}
