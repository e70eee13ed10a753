/**
 * The amount that an open raise would have at its close if money kept coming at its average pace. Pure.
 *
 * The pace is the amount committed per whole hour since the raise opened, so the figure changes with each event and each hour.
 * @module
 */

import { HOUR } from "../../config/format/time.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import type { Listing, Status } from "./schema.ts";
import { acceptsMoney, openedAt } from "./status.ts";

/** Hours for which a raise must have been open: a first hour says nothing of a month. */
const LEAST_HOURS = 24n;

/** Whether an open raise would reach its minimum. */
export const PACES = ["reaches_minimum", "misses_minimum"] as const;
export type Pace = (typeof PACES)[number];

type PaceFacts = Pick<ListingRow, "createdAt" | "goLiveAt" | "closeAt" | "raisedAmount" | "targetAmount">;

/**
 * `raisedAmount × (closeAt − opening) / time open`, rounded down and at most the target, or what is committed where that is more. Base
 * units; null for a raise that is not open, has no closing time, or opened less than 24 hours ago.
 * @param now unix seconds
 */
export function projectedAmount(row: PaceFacts, status: Status, now: bigint): bigint | null {
  const { closeAt, raisedAmount } = row;
  const opened = openedAt(row);
  const hours = (now - opened) / HOUR;
  if (!acceptsMoney(status) || closeAt === null || hours < LEAST_HOURS) return null;
  const target = row.targetAmount ?? 0n;
  const most = raisedAmount > target ? raisedAmount : target;
  const projected = (raisedAmount * (closeAt - opened)) / (hours * HOUR);
  return projected < most ? projected : most;
}

/** When time alone changes the projected amount next; null for never. Unix seconds. */
export function paceTurnsAt(row: PaceFacts, now: bigint): bigint | null {
  const { closeAt, raisedAmount } = row;
  if (closeAt === null || now >= closeAt) return null;
  const opened = openedAt(row);
  // Without money the projection is 0 from the first day on.
  const hours = (now - opened) / HOUR + 1n;
  if (now < opened || hours < LEAST_HOURS) return opened + LEAST_HOURS * HOUR;
  return raisedAmount === 0n && hours > LEAST_HOURS ? null : opened + hours * HOUR;
}

/** Whether the raise would reach its minimum at the close; null for a raise that is not open, or without a projection below it. */
export function paceOf({
  acceptsMoney,
  raisedAmount,
  minRaise,
  projectedAmount,
}: Pick<Listing, "acceptsMoney" | "raisedAmount" | "minRaise" | "projectedAmount">): Pace | null {
  if (!acceptsMoney) return null;
  const most = BigInt(projectedAmount ?? raisedAmount);
  if (most > 0n && most >= BigInt(minRaise)) return "reaches_minimum";
  return projectedAmount === null ? null : "misses_minimum";
}
