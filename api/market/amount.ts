/**
 * Amounts as people read them. The exact value stands beside them everywhere, in base units.
 * @module
 */

/** The dollar of the test network; not to be taken for any same-named asset. Interface document, "What the service does", 5. */
export const DOLLAR = "USD-test";

const BASE_UNITS = 10n ** 18n;
const CENT = BASE_UNITS / 100n;

/**
 * An amount with its unit, such as "1,250.50 USD-test". Cut to whole cents, never rounded up: what just misses a
 * target must not read as if it had met it.
 * @param baseUnits decimal string, 18 decimals
 * @param unit dollars unless the amount is one of tokens
 */
export function formatAmount(baseUnits: string, unit = DOLLAR): string {
  const amount = BigInt(baseUnits);
  if (amount > 0n && amount < CENT) return `<0.01 ${unit}`;
  const whole = (amount / BASE_UNITS).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const cents = ((amount % BASE_UNITS) / CENT).toString().padStart(2, "0");
  return `${whole}.${cents} ${unit}`;
}

/** A rate in basis points as a percentage with two decimals: 1450 is "14.50 %". */
export function formatRate(basisPoints: number): string {
  return `${(basisPoints / 100).toFixed(2)} %`;
}
