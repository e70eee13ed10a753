/**
 * Which blocks of a long range several endpoints are asked about, so that the cost of comparing them does not grow with the range
 * or with their number.
 * @module
 */
import { randomInt } from "node:crypto";

/** Blocks that are compared of a long range, times the number of endpoints. */
const ANSWERS = 12_000;
/** The fewest blocks for each endpoint, however many there are. */
const LEAST_BLOCKS = 240;
/** First blocks of a range: one that was disputed is the first. */
const FIRST_BLOCKS = 10;
/** Number of stretches of blocks between the first and the last ones. */
const STRETCHES = 8;

/** The first and the last block. */
export type Stretch = { readonly from: number; readonly to: number };

/**
 * The parts of a range that are compared, in order: all of it while it is short; otherwise its first blocks, half of the blocks at its
 * end, and the other half in stretches, one at an unforeseeable place in each eighth of what lies in between.
 * @param answers number of blocks that all endpoints together are asked about, if that is 240 of each at least
 * @param random a whole number from 0 up to, not including, its argument
 */
export function stretchesOf(
  { from, to }: Stretch,
  { endpoints, answers = ANSWERS }: { endpoints: number; answers?: number | undefined },
  random: (below: number) => number = randomInt,
): Stretch[] {
  const most = Math.max(LEAST_BLOCKS, Math.floor(answers / endpoints));
  if (to - from < most) return [{ from, to }];
  const last = to - Math.floor(most / 2) + 1;
  const first = { from, to: from + FIRST_BLOCKS - 1 };
  const length = Math.floor((most / 2 - FIRST_BLOCKS) / STRETCHES);
  const between = last - first.to - 1;
  const sampled = Array.from({ length: STRETCHES }, (_, index) => {
    const start = first.to + 1 + Math.floor((between * index) / STRETCHES);
    const end = first.to + Math.floor((between * (index + 1)) / STRETCHES);
    const room = end - start + 1 - length;
    const place = start + (room > 0 ? random(room + 1) : 0);
    return { from: place, to: Math.min(end, place + length - 1) };
  });
  return [first, ...sampled, { from: last, to }];
}
