/** @module The contents of a chart, and the rules for every drawing. */
import fc from "fast-check";
import { parseHTML } from "linkedom";
import { expect } from "vitest";
import type { Chart } from "../../api/site/page.ts";
import { textOf } from "../../api/site/value.ts";
import { DOLLAR } from "./rows.ts";

/** Unix seconds: midnight of 1 March 2026. */
export const START = 1_772_323_200n;

const LARGEST = 2n ** 200n;
/** Base units. */
export const amounts = fc.oneof(fc.constantFrom(0n, 1n, DOLLAR, LARGEST), fc.bigInt(0n, LARGEST));

const markupOf = ({ svg }: Chart) => String(svg ?? "");
export const documentOf = (chart: Chart) =>
  parseHTML(`<html><body>${markupOf(chart)}</body></html>`).document;
export const drawingsOf = (chart: Chart) => [...documentOf(chart).querySelectorAll("svg")];
export const labelsOf = (svg: Element) =>
  [...svg.querySelectorAll("text")].map(({ textContent }) => textContent);
export const descriptionOf = (chart: Chart) => documentOf(chart).querySelector("desc")?.textContent ?? "";
export const numbersIn = (list: string | null) => (list ?? "").split(" ").filter(Boolean).map(Number);
export const cellsOf = ({ table }: Chart) => table.rows.flatMap(({ cells }) => cells.map(textOf));

/** Checks the rules for every drawing. */
export function expectSound(chart: Chart): void {
  const document = documentOf(chart);
  expect(markupOf(chart)).not.toMatch(/NaN|Infinity|undefined|\sstyle=|<style|<script/);
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const drawings = [...document.querySelectorAll("svg")];
  if (drawings.length === 0) {
    // Nothing to draw: the sentence of the table appears instead.
    expect([chart.svg, chart.table.rows]).toEqual([null, []]);
    expect(chart.table.empty).not.toBe("");
    return;
  }
  expect(drawings).toHaveLength(3);
  for (const svg of drawings) {
    expect(svg.getAttribute("role")).toBe("img");
    const named = (svg.getAttribute("aria-labelledby") ?? "").split(" ");
    expect(named.filter((id) => !document.getElementById(id)?.textContent)).toEqual([]);
    const [, , width = 0, height = 0] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
    const paths = [...svg.querySelectorAll("path")].map((path) => path.getAttribute("d") ?? "");
    const isWithin = (d: string) =>
      (d.match(/[\d.]+/g) ?? []).every((number) => Number(number) <= width + height);
    expect(paths.filter((d) => !/^M-?[\d.]+,-?[\d.]+[-MLHVZAahv\d.,]*$/.test(d) || !isWithin(d))).toEqual([]);
    const outside = [...svg.querySelectorAll("text")].filter((label) => {
      const [x = -1, y = -1] = ["x", "y"].map((name) => Number(label.getAttribute(name)));
      return !(x >= 0 && x <= width && y >= 0 && y <= height);
    });
    expect(outside.map(({ textContent }) => textContent)).toEqual([]);
    const readings = numbersIn(svg.getAttribute("data-readings"));
    if (svg.hasAttribute("data-readings")) expect(readings).toHaveLength(chart.table.rows.length);
    expect(readings.filter((place) => !(place >= 0 && place <= width))).toEqual([]);
    const boxes = [...svg.querySelectorAll("rect")].map((rect) =>
      ["x", "y", "width", "height"].map((name) => Number(rect.getAttribute(name))),
    );
    const isOutside = ([x = -1, y = -1, wide = -1, high = -1]: number[]) =>
      !(x >= 0 && y >= 0 && wide >= 0 && high >= 0 && x + wide <= width + 1 && y + high <= height + 1);
    expect(boxes.filter(isOutside)).toEqual([]);
  }
  expect(chart.table.rows.length).toBeLessThanOrEqual(40);
  const keys = chart.table.rows.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(chart.table.rows.filter(({ cells }) => cells.length !== chart.table.columns.length)).toEqual([]);
}

/** Every amount and number in the description is also in the table, or in the words above it. */
export function expectSameFigures(chart: Chart): void {
  const known = [...cellsOf(chart), chart.table.caption].join(" | ");
  const amounts = descriptionOf(chart).match(/<?[\d,]+(?:\.\d\d)? USD-test/g) ?? [];
  expect(amounts.length).toBeGreaterThan(0);
  for (const amount of amounts) expect(known).toContain(amount);
}
