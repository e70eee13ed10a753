/** @jsxImportSource hono/jsx */
/** @module The prices of a raise's token over time, and below them the buyers' yields. */

import { type SymbolType, symbolCircle, symbolSquare } from "d3-shape";
import { counted } from "../../../config/format/counted.ts";
import { secondsOf } from "../../../config/format/time.ts";
import { isolated } from "../../../config/format/untrusted-text.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import type { DeskTrade } from "../../market/trading.ts";
import { tableOf } from "../blocks.ts";
import type { Chart } from "../page.ts";
import { formatTime } from "../times.ts";
import { amount, rate, time } from "../value.ts";
import {
  type Canvas,
  chartDrawing,
  createTimePlot,
  type Drawing,
  heightBelow,
  px,
  roomFor,
  type TimePlot,
} from "./drawing.tsx";
import { Legend, legendHeight, Marker, SteppedLine } from "./legend.tsx";
import { Levels, linesOfSteps, RateTicks, TimeTicks } from "./marks.tsx";
import { abbreviateRate, largest, rateAxis, timeTicks } from "./scales.ts";

export type DeskTradesParameters = {
  id: string;
  refnum: string;
  /** the newest, oldest first */
  trades: readonly DeskTrade[];
  total: number;
  /** the lowest asking price, of par, and its yield; basis points, null where there is none */
  ask: { priceBps: number | null; yieldBps: number | null };
  /** end of the time axis; unix seconds */
  until: bigint;
};

type Panel = {
  label: string;
  class: string;
  dashes: string | null;
  marker: SymbolType;
  points: readonly { at: bigint; bps: number }[];
  ask: { label: string; bps: number | null };
};

export function deskTrades({ id, refnum, trades, total, ask, until }: DeskTradesParameters): Chart {
  const first = total - trades.length;
  const which =
    first === 0 ? counted(total, "trades") : `The newest ${trades.length} of ${counted(total, "trades")}`;
  const chart = {
    title: "Prices and yields",
    table: tableOf({
      caption: `${which}, oldest first. Prices are of par`,
      items: trades.map((trade, index) => ({ ...trade, place: first + index + 1 })),
      keyOf: ({ place }) => `trade-${place}`,
      columns: [
        ["at", "Time", ({ at }) => time(at)],
        ["priceBps", "Price", ({ priceBps }) => rate(priceBps), "end"],
        ["yieldToMaturityBps", "Yield per year", ({ yieldToMaturityBps }) => rate(yieldToMaturityBps), "end"],
        ["amount", "Tokens", (trade) => amount(trade.amount, null), "end"],
      ],
      empty: "Nothing has been traded yet.",
    }),
  };
  const last = trades.at(-1);
  if (last === undefined) return { ...chart, svg: null };

  const prices = trades.map(({ at, priceBps }) => ({ at: secondsOf(at), bps: priceBps }));
  const yields = trades.flatMap(({ at, yieldToMaturityBps: bps }) =>
    bps === null ? [] : [{ at: secondsOf(at), bps }],
  );
  const panels: Panel[] = [
    {
      label: "Price",
      class: "chart-committed",
      dashes: null,
      marker: symbolCircle,
      points: prices,
      ask: { label: "Lowest asking price", bps: ask.priceBps },
    },
    {
      label: "Yield per year",
      class: "chart-repaid",
      dashes: "7 4",
      marker: symbolSquare,
      points: yields,
      ask: { label: "At the lowest asking price", bps: ask.yieldBps },
    },
  ];
  const title = `Prices and yields of ${isolated(refnum)} on the secondary desk`;
  const description = [
    `${which}, from ${formatTime(trades[0]?.at ?? last.at)} to ${formatTime(last.at)}.`,
    `Prices from ${spanOf(prices)} of par, last ${formatRate(last.priceBps)} for ${formatAmount(last.amount, { unit: "tokens" })}.`,
    ...(yields.length === 0 ? [] : [`Yields from ${spanOf(yields)} per year.`]),
    ...(ask.priceBps === null ? [] : [`Lowest asking price: ${formatRate(ask.priceBps)}.`]),
  ].join(" ");
  const drawn = panels.filter(({ points }) => points.length > 0);
  return {
    ...chart,
    svg: chartDrawing({
      id,
      title,
      description,
      draw: (canvas) =>
        drawPanels(
          drawn,
          prices.map(({ at }) => at),
          until,
          canvas,
        ),
    }),
  };
}

