/** @jsxImportSource hono/jsx */
/** @module The chart of a raise's money over time; dashes and markers tell the series apart without colour. */

import { area, curveStepAfter, type SymbolType, symbolCircle, symbolSquare, symbolTriangle } from "d3-shape";
import { isoTime, secondsOf } from "../../../config/format/time.ts";
import { isolated } from "../../../config/format/untrusted-text.ts";
import type { MoneyPoint } from "../../ledger/series.ts";
import { formatAmount } from "../../market/amount.ts";
import type { Listing } from "../../market/schema.ts";
import { acceptsMoney } from "../../market/status.ts";
import { tableOf } from "../blocks.ts";
import type { Chart, Table } from "../page.ts";
import { formatDate, formatTime } from "../times.ts";
import { amount, time } from "../value.ts";
import { type Canvas, chartDrawing, type Drawing, heightBelow, moneyPlot, type Plot } from "./drawing.tsx";
import { type Corner, Legend, type LegendEntry, legendHeight, Marker, SteppedLine } from "./legend.tsx";
import { type Box, type Day, Days, Grid, Levels, laneHeight, linesOfDays, linesOfSteps } from "./marks.tsx";
import { abbreviateAmount, FURTHEST_SECONDS, largest, moneyAxis, TIME_TICKS, timeTicks } from "./scales.ts";

export type MoneyOverTimeParameters = {
  id: string;
  listing: Pick<
    Listing,
    | "refnum"
    | "status"
    | "statusSince"
    | "targetAmount"
    | "minRaise"
    | "closeAt"
    | "drawnDownAt"
    | "maturityAt"
  >;
  /** the running totals up to the head (`cumulative`) */
  points: readonly MoneyPoint[];
};

/** The chart of a raise. One point is enough; nothing is drawn before any money moved. */
export function moneyOverTime({ id, listing, points }: MoneyOverTimeParameters): Chart {
  const [first] = points;
  const last = points.at(-1);
  const target = BigInt(listing.targetAmount);
  const minimum = BigInt(listing.minRaise);
  const goals = `Target ${formatAmount(target)}, ${minimum === 0n ? "no minimum" : `minimum ${formatAmount(minimum)}`}.`;
  const rows = points.some(hasMoved) ? thinned(changesOf(points)) : [];
  const series = seriesOf(points);
  const chart = {
    title: "Money over time",
    table: moneyTable(rows, series, `Running totals. ${goals}`),
  };
  if (first === undefined || last === undefined || rows.length === 0) return { ...chart, svg: null };

  const days = [
    closeOf(listing),
    { label: "Drawdown", at: listing.drawnDownAt },
    { label: "Maturity", at: listing.maturityAt },
  ].flatMap(({ label, at }) => (at === null ? [] : [{ label, at: secondsOf(at), day: formatDate(at) }]));
  const scene: MoneyScene = {
    points,
    series,
    levels: levelsOf(target, minimum),
    days: days.filter(
      ({ at }) => at >= first.at && at - first.at <= largest([last.at - first.at, FURTHEST_SECONDS]),
    ),
    readings: rows.map(({ at }) => at),
  };
  const description = [
    `Up to ${formatTime(isoTime(last.at))}: ${series.map(({ key }) => `${key} ${formatAmount(last[key])}`).join(", ")}.`,
    goals,
    ...days.map(({ label, day }) => `${label} ${day}.`),
  ].join(" ");
  const title = `Money over time of ${isolated(listing.refnum)}`;
  return {
    ...chart,
    svg: chartDrawing({ id, title, description, draw: (canvas) => drawMoney(scene, canvas) }),
  };
}

/** The planned close of an open raise, else the real one. */
function closeOf({ status, statusSince, closeAt }: MoneyOverTimeParameters["listing"]) {
  if (acceptsMoney(status)) return { label: "Closes", at: closeAt };
  const label = status === "cancelled" ? "Cancelled" : status === "voided" ? "Voided" : "Closed";
  return { label, at: statusSince };
}

