/** @jsxImportSource hono/jsx */
/** @module The legend above a plot: each series as it is drawn, with its name and figure. */
import { curveStepAfter, line, type SymbolType, symbol } from "d3-shape";
import { Area, type AreaLook, type Canvas, Label, px } from "./drawing.tsx";

export type LegendEntry = { class: string; text: string } & (
  | { look: "line"; dashes: string | null; marker: SymbolType }
  | { look: AreaLook }
);

const SAMPLE = 30;
const BLOCK = 14;
const MARKER_AREA = 54;

/** One row, or one for each entry on a narrow canvas. */
export function legendHeight(canvas: Canvas, entries: number): number {
  return (canvas.size === "narrow" ? entries : 1) * rowHeight(canvas);
}

function rowHeight({ fontSize }: Canvas): number {
  return fontSize + 8;
}

/** Nothing depends on telling colours apart. */
export function Legend({ canvas, entries }: { canvas: Canvas; entries: readonly LegendEntry[] }) {
  const isRow = canvas.size !== "narrow";
  return (
    <g class="chart-legend">
      {entries.map((entry, index) => {
        const left = isRow ? (index * canvas.width) / entries.length : 0;
        const middle = (isRow ? 0 : index * rowHeight(canvas)) + rowHeight(canvas) / 2;
        return (
          <g>
            <g class={entry.class}>
              <Sample entry={entry} left={left} middle={middle} />
            </g>
            <Label
              x={left + (entry.look === "line" ? SAMPLE : BLOCK) + 8}
              y={middle + canvas.fontSize * 0.35}
              text={entry.text}
            />
          </g>
        );
      })}
    </g>
  );
}

function Sample({ entry, left, middle }: { entry: LegendEntry; left: number; middle: number }) {
  if (entry.look !== "line") {
    return (
      <Area look={entry.look} x={left + 0.5} y={middle - BLOCK / 2} width={BLOCK} height={BLOCK} rx="2" />
    );
  }
  return (
    <>
      <path
        class="chart-line"
        d={`M${px(left)},${px(middle)}h${SAMPLE}`}
        fill="none"
        stroke="currentColor"
        stroke-width="2"
        stroke-dasharray={entry.dashes}
      />
      <Marker marker={entry.marker} x={left + SAMPLE / 2} y={middle} />
    </>
  );
}

export function Marker({ marker, x, y }: { marker: SymbolType; x: number; y: number }) {
  return (
    <path
      class="chart-marker"
      d={symbol(marker, MARKER_AREA).digits(1)() ?? ""}
      transform={`translate(${px(x)},${px(y)})`}
      fill="currentColor"
    />
  );
}

export type Corner = { x: number; y: number };

/** A line through these corners: along, then up or down. */
export function SteppedLine({ corners, dashes }: { corners: readonly Corner[]; dashes: string | null }) {
  const stepped = line<Corner>(
    ({ x }) => x,
    ({ y }) => y,
  );
  return (
    <path
      class="chart-line"
      d={stepped.curve(curveStepAfter).digits(1)(corners) ?? ""}
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-dasharray={dashes}
      stroke-linejoin="round"
    />
  );
}