const SIZES = {
  wide: { plotHeight: 120, timeTicks: 7 },
  middle: { plotHeight: 110, timeTicks: 5 },
  narrow: { plotHeight: 100, timeTicks: 3 },
} as const;

/** @param times of the rows of the table; at least one */
function drawPanels(
  panels: readonly Panel[],
  times: readonly bigint[],
  end: bigint,
  canvas: Canvas,
): Drawing {
  const { plotHeight, timeTicks: tickCount } = SIZES[canvas.size];
  const from = times[0] ?? 0n;
  const until = largest([...times, end, from + 1n]);
  const scaled = panels.map((panel) => {
    const asked = panel.ask.bps === null ? [] : [panel.ask.bps];
    return { ...panel, axis: rateAxis([...panel.points.map(({ bps }) => bps), ...asked], 4) };
  });
  const left = roomFor(
    scaled.flatMap(({ axis }) => axis.ticks.map(abbreviateRate)),
    canvas,
  );
  const head = legendHeight(canvas, 1) + canvas.fontSize + 2;
  let bottom = 0;
  const drawn = scaled.map((panel, index) => {
    const start = index === 0 ? 0 : bottom + 18;
    const top = start + head;
    bottom = top + plotHeight;
    // Keeps the marker at the end of a line inside.
    const plot = createTimePlot({ canvas, left, right: canvas.width - 8, top, bottom, from, until });
    return { panel, start, plot };
  });
  const [upper] = drawn;
  const lower = drawn.at(-1);
  const ticks = timeTicks(from, until, tickCount);
  return {
    height: heightBelow(bottom, canvas),
    readings: { places: times.map((at) => upper?.plot.xOf(at) ?? left), top: upper?.plot.top ?? 0, bottom },
    content: (
      <>
        {drawn.map(({ panel, start, plot }) => (
          <PanelView panel={panel} start={start} plot={plot} />
        ))}
        {lower !== undefined && <TimeTicks plot={lower.plot} ticks={ticks} />}
      </>
    ),
  };
}

type PanelParameters = {
  panel: Panel & { axis: ReturnType<typeof rateAxis> };
  start: number;
  plot: TimePlot;
};

function PanelView({ panel, start, plot }: PanelParameters) {
  const { label, class: className, dashes, marker, points, ask, axis } = panel;
  const yOf = (bps: number) => plot.bottom - axis.place(bps) * (plot.bottom - plot.top);
  const corners = points.map(({ at, bps }) => ({ x: plot.xOf(at), y: yOf(bps) }));
  const last = points.at(-1);
  const legend = {
    look: "line",
    class: className,
    dashes,
    marker,
    text: `${label}: last ${abbreviateRate(last?.bps ?? 0)}`,
  } as const;
  return (
    <>
      <g transform={`translate(0,${px(start)})`}>
        <Legend canvas={plot.canvas} entries={[legend]} />
      </g>
      <RateTicks plot={plot} ticks={axis.ticks} yOf={yOf} />
      <g class={`chart-series ${className}`}>
        <SteppedLine corners={corners} dashes={dashes} />
        {corners.map(({ x, y }) => (
          <Marker marker={marker} x={x} y={y} />
        ))}
      </g>
      {ask.bps !== null && (
        <Levels
          plot={plot}
          levels={[{ text: `${ask.label} ${abbreviateRate(ask.bps)}`, y: yOf(ask.bps) }]}
          drawn={linesOfSteps(corners)}
        />
      )}
    </>
  );
}

function spanOf(points: readonly { bps: number }[]): string {
  const rates = points.map(({ bps }) => bps);
  return `${formatRate(Math.min(...rates))} to ${formatRate(Math.max(...rates))}`;
}
