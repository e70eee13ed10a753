import { Resvg } from "@resvg/resvg-js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isolated } from "../../../config/format/untrusted-text.ts";
import { breakingText } from "../../../test/harness/hostile/page.ts";
import {
  drawable,
  FONT_FAMILY,
  FONT_FILES,
  firstDrawable,
  fitted,
  type Letters,
  unjoined,
  WEIGHTS,
  widthOf,
  wrapped,
} from "./letters.ts";

const TITLE: Letters = { weight: "bold", size: 60 };

/** The right edge of a text as the drawing program draws it from the left edge of a wide sheet. */
function drawnWidth(text: string, { weight, size }: Letters): number {
  const escaped = unjoined(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9000" height="200"><text x="0" y="100" font-family="${FONT_FAMILY}" font-weight="${WEIGHTS[weight]}" font-size="${size}">${escaped}</text></svg>`;
  const box = new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [...FONT_FILES] } }).getBBox();
  return box === undefined ? 0 : box.x + box.width;
}

describe("the width of a text", () => {
  it.each([
    "10.10% · 180 days · closes in 3 days",
    "Alpenhof Käserei, Łódź",
    "Ελλάδα Київ Сыроварня",
    "ქართული ყველი",
    "iiiiillllWWWW",
  ])("is that of the drawing: %s", (text) => {
    for (const weight of ["regular", "bold"] as const) {
      const letters = { weight, size: 40 };
      const drawn = drawnWidth(text, letters);
      expect(widthOf(text, letters)).toBeGreaterThan(drawn * 0.97);
      expect(widthOf(text, letters)).toBeLessThan(drawn * 1.06);
    }
  });

  it.each([
    ["a letter takes the others into its font", "℠\uFFFD"],
    ["a sign is drawn of its parts, as the font lacks it", "⇎"],
  ])("is never less than that of the drawing when %s", (_, sign) => {
    const text = sign.repeat(9);
    expect(widthOf(text, TITLE)).toBeGreaterThanOrEqual(drawnWidth(text, TITLE));
  });
});

describe("a text from right to left", () => {
  const pictureOf = (text: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="80"><text x="9" y="60" font-family="${FONT_FAMILY}" font-size="40">${text}</text></svg>`;
    return new Resvg(svg, { font: { loadSystemFonts: false, fontFiles: [...FONT_FILES] } }).render();
  };

  it("is drawn in its order, with its letters joined", () => {
    // The three letters of "بيت" as they look at the beginning, in the middle and at the end, placed by hand from left to right.
    const byHand = pictureOf("\u202D!24 \uFE96\uFEF4\uFE91\u202C");
    expect(pictureOf(isolated("بيت 24!")).asPng()).toEqual(byHand.asPng());
    expect(pictureOf("بيت 24!").asPng()).not.toEqual(byHand.asPng());
  });

  it.each(["مخبز الشمال 24 فرنًا، 3!", "שלום עולם (24)!", "مخبز (Bakery) 24"])("fits: %s", (text) => {
    const drawn = drawnWidth(isolated(text), TITLE);
    expect(widthOf(text, TITLE)).toBeGreaterThanOrEqual(0.97 * drawn);
    expect(widthOf(text, TITLE)).toBeLessThan(1.3 * drawn);
  });
});

describe("a text in its place", () => {
  it("stays whole where it fits", () => {
    expect(fitted("A second oven", TITLE, 1_072)).toBe("A second oven");
    expect(wrapped("A second oven", TITLE, { width: 1_072, lines: 2 })).toEqual(["A second oven"]);
  });

  it("is cut between words, and ends with an ellipsis where there is more", () => {
    const lines = wrapped(
      "A second oven and a third one for the bakery at the corner of the long street",
      TITLE,
      {
        width: 1_072,
        lines: 2,
      },
    );
    expect(lines).toEqual(["A second oven and a third one for", "the bakery at the corner of the…"]);
  });

  it("is cut within a word that is longer than a line", () => {
    const [first, second] = wrapped("W".repeat(200), TITLE, { width: 1_072, lines: 2 });
    expect(first).toMatch(/^W+$/);
    expect(second).toMatch(/^W+…$/);
  });

  it("never leaves it, whatever it says", () => {
    const property = fc.property(breakingText, fc.integer({ min: 1, max: 3 }), (text, lines) => {
      const made = wrapped(`${text} ${text}`.repeat(3), TITLE, { width: 400, lines });
      expect(made.length).toBeLessThanOrEqual(lines);
      for (const line of made) expect(drawnWidth(line, TITLE)).toBeLessThanOrEqual(420);
    });
    fc.assert(property, { numRuns: 40 });
  });
});

describe("what can be drawn", () => {
  it.each([
    ["Käserei", "Käserei"],
    ["Ka\u0308serei", "Käserei"],
    ["a\u202Egnp.exe", "agnp.exe"],
    ["a\n b\t\u0000c", "a b c"],
    ["oven 中文 👍 two", "oven two"],
    ["\uD83D lone", "lone"],
    [`Z${"\u0301".repeat(40)}`, "Ź\u0301\u0301"],
    ["\u0308 a \u20DC\u20DCb", "a b"],
    ["שלום مرحبا", "שלום مرحبا"],
  ])("%j is drawn as %j", (text, expected) => {
    expect(drawable(text, "regular")).toBe(expected);
  });

  it("another name is taken where a letter of the first cannot be drawn", () => {
    expect(firstDrawable(["中文中文 a", "RB00001", "lst_1"], "bold")).toBe("RB00001");
    expect(firstDrawable(["  ", "中文", "lst_1"], "bold")).toBe("lst_1");
    // A part of a name is another name.
    expect(firstDrawable(["Bakery 中文", "lst_1"], "bold")).toBe("lst_1");
    expect(firstDrawable(["Bakery 👍 two", "lst_1"], "bold")).toBe("Bakery two");
    expect(firstDrawable(["مخبز 24", "lst_1"], "bold")).toBe("مخبز 24");
  });
});
