/** @module The figures of each month or quarter: what moved, what was owed at its end, and how fast raises filled. */

import { isoTime, secondsOf } from "../../../config/format/time.ts";
import { DOLLAR, formatAmount, ONE } from "../../market/amount.ts";
import { dayOf, periodOf, startOfPeriod } from "../../market/periods.ts";
import type { SeriesPoint } from "../../market/series-schema.ts";
import { fact, facts, paragraph, section, tableOf } from "../blocks.ts";
import { columnsOverTime } from "../charts/columns-over-time.tsx";
import type { Block, Section } from "../page.ts";
import { formatTime } from "../times.ts";
import { amount, count, NONE, rate, text, type Value } from "../value.ts";
import { type Columns, dataLinks, pointsOf, type View } from "./view.ts";

export function totals({ market, asOf }: View): Block {
  const { stats } = market;
  return facts("grid", [
    fact("lent", "Lent", amount(stats.lent), "drawn by businesses"),
    fact("repaid", "Repaid", amount(stats.repaid), "principal and interest"),
    fact("outstanding", "Still owed", amount(stats.outstanding), "principal"),
    fact(
      "outstandingInDefaultBps",
      asOf === null ? "In default now" : "In default then",
      rate(stats.outstandingInDefaultBps),
      "of the principal that is owed",
    ),
    fact("writtenOff", "Written off", amount(stats.writtenOff), "lost by backers for good"),
    fact("averageCouponBps", "Average interest", rate(stats.averageCouponBps), "a year, weighted by amount"),
  ]);
}

const FLOWS: Columns<SeriesPoint> = [
  ["period", "Period", periodOfPoint],
  ["opened", "Opened", ({ opened }) => count(opened), "end"],
  [
    "committed",
    "Committed, before withdrawals and outbid bids",
    (point) => amount(point.committed, null),
    "end",
  ],
  ["withdrawn", "Withdrawn or outbid", (point) => amount(point.withdrawn, null), "end"],
  ["lent", "Lent", (point) => amount(point.lent, null), "end"],
  ["repaidPrincipal", "Principal repaid", (point) => amount(point.repaidPrincipal, null), "end"],
  ["repaidInterest", "Interest repaid", (point) => amount(point.repaidInterest, null), "end"],
  ["writtenOff", "Written off", (point) => amount(point.writtenOff, null), "end"],
];

export function flowsSection(view: View): Section {
  const points = pointsOf(view);
  const title = `Money by ${view.by}`;
  const repaid = points.map(
    ({ repaidPrincipal, repaidInterest }) => BigInt(repaidPrincipal) + BigInt(repaidInterest),
  );
  const chart = columnsOverTime({
    id: "flows",
    title,
    description: `Committed before withdrawals and outbid bids, lent and repaid in each ${view.by}. ${lastWords(view, points)}`,
    periods: spansOf(view, points),
    series: [
      {
        // A legend has room for a word; the text above says what it is before.
        label: "Committed",
        class: "chart-committed",
        look: "hollow",
        values: points.map(({ committed }) => BigInt(committed)),
      },
      { label: "Lent", class: "chart-lent", look: "solid", values: points.map(({ lent }) => BigInt(lent)) },
      { label: "Repaid", class: "chart-repaid", look: "hatched", values: repaid },
    ],
  });
  return section("flows", title, [
    paragraph(
      `What backers committed, before withdrawals and outbid bids, what businesses drew, and what they paid back with interest. ${lastWords(view, points)}`,
    ),
    { kind: "chart", chart: { ...chart, table: pointsTable(view, points, FLOWS) } },
    dataLinks(view, "series", view.by),
  ]);
}

const OWED: Columns<SeriesPoint> = [
  ["period", "At the end of", periodOfPoint],
  ["outstanding", "Owed", (point) => amount(point.outstanding, null), "end"],
  ["outstandingCurrent", "On time", (point) => amount(point.outstandingCurrent, null), "end"],
  ["outstandingGrace", "In grace", (point) => amount(point.outstandingGrace, null), "end"],
  ["outstandingLate", "Late", (point) => amount(point.outstandingLate, null), "end"],
  ["outstandingInDefault", "In default", (point) => amount(point.outstandingInDefault, null), "end"],
];

