/** @jsxImportSource hono/jsx */
/**
 * What every chart is set in: one SVG for each frame, with a name and a description for whoever does not see it. Colours
 * come from the stylesheet by class; without one a chart is drawn in the colour of the text.
 * @module
 */
import type { Child } from "hono/jsx";
import { FRAMES, type Frame } from "./frame.ts";

export type Drawing = { height: number; content: Child };

export type ChartDrawingParameters = {
  /** unique on the page; ids of the chart begin with it */
  id: string;
  title: string;
  /** the facts in a sentence or a few */
  description: string;
  draw: (frame: Frame) => Drawing;
};

/** The chart in both frames. A hidden one is hidden from assistive technology too. */
export function chartDrawing({ id, title, description, draw }: ChartDrawingParameters) {
  return (
    <div class="chart-frames">
      {FRAMES.map((frame) => {
        const { height, content } = draw(frame);
        const name = `${id}-${frame.size}`;
        return (
          <svg
            class={`chart-drawing chart-drawing--${frame.size}`}
            role="img"
            aria-labelledby={`${name}-title ${name}-desc`}
            viewBox={`0 0 ${frame.width} ${height}`}
            width={frame.width}
            height={height}
            font-size={frame.fontSize}
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

/** A coordinate in an attribute: a tenth of a unit is finer than a pixel. */
export function px(coordinate: number): string {
  return String(Math.round(coordinate * 10) / 10);
}
