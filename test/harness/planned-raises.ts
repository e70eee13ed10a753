/**
 * What a plan of the demo's market comes to, without a chain: each raise followed step by step, under the guards of the
 * reference escrow (`docs` of `IListingEscrowActions`) as far as the plan has to keep them.
 * @module
 */
import type { CreditRecord } from "../../api/market/grade.ts";
import type { Repayment, Status } from "../../api/market/schema.ts";
import { repaymentAt, statusAt } from "../../api/market/status.ts";
import type { Action, RaiseAction, RaiseId, Terms } from "../../demo/market/actions.ts";
import type { MarketPlan } from "../../demo/market/plan.ts";
import type { PlannedRaise } from "../../demo/market/script.ts";
import { repaymentTolerance } from "../../src/fold/rules.ts";

type RaiseStep = { at: number; by: string; action: RaiseAction };

type Followed = {
  raise: PlannedRaise;
  terms: Terms;
  /** principal by backer until the drawdown; bids of an auction until it is cleared */
  bids: { backer: string; amount: bigint; rateBps: number }[];
  firstSubscribedAt: number | null;
  closedAt: number | null;
  drawnDownAt: number | null;
  principal: bigint;
  outstanding: bigint;
  repaid: bigint;
  reserve: bigint;
  reserveApplied: bigint;
  clearedAt: number | null;
  terminal: "cancelled" | "voided" | "settled" | null;
  terminalAt: number | null;
  writtenOff: bigint;
};

export type Outcome = {
  raise: PlannedRaise;
  visible: boolean;
  status: Status;
  repayment: Repayment;
  record: CreditRecord | null;
  /** backers with principal that was not given back */
  holders: number;
};

/** Every raise of the plan as it stands at its end. @throws where the escrow would refuse a step */
export function followPlan(plan: MarketPlan): Outcome[] {
  const followed = new Map<string, Followed>();
  const counts = new Map<string, number>();
  for (const { at, by, action } of plan.steps) {
    if (!concernsRaise(action)) continue;
    if (action.kind === "createListing") {
      const raise = plan.raises.find(({ id }) => keyOf(id) === keyOf(action.raise));
      const id = (counts.get(action.raise.escrow) ?? 0) + 1;
      counts.set(action.raise.escrow, id);
      ensure(
        raise !== undefined && raise.id.onchainId === id,
        `${keyOf(action.raise)} is created out of turn`,
      );
      if (raise !== undefined) followed.set(keyOf(action.raise), created(raise, action.terms, at));
      continue;
    }
    const raise = followed.get(keyOf(action.raise));
    ensure(raise !== undefined, `${action.kind} before the creation of ${keyOf(action.raise)}`);
    if (raise !== undefined) follow(raise, { at, by, action });
  }
  return [...followed.values()].map((raise) => outcomeOf(raise, plan.end));
}

function concernsRaise(action: Action): action is RaiseAction & { raise: RaiseId } {
  return "raise" in action;
}

function keyOf({ escrow, onchainId }: RaiseId): string {
  return `${escrow}/${onchainId}`;
}

function ensure(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem);
}

function created(raise: PlannedRaise, terms: Terms, at: number): Followed {
  ensure(terms.closeAt === null || terms.closeAt > Math.max(at, terms.goLiveAt), "closes in the past");
  ensure(terms.minRaise <= terms.targetAmount && terms.targetAmount > 0n, "minimum above target");
  return {
    ...{ raise, terms, bids: [], firstSubscribedAt: null, closedAt: null, drawnDownAt: null },
    ...{ principal: 0n, outstanding: 0n, repaid: 0n, reserve: 0n, reserveApplied: 0n, clearedAt: null },
    ...{ terminal: null, terminalAt: null, writtenOff: 0n },
  };
}

function follow(raise: Followed, { at, by, action }: RaiseStep): void {
  const { terms } = raise;
  const name = `${raise.raise.story.publicId}: ${action.kind}`;
  const pastClose = terms.closeAt !== null && at >= terms.closeAt;
  const raising = raise.closedAt === null && raise.terminal === null && !pastClose;
  const repaying = raise.drawnDownAt !== null && raise.terminal === null;
  const is = (holds: boolean) => ensure(holds, `${name} at ${at} would be refused`);
  if ("amount" in action) is(action.amount > 0n);
  switch (action.kind) {
    case "updateTerms":
      is(raising && raise.firstSubscribedAt === null);
      raise.terms = action.terms;
      break;
    case "subscribe":
      is(raising && at >= terms.goLiveAt);
      is(
        (terms.pricingMode === "auction") === action.bidRateBps > 0 &&
          action.bidRateBps <= terms.couponRateBps,
      );
      is(terms.pricingMode === "auction" || raised(raise) + action.amount <= terms.targetAmount);
      is(terms.pricingMode === "fixed" || action.amount * 200n >= terms.targetAmount);
      raise.firstSubscribedAt ??= at;
      raise.bids.push({ backer: action.backer, amount: action.amount, rateBps: action.bidRateBps });
      if (terms.pricingMode === "fixed" && raised(raise) === terms.targetAmount) raise.closedAt = at;
      break;
    case "withdraw":
      is(raising && terms.pricingMode === "fixed" && held(raise, by) >= action.amount);
      raise.bids.push({ backer: by, amount: -action.amount, rateBps: 0 });
      break;
    case "close":
      is(raise.closedAt === null && raise.terminal === null && (pastClose || by === "operator"));
      raise.closedAt = at;
      clear(raise);
      break;
    case "cancel":
      is(raising);
      end(raise, "cancelled", at);
      break;
    case "voidListing":
      is(raise.closedAt !== null && raise.drawnDownAt === null && raise.terminal === null);
      end(raise, "voided", at);
      break;
    case "refund":
      is(["cancelled", "voided"].includes(raise.terminal ?? "") || (raise.closedAt !== null && !met(raise)));
      is(held(raise, action.backer) > 0n);
      raise.bids = raise.bids.filter(({ backer }) => backer !== action.backer);
      break;
    case "postReserve":
      raise.reserve += action.amount;
      break;
    case "releaseReserve":
      is(action.amount <= raise.reserve && (raise.terminal !== null || !met(raise)));
      raise.reserve -= action.amount;
      break;
    case "drawDown":
      is(
        by === raise.raise.story.business &&
          raise.closedAt !== null &&
          met(raise) &&
          raise.drawnDownAt === null,
      );
      is(
        raise.reserve * 10_000n >= terms.targetAmount * BigInt(terms.insuranceBps) && raise.terminal === null,
      );
      raise.drawnDownAt = at;
      raise.principal = raised(raise);
      raise.outstanding = raise.principal;
      break;
    case "repay":
      is(repaying && action.principal <= raise.outstanding && action.principal + action.interest > 0n);
      pay(raise, action.principal, at);
      break;
    case "applyReserve":
      is(repaying && action.amount <= raise.reserve);
      applyReserve(raise, action.amount, at);
      break;
    case "settle":
      is(repaying && at >= maturityOf(raise));
      applyReserve(raise, raise.reserve < raise.outstanding ? raise.reserve : raise.outstanding, at);
      raise.writtenOff = raise.outstanding;
      end(raise, "settled", at);
      break;
    case "claimPayout":
      is(held(raise, by) > 0n && raise.repaid > 0n);
      break;
    case "approveToken":
      break;
    case "createOffer":
      is(raise.drawnDownAt !== null && held(raise, by) >= action.amount && action.expiresAt > at);
  }
}

