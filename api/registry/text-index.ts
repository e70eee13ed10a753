/**
 * Finds the index of a text among many, in four to eight bytes for each: the texts themselves are where they came from, maybe in a
 * file. So a slot has bits of the text's hash, and hardly another text than the wanted one is looked at.
 * @module
 */

import { hashOfText } from "../../config/hash-text.ts";

/** The largest share of the slots that may be taken. */
const MOST_TAKEN = 1 / 2;

/** The parts that an index of the same texts in the same order takes over. */
export type KnownSlots = {
  /** Different texts. */
  readonly size: number;
  readonly slots: Uint32Array;
};

export type TextIndex = KnownSlots & {
  /** The last index with this text; -1 without one. */
  find(text: string): number;
};

/**
 * @param textOf the text at an index from 0 to `length` - 1
 * @param same an index of the same texts, whose slots are then used again
 */
export function createTextIndex(
  length: number,
  textOf: (index: number) => string,
  same: KnownSlots | null = null,
): TextIndex {
  const slots = same?.slots ?? new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(2, length / MOST_TAKEN))));
  const mask = slots.length - 1;
  /** The bits of a slot that have an index + 1, 0 if it is empty; the others are those of the hash. */
  const indexBits = 2 ** Math.ceil(Math.log2(length + 2)) - 1;
  const indexIn = (slot: number) => ((slots[slot] ?? 0) & indexBits) - 1;
  let size = same?.size ?? 0;
  for (let index = same === null ? 0 : length; index < length; index++) {
    const text = textOf(index);
    const hash = hashOfText(text);
    const slot = slotOf(text, hash);
    if (slots[slot] === 0) size += 1;
    slots[slot] = (hash & ~indexBits) | (index + 1);
  }

  /** The slot at which the text is, or would be. */
  function slotOf(text: string, hash: number): number {
    let slot = hash & mask;
    for (;;) {
      const taken = slots[slot] ?? 0;
      if (taken === 0) return slot;
      if (((taken ^ hash) & ~indexBits) === 0 && textOf(indexIn(slot)) === text) return slot;
      slot = (slot + 1) & mask;
    }
  }

  return { size, slots, find: (text) => indexIn(slotOf(text, hashOfText(text))) };
}
