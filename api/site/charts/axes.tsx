/** @jsxImportSource hono/jsx */
/**
 * The axes of a chart over time.
 * @module
 */
import { Label, type Plot, px, type TimePlot, widthOf } from "./drawing.tsx";
import { abbreviateAmount } from "./money-scale.ts";
import { abbreviateRate } from "./rate-scale.ts";
import type { TimeTick } from "./time-scale.ts";

/** A line across the plot for each amount; the one at 0 is the baseline. */
export function MoneyTicks({ plot, ticks }: { plot: Plot; ticks: readonly bigint[] }) {
  return (
    <g class="chart-axis">
      {ticks.map((tick) => (
        <GridLine plot={plot} y={plot.yOf(tick)} label={abbreviateAmount(tick)} isBase={tick === 0n} />
      ))}
    </g>
  );
}

type RateTicksParameters = {
  plot: TimePlot;
  /** basis points */
  ticks: readonly number[];
  yOf(basisPoints: number): number;
};

/** A line across the plot for each rate. */
export function RateTicks({ plot, ticks, yOf }: RateTicksParameters) {
  return (
    <g class="chart-axis">
      {ticks.map((tick) => (
        <GridLine plot={plot} y={yOf(tick)} label={abbreviateRate(tick)} isBase={tick === ticks[0]} />
      ))}
    </g>
  );
}

type GridLineParameters = { plot: TimePlot; y: number; label: string; isBase: boolean };

function GridLine({ plot: { left, right, canvas }, y, label, isBase }: GridLineParameters) {
  return (
    <g>
      <path
        class="chart-grid"
        d={`M${px(left)},${px(y)}H${px(right)}`}
        stroke="currentColor"
        stroke-opacity={isBase ? "0.5" : "0.15"}
      />
      <Label class="chart-tick" x={left - 6} y={y + canvas.fontSize * 0.35} anchor="end" text={label} />
    </g>
  );
}

/** Labels that would overlap the one before are left out; the first and the last stay inside the drawing. */
export function TimeTicks({ plot, ticks }: { plot: TimePlot; ticks: readonly TimeTick[] }) {
  const { xOf, bottom, canvas } = plot;
  let taken = Number.NEGATIVE_INFINITY;
  return (
    <g class="chart-axis">
      {ticks.map(({ at, label }) => {
        const x = xOf(at);
        const half = widthOf(label, canvas) / 2;
        const middle = Math.min(Math.max(x, half), canvas.width - half);
        const isFree = middle - half > taken + 8;
        if (isFree) taken = middle + half;
        return (
          <g>
            <path
              class="chart-grid"
              d={`M${px(x)},${px(bottom)}v5`}
              stroke="currentColor"
              stroke-opacity="0.5"
            />
            {isFree && (
              <Label
                class="chart-tick"
                x={middle}
                y={bottom + canvas.fontSize + 8}
                anchor="middle"
                text={label}
              />
            )}
          </g>
        );
      })}
    </g>
  );
}
