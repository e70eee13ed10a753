/** @jsxImportSource hono/jsx */
/** @module The schedule of a loan as a picture: what is paid and owed, and the payments on a line of time. */

import { symbolCircle } from "d3-shape";
import { counted } from "../../../config/format/counted.ts";
import { secondsOf } from "../../../config/format/time.ts";
import { isolated } from "../../../config/format/untrusted-text.ts";
import { formatAmount } from "../../market/amount.ts";
import type { Owed } from "../../market/schedule.ts";
import type { Schedule } from "../../market/schema.ts";
import type { Chart, Table } from "../page.ts";
import { formatDate } from "../times.ts";
import {
  Area,
  type Canvas,
  chartDrawing,
  createTimePlot,
  type Drawing,
  heightBelow,
  Label,
  px,
  widthOf,
} from "./drawing.tsx";
import { Marker } from "./legend.tsx";
import { Days, laneHeight, TimeTicks } from "./marks.tsx";
import { abbreviateAmount, largest, ratio, TIME_TICKS, timeTicks } from "./scales.ts";

export type DueAndPaidParameters = {
  id: string;
  refnum: string;
  schedule: Schedule;
  /** what is still owed, or of a settled loan what was never paid */
  left: Owed;
  isOver: boolean;
  /** when the money was drawn; ISO 8601 */
  drawnDownAt: string;
  isOverdue: boolean;
  /** end of the time line while something is owed; unix seconds */
  until: bigint;
  /** payments with values for the pointer, in any order */
  payments: Table;
  /** times of its rows; ISO 8601 */
  paymentTimes: readonly string[];
};

type Bar = { label: string; due: bigint; paid: bigint; left: bigint };

export function dueAndPaid(parameters: DueAndPaidParameters): Chart {
  const { id, refnum, schedule, left, isOver, isOverdue, payments } = parameters;
  const bars: Bar[] = [
    {
      label: "Principal",
      due: BigInt(schedule.principal),
      paid: BigInt(schedule.paidPrincipal),
      left: BigInt(left.principal),
    },
    {
      label: "Interest",
      due: BigInt(schedule.interest),
      paid: BigInt(schedule.paidInterest),
      left: BigInt(left.interest),
    },
  ];
  const title = `Schedule of ${isolated(refnum)}`;
  const description = [
    ...bars.map(
      ({ label, due, paid, left }) =>
        `${label}: ${formatAmount(paid)} of ${formatAmount(due)} paid, ${formatAmount(left)} ${isOver ? "never paid" : "still owed"}.`,
    ),
    `Due ${formatDate(schedule.maturityAt)}${isOverdue ? ", overdue" : ""}.`,
    `${counted(schedule.payments.length, "payments")} so far.`,
  ].join(" ");
  return {
    title: "Due and paid",
    svg: chartDrawing({ id, title, description, draw: (canvas) => drawSchedule(parameters, bars, canvas) }),
    table: payments,
  };
}

const THICKNESS = 14;
const GAP = 12;
const LINE_HEIGHT = 26;

