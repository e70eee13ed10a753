/** @module The next step of a raise in words, by the rules of its contracts as far as they are known. market.md, "Status". */

import { counted, countedDays } from "../../../config/format/counted.ts";
import { formatAmount } from "../../market/amount.ts";
import { daysOverdue, isPastDue, owesInterestAlone } from "../../market/schedule.ts";
import type { Listing } from "../../market/schema.ts";
import { awaitsClose, type Closing, keepsRefunds, refundSentence } from "../../market/sentences.ts";
import { linkTo } from "../blocks.ts";
import type { PageLink } from "../page.ts";
import { formatDate, formatTime } from "../times.ts";

export type NextStep = {
  text: string;
  /** the first word of a warning; null without a warning */
  warning: string | null;
  rules: PageLink;
};

const RULES = {
  close: linkTo("What happens when it closes?", "/knowledge/how-raises-work#when-does-a-raise-close"),
  drawdown: linkTo("What happens after the close?", "/knowledge/how-raises-work#drawdown-maturity-and-fee"),
  repayment: linkTo("How is a raise repaid?", "/knowledge/how-raises-work#repayment-and-payouts"),
  overdue: linkTo("What happens when a raise is late?", "/knowledge/statuses#is-it-late-or-in-default"),
  reserve: linkTo(
    "What does the reserve cover?",
    "/knowledge/refunds-and-reserve#what-does-the-reserve-cover-and-in-which-order",
  ),
  refund: linkTo("How do I get a refund?", "/knowledge/refunds-and-reserve#how-do-i-get-a-refund"),
  calledOff: linkTo(
    "What do cancelled and voided mean?",
    "/knowledge/refunds-and-reserve#cancelled-or-voided-what-is-the-difference",
  ),
} as const satisfies Record<string, PageLink>;

/** The next step, from the listing's status and repayment. @param now unix seconds of the head */
export function nextStep(listing: Listing, now: bigint, closing: Closing): NextStep {
  const next = byStatus(listing, now, closing);
  // The reference escrow allows drawdowns of live raises only; with another, a failed or open raise may have been
  // drawn.
  if (listing.status === "live" || listing.status === "matured" || listing.repayment === "not_drawn") {
    return next;
  }
  return {
    ...next,
    warning: "Warning:",
    text: `${next.text} Even so, money was drawn from it: ${loanOf(listing, now, closing).text}`,
  };
}

function byStatus(listing: Listing, now: bigint, closing: Closing): NextStep {
  switch (listing.status) {
    case "listed":
      return calm(`Nobody has subscribed yet. ${openWords(listing, closing)}`, RULES.close);
    case "funding":
      return calm(openWords(listing, closing), RULES.close);
    case "live":
      return loanOf(listing, now, closing);
    case "matured":
      return endOf(listing);
    case "refunding":
      return failureOf(listing, closing);
    case "voided":
      return calm(
        `The raise was voided after it closed. ${refundSentence(listing, closing)}`,
        RULES.calledOff,
      );
    case "cancelled":
      return calm(`The raise was called off. ${refundSentence(listing, closing)}`, RULES.calledOff);
  }
}

function openWords(listing: Listing, { contracts }: Closing): string {
  const { closeAt, minRaise } = listing;
  const until = [
    ...(closeAt === null ? [] : [`until ${formatTime(closeAt)}`]),
    ...(closesAtTarget(listing, contracts) ? ["until the target is reached"] : []),
  ];
  const closer = closerOf(contracts);
  const early = closer === null ? "" : ` (${closer} may close it earlier)`;
  const open =
    until.length > 0
      ? `Open ${until.join(" or ")}${early}.`
      : closer === null
        ? "Open without a closing time."
        : `Open until ${closer} closes it.`;
  // Without any commitment a raise never succeeds, however low its minimum.
  const least = BigInt(minRaise) > 0n ? `at least ${formatAmount(minRaise)}` : "any money";
  return `${open} If ${least} is committed, it goes ahead; if not, everyone is refunded.`;
}

function closesAtTarget({ pricingMode }: Listing, { isModule, lifecycle }: Closing["contracts"]): boolean {
  return isModule ? lifecycle.closesAtTarget : pricingMode === "fixed";
}

/** The party that can close a raise early; null where no event says that one is closed. */
function closerOf({ isModule, lifecycle }: Closing["contracts"]): string | null {
  if (lifecycle.derivesClose) return null;
  return isModule ? "its contract" : "the operator";
}

function loanOf(listing: Listing, now: bigint, closing: Closing): NextStep {
  const { repayment, outstandingPrincipal, maturityAt, tenorDays, insuranceBps } = listing;
  if (repayment === "not_drawn") {
    const anyoneCloses = awaitsClose(closing) && !closing.contracts.isModule;
    const needs = [
      ...(awaitsClose(closing) ? [anyoneCloses ? "that is done" : "its close is recorded"] : []),
      ...(insuranceBps === 0 ? [] : ["its reserve is posted"]),
    ];
    const draws =
      needs.length === 0
        ? "The business can draw the money now"
        : `Once ${needs.join(" and ")} the business can draw the money`;
    const sentences = [
      `${closing.isCloseRecorded ? "The raise closed" : "Its closing time came"} with its minimum met.`,
      ...(anyoneCloses ? ["Anyone can now record the close."] : []),
      `${draws}, and then the term of ${counted(tenorDays, "days")} begins.`,
    ];
    return calm(sentences.join(" "), RULES.drawdown);
  }
  // Until settlement, lateness is a matter of time alone.
  const due = maturityAt === null ? "at maturity" : `on ${formatDate(maturityAt)}`;
  if (outstandingPrincipal === "0") {
    const interest = `interest still is, ${isPastDue(listing) ? "and was due" : "due"} ${due}`;
    const rest = owesInterestAlone(listing) ? `, but ${interest}. The` : "; the";
    return calm(`No principal is owed any more${rest} raise ends when it is settled.`, RULES.repayment);
  }
  const owed = formatAmount(outstandingPrincipal);
  const days = daysOverdue(listing, now);
  if (days === null) {
    return calm(`The business still owes ${owed} in principal, due with interest ${due}.`, RULES.repayment);
  }
  return {
    text: `Payment was due ${countedDays(days)} ago, and ${owed} of principal is still owed. ${coverOf(listing)} ${OVERDUE_NEXT[repayment] ?? ""}`.trim(),
    warning: repayment === "default" ? "In default:" : "Overdue:",
    rules: RULES.overdue,
  };
}

/** The consequence of each state of an overdue loan. Days after maturity; market.md, "Repayment". */
const OVERDUE_NEXT: Partial<Record<Listing["repayment"], string>> = {
  grace: "After 7 days it counts as late.",
  late: "After 90 days it counts as a default.",
  default: "Anything not covered by the business or the reserve is written off at settlement.",
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

function failureOf(listing: Listing, closing: Closing): NextStep {
  const { raisedAmount } = listing;
  const closed = keepsRefunds(listing, closing) ? "Its closing time came" : "The raise closed";
  if (raisedAmount === "0") {
    return calm(
      `${closed} with nothing committed, so there is no money to lend. ${refundSentence(listing, closing)}`,
      RULES.close,
    );
  }
  return calm(`${closed} below its minimum. ${refundSentence(listing, closing)}`, RULES.refund);
}

function calm(text: string, rules: PageLink): NextStep {
  return { text, warning: null, rules };
}
