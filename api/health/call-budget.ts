/**
 * The operator's requests to the chain that strangers may spend.
 * @module
 */

/** Requests at once, and a second from then on. */
export type Budget = { burst: number; perSecond: number };

export type CallBudget = {
  /**
   * Spends `calls` requests, or none.
   * @returns seconds until so many are there again; 0 when they are spent, null when there are never so many
   */
  take(calls?: number): number | null;
};

export function createCallBudget({ burst, perSecond }: Budget): CallBudget {
  let left = burst;
  let counted = performance.now();
  return {
    take(calls = 1) {
      const now = performance.now();
      left = Math.min(burst, left + ((now - counted) / 1000) * perSecond);
      counted = now;
      if (calls > burst) return null;
      if (left < calls) return Math.max(1, Math.ceil((calls - left) / perSecond));
      left -= calls;
      return 0;
    },
  };
}