function drawSchedule(
  { schedule, drawnDownAt, isOver, isOverdue, until: head, paymentTimes }: DueAndPaidParameters,
  bars: readonly Bar[],
  canvas: Canvas,
): Drawing {
  const rowHeight = canvas.fontSize + THICKNESS + 2 * GAP;
  const word = isOver ? "never paid" : isOverdue ? "overdue" : "owed";
  const from = secondsOf(drawnDownAt);
  const due = secondsOf(schedule.maturityAt);
  const paidAt = schedule.payments.map(({ at }) => secondsOf(at));
  const end = isOverdue ? [head] : [];
  const until = largest([due, ...paidAt, ...end, from + 1n]);
  const days = [
    { label: `Drawn ${formatDate(drawnDownAt)}`, at: from },
    { label: `Due ${formatDate(schedule.maturityAt)}`, at: due },
  ];
  const lanes = bars.length * rowHeight + 4;
  const top = lanes + days.length * laneHeight(canvas);
  const bottom = top + LINE_HEIGHT;
  const middle = top + LINE_HEIGHT / 2;
  const plot = createTimePlot({ canvas, left: 8, right: canvas.width - 8, top, bottom, from, until });
  const ticks = timeTicks(from, until, TIME_TICKS[canvas.size]);
  // A raise may be repaid in thousands of parts: marks in one place are one.
  const marks = [...new Set(paidAt.map((at) => Math.round(plot.xOf(at))))];
  const late = { left: plot.xOf(due), right: plot.xOf(head) };
  return {
    height: heightBelow(bottom, canvas),
    readings: { places: paymentTimes.map((at) => plot.xOf(secondsOf(at))), top, bottom },
    content: (
      <>
        {bars.map((bar, index) => (
          <BarView bar={bar} top={index * rowHeight} canvas={canvas} word={word} />
        ))}
        <Days plot={plot} days={days} top={lanes} />
        <path
          class="chart-grid"
          d={`M${px(plot.left)},${px(middle)}H${px(plot.right)}`}
          stroke="currentColor"
          stroke-opacity="0.4"
          stroke-width="2"
        />
        {isOverdue && late.right > late.left && (
          <Area
            look="hollow"
            class="chart-overdue"
            x={late.left}
            y={middle - 6}
            width={late.right - late.left}
            height={12}
          />
        )}
        <g class="chart-repaid">
          {marks.map((x) => (
            <Marker marker={symbolCircle} x={x} y={middle} />
          ))}
        </g>
        <path
          class="chart-grid"
          d={`M${px(plot.left)},${px(bottom)}H${px(plot.right)}`}
          stroke="currentColor"
          stroke-opacity="0.15"
        />
        <TimeTicks plot={plot} ticks={ticks} />
      </>
    ),
  };
}

type BarParameters = { bar: Bar; top: number; canvas: Canvas; word: "owed" | "overdue" | "never paid" };

/** The paid part is filled, the rest hollow. */
function BarView({ bar, top, canvas, word }: BarParameters) {
  const { label, due, paid, left: unpaid } = bar;
  const barTop = top + canvas.fontSize + 8;
  const filled = paid === 0n ? 0 : Math.max(2, ratio(paid, due) * canvas.width);
  const left = Math.max(0, canvas.width - filled);
  const open = unpaid === 0n ? 0 : Math.min(left, Math.max(2, ratio(unpaid, due) * canvas.width));
  return (
    <g>
      <Label class="chart-heading" x={0} y={top + canvas.fontSize} text={label} />
      <Label
        class="chart-figure"
        x={canvas.width}
        y={top + canvas.fontSize}
        anchor="end"
        text={figuresOf(bar, word, canvas)}
      />
      <rect
        class="chart-track"
        fill="currentColor"
        fill-opacity="0.1"
        x="0"
        y={px(barTop)}
        width={canvas.width}
        height={THICKNESS}
        rx="2"
      />
      {filled > 0 && (
        <rect
          class="chart-bar chart-repaid"
          fill="currentColor"
          x="0"
          y={px(barTop)}
          width={px(filled)}
          height={THICKNESS}
          rx="2"
        />
      )}
      {open > 0 && (
        <Area
          look="hollow"
          class={word === "owed" ? "chart-owed" : "chart-overdue"}
          x={filled}
          y={barTop}
          width={open}
          height={THICKNESS}
        />
      )}
    </g>
  );
}

function figuresOf({ label, due, paid, left }: Bar, word: BarParameters["word"], canvas: Canvas): string {
  const say = (figure: (amount: bigint) => string) => {
    const parts = [`${figure(paid)} of ${figure(due)} paid`];
    if (left > 0n) parts.push(`${figure(left)} ${word}`);
    return parts.join(", ");
  };
  const full = say((amount) => formatAmount(amount, { unit: null }));
  const room = canvas.width - widthOf(label, canvas) - 16;
  return widthOf(full, canvas) <= room ? full : say(abbreviateAmount);
}
