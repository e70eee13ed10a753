/**
 * The first section of a listing's page: where the raise stands, and what happens next.
 * @module
 */
import { formatAmount } from "../../market/amount.ts";
import type { Listing } from "../../market/schema.ts";
import { NO_APP } from "../../market/sentences.ts";
import { fact, facts, links, linkTo, notice, paragraph, section } from "../blocks.ts";
import type { Block, Fact, PageLink, Section } from "../page.ts";
import { timeUntil } from "../times.ts";
import { text } from "../value.ts";
import { factOf } from "./fields.ts";
import { nextStep } from "./next-step.ts";

/** @param now time of the head, unix seconds */
export function summarySection(listing: Listing, now: bigint): Section {
  const { originatorVerified, raisedAmount, targetAmount, minRaise } = listing;
  const [raised, target, minimum] = [raisedAmount, targetAmount, minRaise].map((one) => formatAmount(one));
  const next = nextStep(listing);
  return section("top", null, [
    originatorVerified
      ? null
      : notice(
          "warning",
          "This raise was not created by a published address of the business that it is shown under. Ask the business before you trust it.",
        ),
    facts("headline", headline(listing, now)),
    {
      kind: "progress",
      progress: {
        label: "Progress",
        value: raisedAmount,
        max: targetAmount,
        marks: [
          { label: "Minimum", at: minRaise },
          { label: "Target", at: targetAmount },
        ],
        text: `${raised} committed of a target of ${target}. The minimum is ${minimum}.`,
      },
    },
    next.isWarning ? notice("warning", next.text) : paragraph(next.text),
    handOff(listing),
    links([next.rules, ...refundLink(listing)]),
  ]);
}

function headline(listing: Listing, now: bigint): Fact[] {
  const fields = ["raisedAmount", "targetAmount", "couponRateBps", "tenorDays", "reserveBalance"] as const;
  return [...fields.map((field) => factOf(listing, field)), ...timeLeft(listing, now)];
}

/** Time until the close while the raise is open, until maturity while the loan runs. */
function timeLeft({ acceptsMoney, closeAt, status, repayment, maturityAt }: Listing, now: bigint): Fact[] {
  if (acceptsMoney) {
    const left = closeAt === null ? "No closing time" : timeUntil(closeAt, now);
    return left === null ? [] : [fact("timeLeft", "Time left", text(left))];
  }
  const left =
    status === "live" && repayment === "current" && maturityAt !== null ? timeUntil(maturityAt, now) : null;
  return left === null ? [] : [fact("timeToMaturity", "Until maturity", text(left))];
}

const ONLY_READS = "This site only reads: it cannot move money.";
const PERSON_SIGNS = `In the app, a person signs with their own wallet. ${ONLY_READS}`;

function handOff({ acceptsMoney, appUrl }: Listing): Block | null {
  if (!acceptsMoney) return null;
  if (appUrl === null) return paragraph(`${NO_APP} ${ONLY_READS}`);
  return { kind: "action", link: linkTo("Subscribe in the app", appUrl, PERSON_SIGNS) };
}

function refundLink({ refundableAmount, appUrl }: Listing): PageLink[] {
  if (refundableAmount === "0" || appUrl === null) return [];
  return [linkTo("Claim a refund in the app", appUrl, PERSON_SIGNS)];
}
