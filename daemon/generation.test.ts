import { describe, expect, it } from "vitest";
import { generationToJoin, type Peer, successorOf } from "./generation.ts";

const NOW = 1_000;
const reader = (schema: string, generation: number): Peer => ({ schema, generation });
const join = (peers: Peer[], { hasMarket = true, isReady = true } = {}) =>
  generationToJoin(peers, { schema: "new", hasMarket: () => hasMarket, isReady: () => isReady }, NOW);

describe("generationToJoin", () => {
  it("lets a reader that is alone serve at once", () => {
    expect(join([], { hasMarket: false, isReady: false })).toBe(NOW);
  });

  it("has a new release wait until it is ready, and then be the newest", () => {
    const old = [reader("old", 7), reader("old", 7)];
    expect(join(old, { isReady: false })).toBeNull();
    expect(join(old)).toBe(NOW);
    expect(join([reader("old", NOW + 5)])).toBe(NOW + 6);
  });

  it("has a reader join those of its release, once it has a market, ready or not", () => {
    const own = [reader("new", 7), reader("new", 7)];
    expect(join(own, { hasMarket: false })).toBeNull();
    expect(join(own, { isReady: false })).toBe(7);
  });

  it("has a reader of a release that is being replaced join the readers that leave", () => {
    expect(join([reader("new", 7), reader("newer", 8)])).toBe(7);
    expect(join([reader("new", 7), reader("newer", 8)], { isReady: false })).toBeNull();
  });
});

describe("successorOf", () => {
  const own = reader("old", 7);

  it.each([
    ["nobody else", [], null],
    ["readers of the same release", [reader("old", 7)], null],
    ["readers of an older one", [reader("older", 6), reader("older", 6)], null],
    ["as many of a newer one", [reader("new", 8)], { schema: "new", isEnough: true }],
    ["fewer of a newer one", [reader("old", 7), reader("new", 8)], { schema: "new", isEnough: false }],
    [
      "as many of the newest one of three",
      [reader("new", 8), reader("newest", 9), reader("older", 6)],
      { schema: "newest", isEnough: true },
    ],
    [
      "fewer of the newest one of three",
      [reader("old", 7), reader("new", 8), reader("new", 8), reader("newest", 9)],
      { schema: "newest", isEnough: false },
    ],
  ])("beside %s", (_, peers, expected) => {
    expect(successorOf(own, peers)).toEqual(expected);
  });
});
