/** @jsxImportSource hono/jsx */
/**
 * The three series of money over time. Dashes and markers tell them apart without colour.
 * @module
 */
import {
  area,
  curveStepAfter,
  line,
  type SymbolType,
  symbol,
  symbolCircle,
  symbolSquare,
  symbolTriangle,
} from "d3-shape";
import type { MoneyPoint } from "../../ledger/series.ts";
import { type Canvas, Label, type Plot, px } from "./drawing.tsx";
import { abbreviateAmount } from "./money-scale.ts";
import { type Box, linesOfSteps } from "./placing.ts";

type Series = {
  key: "committed" | "refunded" | "repaid";
  label: string;
  class: string;
  /** null for a solid line */
  dashes: string | null;
  marker: SymbolType;
};

const SERIES: readonly Series[] = [
  { key: "committed", label: "Committed", class: "chart-committed", dashes: null, marker: symbolCircle },
  { key: "repaid", label: "Repaid", class: "chart-repaid", dashes: "7 4", marker: symbolSquare },
  { key: "refunded", label: "Refunded", class: "chart-refunded", dashes: "2 3", marker: symbolTriangle },
];

/** Length of a line in the legend. */
const SAMPLE = 30;
const MARKER_AREA = 54;
const MARKER_SIZE = 5;

/** Height of the legend: one row, or one for each series on a narrow canvas. */
export function legendHeight(canvas: Canvas): number {
  return (canvas.size === "narrow" ? SERIES.length : 1) * rowHeight(canvas);
}

function rowHeight({ fontSize }: Canvas): number {
  return fontSize + 8;
}

/** Each series with its line, marker and latest amount: nothing depends on telling colours apart. */
export function Legend({ canvas, last }: { canvas: Canvas; last: MoneyPoint | undefined }) {
  const isWide = canvas.size !== "narrow";
  return (
    <g class="chart-legend">
      {SERIES.map(({ key, label, class: className, dashes, marker }, index) => {
        const left = isWide ? (index * canvas.width) / SERIES.length : 0;
        const middle = (isWide ? 0 : index * rowHeight(canvas)) + rowHeight(canvas) / 2;
        return (
          <g>
            <g class={className}>
              <path
                class="chart-line"
                d={`M${px(left)},${px(middle)}h${SAMPLE}`}
                fill="none"
                stroke="currentColor"
                stroke-width="2"
                stroke-dasharray={dashes}
              />
              <Marker marker={marker} x={left + SAMPLE / 2} y={middle} />
            </g>
            <Label
              x={left + SAMPLE + 8}
              y={middle + canvas.fontSize * 0.35}
              text={`${label} ${abbreviateAmount(last?.[key] ?? 0n)}`}
            />
          </g>
        );
      })}
    </g>
  );
}

function Marker({ marker, x, y }: { marker: SymbolType; x: number; y: number }) {
  return (
    <path
      class="chart-marker"
      d={symbol(marker, MARKER_AREA).digits(1)() ?? ""}
      transform={`translate(${px(x)},${px(y)})`}
      fill="currentColor"
    />
  );
}

export function SeriesLines({ plot, points }: { plot: Plot; points: readonly MoneyPoint[] }) {
  const { xOf, yOf, bottom } = plot;
  return (
    <g class="chart-series">
      {SERIES.map(({ key, class: className, dashes, marker }) => {
        const steps = stepsOf(points, key);
        const last = steps.at(-1);
        if (last === undefined) return null;
        const x = ({ at }: MoneyPoint) => xOf(at);
        const y = (point: MoneyPoint) => yOf(point[key]);
        const stepped = line(x, y).curve(curveStepAfter).digits(1);
        const below = area(x, bottom, y).curve(curveStepAfter).digits(1);
        return (
          <g class={className}>
            {key === "committed" && (
              <path class="chart-area" d={below(steps) ?? ""} fill="currentColor" fill-opacity="0.12" />
            )}
            <path
              class="chart-line"
              d={stepped(steps) ?? ""}
              fill="none"
              stroke="currentColor"
              stroke-width="2"
              stroke-dasharray={dashes}
              stroke-linejoin="round"
            />
            <Marker marker={marker} x={x(last)} y={y(last)} />
          </g>
        );
      })}
    </g>
  );
}

/** Lines and markers, as obstacles for labels. */
export function linesOfSeries({ xOf, yOf }: Plot, points: readonly MoneyPoint[]): Box[] {
  return SERIES.flatMap(({ key }) => {
    const corners = stepsOf(points, key).map((point) => ({ x: xOf(point.at), y: yOf(point[key]) }));
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

/**
 * The points where a series changes, and the last one: a stepped line needs no more. A series begins with its first
 * money; an empty one appears in the legend only, except for committed.
 */
function stepsOf(points: readonly MoneyPoint[], key: Series["key"]): MoneyPoint[] {
  const moved = points.findIndex((point) => point[key] !== 0n);
  if (moved < 0 && key !== "committed") return [];
  const begin = key === "committed" ? 0 : Math.max(0, moved - 1);
  return points.filter(
    (point, index) =>
      index >= begin &&
      (index === begin || index === points.length - 1 || point[key] !== points[index - 1]?.[key]),
  );
}