function raised({ bids }: Followed): bigint {
  return bids.reduce((sum, { amount }) => sum + amount, 0n);
}

function held({ bids }: Followed, who: string): bigint {
  return bids.filter(({ backer }) => backer === who).reduce((sum, { amount }) => sum + amount, 0n);
}

function met(raise: Followed): boolean {
  return raised(raise) >= raise.terms.minRaise;
}

/** Drops what is beyond the target, the dearest and latest bids first. */
function clear(raise: Followed): void {
  const { targetAmount, pricingMode } = raise.terms;
  if (pricingMode === "fixed" || !met(raise)) return;
  raise.bids.sort((a, b) => a.rateBps - b.rateBps);
  for (let excess = raised(raise) - targetAmount; excess > 0n; ) {
    const last = raise.bids.at(-1);
    if (last === undefined) return;
    const cut = last.amount < excess ? last.amount : excess;
    last.amount -= cut;
    excess -= cut;
    if (last.amount === 0n) raise.bids.pop();
  }
}

function pay(raise: Followed, principal: bigint, at: number): void {
  raise.outstanding -= principal;
  raise.repaid += principal + 1n;
  if (raise.outstanding <= repaymentTolerance(raise.principal)) raise.clearedAt ??= at;
  if (raise.outstanding === 0n) end(raise, "settled", at);
}

function applyReserve(raise: Followed, amount: bigint, at: number): void {
  raise.reserve -= amount;
  raise.reserveApplied += amount;
  pay(raise, amount, at);
}

function end(raise: Followed, terminal: NonNullable<Followed["terminal"]>, at: number): void {
  raise.terminal = terminal;
  raise.terminalAt = at;
}

function maturityOf({ drawnDownAt, terms }: Followed): number {
  return (drawnDownAt ?? 0) + terms.tenorDays * 86_400;
}

function outcomeOf(raise: Followed, now: number): Outcome {
  const { story, id } = raise.raise;
  ensure(id.onchainId > 0, story.publicId);
  const drawn = raise.drawnDownAt !== null;
  const facts = {
    terminalKind: raise.terminal,
    terminalAt: seconds(raise.terminalAt),
    closedAt: seconds(raise.closedAt),
    frozenAt: seconds(raise.closedAt),
    decidedAt: seconds(raise.closedAt),
    closeAt: seconds(raise.terms.closeAt),
    goLiveAt: BigInt(raise.terms.goLiveAt),
    firstSubscribedAt: seconds(raise.firstSubscribedAt),
    // What was given back after the close does not count; nothing was drawn from a raise with refunds.
    raisedAmount: drawn ? raise.principal : raised(raise),
    minRaise: raise.terms.minRaise,
    writtenOffPrincipal: raise.terminal === "settled" ? raise.writtenOff : null,
    maturityAt: drawn ? BigInt(maturityOf(raise)) : null,
    drawnDownAt: seconds(raise.drawnDownAt),
  };
  return {
    raise: raise.raise,
    visible: story.unpublished !== true && raise.terms.goLiveAt <= now,
    status: statusAt(facts, BigInt(now)).status,
    repayment: repaymentAt(facts, BigInt(now)),
    record: drawn ? recordOf(raise) : null,
    holders: new Set(raise.bids.map(({ backer }) => backer)).size,
  };
}

function recordOf(raise: Followed): CreditRecord {
  const settled = raise.terminal === "settled";
  return {
    principal: raise.principal,
    maturityAt: BigInt(maturityOf(raise)),
    unpaid: settled ? raise.writtenOff : raise.outstanding,
    settledAt: settled ? seconds(raise.terminalAt) : null,
    endedAt: seconds(raise.clearedAt ?? raise.terminalAt),
    reserveApplied: raise.reserveApplied,
  };
}

function seconds(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}
