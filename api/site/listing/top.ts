/**
 * The first part of a listing's page: where the raise stands and what happens next.
 * @module
 */
import { formatAmount } from "../../market/amount.ts";
import type { Listing } from "../../market/schema.ts";
import { NO_APP } from "../../market/sentences.ts";
import { timeUntil } from "../moment.ts";
import type { Block, Fact, PageLink, Section } from "../page.ts";
import { text } from "../value.ts";
import { factOf } from "./fields.ts";
import { nextOf } from "./next.ts";

/** @param now unix seconds, the head's time */
export function topSection(listing: Listing, now: bigint): Section {
  const { originatorVerified } = listing;
  const next = nextOf(listing);
  const blocks: Block[] = [
    ...(originatorVerified ? [] : [NOT_VERIFIED]),
    { kind: "facts", look: "headline", facts: headline(listing, now) },
    { kind: "progress", progress: progressOf(listing) },
    next.isWarning
      ? { kind: "notice", tone: "warning", text: next.text }
      : { kind: "paragraph", text: next.text },
    ...handOff(listing),
    { kind: "links", links: [next.rules, ...refundLink(listing)] },
  ];
  return { id: "top", title: null, blocks };
}

const NOT_VERIFIED: Block = {
  kind: "notice",
  tone: "warning",
  text: "This raise was not created by a published address of the business that it is shown under. Ask the business before you trust it.",
};

function headline(listing: Listing, now: bigint): Fact[] {
  const fields = ["raisedAmount", "targetAmount", "couponRateBps", "tenorDays", "reserveBalance"] as const;
  return [...fields.map((field) => factOf(listing, field)), ...timeLeft(listing, now)];
}

/** Until the close while the raise is open, until maturity while the loan runs. */
function timeLeft({ acceptsMoney, closeAt, status, repayment, maturityAt }: Listing, now: bigint): Fact[] {
  if (acceptsMoney) {
    const left = closeAt === null ? "No closing time" : timeUntil(closeAt, now);
    return left === null ? [] : [{ key: "timeLeft", label: "Time left", value: text(left) }];
  }
  const left =
    status === "live" && repayment === "current" && maturityAt !== null ? timeUntil(maturityAt, now) : null;
  return left === null ? [] : [{ key: "timeToMaturity", label: "Until maturity", value: text(left) }];
}

function progressOf({
  raisedAmount,
  targetAmount,
  minRaise,
}: Listing): Extract<Block, { kind: "progress" }>["progress"] {
  const [raised, target, minimum] = [raisedAmount, targetAmount, minRaise].map((one) => formatAmount(one));
  return {
    label: "Progress",
    value: raisedAmount,
    max: targetAmount,
    marks: [
      { label: "Minimum", at: minRaise },
      { label: "Target", at: targetAmount },
    ],
    text: `${raised} committed of a target of ${target}. The minimum is ${minimum}.`,
  };
}

const ONLY_READS = "This site only reads: it cannot move money.";
const PERSON_SIGNS = `There a person signs with their own wallet. ${ONLY_READS}`;

function handOff({ acceptsMoney, appUrl }: Listing): Block[] {
  if (!acceptsMoney) return [];
  if (appUrl === null) return [{ kind: "paragraph", text: `${NO_APP} ${ONLY_READS}` }];
  return [{ kind: "action", link: { text: "Subscribe in the app", href: appUrl, note: PERSON_SIGNS } }];
}

function refundLink({ refundableAmount, appUrl }: Listing): PageLink[] {
  if (refundableAmount === "0" || appUrl === null) return [];
  return [{ text: "Claim a refund in the app", href: appUrl, note: PERSON_SIGNS }];
}
