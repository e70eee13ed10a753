/** @module The proceeds of a subscription: in full at maturity, and from the reserve alone. Every division is rounded down. */
import { ONE } from "./amount.ts";
import type { DeskListing } from "./desk.ts";
import { interestOn } from "./schedule.ts";
import type { Listing } from "./schema.ts";

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

/** Base units. */
type Cover = { returned: bigint; lost: bigint };

/** Base units. */
export type Projection = {
  investment: bigint;
  /** investment × coupon × term / 365 days, rounded down */
  interest: bigint;
  /** principal and interest, all paid at maturity */
  total: bigint;
  /** the principal that shares the reserve */
  principal: bigint;
  /** nothing is repaid: the investment's share of the reserve that is held, and of the reserve that is required */
  reserveHeld: Cover;
  reserveRequired: Cover;
};

/**
 * The outcomes of an investment at par. The reserve pays principal only, shared by all principal alike. While the raise is open,
 * that is the target, the case with the least cover per dollar; from the close on it is the amount raised.
 * @param investment base units
 */
export function projectionOf(
  listing: Pick<
    Listing,
    | "acceptsMoney"
    | "targetAmount"
    | "raisedAmount"
    | "reserveBalance"
    | "insuranceBps"
    | "couponRateBps"
    | "tenorDays"
  >,
  investment: bigint,
): Projection {
  const interest = interestOn(investment, listing);
  const target = BigInt(listing.targetAmount);
  const raised = BigInt(listing.raisedAmount);
  const filled = raised + investment > target ? raised + investment : target;
  const principal = listing.acceptsMoney ? filled : raised;
  const coverOf = (reserve: bigint): Cover => {
    const share = principal === 0n ? 0n : (investment * reserve) / principal;
    const returned = share < investment ? share : investment;
    return { returned, lost: investment - returned };
  };
  return {
    investment,
    interest,
    total: investment + interest,
    principal,
    reserveHeld: coverOf(BigInt(listing.reserveBalance)),
    reserveRequired: coverOf((target * BigInt(listing.insuranceBps)) / BPS),
  };
}

/** Base units. */
export type OfferProjection = {
  /** basis points of par */
  priceBps: number;
  /** bought for the investment, rounded down */
  tokens: bigint;
  /** what these tokens still receive if all is paid; not below 0 */
  received: bigint;
  /** nothing more is repaid: what the reserve pays for them */
  reserve: Cover;
};

/**
 * The outcomes of the same investment at the best offer of the desk, if there is enough on offer; null without an offer, and where
 * nothing is owed.
 * @param investment base units
 */
export function offerProjectionOf(
  {
    bestAskBps,
    remainingPerTokenBps,
    reservePerTokenBps,
  }: Pick<DeskListing, "bestAskBps" | "remainingPerTokenBps" | "reservePerTokenBps">,
  investment: bigint,
): OfferProjection | null {
  if (bestAskBps === null || bestAskBps === 0 || remainingPerTokenBps === null || reservePerTokenBps === null)
    return null;
  const tokens = (investment * BPS) / BigInt(bestAskBps);
  const worth = (perTokenBps: number) => (perTokenBps > 0 ? (tokens * BigInt(perTokenBps)) / BPS : 0n);
  const returned = worth(reservePerTokenBps);
  return {
    priceBps: bestAskBps,
    tokens,
    received: worth(remainingPerTokenBps),
    reserve: { returned, lost: investment > returned ? investment - returned : 0n },
  };
}
