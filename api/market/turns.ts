/** @module The moments at which time alone changes a raise. */
import type { ListingRow } from "../../src/fold/state.ts";
import { paceTurnsAt } from "./pace.ts";
import { repaymentTurns } from "./status.ts";

/** Its go-live, its close, the states of its repayment, and the next step of its pace. Unix seconds; null for never. */
export function turnsOf(row: ListingRow, now: bigint): (bigint | null)[] {
  const { goLiveAt, closeAt, maturityAt, terminalKind } = row;
  // Nothing but an event changes what is settled.
  if (terminalKind === "settled") return [goLiveAt];
  const repayment = maturityAt === null ? [] : repaymentTurns(maturityAt);
  return [goLiveAt, closeAt, ...repayment, paceTurnsAt(row, now)];
}
