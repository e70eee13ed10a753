/** @module Counts the rows of the archive for sums, and its loans for cohorts, some at a time between requests. */
import { columnsOf } from "../market/columns.ts";
import type { Market } from "../market/market.ts";

/** Rows, and loans, that are counted between two looks at the clock: about a millisecond each. */
const [ROWS_AT_ONCE, AT_ONCE] = [500, 10];
/** Milliseconds of counting without a pause, and of the pause, in which requests are answered. */
const [SLICE, PAUSE] = [4, 10];

export type LoanCounter = {
  readonly isCounting: boolean;
  start(): void;
  stop(): void;
};

/**
 * @param newest the market of which the loans are counted, asked for each time
 * @param onCounted called whenever no loan is left
 */
export function createLoanCounter(newest: () => Market | undefined, onCounted: () => void): LoanCounter {
  let timer: NodeJS.Timeout | undefined;
  const countOn = () => {
    const until = performance.now() + SLICE;
    let hasMore = true;
    while (hasMore && performance.now() < until) hasMore = countSome(newest());
    timer = hasMore ? setTimeout(countOn, PAUSE).unref() : undefined;
    if (!hasMore) onCounted();
  };
  return {
    get isCounting() {
      return timer !== undefined;
    },
    start: countOn,
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** @returns whether there is more to count */
function countSome(market: Market | undefined): boolean {
  if (market === undefined) return false;
  return columnsOf(market).countOn(ROWS_AT_ONCE) || market.overTime?.countOn(AT_ONCE) === true;
}
