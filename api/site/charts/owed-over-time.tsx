/** @jsxImportSource hono/jsx */
/** @module The principal that a raise owes over time, against the plan of one payment at maturity. */

import { symbolCircle, symbolSquare } from "d3-shape";
import { isoTime, secondsOf } from "../../../config/format/time.ts";
import { isolated } from "../../../config/format/untrusted-text.ts";
import { formatAmount } from "../../market/amount.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import { tableOf } from "../blocks.ts";
import type { Chart } from "../page.ts";
import { formatDate, formatTime } from "../times.ts";
import { amount, NONE, text, time } from "../value.ts";
import { Area, type Canvas, chartDrawing, type Drawing, heightBelow, moneyPlot } from "./drawing.tsx";
import { Legend, type LegendEntry, legendHeight, Marker, SteppedLine } from "./legend.tsx";
import { type Day, Days, Grid, laneHeight } from "./marks.tsx";
import { abbreviateAmount, FURTHEST_SECONDS, largest, moneyAxis, TIME_TICKS, timeTicks } from "./scales.ts";

export type OwedOverTimeParameters = {
  id: string;
  listing: Pick<Listing, "refnum" | "status" | "statusSince" | "writtenOffAmount" | "outstandingPrincipal">;
  /** of the loan: not an estimate */
  schedule: Pick<Schedule, "principal" | "maturityAt" | "payments">;
  /** when the money was drawn; ISO 8601 */
  drawnDownAt: string;
  /** end of the line while the loan runs: at the head's time or a little before it; unix seconds */
  until: bigint;
};

/** A moment of the loan. Unix seconds and base units; `owed` is null in the future. */
type Moment = { key: string; at: bigint; label: string; owed: bigint | null; plan: bigint };

/** The chart of a raise whose money was drawn. */
export function owedOverTime(parameters: OwedOverTimeParameters): Chart {
  const { id, listing, schedule } = parameters;
  const scene = sceneOf(parameters);
  const { principal, end, owed, isOver } = scene;
  const moments = momentsOf(scene);
  const due = `Plan: all ${formatAmount(principal)} on ${formatDate(schedule.maturityAt)}`;
  const table = tableOf({
    caption: `Principal owed over time. ${due}`,
    items: moments,
    keyOf: ({ key }) => key,
    columns: [
      ["at", "Time", ({ at }) => time(isoTime(at))],
      ["event", "Event", ({ label }) => text(label)],
      ["outstandingPrincipal", "Owed", ({ owed }) => (owed === null ? NONE : amount(`${owed}`)), "end"],
      ["plan", "Planned", ({ plan }) => amount(`${plan}`), "end"],
    ],
    empty: "No money was drawn.",
  });
  const description = [
    `${isOver ? "Settled" : "Up to"} ${formatTime(isoTime(end))}: ${formatAmount(owed)} of ${formatAmount(principal)} ${isOver ? "never paid" : "owed"}.`,
    `${due}.`,
  ].join(" ");
  const title = `Principal owed by ${isolated(listing.refnum)} over time`;
  return {
    title: "Owed over time",
    table,
    svg: chartDrawing({ id, title, description, draw: (canvas) => draw(scene, moments, canvas) }),
  };
}

type Scene = {
  principal: bigint;
  from: bigint;
  due: bigint;
  /** the last moment that is known: today, or the settlement */
  end: bigint;
  /** then */
  owed: bigint;
  isOver: boolean;
  /** payments of principal with what is owed after each, oldest first */
  steps: readonly { at: bigint; owed: bigint }[];
};

function sceneOf({ listing, schedule, drawnDownAt, until }: OwedOverTimeParameters): Scene {
  const principal = BigInt(schedule.principal);
  const from = secondsOf(drawnDownAt);
  const isOver = listing.status === "matured";
  let left = principal;
  const steps = schedule.payments
    .filter(({ principal: paid }) => paid !== "0")
    .map(({ at, principal: paid }) => {
      left = left > BigInt(paid) ? left - BigInt(paid) : 0n;
      return { at: secondsOf(at), owed: left };
    });
  return {
    principal,
    from,
    due: secondsOf(schedule.maturityAt),
    end: largest([isOver ? secondsOf(listing.statusSince) : until, ...steps.map(({ at }) => at), from]),
    owed: BigInt(isOver ? listing.writtenOffAmount : listing.outstandingPrincipal),
    isOver,
    steps,
  };
}

