/** @module Work shared by concurrent callers: after a new block many clients ask for the same at once. */

/** Runs the work for a market and key once at a time; concurrent callers share the result. */
export type Once<Result> = (market: object, key: string, work: () => Promise<Result>) => Promise<Result>;

export function createOnce<Result>(): Once<Result> {
  const underWay = new WeakMap<object, Map<string, Promise<Result>>>();
  return (market, key, work) => {
    const ofMarket = underWay.get(market) ?? new Map<string, Promise<Result>>();
    underWay.set(market, ofMarket);
    const known = ofMarket.get(key);
    if (known !== undefined) return known;
    const result = work().finally(() => ofMarket.delete(key));
    ofMarket.set(key, result);
    return result;
  };
}
