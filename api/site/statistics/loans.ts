/** @module The outcomes of loans: by when they were made, by grade, and by business and country. */
import { DOLLAR, shareBps } from "../../market/amount.ts";
import { GRADES } from "../../market/schema.ts";
import type { Cohort } from "../../market/series-schema.ts";
import { links, linkTo, paragraph, section, tableOf } from "../blocks.ts";
import { type Curve, curvesByMonth, MOST_CURVES } from "../charts/curves-by-month.tsx";
import type { Block, Section } from "../page.ts";
import { businessLink, SITE_PATHS } from "../paths.ts";
import {
  amount,
  capitalised,
  count,
  country,
  grade,
  NONE,
  rate,
  text,
  textOf,
  type Value,
} from "../value.ts";
import { type Columns, dataLinks, type View, vintageOf } from "./view.ts";

const FIGURES: Columns<Cohort> = [
  ["loans", "Loans", ({ loans }) => count(loans), "end"],
  ["lent", "Lent", ({ lent }) => amount(lent, null), "end"],
  ["repaidPrincipal", "Principal repaid", (cohort) => amount(cohort.repaidPrincipal, null), "end"],
  ["repaidInterest", "Interest", (cohort) => amount(cohort.repaidInterest, null), "end"],
  ["writtenOff", "Written off", (cohort) => amount(cohort.writtenOff, null), "end"],
  ["outstandingInDefault", "In default", (cohort) => amount(cohort.outstandingInDefault, null), "end"],
  ["defaultedBps", "Lost or in default", (cohort) => rate(cohort.defaultedBps), "end"],
  ["expectedReturnBps", "Expected a year", (cohort) => rate(cohort.expectedReturnBps), "end"],
  ["realisedReturnBps", "Earned a year", (cohort) => rate(cohort.realisedReturnBps), "end"],
];

const HOW_RETURNS =
  "The yearly return counts loans that have ended and is money-weighted: the rate at which the payments are worth what was lent. Expected is the same rate if every loan had been paid in full on its due date.";

/** Loans of the same time, and the curves of what they repaid. */
export function vintagesSection(view: View): Section {
  const by = vintageOf(view.by);
  const cohorts = view.cohorts.get(by) ?? [];
  const shown = cohorts.slice(-MOST_CURVES);
  const curves = shown.map(
    ({ cohort, loans, curve }): Curve => ({
      name: cohort,
      // As long as all its loans have come: with fewer of them a curve would jump.
      shares: curve
        .filter((point) => point.loans === loans)
        .map(({ repaidPrincipal, lent }) => shareBps(BigInt(repaidPrincipal), BigInt(lent))),
    }),
  );
  const length = Math.max(0, ...curves.map(({ shares }) => shares.length));
  const title = `Repaid by ${by} of the drawdown`;
  const chart = curvesByMonth({
    id: "curves",
    title,
    description: `The share of principal repaid, by months since the drawdown, of the loans of each ${by}: ${curves
      .map(({ name, shares }) => `${name} ${textOf(rate(shares.at(-1) ?? null))}`)
      .join(", ")}.`,
    curves,
  });
  const byMonths = tableOf({
    caption: "Share of the principal repaid by months since the drawdown",
    items: Array.from({ length }, (_, month) => month),
    keyOf: (month) => `month-${month}`,
    columns: [
      ["month", "Month", (month) => count(month)],
      ...curves.map(
        ({ name, shares }) => [name, name, (month: number) => rate(shares[month] ?? null), "end"] as const,
      ),
    ],
    empty: "Nothing was lent yet.",
  });
  const table = tableOf({
    caption: `Loans by the ${by} of their drawdown, the latest first; amounts in ${DOLLAR}`,
    items: cohorts.toReversed(),
    keyOf: ({ cohort }) => cohort,
    columns: [["cohort", by === "year" ? "Year" : "Quarter", ({ cohort }) => text(cohort)], ...FIGURES],
    empty: "Nothing was lent yet.",
  });
  return section("vintages", title, [
    paragraph(
      `Loans that were drawn in the same ${by}, followed from their drawdown as long as the youngest of them. A curve that stays below 100% has loans that are running, late or lost.`,
    ),
    { kind: "chart", chart: { ...chart, table: byMonths } },
    { kind: "table", table },
    paragraph(HOW_RETURNS),
    dataLinks(view, "cohorts", by),
  ]);
}

