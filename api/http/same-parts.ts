/** @module Recognises what a kept answer was made of, without keeping it in memory. */

/**
 * Whether values are the same as these. Objects are held weakly: an answer that is never requested again must not keep an old market alive.
 * For the same reason a validity is made in a function that captures no market, and no closure in it may capture one.
 *
 * @example
 * const isSame = sameParts([market.listings, revision]);
 * isSame([now.listings, revisionNow]);
 */
export function sameParts(parts: readonly unknown[]): (now: readonly unknown[]) => boolean {
  const held = parts.map((part) => (typeof part === "object" && part !== null ? new WeakRef(part) : part));
  return (now) =>
    now.every((part, at) => {
      const one = held[at];
      // A part that is gone, and no part now, are not the same.
      return one instanceof WeakRef ? part !== undefined && part === one.deref() : part === one;
    });
}
