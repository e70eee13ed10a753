import { describe, expect, it } from "vitest";
import { type Box, freest, linesOfSteps } from "./marks.tsx";

const box = (left: number, top: number): Box => ({ left, right: left + 10, top, bottom: top + 10 });
const places = [{ box: box(0, 0) }, { box: box(100, 0) }, { box: box(200, 0) }];

describe("the freest place", () => {
  it("is the first that covers nothing", () => {
    expect(freest(places, [])).toBe(places[0]);
    expect(freest(places, [box(5, 5)])).toBe(places[1]);
    expect(freest(places, [{ left: 0, right: 150, top: 4, bottom: 4 }])).toBe(places[2]);
  });

  it("is the one that covers least where none is free", () => {
    const line = { left: 0, right: 300, top: 4, bottom: 4 };
    expect(freest(places, [line, box(0, 0), box(200, 0)])).toBe(places[1]);
    expect(freest([], [line])).toBeNull();
  });
});

it("a stepped path goes along, then up or down", () => {
  const corners = [
    { x: 0, y: 50 },
    { x: 10, y: 20 },
    { x: 30, y: 40 },
  ];
  expect(linesOfSteps(corners)).toEqual([
    { left: 0, right: 10, top: 50, bottom: 50 },
    { left: 10, right: 10, top: 20, bottom: 50 },
    { left: 10, right: 30, top: 20, bottom: 20 },
    { left: 30, right: 30, top: 20, bottom: 40 },
  ]);
});
