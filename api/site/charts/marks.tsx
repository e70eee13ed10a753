/** @jsxImportSource hono/jsx */
/**
 * The reference lines of a chart: amounts and rates as horizontal, days as vertical lines.
 * @module
 */
import { Label, px, type TimePlot, widthOf } from "./drawing.tsx";
import { type Box, freest } from "./placing.ts";

/** A horizontal line. */
export type Level = { text: string; y: number };
/** A vertical line; unix seconds. */
export type Day = { label: string; at: bigint };

/** Height of a day's label above the plot. */
export function laneHeight({ fontSize }: TimePlot["canvas"]): number {
  return fontSize + 5;
}

/** The vertical lines, as obstacles for labels. */
export function linesOfDays({ xOf, top, bottom }: TimePlot, days: readonly Day[]): Box[] {
  return days.map(({ at }) => ({ left: xOf(at), right: xOf(at), top, bottom }));
}

/**
 * Each day's label has its own lane above the plot, so that labels never overlap.
 * @param top of the lanes
 */
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
