/** @jsxImportSource hono/jsx */
/** Amounts or numbers of each period as columns, next to one another or stacked. @module */
import type { Chart } from "../page.ts";
import {
  areaLook,
  type Canvas,
  chartDrawing,
  type Drawing,
  heightBelow,
  moneyPlot,
  type Plot,
  px,
} from "./drawing.tsx";
import { Legend, type LegendEntry, legendHeight } from "./legend.tsx";
import { laneHeight, MoneyTicks, PlotUnit, TimeTicks } from "./marks.tsx";
import { largest, moneyAxis, timeTicks } from "./scales.ts";

type Columns = {
  label: string;
  class: string;
  isHollow?: boolean;
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
  wide: { plotHeight: 230, steps: 5, timeTicks: 7 },
  middle: { plotHeight: 210, steps: 5, timeTicks: 5 },
  narrow: { plotHeight: 190, steps: 4, timeTicks: 3 },
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
    ({ label, class: own, isHollow }): LegendEntry => ({
      class: own,
      look: isHollow ? "hollow" : "block",
      text: label,
    }),
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
        <PlotUnit plot={plot} unit={unit} />
        <MoneyTicks plot={plot} ticks={axis.ticks} />
        <TimeTicks plot={plot} ticks={timeTicks(from, until, sizes.timeTicks)} />
        <g class="chart-series">
          {isStacked ? <Stacks {...{ plot, periods, series }} /> : <Groups {...{ plot, periods, series }} />}
        </g>
      </>
    ),
  };
}

type BarsParameters = Pick<ColumnsOverTimeParameters, "periods" | "series"> & { plot: Plot };

/** Part of a period's width that its columns take. */
const FILLED = 0.8;

function Groups({ plot, periods, series }: BarsParameters) {
  return (
    <>
      {series.map(({ class: own, isHollow, values }, place) => (
        <g class={own}>
          {periods.map(({ start, end }, at) => {
            const whole = (plot.xOf(end) - plot.xOf(start)) * FILLED;
            const width = whole / series.length;
            const x = plot.xOf(start) + whole * ((1 - FILLED) / 2) + place * width;
            return (
              <Bar plot={plot} x={x} width={width} from={0n} to={values[at] ?? 0n} isHollow={isHollow} />
            );
          })}
        </g>
      ))}
    </>
  );
}

function Stacks({ plot, periods, series }: BarsParameters) {
  return (
    <>
      {series.map(({ class: own, isHollow, values }, place) => (
        <g class={own}>
          {periods.map(({ start, end }, at) => {
            const below = series.slice(0, place).reduce((sum, { values }) => sum + (values[at] ?? 0n), 0n);
            const whole = plot.xOf(end) - plot.xOf(start);
            return (
              <Bar
                plot={plot}
                x={plot.xOf(start) + (whole * (1 - FILLED)) / 2}
                width={whole * FILLED}
                from={below}
                to={below + (values[at] ?? 0n)}
                isHollow={isHollow}
              />
            );
          })}
        </g>
      ))}
    </>
  );
}

type BarParameters = {
  plot: Plot;
  x: number;
  width: number;
  from: bigint;
  to: bigint;
  isHollow: boolean | undefined;
};

function Bar({ plot, x, width, from, to, isHollow = false }: BarParameters) {
  if (to <= from) return null;
  const [lower, upper] = [plot.yOf(from), plot.yOf(to)];
  return (
    <rect
      class={isHollow ? "chart-hollow" : "chart-bar"}
      {...areaLook(isHollow)}
      x={px(x)}
      y={px(upper)}
      width={px(Math.max(1, width - 0.5))}
      height={px(Math.max(1, lower - upper))}
    />
  );
}
