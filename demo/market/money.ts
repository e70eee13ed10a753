/** @module Dollar amounts in base units, with 18 decimals. */
import type { Random } from "./random.ts";

const CENT = 10n ** 16n;
const DOLLAR = 100n * CENT;

/** Base units of whole dollars. */
export function dollars(amount: number): bigint {
  return BigInt(amount) * DOLLAR;
}

/** The given number of basis points of `amount`, rounded down. */
export function basisPoints(amount: bigint, parts: number): bigint {
  return (amount * BigInt(parts)) / 10_000n;
}

/** A fraction (0 to 1) of `amount`, rounded down to a cent. */
export function shareOf(amount: bigint, fraction: number): bigint {
  return roundDown(basisPoints(amount, Math.round(fraction * 10_000)), CENT);
}

/** A random amount within ten percent of `amount` dollars, in steps of 250. */
export function roughly(amount: number, random: Random): bigint {
  return dollars(Math.round((amount * random.between(0.9, 1.1)) / 250) * 250);
}

/**
 * Splits `total` the way people subscribe: mostly multiples of fifty dollars, sometimes to the cent. No part is 0 as long as
 * `total` is more than 100 dollars per part.
 */
export function split(total: bigint, parts: number, random: Random): bigint[] {
  const weights = Array.from({ length: parts }, () => random.integer(60, 400));
  const sum = BigInt(weights.reduce((a, b) => a + b, 0));
  let left = total;
  return weights.map((weight, index) => {
    if (index === parts - 1) return left;
    const exact = (total * BigInt(weight)) / sum;
    const amount = random.chance(0.15) ? roundDown(exact, CENT) : roundDown(exact, 50n * DOLLAR) || exact;
    left -= amount;
    return amount;
  });
}

/** Simple interest of a bullet loan: principal times rate times days over 365, rounded down. */
export function interestOn(principal: bigint, couponRateBps: number, days: number): bigint {
  return (principal * BigInt(couponRateBps) * BigInt(days)) / 3_650_000n;
}

/** `1,250.50`, rounded down to a cent. */
export function formatDollars(amount: bigint): string {
  const cents = amount / CENT;
  const whole = (cents / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  return `${whole}.${(cents % 100n).toString().padStart(2, "0")}`;
}

function roundDown(amount: bigint, unit: bigint): bigint {
  return amount - (amount % unit);
}
