/** @jsxImportSource hono/jsx */
/**
 * The reference lines of a raise: amounts as horizontal, days as vertical lines.
 * @module
 */
import { Label, type Plot, px, type TimePlot, widthOf } from "./drawing.tsx";
import { abbreviateAmount } from "./money-scale.ts";
import { type Box, freest } from "./placing.ts";

/** A horizontal line; base units. */
export type Level = { label: string; amount: bigint };
/** A vertical line; unix seconds. */
export type Day = { label: string; at: bigint };

/** Height of a day's label above the plot. */
export function laneHeight({ fontSize }: Plot["canvas"]): number {
  return fontSize + 5;
}

/** The vertical lines, as obstacles for labels. */
export function linesOfDays({ xOf, top, bottom }: TimePlot, days: readonly Day[]): Box[] {
  return days.map(({ at }) => ({ left: xOf(at), right: xOf(at), top, bottom }));
}

/**
 * Each day's label has a lane of its own above the plot, so that labels never overlap.
 * @param top of the lanes
 */
export function Days({ plot, days, top }: { plot: TimePlot; days: readonly Day[]; top: number }) {
  const { xOf, bottom, left, right, canvas } = plot;
  return (
    <g class="chart-days">
      {days.map(({ label, at }, index) => {
        const x = xOf(at);
        const isLeft = x < (left + right) / 2;
        const laneTop = top + index * laneHeight(canvas);
        return (
          <g>
            <path
              class="chart-day"
              d={`M${px(x)},${px(laneTop + 3)}V${px(bottom)}`}
              stroke="currentColor"
              stroke-opacity="0.6"
              stroke-dasharray="1 3"
            />
            <Label
              class="chart-mark"
              x={isLeft ? x + 5 : x - 5}
              y={laneTop + canvas.fontSize}
              anchor={isLeft ? "start" : "end"}
              text={label}
            />
          </g>
        );
      })}
    </g>
  );
}

/** Labels each level above or below its line, left or right, wherever it covers least. */
export function Levels({
  plot,
  levels,
  drawn,
}: {
  plot: Plot;
  levels: readonly Level[];
  drawn: readonly Box[];
}) {
  const { left, right, yOf } = plot;
  const lines = levels.map(({ amount }): Box => ({ left, right, top: yOf(amount), bottom: yOf(amount) }));
  const obstacles = [...drawn, ...lines];
  return (
    <g class="chart-levels">
      {levels.map(({ label, amount }) => {
        const name = `${label} ${abbreviateAmount(amount)}`;
        const place = freest(placesOf(name, yOf(amount), plot), obstacles);
        if (place !== null) obstacles.push(place.box);
        return (
          <g>
            <path
              class="chart-level"
              d={`M${px(left)},${px(yOf(amount))}H${px(right)}`}
              stroke="currentColor"
              stroke-opacity="0.7"
              stroke-dasharray="10 3 2 3"
            />
            {place !== null && (
              <Label class="chart-mark" x={place.x} y={place.baseline} anchor={place.anchor} text={name} />
            )}
          </g>
        );
      })}
    </g>
  );
}

type LabelPlace = { box: Box; x: number; baseline: number; anchor: "start" | "end" };

function placesOf(name: string, y: number, { left, right, bottom, canvas }: Plot): LabelPlace[] {
  const width = widthOf(name, canvas);
  const above = { baseline: y - 5, top: y - 5 - canvas.fontSize, bottom: y - 2 };
  const below = { baseline: y + canvas.fontSize + 1, top: y + 2, bottom: y + canvas.fontSize + 4 };
  const rows = below.bottom < bottom ? [above, below] : [above];
  return rows.flatMap(({ baseline, ...row }): LabelPlace[] => [
    { box: { ...row, left: left + 5, right: left + 5 + width }, x: left + 5, baseline, anchor: "start" },
    { box: { ...row, left: right - 5 - width, right: right - 5 }, x: right - 5, baseline, anchor: "end" },
  ]);
}
