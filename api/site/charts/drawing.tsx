/** @jsxImportSource hono/jsx */
/**
 * The frame of every chart: one SVG for each canvas, with a name and a description for screen readers. Colours come
 * from the stylesheet by class; without it, a chart has the colour of the text.
 * @module
 */
import { scaleLinear } from "d3-scale";
import type { Child } from "hono/jsx";
import { type MoneyAxis, ratio } from "./money-scale.ts";

/**
 * The surface of a chart. Text in an SVG shrinks with it, so phones get a drawing of their own instead of a smaller
 * one; the stylesheet shows one of the two.
 */
export type Canvas = {
  size: "wide" | "narrow";
  /** of the viewBox; the narrow one fits the text column of a phone of 320 pixels */
  width: number;
  /** in units of the viewBox: at least 11 pixels on screen */
  fontSize: number;
};

const CANVASES: readonly Canvas[] = [
  { size: "wide", width: 760, fontSize: 13 },
  { size: "narrow", width: 280, fontSize: 12 },
];

/** Approximate width of a text, to place what is next to it: few letters of a text face are wider. */
export function widthOf(text: string, { fontSize }: Canvas): number {
  return text.length * fontSize * 0.58;
}

export type Drawing = { height: number; content: Child };

export type ChartDrawingParameters = {
  /** unique on the page; prefix of all ids in the chart */
  id: string;
  title: string;
  /** the data in a few sentences */
  description: string;
  draw: (canvas: Canvas) => Drawing;
};

/** The chart on both canvases. The hidden one is hidden from assistive technology too. */
export function chartDrawing({ id, title, description, draw }: ChartDrawingParameters) {
  return (
    <div class="chart-frames">
      {CANVASES.map((canvas) => {
        const { height, content } = draw(canvas);
        const name = `${id}-${canvas.size}`;
        return (
          <svg
            class={`chart-drawing chart-drawing--${canvas.size}`}
            role="img"
            aria-labelledby={`${name}-title ${name}-desc`}
            viewBox={`0 0 ${canvas.width} ${height}`}
            width={canvas.width}
            height={height}
            font-size={canvas.fontSize}
          >
            <title id={`${name}-title`}>{title}</title>
            <desc id={`${name}-desc`}>{description}</desc>
            {content}
          </svg>
        );
      })}
    </div>
  );
}

type LabelParameters = {
  class?: string;
  x: number;
  y: number;
  anchor?: "start" | "middle" | "end";
  text: string;
};

/**
 * A label.
 * @param class besides the one of all labels
 */
export function Label({ class: own, x, y, anchor, text }: LabelParameters) {
  return (
    <text
      class={own === undefined ? "chart-text" : `chart-text ${own}`}
      fill="currentColor"
      x={px(x)}
      y={px(y)}
      text-anchor={anchor}
    >
      {text}
    </text>
  );
}

/** A coordinate as an attribute, to a tenth of a unit, which is finer than a pixel. */
export function px(coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10);
}

/** The plotting area of a chart over time: its edges, and the scales. */
export type Plot = {
  canvas: Canvas;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** @param at unix seconds */
  xOf(at: bigint): number;
  /** @param amount base units */
  yOf(amount: bigint): number;
};

export type PlotParameters = Pick<Plot, "canvas" | "left" | "right" | "top" | "bottom"> & {
  /** unix seconds; `until` is after `from` */
  from: bigint;
  until: bigint;
  axis: MoneyAxis;
};

/** Times and amounts outside the plot are clamped to its edges. */
export function createPlot({ from, until, axis, ...edges }: PlotParameters): Plot {
  const x = scaleLinear([0, 1], [edges.left, edges.right]);
  const y = scaleLinear([0, 1], [edges.bottom, edges.top]);
  return {
    ...edges,
    xOf: (at) => x(ratio(at - from, until - from)),
    yOf: (amount) => y(ratio(amount, axis.top)),
  };
}
