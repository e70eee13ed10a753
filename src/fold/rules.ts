/**
 * The rules that the fold and the projection share.
 * @module
 */
import type { ReserveReason, TerminalKind } from "./vocabulary.ts";

/** Whether a reason raises or lowers the reserve. For an unknown reason only the balance on the chain counts. */
export const RESERVE_SIGN: Readonly<Record<string, bigint>> = {
  posted: 1n,
  applied: -1n,
  released: -1n,
} satisfies Partial<Record<ReserveReason, bigint>>;

/**
 * Whether a raise reached its minimum: by the amount raised and the terms, never by the close's own `minRaiseMet`. Base
 * units. A stub's minimum is unknown, and any amount above zero meets it.
 */
export function minimumMet(raisedAmount: bigint, minRaise: bigint | null): boolean {
  return raisedAmount > 0n && raisedAmount >= (minRaise ?? 0n);
}

/** Whether a block at `now` is at or past the closing time. Unix seconds. */
export function closingTimePassed(closeAt: bigint | null, now: bigint): closeAt is bigint {
  return closeAt !== null && now >= closeAt;
}

/** The part of a principal that may stay unpaid without a default: a ten-thousandth, at least one base unit. */
export function repaymentTolerance(principal: bigint): bigint {
  const share = principal / 10_000n;
  return share > 1n ? share : 1n;
}

/**
 * The principal still owed, as in the escrow's own view: zero before the drawdown, and zero once the raise is settled,
 * whatever was written off. Base units.
 */
export function outstandingPrincipal(row: {
  terminalKind: TerminalKind | null;
  drawnDownAt: bigint | null;
  outstandingPrincipal: bigint;
}): bigint {
  return row.terminalKind === "settled" || row.drawnDownAt === null ? 0n : row.outstandingPrincipal;
}
