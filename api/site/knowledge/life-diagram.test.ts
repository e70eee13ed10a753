import { parseHTML } from "linkedom";
import { describe, expect, it } from "vitest";
import { textOf } from "../value.ts";
import { lifeDiagram } from "./life-diagram.tsx";

/** From the interface document, "States and transitions", in the words of the site. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  Open: ["Funded", "Refunded"],
  Funded: ["Repaying", "Refunded"],
  Repaying: ["Repaid", "Late, in default"],
  Repaid: [],
  Refunded: [],
  "Late, in default": ["Repaid", "Ended with a loss"],
  "Ended with a loss": [],
};

describe("the diagram of the life of a raise", () => {
  const { document } = parseHTML(`<html><body>${lifeDiagram.svg}</body></html>`);
  const drawings = [...document.querySelectorAll("svg")];

  it("is a table of every state and what can follow", () => {
    const rows = lifeDiagram.table.rows.map(({ cells: [state, , next] }) => [
      state && textOf(state),
      next && textOf(next),
    ]);
    expect(rows).toEqual(
      Object.entries(WAYS).map(([state, next]) => [state, next.join(", or ") || "Nothing"]),
    );
  });

  it("draws each state once and each way as an arrow, for narrow and wide columns, with a name", () => {
    const ways = Object.values(WAYS).flat().length;
    expect(drawings).toHaveLength(3);
    for (const drawing of drawings) {
      expect([...drawing.querySelectorAll(".flow-name")].map((name) => name.textContent)).toEqual(
        Object.keys(WAYS),
      );
      expect(drawing.querySelectorAll(".flow-line")).toHaveLength(ways);
      expect(drawing.querySelectorAll(".flow-head")).toHaveLength(ways);
      expect(drawing.querySelector("title")?.textContent).toBe(lifeDiagram.title);
      for (const state of ["Open", "Funded", "Refunded", "Repaying", "Repaid", "Ended with a loss"])
        expect(drawing.querySelector("desc")?.textContent).toContain(state);
    }
  });

  it("keeps boxes inside the canvas and apart, and arrows out of boxes", () => {
    for (const drawing of drawings) {
      const number = (element: Element, name: string) => Number(element.getAttribute(name));
      const [, , width = 0, height = 0] = (drawing.getAttribute("viewBox") ?? "").split(" ").map(Number);
      const boxes = [...drawing.querySelectorAll(".flow-box")].map((box) => ({
        left: number(box, "x"),
        top: number(box, "y"),
        right: number(box, "x") + number(box, "width"),
        bottom: number(box, "y") + number(box, "height"),
      }));
      expect(boxes).toHaveLength(Object.keys(WAYS).length);
      for (const [at, box] of boxes.entries()) {
        expect(box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height).toBe(true);
        for (const other of boxes.slice(at + 1)) {
          const overlaps =
            box.left < other.right &&
            other.left < box.right &&
            box.top < other.bottom &&
            other.top < box.bottom;
          expect(overlaps).toBe(false);
        }
      }
      for (const line of drawing.querySelectorAll(".flow-line")) {
        const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] =
          (line.getAttribute("d") ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
        for (const share of [0.1, 0.3, 0.5, 0.7, 0.9]) {
          const [x, y] = [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
          const inside = boxes.filter(
            (box) => x > box.left && x < box.right && y > box.top && y < box.bottom,
          );
          expect(inside).toEqual([]);
        }
      }
    }
  });
});
