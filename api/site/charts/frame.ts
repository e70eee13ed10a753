/**
 * The two sizes in which a chart is drawn. Text in an SVG shrinks with it, so a phone gets a drawing of its own instead of
 * a smaller one; the stylesheet shows one of the two.
 * @module
 */

export type Frame = {
  size: "wide" | "narrow";
  /** of the viewBox; a narrow one is as wide as the text of a phone of 320 pixels */
  width: number;
  /** in units of the viewBox: at least 11 pixels where the frame is shown */
  fontSize: number;
};

export const FRAMES: readonly Frame[] = [
  { size: "wide", width: 760, fontSize: 13 },
  { size: "narrow", width: 280, fontSize: 12 },
];

/** About how wide a text is set, for what stands beside it: few letters of a text face are wider. */
export function widthOf(text: string, { fontSize }: Frame): number {
  return text.length * fontSize * 0.58;
}
