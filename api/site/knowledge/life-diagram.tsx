/** @jsxImportSource hono/jsx */
/** @module The states of a raise and the ways between them, as a drawing and as a table. */
import { tableOf } from "../blocks.ts";
import { type Canvas, chartDrawing } from "../charts/drawing.tsx";
import type { Chart } from "../page.ts";
import { type Tone, text } from "../value.ts";

type Box = "open" | "funded" | "repaying" | "repaid" | "refunded" | "late" | "lost";
type Step = { name: string; lines: readonly string[]; about: string; tone: Tone; next: readonly Box[] };

/** In the order of the table. `lines` stand in the box. */
const STEPS: Readonly<Record<Box, Step>> = {
  open: {
    name: "Open",
    lines: ["backers subscribe"],
    about: "Backers subscribe, and can withdraw.",
    tone: "busy",
    next: ["funded", "refunded"],
  },
  funded: {
    name: "Funded",
    lines: ["minimum met"],
    about: "Closed with its minimum met; the business posts its reserve.",
    tone: "good",
    next: ["repaying", "refunded"],
  },
  repaying: {
    name: "Repaying",
    lines: ["money drawn down"],
    about: "The business has the money, until the due date.",
    tone: "good",
    next: ["repaid", "late"],
  },
  repaid: {
    name: "Repaid",
    lines: ["nothing is owed"],
    about: "The end without a loss: all principal came back.",
    tone: "good",
    next: [],
  },
  refunded: {
    name: "Refunded",
    lines: ["below its minimum,", "cancelled or voided"],
    about: "The end without a loan: below its minimum, cancelled or voided. Backers claim their money back.",
    tone: "warn",
    next: [],
  },
  late: {
    name: "Late, in default",
    lines: ["past the due date"],
    about: "The due date has passed: in grace, then late, then in default. The business can still pay.",
    tone: "warn",
    next: ["repaid", "lost"],
  },
  lost: {
    name: "Ended with a loss",
    lines: ["the rest is written off"],
    about: "The end with a loss: what neither the business nor the reserve paid is written off.",
    tone: "bad",
    next: [],
  },
};
const BOXES = Object.keys(STEPS) as Box[];

/** In units of the viewBox. */
const SIZE = { width: 152, height: 62, head: 7 };
/** From here on the four steps of the usual way fit next to each other. */
const WIDE = 700;

type Place = readonly [x: number, y: number];

/** The upper left corners: the usual way in a row, or in a column on narrow canvases. */
function placesOn({ width }: Pick<Canvas, "width">): Record<Box, Place> {
  if (width >= WIDE) {
    const step = (width - 2 - SIZE.width) / 3;
    const [top, below] = [2, 130];
    return {
      open: [1, top],
      funded: [1 + step, top],
      repaying: [1 + 2 * step, top],
      repaid: [1 + 3 * step, top],
      refunded: [1 + step / 2, below],
      late: [1 + 2 * step, below],
      lost: [1 + 3 * step, below],
    };
  }
  const [left, right, step] = [1, width - 1 - SIZE.width, 104];
  return {
    open: [left, 2],
    funded: [left, 2 + step],
    repaying: [left, 2 + 2 * step],
    repaid: [left, 2 + 3 * step],
    refunded: [right, 2 + step / 2],
    late: [right, 2 + 2 * step],
    lost: [right, 2 + 3 * step],
  };
}

/** From the edge of one box to that of another: between the sides that face each other. */
function arrow([fromX, fromY]: Place, [toX, toY]: Place) {
  const { width, height } = SIZE;
  const [dx, dy] = [toX - fromX, toY - fromY];
  // Sideways where the boxes do not overlap in x and are not clearly below each other.
  const isSideways = Math.abs(dx) >= width && Math.abs(dy) < height;
  const isDown = !isSideways;
  const start: Place = isDown
    ? [fromX + width / 2 + clamp(dx / 4), dy > 0 ? fromY + height : fromY]
    : [dx > 0 ? fromX + width : fromX, fromY + height / 2];
  const end: Place = isDown
    ? [toX + width / 2 - clamp(dx / 4), dy > 0 ? toY : toY + height]
    : [dx > 0 ? toX : toX + width, toY + height / 2];
  return { start, end };
}

const clamp = (offset: number) => Math.max(-SIZE.width / 3, Math.min(SIZE.width / 3, offset));
const at = (value: number) => value.toFixed(1);

function Arrow({ from, to }: { from: Place; to: Place }) {
  const { start, end } = arrow(from, to);
  const angle = Math.atan2(end[1] - start[1], end[0] - start[0]);
  const corner = (side: number) =>
    `${at(end[0] - SIZE.head * 1.4 * Math.cos(angle) + side * SIZE.head * 0.7 * Math.sin(angle))} ${at(end[1] - SIZE.head * 1.4 * Math.sin(angle) - side * SIZE.head * 0.7 * Math.cos(angle))}`;
  const [x, y] = end;
  return (
    <>
      <path class="flow-line" d={`M${at(start[0])} ${at(start[1])}L${at(x)} ${at(y)}`} />
      <path class="flow-head" d={`M${at(x)} ${at(y)}L${corner(1)}L${corner(-1)}Z`} />
    </>
  );
}

function draw(canvas: Canvas) {
  const places = placesOn(canvas);
  const height = Math.max(...BOXES.map((box) => places[box][1])) + SIZE.height + 2;
  const content = (
    <>
      {BOXES.flatMap((box) => STEPS[box].next.map((next) => <Arrow from={places[box]} to={places[next]} />))}
      {BOXES.map((box) => {
        const { name, lines, tone } = STEPS[box];
        const [x, y] = places[box];
        const top = y + SIZE.height / 2 - (lines.length - 1) * 8;
        return (
          <>
            <rect
              class={`flow-box flow-box--${tone}`}
              x={at(x)}
              y={at(y)}
              width={SIZE.width}
              height={SIZE.height}
              rx={8}
            />
            <text
              class="chart-text flow-name"
              x={at(x + SIZE.width / 2)}
              y={at(top - 3)}
              text-anchor="middle"
            >
              {name}
            </text>
            {lines.map((line, index) => (
              <text
                class="chart-tick"
                x={at(x + SIZE.width / 2)}
                y={at(top + 14 + index * 15)}
                text-anchor="middle"
                font-size="12"
              >
                {line}
              </text>
            ))}
          </>
        );
      })}
    </>
  );
  return { height, content };
}

const title = "The life of a raise, from open to repaid";

export const lifeDiagram: Chart = {
  title,
  svg: chartDrawing({
    id: "lifeOfARaise",
    title,
    description:
      "Open leads to Funded or Refunded, Funded to Repaying or Refunded, Repaying to Repaid or to Late and in default, and that to Repaid or to Ended with a loss.",
    draw,
  }),
  fold: "The diagram as a table",
  table: tableOf({
    caption: "The states of a raise, and what can follow",
    items: BOXES.map((box) => STEPS[box]),
    keyOf: ({ name }) => name,
    columns: [
      ["state", "State", ({ name }) => text(name)],
      ["about", "Meaning", ({ about }) => text(about)],
      [
        "next",
        "What can follow",
        ({ next }) => text(next.map((one) => STEPS[one].name).join(", or ") || "Nothing"),
      ],
    ],
    empty: "",
  }),
};
