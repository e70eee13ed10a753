/** @jsxImportSource hono/jsx */
/** @module Amounts or numbers of each period as columns, next to one another or stacked. */
import type { Chart } from "../page.ts";
import {
  Area,
  type AreaLook,
  type Canvas,
  chartDrawing,
  type Drawing,
  heightBelow,
  moneyPlot,
  type Plot,
} from "./drawing.tsx";
import { Legend, type LegendEntry, legendHeight } from "./legend.tsx";
import { Grid, laneHeight } from "./marks.tsx";
import { largest, moneyAxis, TIME_TICKS, timeTicks } from "./scales.ts";

type Columns = {
  label: string;
  class: string;
  look: AreaLook;
  /** one for each period, not negative: base units, or other numbers with as many decimals */
  values: readonly bigint[];
};

export type ColumnsOverTimeParameters = {
  id: string;
  title: string;
  /** what the chart says, in a sentence */
  description: string;
  /** unix seconds, oldest first, without gaps */
  periods: readonly { start: bigint; end: bigint }[];
  series: readonly Columns[];
  isStacked?: boolean;
  /** of other numbers; amounts are in dollars */
  unit?: string;
};

const SIZES = {
  wide: { plotHeight: 230, steps: 5 },
  middle: { plotHeight: 210, steps: 5 },
  narrow: { plotHeight: 190, steps: 4 },
} as const;

/** The rows of the chart's table are the periods, in the same order. Nothing is drawn where every column is empty. */
export function columnsOverTime(given: ColumnsOverTimeParameters): Omit<Chart, "table"> {
  const { id, title, description, periods, series } = given;
  const isEmpty = !series.some(({ values }) => values.some((value) => value > 0n));
  if (periods.length === 0 || isEmpty) return { title, svg: null };
  return {
    title,
    svg: chartDrawing({ id, title, description, draw: (canvas) => drawColumns(given, canvas) }),
  };
}

function drawColumns(given: ColumnsOverTimeParameters, canvas: Canvas): Drawing {
  const { periods, series, isStacked, unit } = given;
  const sizes = SIZES[canvas.size];
  const entries = series.map(
    ({ label, class: own, look }): LegendEntry => ({ class: own, look, text: label }),
  );
  const top = legendHeight(canvas, entries.length) + laneHeight(canvas) + 12;
  const bottom = top + sizes.plotHeight;
  const highest = periods.map((_, at) => {
    const values = series.map(({ values }) => values[at] ?? 0n);
    return isStacked ? values.reduce((sum, value) => sum + value, 0n) : largest(values);
  });
  const axis = moneyAxis(largest(highest), sizes.steps);
  const [from, until] = [periods[0]?.start ?? 0n, periods.at(-1)?.end ?? 1n];
  const plot = moneyPlot({ canvas, right: canvas.width - 4, top, bottom, from, until, axis });
  return {
    height: heightBelow(bottom, canvas),
    readings: {
      places: periods.map(({ start, end }) => (plot.xOf(start) + plot.xOf(end)) / 2),
      top,
      bottom,
    },
    content: (
      <>
        <Legend canvas={canvas} entries={entries} />
        <Grid
          plot={plot}
          money={axis.ticks}
          times={timeTicks(from, until, TIME_TICKS[canvas.size])}
          unit={unit}
        />
        <g class="chart-series">
          <Bars {...{ plot, periods, series, isStacked }} />
        </g>
      </>
    ),
  };
}

type BarsParameters = Pick<ColumnsOverTimeParameters, "periods" | "series" | "isStacked"> & { plot: Plot };

/** Part of a period's width that its columns take. */
const FILLED = 0.8;

function Bars({ plot, periods, series, isStacked }: BarsParameters) {
  return (
    <>
      {series.map(({ class: own, look, values }, place) => (
        <g class={own}>
          {periods.map(({ start, end }, at) => {
            const whole = plot.xOf(end) - plot.xOf(start);
            const width = (whole * FILLED) / (isStacked ? 1 : series.length);
            const left = plot.xOf(start) + (whole * (1 - FILLED)) / 2;
            const under = isStacked ? series.slice(0, place) : [];
            const from = under.reduce((sum, { values }) => sum + (values[at] ?? 0n), 0n);
            const to = from + (values[at] ?? 0n);
            if (to <= from) return null;
            return (
              <Area
                look={look}
                x={left + (isStacked ? 0 : place * width)}
                y={plot.yOf(to)}
                width={Math.max(1, width - 0.5)}
                height={Math.max(1, plot.yOf(from) - plot.yOf(to))}
              />
            );
          })}
        </g>
      ))}
    </>
  );
}
