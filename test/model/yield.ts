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
 * In basis points per annum.
 * @param priceBps of par, above zero
 * @param days until the maturity, above zero
 */
export function yieldToMaturity({ terms, couponRateBps }: Raise, priceBps: bigint, days: bigint): bigint {
  if (!terms || couponRateBps === undefined) throw new Error("nothing is due before the creation");
  const coupon = floored(BigInt(couponRateBps) * BigInt(terms.tenorDays), YEAR_DAYS);
  const gain = floored((PAR_BPS + coupon) * PAR_BPS, priceBps) - PAR_BPS;
  return floored(gain * YEAR_DAYS, days);
}

/** @param divisor above zero */
function floored(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return quotient * divisor > dividend ? quotient - 1n : quotient;
}
