/** @module The dollars that an escrow has to hold, by the events of its raises. Pure. */
import { closingTimePassed, minimumMet } from "../../src/fold/rules.ts";
import type { AnomalyRow, ListingRow, PositionRow } from "../../src/fold/state.ts";

/** Whether the events of all escrows announce money that leaves one. */
export type Announced = { drawdowns: boolean; payouts: boolean };

/** The dollars of some raises, in base units, and why it may be more. */
export type Dues = { least: bigint; unknown: string[] };

/** A contract without such events, and one where none has come yet, look the same. */
export function announcedIn(listings: readonly ListingRow[]): Announced {
  return {
    drawdowns: listings.some(({ drawnDownAt }) => drawnDownAt !== null),
    payouts: listings.some(({ claimedAmount }) => claimedAmount > 0n),
  };
}

/** All dollars of a raise: the amount raised until the drawdown, the reserve, payouts that are not claimed. */
export function duesOf(row: ListingRow, positions: readonly PositionRow[]): bigint {
  const raised = row.drawnDownAt === null ? unreturned(row, positions) : 0n;
  return raised + row.reserveBalance + unclaimed(row);
}

/**
 * The dollars that are certain to be in an escrow. Money whose way out has no event is left out, with the reason: a raise counts
 * as drawn when it closes with its minimum met, and a payment as passed on when it is made.
 * @param now time of the audited block, in Unix seconds
 */
export function leastDues(
  listings: readonly ListingRow[],
  {
    positionsOf,
    anomalies,
    announced,
    now,
  }: {
    positionsOf(row: ListingRow): readonly PositionRow[];
    /** of this escrow */
    anomalies: readonly Pick<AnomalyRow, "kind">[];
    announced: Announced;
    now: bigint;
  },
): Dues {
  const unknown = new Set<string>();
  if (anomalies.some(({ kind }) => kind === "unmapped_event"))
    return { least: 0n, unknown: ["some of its events could not be mapped"] };
  let least = 0n;
  for (const row of listings) {
    least += row.reserveBalance;
    if (announced.payouts) least += unclaimed(row);
    else if (unclaimed(row) > 0n) unknown.add("no payout has an event, so payments may have been passed on");
    if (row.drawnDownAt !== null) continue;
    const raised = unreturned(row, positionsOf(row));
    if (announced.drawdowns || isHeld(row, now)) least += raised;
    else if (raised > 0n)
      unknown.add("no drawdown has an event, so what was raised may have been drawn at the close");
  }
  return { least, unknown: [...unknown] };
}

/** Whether the raised money is still in the escrow where no drawdown event says otherwise: before the close, and during refunds. */
function isHeld(row: ListingRow, now: bigint): boolean {
  if (row.terminalKind !== null) return row.terminalKind !== "settled";
  // Terms that only the registry has are not in the tables.
  if (row.targetAmount === null) return false;
  const isClosed =
    row.closedAt !== null || closingTimePassed(row.closeAt, now) || row.raisedAmount >= row.targetAmount;
  return !isClosed || !minimumMet(row.raisedAmount, row.minRaise);
}

function unclaimed(row: ListingRow): bigint {
  return row.repaidPrincipal + row.repaidInterest - row.claimedAmount;
}

function unreturned(row: ListingRow, positions: readonly PositionRow[]): bigint {
  return row.raisedAmount - positions.reduce((sum, { returnedAmount }) => sum + returnedAmount, 0n);
}
