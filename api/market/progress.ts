/**
 * How far a raise is.
 * @module
 */
import type { Listing } from "./schema.ts";

/** What is raised, in basis points of the target, rounded down; null for a target of nothing. Above 10000 when more is raised. */
export function raisedShareBps({ raisedAmount, targetAmount }: Listing): number | null {
  const target = BigInt(targetAmount);
  return target === 0n ? null : Number((BigInt(raisedAmount) * 10_000n) / target);
}