/** Committed, and the others once any of it moved. */
function seriesOf(points: readonly MoneyPoint[]): readonly Series[] {
  return SERIES.filter(({ key }) => key === "committed" || points.some((point) => point[key] !== 0n));
}

function hasMoved(point: MoneyPoint): boolean {
  return SERIES.some(({ key }) => point[key] !== 0n);
}

function levelsOf(target: bigint, minimum: bigint): MoneyScene["levels"] {
  const levels =
    target === minimum
      ? [{ label: "Target and minimum", amount: target }]
      : [
          { label: "Target", amount: target },
          { label: "Minimum", amount: minimum },
        ];
  return levels.filter(({ amount }) => amount > 0n);
}

const MOST_ROWS = 40;

/** The points at which a total changed, and the last one. */
function changesOf(points: readonly MoneyPoint[]): readonly MoneyPoint[] {
  return points.filter((point, index) => {
    const before = points[index - 1];
    const isChange = before !== undefined && SERIES.some(({ key }) => point[key] !== before[key]);
    return isChange || index === points.length - 1;
  });
}

function moneyTable(rows: readonly MoneyPoint[], series: readonly Series[], caption: string): Table {
  return tableOf({
    // In Markdown a colon follows the caption.
    caption: caption.replace(/\.$/, ""),
    items: rows,
    keyOf: ({ at }) => `${at}`,
    columns: [
      ["at", "Up to", ({ at }) => time(isoTime(at))],
      ...series.map(
        ({ key, field, label }) =>
          [field, label, (point: MoneyPoint) => amount(`${point[key]}`), "end"] as const,
      ),
    ],
    empty: "No money has moved yet.",
  });
}

function thinned(points: readonly MoneyPoint[]): readonly MoneyPoint[] {
  if (points.length <= MOST_ROWS) return points;
  return Array.from({ length: MOST_ROWS }, (_, row) => {
    const index = Math.round((row * (points.length - 1)) / (MOST_ROWS - 1));
    return points.slice(index, index + 1);
  }).flat();
}

type MoneyScene = {
  /** at least one, oldest first */
  points: readonly MoneyPoint[];
  series: readonly Series[];
  /** base units */
  levels: readonly { label: string; amount: bigint }[];
  /** none before the first point */
  days: readonly Day[];
  /** times of the rows of the table; unix seconds */
  readings: readonly bigint[];
};

const SIZES = {
  wide: { plotHeight: 250, moneySteps: 5 },
  middle: { plotHeight: 220, moneySteps: 5 },
  narrow: { plotHeight: 200, moneySteps: 4 },
} as const;

function drawMoney({ points, series, levels, days, readings }: MoneyScene, canvas: Canvas): Drawing {
  const { plotHeight, moneySteps } = SIZES[canvas.size];
  const legend = legendOf(series, points.at(-1));
  const lanes = legendHeight(canvas, legend.length) + 4;
  // Leaves room above the plot for the unit, and for the label of the highest level.
  const top = lanes + (days.length + 1) * laneHeight(canvas) + 8;
  const bottom = top + plotHeight;

  const most = largest([
    ...points.flatMap((point) => series.map(({ key }) => point[key])),
    ...levels.map(({ amount }) => amount),
  ]);
  const axis = moneyAxis(most, moneySteps);
  const from = points[0]?.at ?? 0n;
  const until = largest([...[...points, ...days].map(({ at }) => at), from + 1n]);
  // Keeps the marker at the end of a line inside.
  const right = canvas.width - 8;
  const plot = moneyPlot({ canvas, right, top, bottom, from, until, axis });
  const drawn = [...linesOfSeries(plot, series, points), ...linesOfDays(plot, days)];
  return {
    height: heightBelow(bottom, canvas),
    readings: { places: readings.map(plot.xOf), top, bottom },
    content: (
      <>
        <Legend canvas={canvas} entries={legend} />
        <Grid plot={plot} money={axis.ticks} times={timeTicks(from, until, TIME_TICKS[canvas.size])} />
        <Days plot={plot} days={days} top={lanes} />
        <SeriesLines plot={plot} series={series} points={points} />
        <Levels
          plot={plot}
          levels={levels.map(({ label, amount }) => ({
            text: `${label} ${abbreviateAmount(amount)}`,
            y: plot.yOf(amount),
          }))}
          drawn={drawn}
        />
      </>
    ),
  };
}

