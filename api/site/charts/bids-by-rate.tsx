/** @jsxImportSource hono/jsx */
/** @module The bids of an auction by rate, cheapest first, as stairs: each step begins where the cheaper bids end. */

import { scaleBand } from "d3-scale";
import { counted } from "../../../config/format/counted.ts";
import { isolated } from "../../../config/format/untrusted-text.ts";
import { formatAmount, formatRate } from "../../market/amount.ts";
import type { BidBook, BidsAtRate } from "../../market/bids.ts";
import type { Listing } from "../../market/schema.ts";
import { tableOf } from "../blocks.ts";
import type { Chart } from "../page.ts";
import { amount, count, text } from "../value.ts";
import {
  Area,
  type Canvas,
  chartDrawing,
  type Drawing,
  heightBelow,
  Label,
  moneyPlot,
  type Plot,
  widthOf,
} from "./drawing.tsx";
import { Legend, legendHeight } from "./legend.tsx";
import { Levels, MoneyTicks, PlotUnit, UprightMark } from "./marks.tsx";
import { abbreviateAmount, largest, moneyAxis } from "./scales.ts";

export const MOST_RATES = 40;

export type BidsByRateParameters = {
  id: string;
  listing: Pick<Listing, "refnum" | "targetAmount" | "acceptsMoney">;
  book: BidBook;
  /** the rate at which it closed, or its bids would clear; null for none. Basis points */
  clearingBps: number | null;
};

export function bidsByRate({ id, listing, book, clearingBps }: BidsByRateParameters): Chart {
  const { rates, isClosed } = book;
  const target = BigInt(listing.targetAmount);
  const words = isClosed
    ? { accepted: "Accepted", rest: "Not accepted", clearing: "Clearing rate" }
    : {
        ...{ accepted: "Within the target", rest: "Above the target" },
        clearing: listing.acceptsMoney ? "If it closed now" : "At the close",
      };
  const total = rates.at(-1)?.cumulated ?? 0n;
  const accepted = rates.reduce((sum, of) => sum + of.accepted, 0n);
  const goals = `${words.accepted}: ${formatAmount(accepted)}. Target: ${formatAmount(target)}`;
  const chart = {
    title: "Bids by rate",
    table: tableOf({
      caption: `Bids by rate, cheapest first, without those withdrawn. ${goals}`,
      items: rates,
      keyOf: ({ lowestBps }) => `rate-${lowestBps}`,
      columns: [
        ["bidRateBps", "Rate", (of) => text(rateOf(of))],
        ["bids", "Bids", (of) => count(of.count), "end"],
        ["amount", "Amount", (of) => amount(`${of.amount}`), "end"],
        ["accepted", words.accepted, (of) => amount(`${of.accepted}`), "end"],
        ["cumulated", "Up to this rate", (of) => amount(`${of.cumulated}`), "end"],
      ],
      empty: isClosed || !listing.acceptsMoney ? "Nobody placed a bid." : "There are no bids yet.",
    }),
  };
  if (total === 0n) return { ...chart, svg: null };

  const bids = rates.reduce((sum, of) => sum + of.count, 0);
  const title = `Bids by rate of ${isolated(listing.refnum)}`;
  const description = [
    `${counted(bids, "bids")} from ${formatRate(rates[0]?.lowestBps ?? 0)} to ${formatRate(rates.at(-1)?.highestBps ?? 0)}, ${formatAmount(total)} in total.`,
    `${goals}.`,
    ...(clearingBps === null ? [] : [`${words.clearing}: ${formatRate(clearingBps)}.`]),
  ].join(" ");
  const legend = [
    { look: "solid", class: "chart-committed", text: `${words.accepted} ${abbreviateAmount(accepted)}` },
    { look: "hollow", class: "chart-outbid", text: `${words.rest} ${abbreviateAmount(total - accepted)}` },
  ] as const;

  const draw = (canvas: Canvas): Drawing => {
    const lanes = legendHeight(canvas, legend.length) + 6;
    const top = lanes + 2 * (canvas.fontSize + 8);
    const bottom = top + PLOT_HEIGHTS[canvas.size];
    const axis = moneyAxis(largest([total, target]), canvas.size === "narrow" ? 4 : 5);
    const plot = moneyPlot({ canvas, right: canvas.width - 8, top, bottom, from: 0n, until: 1n, axis });
    const band = scaleBand(rates.keys(), [plot.left, plot.right]).paddingInner(0.12).paddingOuter(0.3);
    // A few rates would otherwise be walls.
    const width = Math.min(band.bandwidth(), 64);
    const placed = rates.map((of, index) => ({
      of,
      middle: (band(index) ?? 0) + band.bandwidth() / 2,
    }));
    const steps = placed.map(({ middle, of }) => ({
      left: middle - width / 2,
      right: middle + width / 2,
      top: plot.yOf(of.cumulated),
      bottom: plot.yOf(of.cumulated - of.amount),
    }));
    const cut = placed.findLast(({ of }) => clearingBps !== null && of.lowestBps <= clearingBps);
    return {
      height: heightBelow(bottom, canvas),
      readings: { places: placed.map(({ middle }) => middle), top, bottom },
      content: (
        <>
          <Legend canvas={canvas} entries={legend} />
          <PlotUnit plot={plot} />
          <MoneyTicks plot={plot} ticks={axis.ticks} />
          <g class="chart-series">
            {placed.map(({ of, middle }) => (
              <Step plot={plot} of={of} left={middle - width / 2} width={width} />
            ))}
          </g>
          <RateTicks plot={plot} placed={placed} />
          {cut !== undefined && clearingBps !== null && (
            <UprightMark
              plot={plot}
              x={cut.middle + width / 2 + Math.min(3, (band.step() - width) / 2)}
              top={lanes}
              label={`${words.clearing} ${formatRate(clearingBps)}`}
            />
          )}
          <Levels
            plot={plot}
            levels={target > 0n ? [{ text: `Target ${abbreviateAmount(target)}`, y: plot.yOf(target) }] : []}
            drawn={steps}
          />
        </>
      ),
    };
  };
  return { ...chart, svg: chartDrawing({ id, title, description, draw }) };
}

