/**
 * Raises by the state of their repayment. A loan whose principal is paid off is overdue by its dates until it is settled, but is not
 * late with principal.
 * @module
 */
import { type ListingsQuery, matcherOf } from "../market/listings-query.ts";
import type { Market } from "../market/market.ts";
import { countMarket } from "../market/market-query.ts";
import { isPastDue } from "../market/schedule.ts";

/** Later than any time, unix seconds: only raises that have one are before it. */
export const EVER = 2n ** 62n;

const overdueIn = ({ repayment = [] }: ListingsQuery) =>
  repayment.filter((state) => isPastDue({ repayment: state }));

/** The queries that together find the raises of this one, but no overdue loan whose principal is paid off. */
export function withoutPaidOff(query: ListingsQuery): ListingsQuery[] {
  const overdue = overdueIn(query);
  if (overdue.length === 0) return [query];
  const others = (query.repayment ?? []).filter((state) => !overdue.includes(state));
  return [
    // A loan that is paid off is never due.
    { ...query, repayment: overdue, dueBefore: EVER },
    ...(others.length === 0 ? [] : [{ ...query, repayment: others }]),
  ];
}

/** How many raises these queries find, and how many overdue loans they leave out. */
export function countWithoutPaidOff(
  market: Market,
  query: ListingsQuery,
): { count: number; paidOff: number } {
  const overdue = overdueIn(query);
  const isOverdue = matcherOf({ ...query, repayment: overdue }, market.originatorByPublicId);
  // No loan of the archive waits to be settled.
  const paidOff =
    overdue.length === 0
      ? 0
      : market.listings.full.filter((one) => one.outstandingPrincipal === "0" && isOverdue(one)).length;
  return { count: countMarket(market, query) - paidOff, paidOff };
}
