/**
 * Amounts as people read them, cut and never rounded up: an amount just below a target must not look as if it had met it. Only the
 * ones of axes and legends are rounded. The exact value always accompanies them, in base units.
 * @module
 */
import { formatUnits } from "viem";

/** The dollar of the test network; not to be taken for any same-named asset. Interface document, "What the service does", 5. */
export const DOLLAR = "USD-test";

const DECIMALS = 18;
/** Base units of one dollar or token. */
export const ONE = 10n ** 18n;
const CENT = ONE / 100n;
/** A thousand trillions: from here on no word for the size is common. */
const BEYOND_WORDS = 10n ** 15n * ONE;

const format = (options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat("en-US", { roundingMode: "trunc", ...options });
const CENTS = format({
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  trailingZeroDisplay: "stripIfInteger",
});
const EVERY_DIGIT = format({
  minimumFractionDigits: 2,
  maximumFractionDigits: DECIMALS,
  trailingZeroDisplay: "stripIfInteger",
});
const shortForms = (roundingMode: "trunc" | "halfExpand") => ({
  compact: format({ notation: "compact", maximumSignificantDigits: 4, roundingMode }),
  scientific: format({ notation: "scientific", maximumSignificantDigits: 3, roundingMode }),
  belowOne: format({ maximumFractionDigits: 2, roundingMode }),
});
const CUT = shortForms("trunc");
const ROUNDED = shortForms("halfExpand");

export type AmountFormat = {
  /** after the number; null: none */
  unit?: string | null;
  /** `cents`: two decimals unless they are zero, "<0.01" below that; `short`: four digits at most; `rounded`: the same for axes and legends, rounded */
  digits?: "cents" | "all" | "short" | "rounded";
};

/** "1,250.50 USD-test", or "118.9k" and "1.15e59" when short. @param amount base units, 18 decimals */
export function formatAmount(
  amount: string | bigint,
  { unit = DOLLAR, digits = "cents" }: AmountFormat = {},
): string {
  const number = FORMATS[digits](BigInt(amount));
  return unit === null ? number : `${number} ${unit}`;
}

const FORMATS = {
  cents: (amount: bigint) => (isBelowCent(amount) ? "<0.01" : written(amount, CENTS)),
  all: (amount: bigint) => written(amount, EVERY_DIGIT),
  short: (amount: bigint) => abbreviated(amount, CUT),
  rounded: (amount: bigint) => abbreviated(amount, ROUNDED),
};

function abbreviated(amount: bigint, { compact, scientific, belowOne }: typeof CUT): string {
  if (isBelowCent(amount) || amount >= BEYOND_WORDS) return written(amount, scientific).replace("E", "e");
  return written(amount, amount < ONE ? belowOne : compact).replace("K", "k");
}

function isBelowCent(amount: bigint): boolean {
  return amount > 0n && amount < CENT;
}

function written(amount: bigint, format: Intl.NumberFormat): string {
  // The formatter reads a decimal string without going through a float; viem's type is just a string.
  return format.format(formatUnits(amount, DECIMALS) as `${number}`);
}

/** Basis points as a percentage, everywhere with two decimals: 1450 is "14.50%". Progress alone is in whole percent (`share`). */
export function formatRate(basisPoints: number): string {
  return `${(basisPoints / 100).toFixed(2)}%`;
}

/** A part of a whole in basis points, rounded down; null for a whole of 0. */
export function shareBps(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((10_000n * part) / whole);
}

export function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => bigint): bigint {
  return items.reduce((sum, item) => sum + amountOf(item), 0n);
}
