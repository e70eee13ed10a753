/**
 * The rules that both the fold and the projection decide by. Each stands here once.
 * @module
 */
import type { TerminalKind } from "./vocabulary.ts";

/** The largest value that a uint256 can have. */
export const MAX_UINT256 = 2n ** 256n - 1n;

/**
 * Whether a raise reached its minimum; decided from the amount raised and the terms, never from the event's
 * own `minRaiseMet`. Base units. A stub, whose minimum is unknown, needs only to have raised something.
 */
export function minimumMet(raisedAmount: bigint, minRaise: bigint | null): boolean {
  return raisedAmount > 0n && raisedAmount >= (minRaise ?? 0n);
}

/** Whether the closing time has come: the first block whose time is at or past it. Unix seconds. */
export function closingTimePassed(closeAt: bigint | null, now: bigint): closeAt is bigint {
  return closeAt !== null && now >= closeAt;
}

/** What may stay unpaid of a principal without being a default: a ten-thousandth, at least one base unit. */
export function repaymentTolerance(principal: bigint): bigint {
  const share = principal / 10_000n;
  return share > 1n ? share : 1n;
}

/**
 * The principal that is still owed, as the escrow's own view has it: nothing before the drawdown, and nothing once the
 * raise is settled, whatever was written off. Base units.
 */
export function outstandingPrincipal(row: {
  terminalKind: TerminalKind | null;
  drawnDownAt: bigint | null;
  outstandingPrincipal: bigint;
}): bigint {
  return row.terminalKind === "settled" || row.drawnDownAt === null ? 0n : row.outstandingPrincipal;
}
