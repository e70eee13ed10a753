/** @module The moments at which time alone changes a raise. */
import type { ListingRow } from "../../src/fold/state.ts";
import { paceTurnsAt } from "./pace.ts";
import { repaymentTurns } from "./status.ts";

/** Its go-live, its close and the steps of its pace while it is open, and the states of its repayment. Unix seconds; null for never. */
export function turnsOf(row: ListingRow, now: bigint): (bigint | null)[] {
  const { goLiveAt, closeAt, frozenAt, maturityAt, terminalKind } = row;
  // Nothing but an event changes what is settled.
  const repayment = terminalKind === "settled" || maturityAt === null ? [] : repaymentTurns(maturityAt);
  const isOpen = terminalKind === null && frozenAt === null;
  return [goLiveAt, ...repayment, ...(isOpen ? [closeAt, paceTurnsAt(row, now)] : [])];
}
