/**
 * The standing of a business: grade and reason, debt by lateness, and amounts raised, repaid and lost.
 * @module
 */
import { DOLLAR, formatAmount } from "../../market/amount.ts";
import { type Originator, OWED_REPAYMENTS } from "../../market/schema.ts";
import { totalsOf } from "../../market/stats.ts";
import { fact, facts, section } from "../blocks.ts";
import { gradeReason } from "../grade.ts";
import type { Block, Section } from "../page.ts";
import { OWED_LOOKS } from "../standing.ts";
import { amount, counted, grade, repaymentWord, text, word } from "../value.ts";
import { type BusinessRecord, stagesText, toneOf } from "./record.ts";

export function standingSection(originator: Originator): Section {
  const { ratingGrade, listings } = originator;
  const record = totalsOf(listings);
  const { raised, repaid, outstanding, writtenOff } = record;
  const lost =
    writtenOff === "0"
      ? amount(writtenOff, null)
      : word(formatAmount(writtenOff, { unit: null }), writtenOff, "bad");
  return {
    ...section("standing", "Standing", [
      facts("figure", [fact("ratingGrade", "Grade", grade(ratingGrade), gradeReason(originator))]),
      outstanding === "0" ? facts("grid", [owedFact(record)]) : owedByState(record),
      facts("grid", [
        fact("raised", "Raised", amount(raised, null)),
        fact("repaid", "Repaid with interest", amount(repaid, null)),
        fact("writtenOff", "Lost by backers", lost),
        fact("stages", listings.length === 1 ? "Raise" : "Raises", text(stagesText(listings))),
      ]),
    ]),
    isBeside: true,
    tone: toneOf(record),
  };
}

/** With the currency of all figures. */
function owedFact({ outstanding }: BusinessRecord) {
  return fact("outstanding", `Owed now, in ${DOLLAR}`, amount(outstanding, null));
}

/** States in which nothing is owed are left out. */
function owedByState(record: BusinessRecord): Block {
  const parts = OWED_REPAYMENTS.flatMap((state) => {
    const weight = record.outstandingByRepayment[state].amount;
    return weight === "0"
      ? []
      : [
          {
            fact: fact(`owed.${state}`, repaymentWord(state), amount(weight, null)),
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
