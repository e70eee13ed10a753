/**
 * The plot of a chart over time: where its edges are in a frame, and where a moment and an amount stand in it.
 * @module
 */
import { scaleLinear } from "d3-scale";
import type { Frame } from "./frame.ts";
import { type MoneyAxis, ratio } from "./money-scale.ts";

export type Plot = {
  frame: Frame;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** @param at unix seconds */
  xOf(at: bigint): number;
  /** @param amount base units */
  yOf(amount: bigint): number;
};

export type PlotParameters = Pick<Plot, "frame" | "left" | "right" | "top" | "bottom"> & {
  /** unix seconds; `until` is after `from` */
  from: bigint;
  until: bigint;
  axis: MoneyAxis;
};

/** A moment or an amount outside of the plot stands at its edge. */
export function createPlot({ from, until, axis, ...edges }: PlotParameters): Plot {
  const x = scaleLinear([0, 1], [edges.left, edges.right]);
  const y = scaleLinear([0, 1], [edges.bottom, edges.top]);
  return {
    ...edges,
    xOf: (at) => x(ratio(at - from, until - from)),
    yOf: (amount) => y(ratio(amount, axis.top)),
  };
}
