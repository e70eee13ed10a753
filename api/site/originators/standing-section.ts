/**
 * Where a business stands: grade and reason, what it owes by how late it is, and what it has raised, repaid and lost.
 * @module
 */
import { formatAmount } from "../../market/amount.ts";
import type { Originator } from "../../market/schema.ts";
import { fact, facts, section } from "../blocks.ts";
import { gradeReason } from "../grade.ts";
import type { Block, Section, Shares } from "../page.ts";
import { amount, grade, text, word } from "../value.ts";
import { type BusinessRecord, OVERDUE, stagesText, toneOf } from "./record.ts";

export function standingSection(originator: Originator, record: BusinessRecord): Section {
  const { ratingGrade, listings } = originator;
  const { raised, repaid, owed, lost } = record;
  const lostValue =
    lost === 0n ? amount("0", null) : word(formatAmount(lost, { unit: null }), `${lost}`, "bad");
  return {
    ...section("standing", "Standing", [
      facts("figure", [fact("ratingGrade", "Grade", grade(ratingGrade), gradeReason(originator))]),
      owed === 0n ? facts("grid", [owedFact(record)]) : sharesOf(record),
      facts("grid", [
        fact("raised", "Raised", amount(`${raised}`, null)),
        fact("repaid", "Repaid", amount(`${repaid}`, null), "With interest."),
        fact("lost", "Lost", lostValue, "Written off."),
        fact("stages", listings.length === 1 ? "Raise" : "Raises", text(stagesText(listings))),
      ]),
    ]),
    isBeside: true,
    tone: toneOf(record),
  };
}

function owedFact({ owed }: BusinessRecord) {
  return fact("outstanding", "Owed now", amount(`${owed}`));
}

/** States in which nothing is owed are left out. */
function sharesOf(record: BusinessRecord): Block {
  const states = [{ state: "current", label: "on time", tone: "good" } as const, ...OVERDUE];
  const parts: Shares["parts"] = states.flatMap(({ state, label, tone }) => {
    const weight = `${record.owedIn[state]}`;
    if (weight === "0") return [];
    const name = `${label[0]?.toUpperCase()}${label.slice(1)}`;
    return [
      { fact: fact(`owed.${state}`, name, amount(weight, null)), weight, tone, isSoft: state === "grace" },
    ];
  });
  return { kind: "shares", shares: { label: "Owed", whole: owedFact(record), parts } };
}
