/**
 * Time left and simple yield to maturity of a bullet loan, as `market.md` and decision 0005 define them. Integers
 * only; each division of the formula is a floor, the negative ones too.
 * @module
 */
import { DAY } from "./instant.ts";
import type { Raise } from "./raise.ts";

const PAR_BPS = 10_000n;
const YEAR_DAYS = 365n;

/**
 * Whole days until the maturity, 0 once it has come; null while there is none and where nothing is owed any more.
 * @param now the head's timestamp, unix seconds
 */
export function remainingDays({ drawdown, terminal }: Raise, now: bigint): bigint | null {
  if (!drawdown || terminal) return null;
  const { maturityAt } = drawdown.args;
  return maturityAt > now ? (maturityAt - now) / DAY : 0n;
}

/**
 * The payments still due for a token, in basis points of par: all that is due less all that was paid, negative if more was
 * paid. Null before the drawdown, of nothing, and where nothing is owed any more.
 */
export function remainingPerToken(raise: Raise): bigint | null {
  const { terms, couponRateBps, drawdown, terminal, repaid } = raise;
  if (!terms || couponRateBps === undefined || !drawdown || terminal) return null;
  const principal = drawdown.args.amount;
  const interest = (principal * BigInt(couponRateBps) * BigInt(terms.tenorDays)) / (PAR_BPS * YEAR_DAYS);
  return principal === 0n ? null : floored((principal + interest - repaid) * PAR_BPS, principal);
}

/**
 * The reserve's payment for a token if nothing more is repaid, in basis points of par: no more than the principal still owed.
 * Null before the drawdown, of nothing, and where nothing is owed any more.
 */
export function reservePerToken({ drawdown, terminal, reserve, outstanding }: Raise): bigint | null {
  if (!drawdown || terminal || drawdown.args.amount === 0n) return null;
  return floored((reserve < outstanding ? reserve : outstanding) * PAR_BPS, drawdown.args.amount);
}

/** A buyer's gain on the price if nothing more is repaid, in basis points. @param priceBps of par, above zero */
export function returnInDefault(perToken: bigint, priceBps: bigint): bigint {
  return floored(perToken * PAR_BPS, priceBps) - PAR_BPS;
}

/**
 * In basis points per annum, for a buyer who receives what is still to be paid.
 * @param perToken basis points of par
 * @param priceBps of par, above zero
 * @param days until the maturity, above zero
 */
export function yieldToMaturity(perToken: bigint, priceBps: bigint, days: bigint): bigint {
  const gain = floored(perToken * PAR_BPS, priceBps) - PAR_BPS;
  return floored(gain * YEAR_DAYS, days);
}

/** @param divisor above zero */
function floored(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return quotient * divisor > dividend ? quotient - 1n : quotient;
}
