import fc from "fast-check";
import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import {
  descriptionOf,
  documentOf,
  drawingsOf,
  expectSameFigures,
  expectSound,
  labelsOf,
  numbersIn,
  START,
} from "../../../test/harness/charts.ts";
import { DAY, DOLLAR } from "../../../test/harness/rows.ts";
import type { MoneyPoint } from "../../ledger/series.ts";
import { textOf } from "../value.ts";
import { columnsOverTime } from "./columns-over-time.tsx";
import { type MoneyOverTimeParameters, moneyOverTime } from "./money-over-time.tsx";

const MOST = 2n ** 256n - 1n;

const LISTING: MoneyOverTimeParameters["listing"] = {
  refnum: "RB00042",
  status: "funding",
  statusSince: isoTime(START),
  targetAmount: `${50_000n * DOLLAR}`,
  minRaise: `${20_000n * DOLLAR}`,
  closeAt: isoTime(START + 20n * DAY),
  drawnDownAt: isoTime(START + 21n * DAY),
  maturityAt: isoTime(START + 111n * DAY),
};

/** One point a day; amounts in dollars. */
function days(...totals: [committed: bigint, repaid?: bigint, refunded?: bigint][]): MoneyPoint[] {
  return totals.map(([committed, repaid = 0n, refunded = 0n], index) => ({
    at: START + BigInt(index) * DAY,
    committed: committed * DOLLAR,
    repaid: repaid * DOLLAR,
    refunded: refunded * DOLLAR,
  }));
}

const hasMoved = ({ committed, repaid, refunded }: MoneyPoint) => committed + repaid + refunded > 0n;

const drawn = (points: MoneyPoint[], changes: Partial<typeof LISTING> = {}) =>
  moneyOverTime({ id: "money", listing: { ...LISTING, ...changes }, points });

describe("money over time", () => {
  const points = days([0n], [12_000n], [30_000n, 0n, 500n], [29_500n, 4_000n, 1_000n]);

  it("says in words and in the table what it shows", () => {
    const chart = drawn(points);
    expectSound(chart);
    expectSameFigures(chart);
    expect(descriptionOf(chart)).toBe(
      "Up to 4 Mar 2026, 00:00 UTC: committed 29,500 USD-test, repaid 4,000 USD-test, refunded 1,000 USD-test. " +
        "Target 50,000 USD-test, minimum 20,000 USD-test. " +
        "Closes 21 Mar 2026. Drawdown 22 Mar 2026. Maturity 20 Jun 2026.",
    );
    expect(chart.table.rows.map(({ cells }) => cells.map(textOf))).toEqual([
      ["2 Mar 2026, 00:00 UTC", "12,000 USD-test", "0 USD-test", "0 USD-test"],
      ["3 Mar 2026, 00:00 UTC", "30,000 USD-test", "0 USD-test", "500 USD-test"],
      ["4 Mar 2026, 00:00 UTC", "29,500 USD-test", "4,000 USD-test", "1,000 USD-test"],
    ]);
  });

  it("places each row of the table where the line steps, for the pointer to find", () => {
    const bare = drawn(points, { closeAt: null, drawnDownAt: null, maturityAt: null });
    for (const svg of drawingsOf(bare)) {
      const steps = svg.querySelector(".chart-series .chart-line")?.getAttribute("d") ?? "";
      const xs = new Set([...steps.matchAll(/[ML]([\d.]+),/g)].map(([, x]) => Number(x)));
      const readings = numbersIn(svg.getAttribute("data-readings"));
      expect(readings).toHaveLength(3);
      expect(readings.filter((x) => !xs.has(x))).toEqual([]);
    }
  });

  it("is a sentence before any money moved", () => {
    for (const nothing of [[], days([0n]), days([0n], [0n])]) {
      const { svg, table } = drawn(nothing);
      expect([svg, table.rows, table.empty]).toEqual([null, [], "No money has moved yet."]);
    }
  });

  it("names each series, amount and day in the drawing", () => {
    for (const svg of drawingsOf(drawn(points))) {
      expect(labelsOf(svg)).toEqual(
        expect.arrayContaining([
          "Committed 29.5k",
          "Repaid 4k",
          "All refunds 1k",
          "Target 50k",
          "Minimum 20k",
          "Closes",
          "Drawdown",
          "Maturity",
        ]),
      );
    }
  });

  it("tells the series apart without colour", () => {
    for (const svg of drawingsOf(drawn(points))) {
      const lines = [...svg.querySelectorAll(".chart-series .chart-line")];
      expect(lines.map((line) => line.getAttribute("stroke-dasharray"))).toEqual([null, "7 4", "2 3"]);
      const shapes = [...svg.querySelectorAll(".chart-series .chart-marker")];
      expect(new Set(shapes.map((shape) => shape.getAttribute("d"))).size).toBe(3);
    }
  });

  it("steps up where money came and down where it went, to the pixel", () => {
    const chart = drawn(days([0n], [50_000n], [25_000n]), {
      closeAt: null,
      drawnDownAt: null,
      maturityAt: null,
    });
    const wide = drawingsOf(chart).at(-1);
    const d = wide?.querySelector(".chart-series .chart-line")?.getAttribute("d") ?? "";
    const grid = [...(wide?.querySelectorAll(".chart-grid") ?? [])].map(
      (line) => line.getAttribute("d") ?? "",
    );
    const yOf = (line: string | undefined) => Number(/,([\d.]+)H/.exec(line ?? "")?.[1]);
    const ys = [...d.matchAll(/[ML][\d.]+,([\d.]+)/g)].map(([, y]) => Number(y));
    const [zero, top] = [yOf(grid[0]), yOf(grid[5])];
    expect(ys).toEqual([zero, zero, top, top, (zero + top) / 2]);
  });

  it("leaves out a minimum of zero, and names two levels in one place once", () => {
    const [none] = drawingsOf(drawn(points, { minRaise: "0" }));
    expect(none && labelsOf(none).filter((label) => label?.includes("inimum"))).toEqual([]);
    expect(descriptionOf(drawn(points, { minRaise: "0" }))).toContain("no minimum");
    const [both] = drawingsOf(drawn(points, { minRaise: LISTING.targetAmount }));
    expect(both && labelsOf(both)).toContain("Target and minimum 50k");
  });

  it("leaves a day that is too far ahead to the words", () => {
    const chart = drawn(points, { closeAt: "9999-12-31T23:59:59Z" });
    expectSound(chart);
    for (const svg of drawingsOf(chart)) expect(labelsOf(svg)).not.toContain("Closes");
    expect(descriptionOf(chart)).toContain("Closes 31 Dec 9999.");
  });

  it("thins a long table and keeps its first and its last row", () => {
    const many = days(...Array.from({ length: 500 }, (_, index): [bigint] => [BigInt(index)]));
    const { table } = drawn(many);
    expect(table.rows).toHaveLength(40);
    expect(table.rows[0]?.key).toBe(`${START + DAY}`);
    expect(table.rows.at(-1)?.key).toBe(`${START + 499n * DAY}`);
    expectSound(drawn(many));
  });

  it("shows a stranger's words as text", () => {
    const refnum = `"><script>alert(1)</script><svg onload=x>&amp;`;
    const chart = drawn(points, { refnum });
    expectSound(chart);
    for (const svg of drawingsOf(chart))
      expect(svg.querySelector("title")?.textContent).toBe(`Money over time of ${refnum}`);
    expect(documentOf(chart).querySelectorAll("script, [onload]")).toHaveLength(0);
  });

  const amount = fc.oneof(
    fc.constantFrom(0n, 1n, DOLLAR, MOST),
    fc.bigInt(0n, 10n ** 24n),
    fc.bigInt(0n, MOST),
  );
  const moment = fc.oneof(fc.bigInt(0n, 4_000_000_000n), fc.bigInt(0n, 2n ** 64n - 1n));
  const time = fc.option(fc.bigInt(0n, 253_402_300_799n).map(isoTime));
  const history = fc
    .array(fc.record({ at: moment, committed: amount, repaid: amount, refunded: amount }), { maxLength: 70 })
    .map((own) => {
      const sorted = own.toSorted((a, b) => (a.at < b.at ? -1 : 1));
      return sorted.filter(({ at }, index) => at !== sorted[index - 1]?.at);
    });

  it("is sound of any figures at any times: none, one, equal ones, the largest", () => {
    const listing = fc.record({
      refnum: fc.string({ unit: "grapheme", maxLength: 30 }),
      status: fc.constantFrom("funding", "live", "cancelled" as const),
      statusSince: fc.bigInt(0n, 253_402_300_799n).map(isoTime),
      targetAmount: amount.map(String),
      minRaise: amount.map(String),
      closeAt: time,
      drawnDownAt: time,
      maturityAt: time,
    });
    fc.assert(
      fc.property(history, listing, (points, marked) => {
        const chart = moneyOverTime({ id: "any", listing: marked, points });
        expectSound(chart);
        if (points.some(hasMoved)) expectSameFigures(chart);
        else expect(chart.svg).toBeNull();
      }),
      { numRuns: 60 },
    );
    for (const points of [days([0n]), days([0n], [0n]), days([5n], [5n], [5n])]) expectSound(drawn(points));
  });
});

