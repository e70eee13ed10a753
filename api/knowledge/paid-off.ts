/** @module Raises by the state of their repayment. A loan whose principal is paid off may be overdue by its dates, but is not late with anything. */
import type { ListingsQuery } from "../market/listings-query.ts";
import { type CountedMarket, countMarket } from "../market/market-query.ts";
import { isPastDue } from "../market/schedule.ts";

/** Later than any time, unix seconds: only raises that have one are before it. */
export const EVER = 2n ** 62n;

/** The queries that together find the raises of this one, but no overdue loan whose principal is paid off. */
export function withoutPaidOff(query: ListingsQuery): ListingsQuery[] {
  const states = query.repayment ?? [];
  const overdue = states.filter((repayment) => isPastDue({ repayment }));
  if (overdue.length === 0) return [query];
  const others = states.filter((state) => !overdue.includes(state));
  return [
    // What is paid off is never due.
    { ...query, repayment: overdue, dueBefore: EVER },
    ...(others.length === 0 ? [] : [{ ...query, repayment: others }]),
  ];
}

export function countWithoutPaidOff(market: CountedMarket, query: ListingsQuery): number {
  return withoutPaidOff(query).reduce((sum, part) => sum + countMarket(market, part), 0);
}
