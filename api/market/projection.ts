/** @module The proceeds of a subscription: in full at maturity, and from the reserve alone. Every division is rounded down. */
import { formatAmount, ONE } from "./amount.ts";
import { acceptedNow, interestOn, owedOf } from "./schedule.ts";
import type { Listing, Schedule } from "./schema.ts";
import { hasFailed } from "./status.ts";
import { chargeOf } from "./yield.ts";

const BPS = 10_000n;
/** Most digits of a subscription before and after the point. */
const DECIMAL = /^(\d{1,30})(?:\.(\d{1,18}))?$/;

export const INVESTMENT_FORM = 'dollars above 0 as a decimal, such as "1000" or "250.50"';

/** Reads a decimal amount of dollars; base units, null for a text of another form and for nothing. */
export function parseInvestment(text: string): bigint | null {
  const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) return null;
  const amount = BigInt(whole) * ONE + BigInt(fraction.padEnd(18, "0"));
  return amount === 0n ? null : amount;
}

/**
 * How much an open raise can take, if that is less than the investment; null otherwise. An auction accepts its target at most, whatever is
 * bid: a cheaper bid takes the place of others.
 * @param investment base units
 */
export function limitSentence(
  {
    acceptsMoney,
    pricingMode,
    targetAmount,
    raisedAmount,
  }: Pick<Listing, "acceptsMoney" | "pricingMode" | "targetAmount" | "raisedAmount">,
  investment: bigint,
): string | null {
  const target = BigInt(targetAmount);
  const isFixed = pricingMode === "fixed";
  const room = isFixed ? target - BigInt(raisedAmount) : target;
  if (!acceptsMoney || investment <= room) return null;
  if (!isFixed) return `At most ${formatAmount(target)} can be lent in all.`;
  // Contracts of other designs may take more.
  return room > 0n
    ? `Only ${formatAmount(room)} can still be lent.`
    : "The target is reached: the raise may accept no more.";
}

/** Whether money that is lent to a raise can still be lost: not once it failed or ended, or once its principal is repaid. */
export function canLose({
  status,
  repayment,
  outstandingPrincipal,
}: Pick<Listing, "status" | "repayment" | "outstandingPrincipal">): boolean {
  const isPaid = repayment !== "not_drawn" && outstandingPrincipal === "0";
  return !hasFailed({ status }) && status !== "matured" && !isPaid;
}

/** Base units. */
type Cover = { returned: bigint; lost: bigint };

/** Base units. */
export type Projection = {
  investment: bigint;
  /** investment × coupon × term / 365 days, rounded down */
  interest: bigint;
  /** principal and interest, all paid at maturity */
  total: bigint;
  /** the principal that shares what comes back */
  principal: bigint;
  /** the part of it that is repaid already; 0 before the drawdown */
  repaid: bigint;
  /** nothing more is repaid: the investment's share of what is, and of the reserve that is held, or that is required */
  reserveHeld: Cover;
  reserveRequired: Cover;
};

/**
 * The outcomes of an investment at par. The reserve pays principal only, shared by all principal alike. While the raise is open,
 * that is the target, the case with the least cover per dollar; from the close on it is the amount raised. An auction that has not
 * been cleared accepts no more than its target, whatever is bid. From the drawdown on it is the amount drawn: the principal repaid so
 * far comes back too, and the reserve pays no more than is still owed.
 * @param investment base units
 */
export function projectionOf(
  listing: Pick<
    Listing,
    | "acceptsMoney"
    | "couponIsMaximum"
    | "targetAmount"
    | "raisedAmount"
    | "drawnAmount"
    | "outstandingPrincipal"
    | "reserveBalance"
    | "insuranceBps"
    | "couponRateBps"
    | "tenorDays"
  >,
  investment: bigint,
): Projection {
  const interest = interestOn(investment, listing);
  const target = BigInt(listing.targetAmount);
  const raised = listing.couponIsMaximum ? acceptedNow(listing) : BigInt(listing.raisedAmount);
  const others = listing.couponIsMaximum ? 0n : raised;
  const filled = others + investment > target ? others + investment : target;
  const [drawn, owed] = [BigInt(listing.drawnAmount), BigInt(listing.outstandingPrincipal)];
  const lent = drawn > 0n ? drawn : raised;
  const principal = listing.acceptsMoney ? filled : lent;
  // A contract may report more that is owed than was drawn.
  const repaid = drawn > owed ? drawn - owed : 0n;
  const coverOf = (reserve: bigint): Cover => {
    const back = drawn > 0n && reserve > owed ? drawn : repaid + reserve;
    const share = principal === 0n ? 0n : (investment * back) / principal;
    const returned = share < investment ? share : investment;
    return { returned, lost: investment - returned };
  };
  return {
    investment,
    interest,
    total: investment + interest,
    principal,
    repaid,
    reserveHeld: coverOf(BigInt(listing.reserveBalance)),
    reserveRequired: coverOf((target * BigInt(listing.insuranceBps)) / BPS),
  };
}

/** Base units. */
export type ResaleProjection = {
  /** bought at the price, rounded down; `cost` is the desk's charge for them, at most the investment */
  tokens: bigint;
  cost: bigint;
  /** the tokens' share of the principal and interest still owed, all of it paid */
  total: bigint;
  /** nothing more is paid: the tokens' share of the reserve that is held, up to the principal still owed */
  reserveHeld: Cover;
};

/**
 * The outcomes of buying tokens on the desk at a price other than par. Null without a debt or a price.
 * @param priceBps basis points of par
 * @param investment base units
 */
export function resaleProjectionOf(
  listing: Pick<Listing, "reserveBalance" | "outstandingPrincipal" | "repayment">,
  schedule: Pick<Schedule, "estimated" | "principal" | "interest" | "paidInterest">,
  priceBps: number,
  investment: bigint,
): ResaleProjection | null {
  const principal = BigInt(schedule.principal);
  if (schedule.estimated || principal === 0n || priceBps <= 0) return null;
  const tokens = (investment * BPS) / BigInt(priceBps);
  const cost = chargeOf(tokens, BigInt(priceBps));
  const [reserve, owed] = [BigInt(listing.reserveBalance), BigInt(listing.outstandingPrincipal)];
  const returned = (tokens * (reserve < owed ? reserve : owed)) / principal;
  return {
    tokens,
    cost,
    total: (tokens * BigInt(owedOf(listing, schedule).total)) / principal,
    reserveHeld: { returned, lost: cost > returned ? cost - returned : 0n },
  };
}