type Series = {
  key: "committed" | "refunded" | "repaid";
  /** its name in the API */
  field: string;
  label: string;
  class: string;
  dashes: string | null;
  marker: SymbolType;
};

const SERIES: readonly Series[] = [
  {
    ...{ key: "committed", field: "raisedAmount", label: "Committed" },
    ...{ class: "chart-committed", dashes: null, marker: symbolCircle },
  },
  {
    ...{ key: "repaid", field: "repaidAmount", label: "Repaid" },
    ...{ class: "chart-repaid", dashes: "7 4", marker: symbolSquare },
  },
  {
    ...{ key: "refunded", field: "refundedAmount", label: "All refunds" },
    ...{ class: "chart-refunded", dashes: "2 3", marker: symbolTriangle },
  },
];

const MARKER_SIZE = 5;

function legendOf(series: readonly Series[], last: MoneyPoint | undefined): LegendEntry[] {
  return series.map(({ key, label, class: className, dashes, marker }) => ({
    ...{ class: className, dashes, marker },
    look: "line",
    text: `${label} ${abbreviateAmount(last?.[key] ?? 0n)}`,
  }));
}

type SeriesLinesParameters = { plot: Plot; series: readonly Series[]; points: readonly MoneyPoint[] };

function SeriesLines({ plot, series, points }: SeriesLinesParameters) {
  const below = area<Corner>(
    ({ x }) => x,
    plot.bottom,
    ({ y }) => y,
  );
  return (
    <g class="chart-series">
      {series.map(({ key, class: className, dashes, marker }) => {
        const corners = cornersOf(plot, points, key);
        const last = corners.at(-1);
        if (last === undefined) return null;
        const shape = below.curve(curveStepAfter).digits(1)(corners) ?? "";
        return (
          <g class={className}>
            {key === "committed" && (
              <path class="chart-area" d={shape} fill="currentColor" fill-opacity="0.12" />
            )}
            <SteppedLine corners={corners} dashes={dashes} />
            <Marker marker={marker} {...last} />
          </g>
        );
      })}
    </g>
  );
}

/** Lines and markers, as obstacles for labels. */
function linesOfSeries(plot: Plot, series: readonly Series[], points: readonly MoneyPoint[]): Box[] {
  return series.flatMap(({ key }) => {
    const corners = cornersOf(plot, points, key);
    const end = corners.slice(-1).map(
      ({ x, y }): Box => ({
        left: x - MARKER_SIZE,
        right: x + MARKER_SIZE,
        top: y - MARKER_SIZE,
        bottom: y + MARKER_SIZE,
      }),
    );
    return [...linesOfSteps(corners), ...end];
  });
}

/** The changes of a series, and its end. It begins with its first money; an empty one, but for committed, is not drawn. */
function cornersOf({ xOf, yOf }: Plot, points: readonly MoneyPoint[], key: Series["key"]): Corner[] {
  const moved = points.findIndex((point) => point[key] !== 0n);
  if (moved < 0 && key !== "committed") return [];
  const begin = key === "committed" ? 0 : Math.max(0, moved - 1);
  const steps = points.filter(
    (point, index) =>
      index >= begin &&
      (index === begin || index === points.length - 1 || point[key] !== points[index - 1]?.[key]),
  );
  return steps.map((point) => ({ x: xOf(point.at), y: yOf(point[key]) }));
}
