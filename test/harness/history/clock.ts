/** @module The time of the next block. Never backwards; sometimes in the same second as the last one. */

import { STAGE } from "../enums.ts";
import { isUnderWay, type Listing } from "./listing.ts";
import type { Random } from "./random.ts";
import { DAY, HOUR } from "./terms.ts";

const LONGEST_LEAP = 25n * DAY;
/** Offers expire so often that longer ones would make every loan mature at once. */
const LONGEST_TO_EXPIRY = 2n * DAY;

/**
 * @param last the time of the last block, unix seconds
 * @param expiries when offers expire
 */
export function nextBlockTime(
  random: Random,
  last: bigint,
  listings: readonly Listing[],
  expiries: readonly bigint[] = [],
): bigint {
  const leap =
    random.weighted<() => bigint>([
      [8, () => 0n],
      [42, () => 1n + random.amount(60n)],
      [22, () => random.amount(6n * HOUR)],
      [8, () => random.amount(3n * DAY)],
      [0.8, () => DAY + random.amount(30n * DAY)],
      [10, () => toBoundary(random, last, listings, expiries)],
    ]) ?? (() => 1n);
  return last + leap();
}

/** To a moment at which something changes with time alone, or the second before or after. */
function toBoundary(
  random: Random,
  last: bigint,
  listings: readonly Listing[],
  expiries: readonly bigint[],
): bigint {
  const changes = listings.filter(isUnderWay).flatMap(({ terms, stage, maturityAt }) => {
    if (stage === STAGE.open) return [terms.goLiveAt, terms.closeAt];
    if (stage !== STAGE.drawn) return [];
    return [0n, 7n, 30n, 90n].map((days) => maturityAt + days * DAY);
  });
  const soon = expiries.filter((moment) => moment - last < LONGEST_TO_EXPIRY);
  const ahead = [...changes, ...soon].filter((moment) => moment > last + 1n && moment - last < LONGEST_LEAP);
  return ahead.length > 0 ? random.one(ahead) - last + BigInt(random.between(-1, 1)) : HOUR;
}
