/**
 * Rates and prices on an axis. Basis points.
 * @module
 */
import { scaleLinear } from "d3-scale";
import { formatRate } from "../../market/amount.ts";

export type RateAxis = { ticks: readonly number[]; place(basisPoints: number): number };

/** Smallest span of an axis in basis points: with equal rates it would have no length. */
const LEAST_SPAN = 40;

/** An axis around these rates, in about `count` round steps; `place` is 0 at its bottom and 1 at its top. */
export function rateAxis(rates: readonly number[], count: number): RateAxis {
  const lowest = Math.min(...rates);
  const highest = Math.max(...rates);
  const room = Math.max(0, (LEAST_SPAN - (highest - lowest)) / 2);
  const scale = scaleLinear([lowest - room, highest + room], [0, 1]).nice(count);
  return { ticks: scale.ticks(count), place: (basisPoints) => scale(basisPoints) };
}

/** From a thousand percent on, digits are cut. */
const LONG = 100_000;
const COMPACT = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 4 });

/** A rate on an axis or in a legend. The exact one is in the chart's table. */
export function abbreviateRate(basisPoints: number): string {
  return Math.abs(basisPoints) < LONG ? formatRate(basisPoints) : `${COMPACT.format(basisPoints / 100)}%`;
}
