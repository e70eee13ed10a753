/** @jsxImportSource hono/jsx */
/** @module The loans of a business on one line of time: a bar for each, with its due date and what became of it. */
import { symbolCircle, symbolDiamond } from "d3-shape";
import { counted } from "../../../config/format/counted.ts";
import { DAY } from "../../../config/format/time.ts";
import { isolated, stripControl } from "../../../config/format/untrusted-text.ts";
import type { Loan } from "../../market/loan.ts";
import type { Chart } from "../page.ts";
import type { Tone } from "../value.ts";
import {
  Area,
  type Canvas,
  chartDrawing,
  createTimePlot,
  type Drawing,
  heightBelow,
  Label,
  px,
  type TimePlot,
  widthOf,
} from "./drawing.tsx";
import { Marker } from "./legend.tsx";
import { TimeTicks } from "./marks.tsx";
import { largest, timeTicks } from "./scales.ts";

/** `title` may be a third party's. */
type LoanBar = Pick<Loan, "drawnAt" | "maturityAt" | "endedAt" | "lost"> & {
  title: string;
  words: string;
  tone: Tone;
};

export type LoansOverTimeParameters = {
  id: string;
  loans: readonly LoanBar[];
  /** unix seconds of the head */
  now: bigint;
};

const THICKNESS = 12;
/** Room for the markers at both ends. */
const MARGIN = 6;
const TICKS = { narrow: 3, middle: 5, wide: 6 } as const;

/** The page must not change with every block: today begins at midnight. */
export function loansOverTime({ id, loans, now }: LoansOverTimeParameters): Omit<Chart, "table"> {
  const today = now - (now % DAY);
  const title = "Track record";
  const description = `${counted(loans.length, "loans")}, the latest first: ${loans
    .map((loan) => `${isolated(shortened(loan.title, 60))}: ${loan.words}`)
    .join("; ")}.`;
  return {
    title,
    svg: chartDrawing({ id, title, description, draw: (canvas) => drawLoans(loans, today, canvas) }),
  };
}

function drawLoans(loans: readonly LoanBar[], today: bigint, canvas: Canvas): Drawing {
  const rowHeight = canvas.fontSize + THICKNESS + 20;
  const [left, right] = [MARGIN, canvas.width - MARGIN];
  const moments = loans.flatMap(({ drawnAt, maturityAt, endedAt }) => [
    drawnAt,
    maturityAt,
    endedAt ?? today,
  ]);
  const until = largest(moments);
  const from = moments.reduce((a, b) => (a < b ? a : b));
  const bottom = loans.length * rowHeight + 6;
  const span = { from, until: until > from ? until : from + 1n };
  const plot = createTimePlot({ canvas, left, right, top: 0, bottom, ...span });
  const isTodayInside = today > from && today < until;
  return {
    height: heightBelow(bottom, canvas),
    content: (
      <>
        {isTodayInside && <Today plot={plot} today={today} />}
        {loans.map((loan, index) => (
          <LoanRow loan={loan} plot={plot} top={index * rowHeight} today={today} />
        ))}
        <path
          class="chart-grid"
          d={`M${px(left)},${px(bottom)}H${px(right)}`}
          stroke="currentColor"
          stroke-opacity="0.3"
        />
        <TimeTicks plot={plot} ticks={timeTicks(span.from, span.until, TICKS[canvas.size])} />
      </>
    ),
  };
}

function Today({ plot: { xOf, bottom }, today }: { plot: TimePlot; today: bigint }) {
  return (
    <path
      class="chart-day"
      d={`M${px(xOf(today))},0V${px(bottom)}`}
      stroke="currentColor"
      stroke-opacity="0.45"
      stroke-dasharray="1 3"
    />
  );
}

type RowParameters = { loan: LoanBar; plot: TimePlot; top: number; today: bigint };

function LoanRow({ loan, plot, top, today }: RowParameters) {
  const { drawnAt, maturityAt, endedAt, lost, title, words, tone } = loan;
  const { canvas, xOf } = plot;
  const baseline = top + canvas.fontSize;
  const y = baseline + 6;
  const end = endedAt ?? today;
  const [start, due] = [xOf(drawnAt), xOf(maturityAt)];
  const paid = Math.max(start + 2, Math.min(xOf(end), due));
  const room = canvas.width - widthOf(words, canvas) - 16;
  return (
    <g class={`chart-tone-${tone}`}>
      <Label
        x={0}
        y={baseline}
        text={isolated(shortened(title, Math.max(4, Math.floor(room / widthOf("n", canvas)))))}
      />
      <Label class="chart-figure" x={canvas.width} y={baseline} anchor="end" text={words} />
      <rect
        class="chart-track"
        fill="currentColor"
        fill-opacity="0.15"
        x={px(start)}
        y={px(y)}
        width={px(Math.max(2, due - start))}
        height={THICKNESS}
        rx="2"
      />
      <rect
        class="chart-bar"
        fill="currentColor"
        x={px(start)}
        y={px(y)}
        width={px(paid - start)}
        height={THICKNESS}
        rx="2"
      />
      {xOf(end) > due && (
        <Area look="hollow" x={due} y={y + 0.5} width={xOf(end) - due} height={THICKNESS - 1} />
      )}
      <path
        class="chart-notch"
        d={`M${px(due)},${px(y - 3)}v${THICKNESS + 6}`}
        stroke="currentColor"
        stroke-width="2"
      />
      {endedAt !== null && (
        <Marker marker={lost > 0n ? symbolDiamond : symbolCircle} x={xOf(endedAt)} y={y + THICKNESS / 2} />
      )}
    </g>
  );
}

/** On one line, at most so many letters. */
function shortened(text: string, most: number): string {
  const letters = [...stripControl(text, { keepLineFeeds: false })];
  return letters.length <= most
    ? letters.join("")
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}
