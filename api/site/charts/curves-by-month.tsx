/** @jsxImportSource hono/jsx */
/** @module Groups of loans by months since the drawdown: a curve for each group. */
import { symbolCircle, symbolCross, symbolDiamond, symbolSquare, symbolTriangle, symbolWye } from "d3-shape";
import type { Chart } from "../page.ts";
import {
  type Canvas,
  chartDrawing,
  createTimePlot,
  type Drawing,
  Label,
  roomFor,
  widthOf,
} from "./drawing.tsx";
import { Legend, type LegendEntry, legendHeight, Marker, SteppedLine } from "./legend.tsx";
import { RateTicks, TimeTicks } from "./marks.tsx";
import { abbreviateRate } from "./scales.ts";

export type Curve = {
  name: string;
  /** by months since the drawdown, from 0; basis points; null where nothing can be said */
  shares: readonly (number | null)[];
};

export type CurvesByMonthParameters = {
  id: string;
  title: string;
  description: string;
  /** at most `MOST_CURVES`, the newest last */
  curves: readonly Curve[];
};

/** Each differs by its marker and its dashes. */
const LOOKS = [
  { marker: symbolCircle, dashes: null },
  { marker: symbolSquare, dashes: "7 4" },
  { marker: symbolTriangle, dashes: "2 3" },
  { marker: symbolDiamond, dashes: "10 3 2 3" },
  { marker: symbolCross, dashes: "4 2" },
  { marker: symbolWye, dashes: "1 2" },
] as const;
export const MOST_CURVES = LOOKS.length;

const TICKS = [0, 2_500, 5_000, 7_500, 10_000];
const SIZES = {
  wide: { plotHeight: 220, monthTicks: 12 },
  middle: { plotHeight: 200, monthTicks: 8 },
  narrow: { plotHeight: 180, monthTicks: 5 },
} as const;

/** The rows of the chart's table are the months. */
export function curvesByMonth({
  id,
  title,
  description,
  curves,
}: CurvesByMonthParameters): Omit<Chart, "table"> {
  const length = Math.max(0, ...curves.map(({ shares }) => shares.length));
  if (length < 2) return { title, svg: null };
  return {
    title,
    svg: chartDrawing({ id, title, description, draw: (canvas) => drawCurves(curves, length, canvas) }),
  };
}

function drawCurves(curves: readonly Curve[], length: number, canvas: Canvas): Drawing {
  const { plotHeight, monthTicks } = SIZES[canvas.size];
  const entries = curves.map(({ name }, at): LegendEntry => ({ ...lookOf(at), look: "line", text: name }));
  const top = legendHeight(canvas, entries.length) + 14;
  const bottom = top + plotHeight;
  const plot = createTimePlot({
    canvas,
    left: roomFor(TICKS.map(abbreviateRate), canvas),
    right: canvas.width - 8,
    top,
    bottom,
    from: 0n,
    until: BigInt(length - 1),
  });
  const yOf = (basisPoints: number) => bottom - (plotHeight * Math.min(10_000, basisPoints)) / 10_000;
  const every = Math.ceil(length / monthTicks);
  const months = Array.from({ length }, (_, month) => month);
  const caption = "Months since the drawdown";
  return {
    height: Math.ceil(bottom + 2 * canvas.fontSize + 20),
    readings: { places: months.map((month) => plot.xOf(BigInt(month))), top, bottom },
    content: (
      <>
        <Legend canvas={canvas} entries={entries} />
        <RateTicks plot={plot} ticks={TICKS} yOf={yOf} />
        <TimeTicks
          plot={plot}
          ticks={months
            .filter((month) => month % every === 0)
            .map((month) => ({ at: BigInt(month), label: `${month}` }))}
        />
        <Label
          class="chart-tick"
          x={Math.max(plot.left, plot.right - widthOf(caption, canvas))}
          y={bottom + 2 * canvas.fontSize + 12}
          text={caption}
        />
        <g class="chart-series">
          {curves.map(({ shares }, at) => {
            const corners = shares.flatMap((share, month) =>
              share === null ? [] : [{ x: plot.xOf(BigInt(month)), y: yOf(share) }],
            );
            const last = corners.at(-1);
            const { class: own, dashes, marker } = lookOf(at);
            return (
              <g class={own}>
                <SteppedLine corners={corners} dashes={dashes} />
                {last !== undefined && <Marker marker={marker} {...last} />}
              </g>
            );
          })}
        </g>
      </>
    ),
  };
}

function lookOf(at: number) {
  const place = at % LOOKS.length;
  const look = LOOKS[place] ?? LOOKS[0];
  return { ...look, class: `chart-curve-${place + 1}` };
}
