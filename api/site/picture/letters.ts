/**
 * The letters of the pictures: which can be drawn, and how wide they are. Inter has Latin, Greek and Cyrillic, DejaVu
 * Sans most other alphabets, Arabic and Hebrew included, which the drawing program joins and turns around; none has Chinese,
 * Japanese or Korean, which take tens of megabytes. docs/decisions/0055-text-that-is-not-ours.md.
 * @module
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { create, type Font } from "fontkitten";
import { stripControl } from "../../../config/format/untrusted-text.ts";

const { resolve } = createRequire(import.meta.url);
const FILES = {
  regular: resolve("@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf"),
  bold: resolve("@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf"),
  others: resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
} as const;

export const FONT_FILES: readonly string[] = Object.values(FILES);
export const FONT_FAMILY = "Inter";
export const WEIGHTS = { regular: 400, bold: 600 } as const;
export type Weight = keyof typeof WEIGHTS;

/** `size` in pixels */
export type Letters = { weight: Weight; size: number };

const ELLIPSIS = "…";
/** Marks on one letter; more of them would be drawn over other lines. */
const PILED_MARKS = /(\p{M}{2})\p{M}+/gu;
/** Marks without a letter, which would be drawn on a circle of dots. */
const LONE_MARKS = /(?<=^| )\p{M}+/gu;

type FontName = keyof typeof FILES;
const fonts = new Map<FontName, Font>();
const widths: Record<FontName, Map<number, number | null>> = {
  regular: new Map(),
  bold: new Map(),
  others: new Map(),
};

/** Read at the first picture. */
function fontOf(name: FontName): Font {
  const known = fonts.get(name) ?? create(readFileSync(FILES[name]));
  if (known.isCollection) throw new Error(`${FILES[name]} is a collection of fonts`);
  fonts.set(name, known);
  return known;
}

/** The width of a character in parts of the size; null when the font does not have it. Inter draws what it lacks of its parts, if it has these. */
function widthOfPoint(point: number, name: FontName): number | null {
  const known = widths[name].get(point);
  if (known !== undefined) return known;
  const font = fontOf(name);
  const parts = pointsOf(String.fromCodePoint(point).normalize("NFD"));
  const drawn = font.hasGlyphForCodePoint(point) || name === "others" ? [point] : parts;
  const width = drawn.every((part) => font.hasGlyphForCodePoint(part))
    ? drawn.reduce((sum, part) => sum + font.glyphForCodePoint(part).advanceWidth / font.unitsPerEm, 0)
    : null;
  widths[name].set(point, width);
  return width;
}

const pointsOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);

/**
 * The widths of a text's characters in pixels. A character that Inter lacks can widen the others: the drawing program then uses
 * the other font for the whole text, if it has all of it. Each is then as wide here as in the wider font.
 */
function widthsOf(text: string, { weight, size }: Letters): number[] {
  const points = pointsOf(text);
  const isInter = points.every((point) => widthOfPoint(point, weight) !== null);
  const names: readonly FontName[] = isInter ? [weight] : [weight, "others"];
  return points.map((point) => size * Math.max(...names.map((name) => widthOfPoint(point, name) ?? 0)));
}

/** The width of a text in pixels. Kerning and ligatures make it a little narrower, joined Arabic letters up to a quarter. */
export function widthOf(text: string, letters: Letters): number {
  return widthsOf(text, letters).reduce((sum, width) => sum + width, 0);
}

const canDraw = (point: number, weight: Weight) =>
  widthOfPoint(point, weight) !== null || widthOfPoint(point, "others") !== null;

/** The text on one line, without characters that cannot be drawn. */
export function drawable(text: string, weight: Weight): string {
  const line = stripControl(text.replaceAll(/\s+/g, " "), { keepLineFeeds: false });
  return pointsOf(line.normalize("NFC"))
    .filter((point) => canDraw(point, weight))
    .map((point) => String.fromCodePoint(point))
    .join("")
    .replaceAll(LONE_MARKS, "")
    .replaceAll(PILED_MARKS, "$1")
    .replaceAll(/ +/g, " ")
    .trim();
}

/** The text for the drawing: signs that the font would join to an arrow, which can be wider, are kept apart. */
export function unjoined(text: string): string {
  return text.replaceAll(/(?<=[-<>=|!~])(?=[-<>=|!~])/g, "\u200C");
}

/** The first of these texts of which no letter and no digit would be missing, else the last one. Signs such as emoji may be. */
export function firstDrawable(texts: readonly string[], weight: Weight): string {
  const isWhole = (text: string) =>
    drawable(text, weight) !== "" &&
    pointsOf(text.normalize("NFC")).every(
      (point) => canDraw(point, weight) || !/[\p{L}\p{N}]/u.test(String.fromCodePoint(point)),
    );
  return drawable(texts.find(isWhole) ?? texts.at(-1) ?? "", weight);
}

/** The text in one line of at most `width` pixels, with an ellipsis where it was cut. */
export function fitted(text: string, letters: Letters, width: number): string {
  return wrapped(text, letters, { width, lines: 1 })[0] ?? "";
}

/** The text in at most this many lines of at most `width` pixels, cut between words if possible. */
export function wrapped(
  text: string,
  letters: Letters,
  { width, lines }: { width: number; lines: number },
): string[] {
  const made: string[] = [];
  let rest = drawable(text, letters.weight);
  while (rest !== "" && made.length < lines) {
    const isLast = made.length === lines - 1;
    if (widthOf(rest, letters) <= width) return [...made, rest];
    const room = isLast ? width - widthOf(ELLIPSIS, letters) : width;
    const line = longestStart(rest, letters, room);
    const lastSpace = line.lastIndexOf(" ");
    if (isLast) {
      // Between words, unless that would leave much of the line empty.
      const shown = lastSpace > 0.7 * line.length ? line.slice(0, lastSpace) : line;
      return [...made, `${shown.trimEnd()}${ELLIPSIS}`];
    }
    // As much of a word longer than a line as fits.
    const isWhole = rest[line.length] === " " || lastSpace <= 0;
    const taken = isWhole ? line : line.slice(0, lastSpace);
    made.push(taken.trimEnd());
    rest = rest.slice(taken.length).trimStart();
  }
  return made;
}

/** The longest start of a text within `width` pixels; at least one character. */
function longestStart(text: string, letters: Letters, width: number): string {
  const each = widthsOf(text, letters);
  let sum = 0;
  let end = 0;
  for (const [index, character] of [...text].entries()) {
    sum += each[index] ?? 0;
    if (end > 0 && sum > width) break;
    end += character.length;
  }
  return text.slice(0, end);
}
