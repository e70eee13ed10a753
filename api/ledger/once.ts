/**
 * Work that callers share while it is under way: when a block has made every kept answer old, many ask for the same at once.
 * @module
 */

/** Does the work of a key for a market once, for as long as it is under way. */
export type Once<Result> = (market: object, key: string, work: () => Promise<Result>) => Promise<Result>;

export function createOnce<Result>(): Once<Result> {
  const underWay = new WeakMap<object, Map<string, Promise<Result>>>();
  return (market, key, work) => {
    const ofMarket = underWay.get(market) ?? new Map<string, Promise<Result>>();
    underWay.set(market, ofMarket);
    const known = ofMarket.get(key);
    if (known !== undefined) return known;
    const made = work().finally(() => ofMarket.delete(key));
    ofMarket.set(key, made);
    return made;
  };
}
