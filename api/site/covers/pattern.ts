/**
 * The cover of a raise without its own picture, as data: the same id always gives the same shapes, on any machine.
 * @module
 */
import { createHash } from "node:crypto";
import { FAMILIES, type Family, type RandomStream, type Shape } from "./families.ts";

/** Sets of colours, each around another hue near the accent (colours.ts). */
export const TONES = [1, 2, 3, 4, 5] as const;
export type Tone = (typeof TONES)[number];

export type Pattern = { family: Family; tone: Tone; shapes: readonly Shape[] };

/** @param id of the raise or business; any text */
export function patternOf(id: string): Pattern {
  const source = sourceOf(id);
  const tone = source.pick(TONES);
  const family = source.pick(FAMILY_NAMES);
  return { family, tone, shapes: FAMILIES[family](source) };
}

const FAMILY_NAMES = ["orbs", "ripples", "peaks", "columns", "waves", "tiles"] as const satisfies Family[];

/** mulberry32, seeded with the hash of the id. */
function sourceOf(id: string): RandomStream {
  let state = createHash("sha256").update(id).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return { between, pick: (from) => from[between(0, from.length - 1)] ?? from[0] };
}
