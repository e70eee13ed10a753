/** @jsxImportSource hono/jsx */
/**
 * Draws money over time on one canvas: legend, lanes for the days' labels, plot, time axis.
 * @module
 */
import type { MoneyPoint } from "../../ledger/series.ts";
import { MoneyTicks, TimeTicks } from "./axes.tsx";
import { type Canvas, createPlot, type Drawing, widthOf } from "./drawing.tsx";
import { Legend, legendHeight } from "./legend.tsx";
import { type Day, Days, Levels, laneHeight, linesOfDays } from "./marks.tsx";
import { abbreviateAmount, moneyAxis } from "./money-scale.ts";
import { legendOf, linesOfSeries, SeriesLines } from "./money-series.tsx";
import { timeTicks } from "./time-scale.ts";

export type MoneyScene = {
  /** at least one, oldest first */
  points: readonly MoneyPoint[];
  /** base units */
  levels: readonly { label: string; amount: bigint }[];
  /** none before the first point */
  days: readonly Day[];
  /** times of the rows of the table; unix seconds */
  readings: readonly bigint[];
};

const SIZES = {
  wide: { plotHeight: 250, moneySteps: 5, timeTicks: 7 },
  middle: { plotHeight: 220, moneySteps: 5, timeTicks: 5 },
  narrow: { plotHeight: 200, moneySteps: 4, timeTicks: 3 },
} as const;

export function drawMoney({ points, levels, days, readings }: MoneyScene, canvas: Canvas): Drawing {
  const { plotHeight, moneySteps, timeTicks: tickCount } = SIZES[canvas.size];
  const legend = legendOf(points.at(-1));
  const lanes = legendHeight(canvas, legend.length) + 4;
  // Leaves room above the plot for the label of the highest level.
  const top = lanes + days.length * laneHeight(canvas) + canvas.fontSize + 8;
  const bottom = top + plotHeight;

  const most = [
    ...points.flatMap(({ committed, refunded, repaid }) => [committed, refunded, repaid]),
    ...levels.map(({ amount }) => amount),
  ].reduce(larger, 0n);
  const axis = moneyAxis(most, moneySteps);
  const from = points[0]?.at ?? 0n;
  const until = [...points, ...days].reduce((latest, { at }) => larger(latest, at), from + 1n);
  const plot = createPlot({
    canvas,
    left: Math.max(...axis.ticks.map((tick) => widthOf(abbreviateAmount(tick), canvas))) + 10,
    // Keeps the marker at the end of a line inside.
    right: canvas.width - 8,
    top,
    bottom,
    from,
    until,
    axis,
  });
  const ticks = timeTicks(from, until, tickCount).filter(({ at }) => at >= from && at <= until);
  const drawn = [...linesOfSeries(plot, points), ...linesOfDays(plot, days)];
  return {
    height: Math.ceil(bottom + canvas.fontSize + 14),
    readings: { places: readings.map(plot.xOf), top, bottom },
    content: (
      <>
        <Legend canvas={canvas} entries={legend} />
        <MoneyTicks plot={plot} ticks={axis.ticks} />
        <TimeTicks plot={plot} ticks={ticks} />
        <Days plot={plot} days={days} top={lanes} />
        <SeriesLines plot={plot} points={points} />
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

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