export function gradesSection(view: View): Section {
  const cohorts = view.cohorts.get("grade") ?? [];
  return section("by-grade", "Losses and returns by grade", [
    paragraph(
      "The grade is the one that the business had on the day of the drawdown, before anything was known of the loan. Loans of a business that is not verified now are under NR, whatever its grade was then.",
    ),
    {
      kind: "table",
      table: tableOf({
        caption: `Loans by grade; amounts in ${DOLLAR}`,
        items: cohorts,
        keyOf: ({ cohort }) => cohort,
        columns: [["cohort", "Grade", gradeValue], ...FIGURES],
        empty: "Nothing was lent yet.",
      }),
    },
    dataLinks(view, "cohorts", "grade"),
    links([linkTo("How grades are computed", `${SITE_PATHS.knowledge}/grades`)]),
  ]);
}

/** Rows shown, the largest ones. */
const SHOWN_LARGEST = 10;

/** The largest businesses, and the countries. */
export function concentrationSections(view: View): Section[] {
  const { market, cohorts } = view;
  const total = BigInt(market.stats.lent);
  const owed = BigInt(market.stats.outstanding);
  const byLent = (by: "originator" | "country") =>
    (cohorts.get(by) ?? []).toSorted(
      (a, b) => Number(BigInt(b.lent) > BigInt(a.lent)) - Number(BigInt(b.lent) < BigInt(a.lent)),
    );
  const shares: Columns<Cohort> = [
    ["loans", "Loans", ({ loans }) => count(loans), "end"],
    ["lent", "Lent", ({ lent }) => amount(lent, null), "end"],
    ["lentShare", "Share of all lent", ({ lent }) => rate(shareBps(BigInt(lent), total))],
    ["outstanding", "Owed", ({ outstanding }) => amount(outstanding, null), "end"],
    ["owedShare", "Share of all owed", ({ outstanding }) => rate(shareBps(BigInt(outstanding), owed))],
  ];
  const block = (
    all: readonly Cohort[],
    what: string,
    label: string,
    name: (cohort: Cohort) => Value,
  ): Block => {
    const items = all.slice(0, SHOWN_LARGEST);
    const first = items.length < all.length ? `The ${SHOWN_LARGEST} that borrowed most: ` : "";
    const table = tableOf({
      caption: capitalised(`${first}${what}; amounts in ${DOLLAR}`),
      items,
      keyOf: ({ cohort }) => cohort,
      columns: [["cohort", label, name], ...shares],
      empty: "Nothing was lent yet.",
    });
    const columns = table.columns.map((column) => ({ ...column, hasBar: column.key.endsWith("Share") }));
    return { kind: "table", table: { ...table, columns } };
  };
  return [
    section("largest", "Largest businesses", [
      block(byLent("originator"), "businesses by what they borrowed", "Business", ({ cohort }) => {
        const business = market.originatorByPublicId.get(cohort);
        return business === undefined ? text(cohort) : businessLink(business);
      }),
      dataLinks(view, "cohorts", "originator"),
    ]),
    section("countries", "Countries", [
      block(byLent("country"), "where the businesses are registered", "Country", ({ cohort }) =>
        country(cohort),
      ),
      dataLinks(view, "cohorts", "country"),
    ]),
  ];
}

function gradeValue({ cohort }: Cohort): Value {
  const known = GRADES.find((one) => one === cohort);
  return known === undefined ? NONE : grade(known);
}
