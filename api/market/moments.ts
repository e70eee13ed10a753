/** @module A queue of changes by time alone, so that not everything is checked in every block. */

/** @param start unix seconds, not later than the first call of `due` */
export function createMoments(start: bigint) {
  const keysAt = new Map<bigint, Set<string>>();
  const momentOf = new Map<string, bigint>();
  let last = start;

  return {
    /** The next moment (unix seconds) at which something of this key changes; null for never. It replaces the last one. */
    set(key: string, moment: bigint | null): void {
      const before = momentOf.get(key);
      if (before === moment) return;
      if (before !== undefined) {
        const others = keysAt.get(before);
        others?.delete(key);
        if (others?.size === 0) keysAt.delete(before);
        momentOf.delete(key);
      }
      if (moment === null) return;
      momentOf.set(key, moment);
      const keys = keysAt.get(moment);
      if (keys === undefined) keysAt.set(moment, new Set([key]));
      else keys.add(key);
    },
    /** Removes and returns the keys whose moment has come at `now` (unix seconds). */
    due(now: bigint): string[] {
      const found: string[] = [];
      const take = (moment: bigint) => {
        const keys = keysAt.get(moment);
        if (keys === undefined) return;
        keysAt.delete(moment);
        for (const key of keys) momentOf.delete(key);
        found.push(...keys);
      };
      // Usually seconds pass from block to block; after a gap of days there are fewer moments than seconds.
      if (now - last > BigInt(keysAt.size)) {
        for (const moment of [...keysAt.keys()]) if (moment <= now) take(moment);
      } else {
        for (let moment = last + 1n; moment <= now; moment += 1n) take(moment);
      }
      last = now;
      return found;
    },
  };
}

/** The first of these moments after `now`; null if there is none. */
export function nextOf(moments: readonly (bigint | null)[], now: bigint): bigint | null {
  return moments.reduce<bigint | null>(
    (next, moment) => (moment !== null && moment > now && (next === null || moment < next) ? moment : next),
    null,
  );
}
