/** @jsxImportSource hono/jsx */
/** @module The axes and reference lines of a chart, and the room for their labels. */
import { DOLLAR } from "../../market/amount.ts";
import { Label, type Plot, px, type TimePlot, widthOf } from "./drawing.tsx";
import { abbreviateAmount, abbreviateRate, type TimeTick } from "./scales.ts";

type Level = { text: string; y: number };
/** A vertical line; unix seconds. */
export type Day = { label: string; at: bigint };

export function laneHeight({ fontSize }: TimePlot["canvas"]): number {
  return fontSize + 5;
}

/** The vertical lines, as obstacles for labels. */
export function linesOfDays({ xOf, top, bottom }: TimePlot, days: readonly Day[]): Box[] {
  return days.map(({ at }) => ({ left: xOf(at), right: xOf(at), top, bottom }));
}

/** Each day's label has its own lane above the plot, so that labels never overlap. @param top of the lanes */
export function Days({ plot, days, top }: { plot: TimePlot; days: readonly Day[]; top: number }) {
  const { xOf, canvas } = plot;
  return (
    <g class="chart-days">
      {days.map(({ label, at }, index) => {
        const x = xOf(at);
        return <UprightMark plot={plot} x={x} top={top + index * laneHeight(canvas)} label={label} />;
      })}
    </g>
  );
}

/** One vertical line, labelled at its top on the side where there is room. */
export function UprightMark({
  plot,
  x,
  top,
  label,
}: {
  plot: Pick<TimePlot, "left" | "right" | "bottom" | "canvas">;
  x: number;
  top: number;
  label: string;
}) {
  const { left, right, bottom, canvas } = plot;
  const isLeft = x < (left + right) / 2;
  return (
    <g>
      <path
        class="chart-day"
        d={`M${px(x)},${px(top + 3)}V${px(bottom)}`}
        stroke="currentColor"
        stroke-opacity="0.6"
        stroke-dasharray="1 3"
      />
      <Label
        class="chart-mark"
        x={isLeft ? x + 5 : x - 5}
        y={top + canvas.fontSize}
        anchor={isLeft ? "start" : "end"}
        text={label}
      />
    </g>
  );
}

/** Labels each level above or below its line, left or right, wherever it covers least. */
export function Levels({
  plot,
  levels,
  drawn,
}: {
  plot: TimePlot;
  levels: readonly Level[];
  drawn: readonly Box[];
}) {
  const { left, right } = plot;
  const lines = levels.map(({ y }): Box => ({ left, right, top: y, bottom: y }));
  const obstacles = [...drawn, ...lines];
  return (
    <g class="chart-levels">
      {levels.map(({ text, y }) => {
        const place = freest(placesOf(text, y, plot), obstacles);
        if (place !== null) obstacles.push(place.box);
        return (
          <g>
            <path
              class="chart-level"
              d={`M${px(left)},${px(y)}H${px(right)}`}
              stroke="currentColor"
              stroke-opacity="0.7"
              stroke-dasharray="10 3 2 3"
            />
            {place !== null && (
              <Label class="chart-mark" x={place.x} y={place.baseline} anchor={place.anchor} text={text} />
            )}
          </g>
        );
      })}
    </g>
  );
}

type LabelPlace = { box: Box; x: number; baseline: number; anchor: "start" | "end" };

function placesOf(text: string, y: number, { left, right, bottom, canvas }: TimePlot): LabelPlace[] {
  const width = widthOf(text, canvas);
  const above = { baseline: y - 5, top: y - 5 - canvas.fontSize, bottom: y - 2 };
  const below = { baseline: y + canvas.fontSize + 1, top: y + 2, bottom: y + canvas.fontSize + 4 };
  const rows = below.bottom < bottom ? [above, below] : [above];
  return rows.flatMap(({ baseline, ...row }): LabelPlace[] => [
    { box: { ...row, left: left + 5, right: left + 5 + width }, x: left + 5, baseline, anchor: "start" },
    { box: { ...row, left: right - 5 - width, right: right - 5 }, x: right - 5, baseline, anchor: "end" },
  ]);
}

/** In canvas units; a line is a box without width or height. */
export type Box = { left: number; right: number; top: number; bottom: number };

/** The first of the places that cover the fewest obstacles; null when there are no places. */
export function freest<Place extends { box: Box }>(
  places: readonly Place[],
  obstacles: readonly Box[],
): Place | null {
  const covered = places.map(({ box }) => obstacles.filter((one) => overlap(box, one)).length);
  return places[covered.indexOf(Math.min(...covered))] ?? null;
}

/** The lines of a stepped path through these corners: along, then up or down. */
export function linesOfSteps(corners: readonly { x: number; y: number }[]): Box[] {
  return corners.flatMap(({ x, y }, index) => {
    const next = corners[index + 1];
    if (next === undefined) return [];
    return [
      { left: x, right: next.x, top: y, bottom: y },
      { left: next.x, right: next.x, top: Math.min(y, next.y), bottom: Math.max(y, next.y) },
    ];
  });
}

function overlap(a: Box, b: Box): boolean {
  return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

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

/** The unit of the figures, in the lane above the plot. */
export function PlotUnit({
  plot: { top, canvas },
  unit = DOLLAR,
}: {
  plot: Plot;
  unit?: string | undefined;
}) {
  return <Label class="chart-tick" x={0} y={top - canvas.fontSize} text={unit} />;
}

type GridParameters = {
  plot: Plot;
  money: readonly bigint[];
  times: readonly TimeTick[];
  unit?: string | undefined;
};

/** Both axes of a plot of amounts over time. */
export function Grid({ plot, money, times, unit }: GridParameters) {
  return (
    <>
      <PlotUnit plot={plot} unit={unit} />
      <MoneyTicks plot={plot} ticks={money} />
      <TimeTicks plot={plot} ticks={times} />
    </>
  );
}

type RateTicksParameters = {
  plot: TimePlot;
  /** basis points */
  ticks: readonly number[];
  yOf(basisPoints: number): number;
};

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
