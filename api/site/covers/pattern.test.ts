import { wcagContrast } from "culori";
import { assert, constantFrom, integer, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { coverColours, coverCss } from "./colours.ts";
import { CoverPattern, patternSvg } from "./drawing.tsx";
import { FAMILIES, HEIGHT, patternOf, type Shape, TONES, WIDTH } from "./pattern.ts";

const anyId = oneof(
  string({ unit: "grapheme", maxLength: 40 }),
  integer({ min: 1, max: 99_999 }).map((number) => `RB${String(number).padStart(5, "0")}`),
);
const anyAccent = oneof(
  integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`),
  constantFrom("#000000", "#ffffff", "#ffff00", "#0000ff", "#808080", "#0f6b74"),
);
const IDS = Array.from({ length: 600 }, (_, at) => `RB${String(at + 1).padStart(5, "0")}`);

/** The points that a path visits, control points and ends of arcs included. */
function pointsOf(path: string): { x: number; y: number }[] {
  const points: { x: number; y: number }[] = [];
  let [x, y] = [0, 0];
  for (const [, command = "", rest = ""] of path.matchAll(/([A-Za-z])([^A-Za-z]*)/g)) {
    const numbers = (rest.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
    const isRelative = command === command.toLowerCase();
    const [fromX, fromY] = isRelative ? [x, y] : [0, 0];
    const pairs = { h: 1, v: 1, m: 2, l: 2, s: 2, c: 2, a: 7 }[command.toLowerCase()];
    if (pairs === undefined) throw new Error(`unknown command ${command}`);
    for (let at = 0; at < numbers.length; at += pairs) {
      const [first = 0, second = 0] = numbers.slice(pairs === 7 ? at + 5 : at);
      if (command.toLowerCase() !== "v") x = fromX + first;
      if (command.toLowerCase() !== "h") y = fromY + (command.toLowerCase() === "v" ? first : second);
      points.push({ x, y });
    }
  }
  return points;
}

function isInside({ x, y }: { x: number; y: number }): boolean {
  return x >= 0 && x <= WIDTH && y >= 0 && y <= HEIGHT;
}

/** From left to right, what a shape covers. */
function spanOf(shape: Shape): [number, number] {
  if (!("path" in shape)) return [shape.x - shape.r, shape.x + shape.r];
  const xs = pointsOf(shape.path).map(({ x }) => x);
  return [Math.min(...xs), Math.max(...xs)];
}

describe("patternOf", () => {
  it("is the same for the same id, and another for another", () => {
    const drawn = IDS.map((id) => JSON.stringify(patternOf(id)));
    expect(IDS.map((id) => JSON.stringify(patternOf(id)))).toEqual(drawn);
    expect(new Set(drawn).size).toBe(IDS.length);
  });

  it("does not change from one release to the next", () => {
    const { family, tone, shapes } = patternOf("RB00001");
    expect({ family, tone, first: shapes[0] }).toMatchInlineSnapshot(`
      {
        "family": "columns",
        "first": {
          "ink": 1,
          "path": "M4 96V30a26 26 0 0 1 52 0V96M72 96V30a26 26 0 0 1 52 0V96M131 96V41a26 26 0 0 1 52 0V96M193 96V46a26 26 0 0 1 52 0V96M257 96V35a26 26 0 0 1 52 0V96M327 96V36a26 26 0 0 1 52 0V96",
        },
        "tone": 5,
      }
    `);
  });

  it("uses every family and tone about equally", () => {
    for (const key of ["family", "tone"] as const) {
      const counts = Map.groupBy(IDS, (id) => patternOf(id)[key]);
      expect(counts.size).toBe(key === "tone" ? TONES.length : Object.keys(FAMILIES).length);
      for (const ids of counts.values()) expect(ids.length).toBeGreaterThan(IDS.length / 10);
    }
  });

  it("stays within the drawing, and leaves no third of it empty", () => {
    const draw = property(anyId, (id) => {
      const { shapes } = patternOf(id);
      for (const shape of shapes) {
        const points = "path" in shape ? pointsOf(shape.path) : [shape];
        expect(points.length).toBeGreaterThan(0);
        expect(points.filter((point) => !isInside(point))).toEqual([]);
        if (!("path" in shape)) expect(shape.r).toBeLessThanOrEqual(112);
      }
      for (const from of [0, WIDTH / 3, (2 * WIDTH) / 3]) {
        const isFilled = shapes.some((shape) => {
          const [left, right] = spanOf(shape);
          return left < from + WIDTH / 3 && right > from;
        });
        expect(isFilled).toBe(true);
      }
    });
    assert(draw, { numRuns: 500 });
  });
});

describe("coverColours", () => {
  it("has layers that the eye can tell apart, and a spot that stands out, whatever the accent", () => {
    const look = property(anyAccent, (accent) => {
      for (const tones of Object.values(coverColours(accent))) {
        for (const colours of Object.values(tones)) {
          expect(colours).toHaveLength(6);
          for (const colour of colours) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
          for (const [at, colour] of colours.slice(1).entries()) {
            expect(wcagContrast(colour, colours[at] ?? colour)).toBeGreaterThan(1.15);
          }
          expect(wcagContrast(colours[5] ?? "", colours[0] ?? "")).toBeGreaterThan(3);
        }
      }
    });
    assert(look, { numRuns: 500 });
  });

  it("is written as rules for both themes, of colours alone", () => {
    const css = coverCss("#ffff00");
    const rule = String.raw`\.cover-t\d \{(?: --cover-\d: #[0-9a-f]{6};){6} \}\n`;
    expect(css).toMatch(
      new RegExp(
        `^(?:${rule}){5}@media screen and \\(prefers-color-scheme: dark\\) \\{\\n(?:${rule}){5}\\}\\n$`,
      ),
    );
  });
});

describe("the drawing", () => {
  it("is small, hidden from assistive technology, and has neither styles nor text", () => {
    const draw = property(anyId, (id) => {
      const markup = String(CoverPattern({ id }));
      expect(Buffer.byteLength(markup)).toBeLessThanOrEqual(900);
      expect(markup).toContain('aria-hidden="true"');
      expect(markup).toMatch(
        /^<svg class="cover cover-t\d"(?: [\w-]+="[\w -]+")+>(?:<(path|circle) [^<>]+><\/\1>)+<\/svg>$/i,
      );
      expect(markup).not.toMatch(/style|fill=|undefined|NaN/);
    });
    assert(draw, { numRuns: 500 });
  });

  it("has the same shapes with literal colours for a picture", () => {
    for (const id of IDS.slice(0, 30)) {
      const svg = patternSvg(id, "#0f6b74");
      expect(svg).toContain('viewBox="0 0 384 96"');
      const { tone, shapes } = patternOf(id);
      const colours = coverColours("#0f6b74").light[tone];
      expect([...svg.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, fill]) => fill)).toEqual([
        colours[0],
        ...shapes.map(({ ink }) => colours[ink]),
      ]);
    }
  });
});
