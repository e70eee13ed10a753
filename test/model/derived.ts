/**
 * The lifecycle of a raise whose contract has no events for its close, its drawdown and its settlement, as definitions over the whole
 * list of its events. `contracts.md`, "Derived lifecycle".
 * @module
 */
import type { Repayment, Status } from "./status.ts";

const DAY = 86_400n;

/** In the order of the chain; `at` in unix seconds, amounts in base units. */
export type Told =
  | { kind: "subscribed"; at: bigint; backer: string; amount: bigint }
  | { kind: "refunded"; at: bigint; backer: string; amount: bigint }
  | { kind: "repaid"; at: bigint; amount: bigint }
  | { kind: "repaid"; at: bigint; principal: bigint; interest: bigint }
  | { kind: "listing_cancelled" | "listing_voided"; at: bigint };

export type Terms = {
  targetAmount: bigint;
  minRaise: bigint;
  tenorDays: number;
  goLiveAt: bigint;
  closeAt: bigint | null;
};

export type DerivedRaise = {
  status: Status;
  statusSince: bigint;
  raised: bigint;
  subscribers: number;
  refunded: bigint;
  refundable: bigint;
  drawnDownAt: bigint | null;
  maturityAt: bigint | null;
  drawn: bigint | null;
  paidPrincipal: bigint;
  paidInterest: bigint;
  outstanding: bigint;
  repayment: Repayment;
  outcome: "repaid" | null;
};

/** @param now the head's timestamp, unix seconds */
export function derivedRaise(
  told: readonly Told[],
  terms: Terms,
  { now, closesAtTarget }: { now: bigint; closesAtTarget: boolean },
): DerivedRaise {
  const { closeAt, targetAmount, minRaise, tenorDays } = terms;
  const ends = told.flatMap(({ kind }, index) =>
    kind === "listing_cancelled" || kind === "listing_voided" ? [index] : [],
  );
  const isPastDeadline = (at: bigint) => closeAt !== null && at >= closeAt;
  /** The index of the subscription that reaches the target, if the raise is still open then. */
  const filling = closesAtTarget
    ? told.findIndex(
        ({ kind, at }, index) =>
          kind === "subscribed" &&
          !isPastDeadline(at) &&
          !ends.some((end) => end < index) &&
          total(nets(told.slice(0, index + 1))) >= targetAmount &&
          total(nets(told.slice(0, index + 1))) > 0n,
      )
    : -1;
  const isOpen = (index: number) =>
    !isPastDeadline(told[index]?.at ?? 0n) &&
    (filling === -1 || index <= filling) &&
    !ends.some((end) => end < index);
  const open = told.filter((_, index) => isOpen(index));
  const later = told.filter((_, index) => !isOpen(index));

  const byBacker = nets(open);
  const raised = total(byBacker);
  const isMet = raised > 0n && raised >= minRaise;
  const filledAt = filling === -1 ? null : (told[filling]?.at ?? null);
  const closedAt = filledAt ?? (closeAt !== null && now >= closeAt ? closeAt : null);

  // A cancellation or a nullification counts unless everything had been repaid before it.
  const [end] = ends;
  const isEndedOpen = end !== undefined && isOpen(end);
  const lent = closedAt !== null && isMet && !isEndedOpen ? { at: closedAt, amount: raised } : null;
  const payments = paid(told, { lent: lent?.amount ?? null, isOpen, end });
  const ending = payments.settledAt === null && end !== undefined ? told[end] : undefined;
  const drawn = ending === undefined ? lent : null;

  const returned = [...byBacker].map(([backer, net]) => {
    const sent = sumOf(later, (event) =>
      event.kind === "refunded" && event.backer === backer ? event.amount : 0n,
    );
    return sent < net ? sent : net;
  });
  const first = open.find((event) => event.kind === "subscribed" && event.amount > 0n);
  const status = ((): [Status, bigint] => {
    if (ending !== undefined)
      return [ending.kind === "listing_cancelled" ? "cancelled" : "voided", ending.at];
    if (payments.settledAt !== null) return ["matured", payments.settledAt];
    if (closedAt !== null) return [isMet ? "live" : "refunding", closedAt];
    return first === undefined ? ["listed", terms.goLiveAt] : ["funding", first.at];
  })();
  const hasFailed = ["refunding", "voided", "cancelled"].includes(status[0]);
  const maturityAt = drawn === null ? null : drawn.at + BigInt(tenorDays) * DAY;
  return {
    status: status[0],
    statusSince: status[1],
    raised,
    subscribers: [...byBacker.values()].filter((net) => net > 0n).length,
    refunded: sumOf(told, (event) => (event.kind === "refunded" ? event.amount : 0n)),
    refundable: hasFailed ? raised - returned.reduce((sum, one) => sum + one, 0n) : 0n,
    drawnDownAt: drawn?.at ?? null,
    maturityAt,
    drawn: drawn?.amount ?? null,
    paidPrincipal: payments.principal,
    paidInterest: payments.interest,
    outstanding: drawn === null || payments.settledAt !== null ? 0n : payments.owed,
    repayment: repaymentOf(maturityAt, payments.settledAt !== null, now),
    outcome: payments.settledAt === null ? null : "repaid",
  };
}

/** The principal of each backer in the raise: refunds while it is open are withdrawals, of no more than there is. */
function nets(open: readonly Told[]): Map<string, bigint> {
  const found = new Map<string, bigint>();
  for (const event of open) {
    if (event.kind !== "subscribed" && event.kind !== "refunded") continue;
    const before = found.get(event.backer) ?? 0n;
    const after = event.kind === "subscribed" ? before + event.amount : before - event.amount;
    found.set(event.backer, after < 0n ? 0n : after);
  }
  return found;
}

/** A payment in one amount pays principal first, up to the principal then owed: none before the drawdown or after an end. */
function paid(
  told: readonly Told[],
  {
    lent,
    isOpen,
    end = told.length,
  }: { lent: bigint | null; isOpen(index: number): boolean; end: number | undefined },
): { principal: bigint; interest: bigint; owed: bigint; settledAt: bigint | null } {
  let [principal, interest, owed] = [0n, 0n, lent ?? 0n];
  let settledAt: bigint | null = null;
  for (const [index, event] of told.entries()) {
    if (event.kind !== "repaid") continue;
    const isOwed = lent !== null && !isOpen(index) && index < end && settledAt === null;
    const split = "principal" in event ? event : splitOf(event.amount, isOwed ? owed : 0n);
    principal += split.principal;
    interest += split.interest;
    if (!isOwed) continue;
    owed -= split.principal;
    if (owed <= 0n) settledAt = event.at;
  }
  return { principal, interest, owed, settledAt };
}

function splitOf(amount: bigint, owed: bigint): { principal: bigint; interest: bigint } {
  const principal = amount < owed ? amount : owed;
  return { principal, interest: amount - principal };
}

function repaymentOf(maturityAt: bigint | null, isSettled: boolean, now: bigint): Repayment {
  if (isSettled) return "repaid";
  if (maturityAt === null) return "not_drawn";
  if (now <= maturityAt) return "current";
  if (now <= maturityAt + 7n * DAY) return "grace";
  return now <= maturityAt + 90n * DAY ? "late" : "default";
}

function total(amounts: ReadonlyMap<string, bigint>): bigint {
  return [...amounts.values()].reduce((sum, one) => sum + one, 0n);
}

function sumOf(told: readonly Told[], amountOf: (event: Told) => bigint): bigint {
  return told.reduce((sum, event) => sum + amountOf(event), 0n);
}