const MOST_PAYMENTS = 36;

/** The rows of the table, oldest first: the newest payments, and the days that matter. */
function momentsOf({ principal, from, due, end, owed, isOver, steps }: Scene): Moment[] {
  const planAt = (at: bigint) => (at < due ? principal : 0n);
  const owedAt = (at: bigint) =>
    at > end ? null : (steps.findLast((step) => step.at <= at)?.owed ?? principal);
  const first = Math.max(0, steps.length - MOST_PAYMENTS);
  return [
    { key: "drawn", at: from, label: "Money drawn", owed: principal, plan: planAt(from) },
    ...steps.slice(first).map((step, index) => ({
      key: `owed-${first + index + 1}`,
      label: "Payment",
      plan: planAt(step.at),
      ...step,
    })),
    ...(due >= from ? [{ key: "due", at: due, label: "Due date", owed: owedAt(due), plan: 0n }] : []),
    { key: "end", at: end, label: isOver ? "Settled" : "Today", owed, plan: planAt(end) },
  ].toSorted((a, b) => (a.at === b.at ? 0 : a.at < b.at ? -1 : 1));
}

const SIZES = {
  wide: { plotHeight: 220, moneySteps: 5 },
  middle: { plotHeight: 200, moneySteps: 4 },
  narrow: { plotHeight: 180, moneySteps: 4 },
} as const;

function draw(scene: Scene, moments: readonly Moment[], canvas: Canvas): Drawing {
  const { principal, from, due, end, owed, isOver, steps } = scene;
  const { plotHeight, moneySteps } = SIZES[canvas.size];
  const isFar = due - from > largest([end - from, FURTHEST_SECONDS]);
  const days: Day[] = [
    ...(isFar ? [] : [{ label: `Due ${formatDate(isoTime(due))}`, at: due }]),
    { label: isOver ? "Settled" : "Today", at: end },
  ];
  const legend: LegendEntry[] = [
    {
      ...({ look: "line", class: "chart-committed", dashes: null, marker: symbolCircle } as const),
      text: `${isOver && owed > 0n ? "Never paid" : "Owed"} ${abbreviateAmount(owed)}`,
    },
    {
      ...({ look: "line", class: "chart-plan", dashes: "6 4", marker: symbolSquare } as const),
      text: isFar ? `Plan: due ${formatDate(isoTime(due))}` : "Plan",
    },
  ];
  const lanes = legendHeight(canvas, legend.length) + 4;
  const top = lanes + (days.length + 1) * laneHeight(canvas) + 6;
  const bottom = top + plotHeight;
  const axis = moneyAxis(principal, moneySteps);
  const until = largest([end, from + 1n, ...(isFar ? [] : [due])]);
  const plot = moneyPlot({ canvas, right: canvas.width - 8, top, bottom, from, until, axis });
  const corner = (at: bigint, value: bigint) => ({ x: plot.xOf(at), y: plot.yOf(value) });
  const last = corner(end, owed);
  const line = [corner(from, principal), ...steps.map((step) => corner(step.at, step.owed)), last];
  const plan = [
    corner(from, principal),
    ...(isFar ? [corner(until, principal)] : [corner(due, 0n), corner(until, 0n)]),
  ];
  const overdue = { left: plot.xOf(due), right: plot.xOf(end) };
  return {
    height: heightBelow(bottom, canvas),
    readings: { places: moments.map(({ at }) => plot.xOf(at)), top, bottom },
    content: (
      <>
        <Legend canvas={canvas} entries={legend} />
        <Grid plot={plot} money={axis.ticks} times={timeTicks(from, until, TIME_TICKS[canvas.size])} />
        {owed > 0n && overdue.right > overdue.left && (
          <Area
            look="hollow"
            class="chart-overdue"
            x={overdue.left}
            y={last.y}
            width={overdue.right - overdue.left}
            height={plot.bottom - last.y}
          />
        )}
        <Days plot={plot} days={days} top={lanes} />
        <g class="chart-series">
          <g class="chart-plan">
            <SteppedLine corners={plan} dashes="6 4" />
            {!isFar && <Marker marker={symbolSquare} {...corner(due, 0n)} />}
          </g>
          <g class="chart-committed">
            <SteppedLine corners={line} dashes={null} />
            <Marker marker={symbolCircle} {...last} />
          </g>
        </g>
      </>
    ),
  };
}
