import { describe, expect, it } from "vitest";
import { createAnchors } from "./anchors.ts";

describe("createAnchors", () => {
  it.each([
    ["The formula", "the-formula"],
    ["What is the reserve?", "what-is-the-reserve"],
    ["  Spaces  around  ", "spaces--around"],
    ["Fees & costs", "fees--costs"],
    ["C++ / C#", "c--c"],
    ["1. First, then 2.", "1-first-then-2"],
    ["snake_case and minRaise", "snake_case-and-minraise"],
    ["What’s new – and what isn't", "whats-new--and-what-isnt"],
    ["Über Größe: é", "über-größe-é"],
    ["A party 🎉 here", "a-party--here"],
    ["漢字", "漢字"],
    ["-already-hyphenated-", "-already-hyphenated-"],
    ["???", ""],
  ])("makes %j to %j", (heading, anchor) => {
    expect(createAnchors()(heading)).toBe(anchor);
  });

  it("numbers the repeated ones, and steps over a heading that has the number already", () => {
    const anchorOf = createAnchors();
    expect(["a", "A", "a!", "a-1", "b"].map(anchorOf)).toEqual(["a", "a-1", "a-2", "a-1-1", "b"]);
  });
});
