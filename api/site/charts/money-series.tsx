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
  symbolCircle,
  symbolSquare,
  symbolTriangle,
} from "d3-shape";
import type { MoneyPoint } from "../../ledger/series.ts";
import type { Plot } from "./drawing.tsx";
import { type LegendEntry, Marker } from "./legend.tsx";
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

const MARKER_SIZE = 5;

/** Each series with its latest amount. */
export function legendOf(last: MoneyPoint | undefined): LegendEntry[] {
  return SERIES.map(({ key, label, class: className, dashes, marker }) => ({
    look: "line",
    class: className,
    dashes,
    marker,
    text: `${label} ${abbreviateAmount(last?.[key] ?? 0n)}`,
  }));
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