const PLOT_HEIGHTS = { narrow: 200, middle: 220, wide: 240 } as const;

function rateOf({ lowestBps, highestBps }: BidsAtRate): string {
  const highest = formatRate(highestBps);
  return lowestBps === highestBps ? highest : `${formatRate(lowestBps)} to ${highest}`;
}

type StepParameters = { plot: Plot; of: BidsAtRate; left: number; width: number };

/** The accepted part is filled, the rest is hollow and above it. */
function Step({ plot: { yOf }, of, left, width }: StepParameters) {
  const before = of.cumulated - of.amount;
  const parts = [
    { look: "solid", class: "chart-committed", from: before, to: before + of.accepted },
    { look: "hollow", class: "chart-outbid", from: before + of.accepted, to: of.cumulated },
  ] as const;
  return (
    <g>
      {parts.map(({ from, to, ...look }) => {
        if (to <= from) return null;
        const top = yOf(to);
        return (
          <Area
            {...look}
            x={left}
            y={top}
            width={width}
            // Anything above zero is visible.
            height={Math.max(1, yOf(from) - top)}
          />
        );
      })}
    </g>
  );
}

type Placed = { of: BidsAtRate; middle: number };

function RateTicks({ plot: { bottom, canvas }, placed }: { plot: Plot; placed: readonly Placed[] }) {
  const labels = placed.map(({ of }) => formatRate(of.lowestBps));
  const widest = Math.max(...labels.map((label) => widthOf(label, canvas))) + 6;
  const [first, second] = placed;
  const step = first === undefined || second === undefined ? widest : second.middle - first.middle;
  const every = Math.ceil(widest / step);
  return (
    <g class="chart-axis">
      {placed.map(({ middle }, index) => {
        const label = labels[index] ?? "";
        const half = widthOf(label, canvas) / 2;
        return index % every === 0 ? (
          <Label
            class="chart-tick"
            x={Math.min(Math.max(middle, half), canvas.width - half)}
            y={bottom + canvas.fontSize + 8}
            anchor="middle"
            text={label}
          />
        ) : null;
      })}
    </g>
  );
}
