/** @module The card that leads a listing's page: its state, the figures that matter, and the next step. */
import { DOLLAR, formatAmount, formatRate } from "../../market/amount.ts";
import { neverPaidOf, owedOf, owesInterestAlone } from "../../market/schedule.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import { type Closing, CREATOR_NOT_TOLD, NO_APP, TERMS_NOT_TOLD } from "../../market/sentences.ts";
import { acceptsMoney, hasFailed } from "../../market/status.ts";
import { fact, facts, links, linkTo, notice, paragraph, section } from "../blocks.ts";
import type { Block, Fact, ProgressBar, Section } from "../page.ts";
import { doneBar, doneOf, doneShare, stateOf, stateValue, timingOf } from "../standing.ts";
import { amount, coupon, date, text, textOf } from "../value.ts";
import { type FieldName, factOf } from "./fields.ts";
import { nextStep } from "./next-step.ts";

/** The large figure and the fields below it, relabelled when the state gives them another meaning. */
type Lead = {
  figure: FieldName;
  label: string;
  fields: readonly (FieldName | readonly [FieldName, string])[];
};

type StateParameters = {
  listing: Listing;
  schedule: Schedule;
  closing: Closing;
  /** time of the head, unix seconds */
  now: bigint;
  /** whether there are warnings: signing is then not the first thing to do */
  isDoubtful?: boolean;
};

export function stateSection({
  listing,
  schedule,
  closing,
  now,
  isDoubtful = false,
}: StateParameters): Section {
  const { tone } = stateOf(listing, now);
  const { figure, label, fields } = leadOf(listing);
  const next = nextStep(listing, now, closing);
  const unpaid = neverPaidOf(listing, schedule).interest;
  return {
    ...section("state", null, [
      listing.originatorOnChain ? null : notice("warning", CREATOR_NOT_TOLD.sentence),
      listing.termsFrom === "chain" ? null : notice("warning", TERMS_NOT_TOLD.sentence),
      facts("figure", [
        fact("status", "Status", stateValue(listing, now)),
        fact(figure, label, amount(listing[figure] as string, null)),
      ]),
      { kind: "progress", progress: progressOf(listing, now) },
      facts("grid", [
        ...(isOwed(listing) ? [interestOwed(listing, schedule)] : []),
        ...fields.map((field) =>
          shortened(typeof field === "string" ? factOf(listing, field) : factOf(listing, ...field), listing),
        ),
      ]),
      next.warning === null ? paragraph(next.text) : notice("warning", next.text, next.warning),
      unpaid === "0" ? null : paragraph(`Of the interest due, ${formatAmount(unpaid)} was never paid.`),
      handOff(listing, isDoubtful),
      links([next.rules]),
    ]),
    isBeside: true,
    tone,
  };
}

function progressOf(listing: Listing, now: bigint): ProgressBar {
  const done = doneOf(listing);
  const texts = [doneShare(done), text(timingOf(listing, now))].filter(({ kind }) => kind !== "none");
  return { ...doneBar(done, listing), text: texts.map(textOf).join(" · "), isQuiet: false };
}

function leadOf(listing: Listing): Lead {
  const { status, repayment, targetAmount, raisedAmount, drawnAmount, outstandingPrincipal } = listing;
  if (acceptsMoney(status)) {
    return {
      figure: "raisedAmount",
      label: `committed of a target of ${formatAmount(targetAmount)}`,
      fields: [
        ...(["couponRateBps", "tenorDays", "minRaise", "subscriberCount", "closeAt"] as const),
        ["reserveBalance", "Reserve posted"],
      ],
    };
  }
  if (hasFailed(listing)) {
    const { refundableAmount, withdrawnAmount } = listing;
    const isLeft = refundableAmount !== "0";
    const rest = [
      ...(withdrawnAmount === "0" ? [] : (["withdrawnAmount"] as const)),
      ...(["minRaise", "subscriberCount"] as const),
    ];
    if (raisedAmount === "0")
      return {
        figure: "raisedAmount",
        label: `committed of a target of ${formatAmount(targetAmount)}`,
        fields: rest,
      };
    const of = `of ${formatAmount(raisedAmount)} committed`;
    return {
      figure: isLeft ? "refundableAmount" : "returnedAmount",
      label: isLeft ? `still to be claimed ${of}` : `returned ${of}`,
      fields: [
        ["raisedAmount", "Committed at the end"],
        ...(isLeft ? (["returnedAmount"] as const) : []),
        ...rest,
      ],
    };
  }
  if (repayment === "not_drawn") {
    return {
      figure: "raisedAmount",
      label: `raised of a target of ${formatAmount(targetAmount)}`,
      fields: ["couponRateBps", "tenorDays", "subscriberCount", "reserveBalance"],
    };
  }
  if (repayment === "written_off") {
    return {
      figure: "writtenOffAmount",
      label: `of principal lost, of ${formatAmount(drawnAmount)} lent`,
      fields: ["repaidAmount", "couponRateBps", "drawnDownAt", ["maturityAt", "Was due"]],
    };
  }
  if (repayment === "repaid") {
    return {
      figure: "drawnAmount",
      label: `lent, principal repaid in full, in ${DOLLAR}`,
      fields: ["repaidAmount", "couponRateBps", "drawnDownAt", ["maturityAt", "Was due"]],
    };
  }
  const isAnyOwed = outstandingPrincipal !== "0" || owesInterestAlone(listing);
  return {
    figure: "outstandingPrincipal",
    label: `of principal still owed, of ${formatAmount(drawnAmount)} lent`,
    fields: [
      "reserveBalance",
      ["maturityAt", repayment === "current" && isAnyOwed ? "Next due" : "Was due"],
      "couponRateBps",
    ],
  };
}

/** A fact with as few words as the box has room for. */
function shortened(given: Fact, listing: Listing): Fact {
  const { key, value } = given;
  if (key === "couponRateBps") return { ...given, value: coupon(listing, { isShort: true }) };
  if (key === "reserveBalance" && listing.acceptsMoney)
    return { ...given, note: `${formatRate(listing.insuranceBps)} of the target is required.` };
  return value.kind === "time" ? { ...given, value: date(value.iso) } : given;
}

/** Whether the box is about a debt. */
function isOwed({ status, repayment }: Listing): boolean {
  return status === "live" && repayment !== "not_drawn";
}

function interestOwed(listing: Listing, schedule: Schedule): Fact {
  const { interest } = owedOf(listing, schedule);
  return fact("owed.interest", "Interest still owed", amount(interest, null));
}

export function fieldsInState(listing: Listing): ReadonlySet<FieldName> {
  const { figure, fields } = leadOf(listing);
  return new Set<FieldName>([
    "status",
    figure,
    ...fields.map((field) => (typeof field === "string" ? field : field[0])),
  ]);
}

const ONLY_READS = "This site only reads: it cannot move money.";
const PERSON_SIGNS = `In the app, a person signs with their own wallet. ${ONLY_READS}`;

function handOff({ acceptsMoney, refundableAmount, appUrl }: Listing, isSecondary: boolean): Block | null {
  if (!acceptsMoney && refundableAmount === "0") return null;
  if (appUrl === null) return acceptsMoney ? paragraph(`${NO_APP} ${ONLY_READS}`) : null;
  return acceptsMoney
    ? { kind: "action", link: linkTo("Subscribe in the app", appUrl, PERSON_SIGNS), isSecondary }
    : { kind: "action", link: linkTo("Claim a refund in the app", appUrl, PERSON_SIGNS) };
}
