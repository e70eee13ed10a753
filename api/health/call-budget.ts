/**
 * The budget of requests to the chain that clients may spend at the operator's cost.
 * @module
 */

/** Burst, and requests per second after it. */
export type Budget = { burst: number; perSecond: number };

export type CallBudget = {
  /** Spends `calls` requests if all are available. @returns seconds to wait; 0 if granted, null if above the burst */
  take(calls?: number): number | null;
};

export function createCallBudget({ burst, perSecond }: Budget): CallBudget {
  let available = burst;
  let counted = performance.now();
  return {
    take(calls = 1) {
      const now = performance.now();
      available = Math.min(burst, available + ((now - counted) / 1000) * perSecond);
      counted = now;
      if (calls > burst) return null;
      if (available < calls) return Math.max(1, Math.ceil((calls - available) / perSecond));
      available -= calls;
      return 0;
    },
  };
}
