/**
 * How long the principal of a raise is overdue.
 * @module
 */
import type { Listing } from "./schema.ts";

const DAY = 86_400;

/**
 * Whole days since maturity while principal is still owed; null while nothing is overdue.
 * @param now unix seconds of the head
 */
export function daysOverdue(
  {
    maturityAt,
    repayment,
    outstandingPrincipal,
  }: Pick<Listing, "maturityAt" | "repayment" | "outstandingPrincipal">,
  now: bigint,
): number | null {
  const isOverdue = repayment === "grace" || repayment === "late" || repayment === "default";
  if (!isOverdue || maturityAt === null || outstandingPrincipal === "0") return null;
  return Math.floor((Number(now) - Date.parse(maturityAt) / 1000) / DAY);
}
