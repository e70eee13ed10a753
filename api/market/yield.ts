/** @module Prices and yields on the secondary desk, in integers: basis points, every division a floor. */

const PAR = 10_000n;
const DAYS_A_YEAR = 365n;
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** A rate or price as a JSON number, clamped to ±(2^53 − 1): sellers can ask any price. */
export function toBps(value: bigint): number {
  if (value > LARGEST) return Number(LARGEST);
  return Number(value < -LARGEST ? -LARGEST : value);
}

/** The price paid for a token, of par: `10000·cost/amount`. Basis points; `amount` above zero. */
export function priceBps(cost: bigint, amount: bigint): bigint {
  return (PAR * cost) / amount;
}

/** The desk's charge for `amount` tokens, rounded up as on the chain. Base units. */
export function chargeOf(amount: bigint, price: bigint): bigint {
  return (amount * price + PAR - 1n) / PAR;
}

/**
 * The payments still due for a token, in basis points of par: negative if more was paid than was due.
 * @param principal drawn, above zero; base units, like the others
 * @param total principal and interest due
 * @param paid principal and interest paid so far
 */
export function remainingPerTokenBps({
  principal,
  total,
  paid,
}: {
  principal: bigint;
  total: bigint;
  paid: bigint;
}): bigint {
  return floorDivide((total - paid) * PAR, principal);
}

/**
 * Simple yield to maturity of a buyer who receives what is still to be paid, in basis points per annum; negative when the price
 * exceeds it.
 * @param perToken what is still to be paid for a token, basis points of par
 * @param price basis points of par, above zero
 * @param remainingDays above zero
 */
export function yieldToMaturityBps({
  perToken,
  price,
  remainingDays,
}: {
  perToken: bigint;
  price: bigint;
  remainingDays: bigint;
}): bigint {
  return floorDivide(returnBps(perToken, price) * DAYS_A_YEAR, remainingDays);
}

/**
 * The reserve's payment for a token if nothing more is repaid, in basis points of par: it covers only principal that is still owed.
 * @param principal drawn, above zero; base units, like the others
 */
export function reservePerTokenBps({
  principal,
  reserve,
  outstanding,
}: {
  principal: bigint;
  reserve: bigint;
  outstanding: bigint;
}): bigint {
  return ((reserve < outstanding ? reserve : outstanding) * PAR) / principal;
}

/**
 * The return of a buyer at this price, in basis points of what was paid and not per year; -10000 when all is lost.
 * @param perToken what a token pays, basis points of par
 * @param price basis points of par, above zero
 */
export function returnBps(perToken: bigint, price: bigint): bigint {
  return floorDivide(perToken * PAR, price) - PAR;
}

/** BigInt division truncates towards zero; a floor of a negative fraction is one less. */
function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
