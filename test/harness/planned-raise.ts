/**
 * One raise of a planned market, followed step by step under the guards of the reference escrow
 * (`contracts/IListingEscrowActions.sol`) as far as a plan has to keep them.
 * @module
 */
import type { RaiseAction, Terms } from "../../demo/market/actions.ts";
import type { PlannedRaise } from "../../demo/market/script.ts";
import { repaymentTolerance } from "../../src/fold/rules.ts";

type RaiseStep = { at: number; by: string; action: RaiseAction };

export type Followed = {
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

export function ensure(holds: boolean, problem: string): void {
  if (!holds) throw new Error(problem);
}

export function created(raise: PlannedRaise, terms: Terms, at: number): Followed {
  ensure(terms.closeAt === null || terms.closeAt > Math.max(at, terms.goLiveAt), "closes in the past");
  ensure(terms.minRaise <= terms.targetAmount && terms.targetAmount > 0n, "minimum above target");
  return {
    ...{ raise, terms, bids: [], firstSubscribedAt: null, closedAt: null, drawnDownAt: null },
    ...{ principal: 0n, outstanding: 0n, repaid: 0n, reserve: 0n, reserveApplied: 0n, clearedAt: null },
    ...{ terminal: null, terminalAt: null, writtenOff: 0n },
  };
}

export function follow(raise: Followed, { at, by, action }: RaiseStep): void {
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

export function raised({ bids }: Followed): bigint {
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

export function maturityOf({ drawnDownAt, terms }: Followed): number {
  return (drawnDownAt ?? 0) + terms.tenorDays * 86_400;
}
