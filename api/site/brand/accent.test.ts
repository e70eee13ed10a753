import { oklch, wcagContrast } from "culori";
import { assert, constantFrom, integer, oneof, property } from "fast-check";
import { describe, expect, it } from "vitest";
import { accentColours, BACKGROUNDS, brandCss, TEXT } from "./accent.ts";

const THEMES = ["light", "dark"] as const;
const anyColour = oneof(
  integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`),
  constantFrom("#000000", "#ffffff", "#ffff00", "#0000ff", "#00ff00", "#ff0000", "#808080", "#0f6b74"),
);
const contrast = (one: string, others: readonly string[]) =>
  Math.min(...others.map((other) => wcagContrast(one, other)));

/** Degrees between two hues; 0 when either has too little chroma for a hue that eyes or 8 bits could hold. */
function turn(one: string, other: string): number {
  const [a, b] = [oklch(one), oklch(other)];
  if (a?.h === undefined || b?.h === undefined || Math.min(a.c, b.c) < 0.04) return 0;
  const apart = Math.abs(a.h - b.h);
  return Math.min(apart, 360 - apart);
}

describe("accentColours", () => {
  it("reads well whatever colour an operator chooses", () => {
    const read = property(anyColour, (hex) => {
      const accent = accentColours(hex);
      for (const theme of THEMES) {
        const colours = accent[theme];
        for (const colour of Object.values(colours)) expect(colour).toMatch(/^#[0-9a-f]{6}$/);
        const { accentSoft, accentStrong, onAccent } = colours;
        const backgrounds = BACKGROUNDS[theme];
        expect(contrast(colours.accent, [...backgrounds, accentSoft])).toBeGreaterThanOrEqual(4.5);
        expect(contrast(accentStrong, backgrounds)).toBeGreaterThanOrEqual(3);
        expect(contrast(onAccent, [accentStrong])).toBeGreaterThanOrEqual(4.5);
        expect(contrast(TEXT[theme], [accentSoft])).toBeGreaterThanOrEqual(7);
      }
    });
    assert(read, { numRuns: 1000 });
  });

  it("keeps the hue", () => {
    const keep = property(anyColour, (hex) => {
      const accent = accentColours(hex);
      for (const theme of THEMES) {
        expect(turn(accent[theme].accent, hex)).toBeLessThan(5);
        expect(turn(accent[theme].accentStrong, hex)).toBeLessThan(5);
      }
    });
    assert(keep, { numRuns: 1000 });
  });

  it("leaves a colour alone that reads well, and gives grey for grey", () => {
    expect(accentColours("#0f6b74").light).toMatchObject({ accent: "#0f6b74", accentStrong: "#0f6b74" });
    expect(accentColours("#ffffff").dark.accent).toBe("#ffffff");
    for (const colour of Object.values(accentColours("#000000").dark)) {
      expect(colour).toMatch(/^#(..)\1\1$/);
    }
  });
});

describe("brandCss", () => {
  it("has the colours of both themes and nothing of the operator's", () => {
    const accent = accentColours("#ffff00");
    const css = brandCss({ accent });
    expect(css).toMatch(
      /^:root \{\n(?: {2}--[a-z-]+: #[0-9a-f]{6};\n){4}\}\n@media screen and \(prefers-color-scheme: dark\) \{\n {2}:root \{\n(?: {4}--[a-z-]+: #[0-9a-f]{6};\n){4} {2}\}\n\}\n$/,
    );
    for (const theme of THEMES) {
      for (const colour of Object.values(accent[theme])) expect(css).toContain(colour);
    }
  });
});
