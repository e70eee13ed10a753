import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./tokens.ts";

const FOLDER = new URL("../../knowledge/", import.meta.url);
const PAGES = readdirSync(FOLDER).filter((name) => name.endsWith(".md"));

describe("the estimate of tokens", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["Hello world", 2],
    ["Hello, world!", 4],
    ["internationalisation", 3],
    ["2026", 2],
    ["1,250.50", 5],
    ["# Raises\n\nText.", 5],
    ["[text](/path)", 6],
    ["日本語", 3],
    ["\n\n\n", 1],
  ])("counts %j as %d", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it.each(PAGES)("is near the rule of thumb for English, four characters each, for %s", (name) => {
    const text = readFileSync(new URL(name, FOLDER), "utf8");
    const ratio = text.length / estimateTokens(text);
    expect(ratio).toBeGreaterThan(2.9);
    expect(ratio).toBeLessThan(4.5);
  });

  it("is well above that rule for an address and a hash", () => {
    for (const digits of [
      "7a250d5630b4cf539739df2c5dacb4c659f2488d",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4",
    ]) {
      expect(estimateTokens(`0x${digits}`)).toBeGreaterThan(18);
    }
  });

  it("grows with the text, and is whole", () => {
    const text = readFileSync(new URL("grades.md", FOLDER), "utf8");
    let last = 0;
    for (let end = 0; end <= text.length; end += 97) {
      const tokens = estimateTokens(text.slice(0, end));
      expect(Number.isInteger(tokens)).toBe(true);
      expect(tokens).toBeGreaterThanOrEqual(last - 1);
      last = tokens;
    }
  });

  it("comes to its end on a text that is made to be slow", () => {
    const hostile = `${"a".repeat(200_000)}${"\u0301".repeat(200_000)}${"-".repeat(200_000)}${" ".repeat(200_000)}`;
    expect(estimateTokens(hostile)).toBeGreaterThan(28_571);
  });
});