export function owedSection(view: View): Section {
  const points = pointsOf(view);
  const title = "What was owed";
  const [when, verb] =
    view.asOf === null ? ["now", "is"] : [`on ${formatTime(isoTime(view.market.head.timestamp))}`, "was"];
  const last = points.at(-1);
  const chart = columnsOverTime({
    id: "owed",
    title,
    description:
      last === undefined
        ? "Nothing was lent yet."
        : `Principal owed at the end of each ${view.by}; ${when} ${formatAmount(last.outstanding)}, of which ${formatAmount(last.outstandingInDefault)} ${verb} in default.`,
    periods: spansOf(view, points),
    isStacked: true,
    series: [
      {
        label: "On time",
        class: "chart-tone-good",
        look: "solid",
        values: points.map((one) => BigInt(one.outstandingCurrent)),
      },
      {
        label: "In grace",
        class: "chart-tone-warn",
        look: "hollow",
        values: points.map((one) => BigInt(one.outstandingGrace)),
      },
      {
        label: "Late",
        class: "chart-tone-warn",
        look: "hatched",
        values: points.map((one) => BigInt(one.outstandingLate)),
      },
      {
        label: "In default",
        class: "chart-tone-bad",
        look: "striped",
        values: points.map((one) => BigInt(one.outstandingInDefault)),
      },
    ],
  });
  return section("owed", title, [
    paragraph(
      `Principal that businesses owed at the end of each ${view.by}, by how late it was then. Up to 7 days after the due date it is in grace, up to 90 days late, then in default.`,
    ),
    { kind: "chart", chart: { ...chart, table: pointsTable(view, points, OWED) } },
    dataLinks(view, "series", view.by),
  ]);
}

const FILLING: Columns<SeriesPoint> = [
  ["period", "Closed in", periodOfPoint],
  ["closed", "Closed", ({ closed }) => count(closed), "end"],
  ["reachedMinimum", "Reached their minimum", ({ reachedMinimum }) => count(reachedMinimum), "end"],
  ["medianHoursToFund", "Median time", ({ medianHoursToFund }) => daysValue(medianHoursToFund), "end"],
];

export function timeToFundSection(view: View): Section {
  const points = pointsOf(view);
  const title = "Time to fund";
  const chart = columnsOverTime({
    id: "time-to-fund",
    title,
    description: `Days from the opening to the close of raises that reached their minimum, by the ${view.by} of the close: the median.`,
    periods: spansOf(view, points),
    unit: "days",
    series: [
      {
        label: "Median days to fund",
        class: "chart-lent",
        look: "solid",
        values: points.map(({ medianHoursToFund }) => (BigInt(medianHoursToFund ?? 0) * ONE) / 24n),
      },
    ],
  });
  return section("time-to-fund", title, [
    paragraph(
      "How long raises that reached their minimum were open: half of them closed sooner, half later.",
    ),
    { kind: "chart", chart: { ...chart, table: pointsTable(view, points, FILLING, "") } },
    dataLinks(view, "series", view.by),
  ]);
}

function pointsTable(
  view: View,
  points: readonly SeriesPoint[],
  columns: Columns<SeriesPoint>,
  unit = `; amounts in ${DOLLAR}`,
) {
  return tableOf({
    caption: `By ${view.by}, the last one so far${unit}`,
    items: points,
    keyOf: ({ period }) => period,
    columns,
    empty: "Nothing has happened yet.",
  });
}

function periodOfPoint({ period }: SeriesPoint): Value {
  return text(period);
}

/** Hours as days, with one decimal. */
function daysValue(hours: number | null): Value {
  return hours === null ? NONE : { kind: "word", text: `${(hours / 24).toFixed(1)} days`, exact: `${hours}` };
}

/** Whole periods, also the one that is not over: columns are equally wide. */
function spansOf({ by }: View, points: readonly SeriesPoint[]) {
  return points.map((point) => {
    const start = secondsOf(point.start);
    return { start, end: startOfPeriod(periodOf(dayOf(start), by) + 1, by) };
  });
}

function lastWords({ by }: View, points: readonly SeriesPoint[]): string {
  const whole = points.filter(({ isOver }) => isOver).at(-1);
  if (whole === undefined) return "";
  return `In ${whole.period}, the last whole ${by}, ${formatAmount(whole.lent)} was lent and ${formatAmount(`${BigInt(whole.repaidPrincipal) + BigInt(whole.repaidInterest)}`)} repaid.`;
}