describe("columns over time", () => {
  /** How an area is drawn, whatever its colour and size. */
  const lookOf = (rect: Element) => {
    const lines = rect.nextElementSibling?.localName === "path" ? rect.nextElementSibling : null;
    const direction = lines?.getAttribute("d")?.replace(/[^VH]/g, "");
    const own = ["fill-opacity", "stroke-dasharray"].map((name) => rect.getAttribute(name));
    return [...own, direction, lines?.getAttribute("stroke-dasharray")].join(" ");
  };

  it.each([true, false])(
    "tells the series apart without colour, as the legend does (stacked: %s)",
    (isStacked) => {
      const looks = ["solid", "hollow", "hatched", "striped"] as const;
      const periods = [0n, 1n].map((at) => ({ start: START + at * DAY, end: START + (at + 1n) * DAY }));
      const series = looks.map((look) => ({
        label: look,
        class: "same",
        look,
        values: [DOLLAR, 2n * DOLLAR],
      }));
      const { svg } = columnsOverTime({
        id: "columns",
        title: "",
        description: "",
        periods,
        series,
        isStacked,
      });
      const { document } = parseHTML(`<html><body>${svg}</body></html>`);
      const drawings = [...document.querySelectorAll("svg")];
      expect(drawings).toHaveLength(3);
      for (const drawing of drawings) {
        const legend = [...drawing.querySelectorAll(".chart-legend rect")].map(lookOf);
        expect(new Set(legend).size).toBe(4);
        const groups = [...drawing.querySelectorAll(".chart-series .same")];
        expect(groups).toHaveLength(legend.length);
        for (const [at, group] of groups.entries()) {
          const bars = [...group.querySelectorAll("rect")];
          expect(bars.map(lookOf)).toEqual([legend[at], legend[at]]);
          const [first = 0, second = 0] = bars.map((bar) => Number(bar.getAttribute("height")));
          expect(second / first).toBeCloseTo(2, 1);
        }
      }
    },
  );
});
