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
  const [provenAfter, fewerAfter] = [5, 60];
  const seen = (schema: string, generation: number, age = provenAfter) => ({ schema, generation, age });

  it.each([
    ["nobody else", [], null],
    ["readers of the same release", [seen("old", 7)], null],
    ["a reader of the same release that began later", [seen("old", 9, 100)], null],
    ["readers of older ones", [seen("older", 6), seen("older", 6, 100)], null],
    ["as many of a newer one", [seen("old", 7), seen("new", 8), seen("new", 8)], "new"],
    ["as many, of which one has just begun", [seen("old", 7), seen("new", 8), seen("new", 8, 4)], null],
    ["fewer of a newer one", [seen("old", 7), seen("new", 8, 59)], null],
    ["fewer of a newer one for long", [seen("old", 7), seen("new", 8, 60)], "new"],
    ["as many of the newest one of three", [seen("new", 8), seen("newest", 9), seen("older", 6)], "newest"],
    ["a newest one that keeps crashing", [seen("new", 8), seen("newest", 9, 1)], "new"],
  ])("decides about a reader next to %s", (_, peers, expected) => {
    expect(successorOf(own, peers, { provenAfter, fewerAfter })).toBe(expected);
  });
});
