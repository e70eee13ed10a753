/** @jsxImportSource hono/jsx */
/**
 * The totals of the book as bars: the money, and the number of raises in each state.
 * @module
 */
import { DOLLAR, formatAmount } from "../../market/amount.ts";
import { STATUSES, type Stats } from "../../market/schema.ts";
import { tableOf } from "../blocks.ts";
import type { Chart } from "../page.ts";
import { amount, count, STATUS_WORDS, text, textOf, type Value } from "../value.ts";
import { type Canvas, chartDrawing, type Drawing, Label, px, widthOf } from "./drawing.tsx";
import { abbreviateAmount, ratio } from "./money-scale.ts";

type Bar = { key: string; label: string; class: string; size: bigint; value: Value; shown: string };
type Group = { heading: string; bars: readonly Bar[] };

/** Longest figure, in characters, that fits above a bar on the narrow canvas; longer ones are abbreviated. */
const LONGEST_FIGURE = 18;

/**
 * The chart of the whole book.
 * @param id unique on the page
 */
export function totalsChart(stats: Stats, id: string): Chart {
  const money: Bar[] = [
    moneyBar("raised", "Committed", "chart-committed", stats.raised),
    moneyBar("outstanding", "Outstanding", "chart-outstanding", stats.outstanding),
    moneyBar("repaid", "Repaid", "chart-repaid", stats.repaid),
    moneyBar("refunded", "Refunded", "chart-refunded", stats.refunded),
  ];
  const states = STATUSES.map((status): Bar => {
    const raises = stats.byStatus[status];
    const value = count(raises);
    return {
      key: status,
      label: STATUS_WORDS[status],
      class: "chart-count",
      size: BigInt(raises),
      value,
      shown: textOf(value),
    };
  });
  const groups: Group[] = [
    { heading: `Money, in ${DOLLAR}`, bars: money },
    { heading: "Raises by status", bars: states },
  ];
  const title = "The book in figures";
  const sayAll = (bars: readonly Bar[]) =>
    bars.map(({ label, value }) => `${label.toLowerCase()} ${textOf(value)}`).join(", ");
  return {
    title,
    svg: chartDrawing({
      id,
      title,
      sizes: ["narrow", "middle", "full"],
      description: `Of all raises: ${sayAll(money)}. Raises by status: ${sayAll(states)}.`,
      draw: (canvas) => drawGroups(groups, canvas),
    }),
    table: tableOf({
      caption: "The book in figures: money, and the number of raises by status",
      items: [...money, ...states],
      keyOf: ({ key }) => key,
      columns: [
        ["figure", "Figure", ({ key, label }) => text(key in stats.byStatus ? `Raises: ${label}` : label)],
        ["value", "Value", ({ value }) => value, "end"],
      ],
      empty: "There are no figures yet.",
    }),
  };
}

function moneyBar(key: string, label: string, className: string, baseUnits: string): Bar {
  const figure = formatAmount(baseUnits, { unit: null });
  return {
    key,
    label,
    class: className,
    size: BigInt(baseUnits),
    value: amount(baseUnits),
    shown: figure.length <= LONGEST_FIGURE ? figure : abbreviateAmount(baseUnits),
  };
}

const THICKNESS = { full: 14, wide: 12, middle: 12, narrow: 8 } as const;
const GAP = 8;

/** Wide: label, bar and figure in a row. Narrow: label and figure above the bar. */
function drawGroups(groups: readonly Group[], canvas: Canvas): Drawing {
  const { size, width, fontSize } = canvas;
  const thickness = THICKNESS[size];
  const bars = groups.flatMap((group) => group.bars);
  const isWide = size !== "narrow";
  const names = isWide ? Math.max(...bars.map(({ label }) => widthOf(label, canvas))) + 12 : 0;
  const figures = isWide ? Math.max(...bars.map(({ shown }) => widthOf(shown, canvas))) + 12 : 0;
  const room = width - names - figures;
  const rowHeight = isWide ? fontSize + 2 * GAP - 3 : fontSize + thickness + 2 * GAP;

  let y = 0;
  const content = groups.map(({ heading, bars }, index) => {
    y += (index === 0 ? 0 : 2 * GAP) + fontSize;
    const headingAt = y;
    y += GAP;
    const most = bars.reduce((largest, { size }) => (size > largest ? size : largest), 0n);
    const rows = bars.map((bar) => {
      const top = y;
      y += rowHeight;
      const baseline = isWide ? top + rowHeight / 2 + fontSize * 0.35 : top + fontSize + 2;
      const barAt = isWide ? top + (rowHeight - thickness) / 2 : baseline + GAP - 2;
      // Anything above zero is visible.
      const length = bar.size === 0n ? 0 : Math.max(2, ratio(bar.size, most) * room);
      return (
        <g>
          <Label x={0} y={baseline} text={bar.label} />
          {!isWide && (
            <rect
              class="chart-track"
              fill="currentColor"
              fill-opacity="0.1"
              x={px(names)}
              y={px(barAt)}
              width={px(room)}
              height={thickness}
              rx="2"
            />
          )}
          {length > 0 && (
            <rect
              class={`chart-bar ${bar.class}`}
              fill="currentColor"
              x={px(names)}
              y={px(barAt)}
              width={px(length)}
              height={thickness}
              rx="2"
            />
          )}
          <Label
            class="chart-figure"
            x={isWide ? names + length + 8 : width}
            y={baseline}
            anchor={isWide ? "start" : "end"}
            text={bar.shown}
          />
        </g>
      );
    });
    return (
      <g>
        <text class="chart-heading" fill="currentColor" font-weight="600" x="0" y={px(headingAt)}>
          {heading}
        </text>
        {rows}
      </g>
    );
  });
  return { height: Math.ceil(y + 4), content };
}
