/** @jsxImportSource hono/jsx */
/**
 * The frame of every chart: one SVG for each canvas. Colours come from the stylesheet by class. The values under the
 * pointer are in the rows of the chart's table; a drawing only has their positions (`assets/charts.js`).
 * @module
 */
import { scaleLinear } from "d3-scale";
import type { Child } from "hono/jsx";
import { abbreviateAmount, type MoneyAxis, ratio } from "./scales.ts";

/** Text in an SVG scales with it, so each range of widths has its own drawing; the stylesheet shows the one that fits. */
export type Canvas = {
  size: "narrow" | "middle" | "wide";
  width: number;
  /** in units of the viewBox: between 11 and 17 pixels on screen */
  fontSize: number;
};

const CANVASES: readonly Canvas[] = [
  { size: "narrow", width: 340, fontSize: 13 },
  { size: "middle", width: 560, fontSize: 14 },
  { size: "wide", width: 760, fontSize: 13 },
];

/** Approximate width of a text, to place what is next to it: few letters of a text face are wider. */
export function widthOf(text: string, { fontSize }: Canvas): number {
  return text.length * fontSize * 0.58;
}

/** Room at the left of a plot for the labels of its ticks. */
export function roomFor(labels: readonly string[], canvas: Canvas): number {
  return Math.max(...labels.map((label) => widthOf(label, canvas))) + 10;
}

/** The pattern that tells an area from its neighbour without colour: `hatched` has lines across it, `striped` upright ones. */
export type AreaLook = "solid" | "hollow" | "hatched" | "striped";

type AreaParameters = {
  look: AreaLook;
  class?: string;
  x: number;
  y: number;
  width: number;
  height: number;
  rx?: string;
};

/** A rectangle. Its lines are one wide dashed line: a pattern would need an id on the page, and has no colour of its own. */
export function Area({ look, class: own, x, y, width, height, rx }: AreaParameters) {
  const lines =
    look === "hatched"
      ? { d: `M${px(x + width / 2)},${px(y + height)}V${px(y)}`, width, dashes: "1.5 2.5" }
      : look === "striped"
        ? { d: `M${px(x)},${px(y + height / 2)}H${px(x + width)}`, width: height, dashes: "3.5 1.5" }
        : null;
  return (
    <>
      <rect
        class={own}
        fill="currentColor"
        fill-opacity={look === "solid" ? undefined : "0.14"}
        stroke="currentColor"
        stroke-dasharray={look === "hollow" ? "3 2" : undefined}
        x={px(x)}
        y={px(y)}
        width={px(width)}
        height={px(height)}
        rx={rx}
      />
      {lines !== null && (
        <path
          d={lines.d}
          stroke="currentColor"
          stroke-width={px(lines.width)}
          stroke-dasharray={lines.dashes}
        />
      )}
    </>
  );
}

export type Drawing = {
  height: number;
  content: Child;
  /** values for the pointer; none when the labels say everything */
  readings?: {
    /** positions of the rows of the chart's table, in order */
    places: readonly number[];
    top: number;
    bottom: number;
  };
};

export type ChartDrawingParameters = {
  /** unique on the page; prefix of all ids in the chart */
  id: string;
  title: string;
  description: string;
  draw: (canvas: Canvas) => Drawing;
};

/** The chart on each canvas. The hidden ones are hidden from assistive technology too. */
export function chartDrawing({ id, title, description, draw }: ChartDrawingParameters) {
  return (
    <div class="chart-frames">
      {CANVASES.map((canvas) => {
        const { height, content, readings } = draw(canvas);
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
            data-readings={readings?.places.map(px).join(" ")}
            data-span={readings && `${px(readings.top)} ${px(readings.bottom)}`}
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

/** A label. @param class besides the one of all labels */
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

/** The area of a chart over time: its edges, and its scale. */
export type TimePlot = {
  canvas: Canvas;
  left: number;
  right: number;
  top: number;
  bottom: number;
  /** @param at unix seconds */
  xOf(at: bigint): number;
};

export type Plot = TimePlot & {
  /** @param amount base units */
  yOf(amount: bigint): number;
};

export type TimePlotParameters = Omit<TimePlot, "xOf"> & {
  /** unix seconds; `until` is after `from` */
  from: bigint;
  until: bigint;
};

/** Times outside the plot are clamped to its edges. */
export function createTimePlot({ from, until, ...edges }: TimePlotParameters): TimePlot {
  const x = scaleLinear([0, 1], [edges.left, edges.right]);
  return { ...edges, xOf: (at) => x(ratio(at - from, until - from)) };
}

/** With room at its left for the labels of the axis. */
export function moneyPlot({ axis, ...edges }: Omit<TimePlotParameters, "left"> & { axis: MoneyAxis }): Plot {
  const left = roomFor(axis.ticks.map(abbreviateAmount), edges.canvas);
  const y = scaleLinear([0, 1], [edges.bottom, edges.top]);
  return { ...createTimePlot({ ...edges, left }), yOf: (amount) => y(ratio(amount, axis.top)) };
}

/** Height of a drawing whose plot has one line of labels below it. */
export function heightBelow(bottom: number, { fontSize }: Canvas): number {
  return Math.ceil(bottom + fontSize + 14);
}
