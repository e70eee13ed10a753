import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstDispute, type Statement } from "./agreement.ts";

const event = (block: number, text = `${block}`) => ({ block, text });
const said = (events: Statement["events"], hash: `0x${string}` = "0xa"): Statement => ({
  events,
  last: { hash },
});

describe("what endpoints say of a range", () => {
  it.each([
    ["nothing", [], null],
    ["one alone", [said([event(3)])], null],
    ["the same", [said([event(3), event(5)]), said([event(3), event(5)])], null],
    [
      "one lacks the last event",
      [said([event(3), event(5)]), said([event(3)])],
      { block: 5, sides: [[0], [1]] },
    ],
    ["one lacks the first", [said([event(5)]), said([event(3), event(5)])], { block: 3, sides: [[0], [1]] }],
    ["one lacks all", [said([]), said([event(3)])], { block: 3, sides: [[0], [1]] }],
    ["another log in its place", [said([event(3)]), said([event(3, "x")])], { block: 3, sides: [[0], [1]] }],
    ["another last block", [said([event(3)], "0xb"), said([event(3)])], { block: 9, sides: [[0], [1]] }],
    ["two against one", [said([event(3)]), said([]), said([event(3)])], { block: 3, sides: [[0, 2], [1]] }],
  ])("%s", (_what, statements, dispute) => {
    expect(firstDispute(statements, 9)).toEqual(dispute);
  });

  it("finds the first block of which anything is left out, wherever and by whomever", () => {
    const blocks = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(blocks, fc.nat(), fc.integer({ min: 0, max: 2 }), (unsorted, seed, liar) => {
        const events = unsorted
          .toSorted((a, b) => a - b)
          .map((block, index) => event(block, `${block} ${index}`));
        const left = seed % events.length;
        const statements = [0, 1, 2].map((place) =>
          said(place === liar ? events.toSpliced(left, 1) : events),
        );
        const honest = [0, 1, 2].filter((place) => place !== liar);
        const sides = liar === 0 ? [[0], honest] : [honest, [liar]];
        expect(firstDispute(statements, 60)).toEqual({ block: events[left]?.block, sides });
      }),
    );
  });
});
