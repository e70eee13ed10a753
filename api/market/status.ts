/** @module The only place where the status of a listing is decided. Interface document, "States and transitions". */

import { DAY } from "../../config/format/time.ts";
import { closingTimePassed, minimumMet } from "../../src/fold/rules.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import type { Repayment, Status } from "./schema.ts";

/** The inputs of the status. Amounts in base units, times in unix seconds. */
export type StatusFacts = Pick<
  ListingRow,
  | "createdAt"
  | "terminalKind"
  | "terminalAt"
  | "frozenAt"
  | "decidedAt"
  | "closeAt"
  | "goLiveAt"
  | "firstSubscribedAt"
  | "raisedAmount"
  | "minRaise"
>;

const TERMINAL_STATUS = { cancelled: "cancelled", voided: "voided", settled: "matured" } as const;

/**
 * The status at `now` (unix seconds, the time of a block) and the second in which it began.
 *
 * A raise is closed once it is frozen (`ListingClosed`, or a closing time that passed under the terms then valid)
 * or once `closeAt` has come without an event to freeze it.
 * It is an invariant that for fixed facts only `listed` and `funding` change with time, once, at `closeAt`.
 */
export function statusAt(facts: StatusFacts, now: bigint): { status: Status; since: bigint } {
  const { status, since } = decide(facts, now);
  // A go-live or a closing time before the creation had no effect at that time.
  const created = facts.createdAt ?? since;
  return { status, since: since > created ? since : created };
}

function decide(facts: StatusFacts, now: bigint): { status: Status; since: bigint } {
  if (facts.terminalKind !== null) {
    return { status: TERMINAL_STATUS[facts.terminalKind], since: facts.terminalAt ?? now };
  }
  if (facts.frozenAt !== null || closingTimePassed(facts.closeAt, now)) {
    const status = minimumMet(facts.raisedAmount, facts.minRaise) ? "live" : "refunding";
    return { status, since: facts.decidedAt ?? facts.closeAt ?? now };
  }
  if (facts.firstSubscribedAt !== null) return { status: "funding", since: facts.firstSubscribedAt };
  return { status: "listed", since: facts.goLiveAt ?? now };
}

/** When backers could first subscribe to a created listing: never before its creation. Unix seconds. */
export function openedAt({ createdAt, goLiveAt }: Pick<ListingRow, "createdAt" | "goLiveAt">): bigint {
  const [created, goLive] = [createdAt ?? 0n, goLiveAt ?? 0n];
  return created > goLive ? created : goLive;
}

const FAILED: ReadonlySet<Status> = new Set(["refunding", "voided", "cancelled"]);

/** Whether the raise failed: there will be no loan, and the money goes back. */
export function hasFailed({ status }: { status: Status }): boolean {
  return FAILED.has(status);
}

/** Whether the raise has failed or is settled: only claims can follow. */
export function isOver({ status }: { status: Status }): boolean {
  return status === "matured" || FAILED.has(status);
}

/** Whether backers can subscribe. Interface document: "Accepts money". */
export function acceptsMoney(status: Status): boolean {
  return status === "listed" || status === "funding";
}

/** Seconds after maturity. */
export const GRACE = 7n * DAY;
export const DEFAULT_AFTER = 90n * DAY;

/** The state of the repayment at `now` (unix seconds). */
export function repaymentAt(
  facts: Pick<ListingRow, "terminalKind" | "writtenOffPrincipal" | "maturityAt" | "drawnDownAt">,
  now: bigint,
): Repayment {
  if (facts.terminalKind === "settled") return facts.writtenOffPrincipal === 0n ? "repaid" : "written_off";
  if (facts.drawnDownAt === null || facts.maturityAt === null) return "not_drawn";
  if (now <= facts.maturityAt) return "current";
  if (now <= facts.maturityAt + GRACE) return "grace";
  return now <= facts.maturityAt + DEFAULT_AFTER ? "late" : "default";
}

/** When time alone last changed the state of the repayment; null before that and after a settlement. Unix seconds. */
export function repaymentTurnedAt(
  { terminalKind, maturityAt, drawnDownAt }: Pick<ListingRow, "terminalKind" | "maturityAt" | "drawnDownAt">,
  now: bigint,
): bigint | null {
  if (terminalKind === "settled" || drawnDownAt === null || maturityAt === null) return null;
  return repaymentTurns(maturityAt).findLast((turn) => turn <= now) ?? null;
}

/** When time alone changes the state of a repayment. Unix seconds. */
export function repaymentTurns(maturityAt: bigint): bigint[] {
  return [0n, GRACE, DEFAULT_AFTER].map((span) => maturityAt + span + 1n);
}
