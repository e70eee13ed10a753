/** @jsxImportSource hono/jsx */
/** @module The grades of a business as a strip over time. */

import { DAY } from "../../../config/format/time.ts";
import type { Grade } from "../../market/schema.ts";
import type { Chart } from "../page.ts";
import { type Canvas, chartDrawing, createTimePlot, type Drawing, Label, px, widthOf } from "./drawing.tsx";
import { TimeTicks } from "./marks.tsx";
import { TIME_TICKS, timeTicks } from "./scales.ts";

export type GradesOverTimeParameters = {
  id: string;
  /** unix seconds; oldest first, at least one */
  steps: readonly { at: bigint; grade: Grade }[];
  /** unix seconds of the head */
  now: bigint;
};

const THICKNESS = 30;

/** The page must not change with every block: today begins at midnight. */
export function gradesOverTime({ id, steps, now }: GradesOverTimeParameters): Omit<Chart, "table"> {
  const title = "Grade over time";
  const description = `From the oldest to the newest: ${steps.map(({ grade }) => grade).join(", ")}.`;
  const today = now - (now % DAY);
  return {
    title,
    svg: chartDrawing({ id, title, description, draw: (canvas) => drawGrades(steps, today, canvas) }),
  };
}

function drawGrades(steps: GradesOverTimeParameters["steps"], today: bigint, canvas: Canvas): Drawing {
  const from = steps[0]?.at ?? today;
  const newest = steps.at(-1)?.at ?? from;
  const until = today > newest ? today : newest + DAY;
  const plot = createTimePlot({
    canvas,
    left: 4,
    right: canvas.width - 4,
    top: 0,
    bottom: THICKNESS + 4,
    from,
    until,
  });
  return {
    height: Math.ceil(THICKNESS + canvas.fontSize + 18),
    content: (
      <>
        {steps.map(({ at, grade }, index) => {
          const left = plot.xOf(at);
          const right = plot.xOf(steps[index + 1]?.at ?? until);
          const isRoom = right - left > widthOf(grade, canvas) + 6;
          return (
            <g class={`chart-grade chart-grade--${grade.toLowerCase()}`}>
              <rect
                fill="currentColor"
                fill-opacity="0.16"
                stroke="currentColor"
                x={px(left)}
                y="1"
                width={px(Math.max(1, right - left - 1))}
                height={THICKNESS}
                rx="2"
              />
              {isRoom && (
                <Label
                  class="chart-heading"
                  x={(left + right) / 2}
                  y={1 + THICKNESS / 2 + canvas.fontSize * 0.35}
                  anchor="middle"
                  text={grade}
                />
              )}
            </g>
          );
        })}
        <TimeTicks plot={plot} ticks={timeTicks(from, until, TIME_TICKS[canvas.size])} />
      </>
    ),
  };
}
