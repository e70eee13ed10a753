/** @module Random terms and amounts: mostly ones that a raise could have, with the edges among them. */
import type { EventArgs } from "../../model/chain-log.ts";
import type { Random } from "./random.ts";

export type Terms = EventArgs["ListingCreated"]["terms"];

export const HOUR = 3600n;
export const DAY = 24n * HOUR;
export const DOLLAR = 10n ** 18n;

/** The largest target that the escrow takes. */
const MAX_TARGET = 2n ** 128n - 1n;
export const MAX_UINT64 = 2n ** 64n - 1n;
const MAX_UINT32 = 2 ** 32 - 1;

/** An amount that no share of a raise explains: 2^200 and thereabouts. */
export function hugeAmount(random: Random): bigint {
  return (1n << 200n) + random.amount(1n << 190n) - (1n << 189n);
}

/** @param now the time of the block in which they are proposed, unix seconds */
export function randomTerms(random: Random, now: bigint, huge: boolean): Terms {
  const targetAmount = randomTarget(random, huge);
  const auction = random.chance(0.35);
  const goLiveAt = randomGoLive(random, now);
  return {
    targetAmount,
    minRaise: randomMinimum(random, targetAmount),
    couponRateBps: random.chance(0.02) ? MAX_UINT32 : random.between(auction ? 1 : 0, 3000),
    insuranceBps: random.chance(0.4) ? 0 : random.chance(0.05) ? 15_000 : random.between(1, 3000),
    tenorDays: randomTenor(random),
    pricingMode: auction ? 1 : 0,
    goLiveAt,
    closeAt: randomCloseAt(random, goLiveAt > now ? goLiveAt : now),
  };
}

/** The same terms with something in them that the escrow refuses. */
export function spoiled(random: Random, terms: Terms, now: bigint): Terms {
  return {
    ...terms,
    ...random.one<Partial<Terms>>([
      { targetAmount: 0n },
      { targetAmount: MAX_TARGET + 1n },
      { minRaise: terms.targetAmount + 1n },
      { tenorDays: 0 },
      { closeAt: now },
      { closeAt: terms.goLiveAt },
    ]),
  };
}

function randomTarget(random: Random, huge: boolean): bigint {
  if (huge)
    return random.one([MAX_TARGET, MAX_TARGET - random.amount(MAX_TARGET >> 1n), random.amount(10n ** 30n)]);
  const usual = BigInt(random.between(1000, 1_000_000)) * DOLLAR;
  return (
    random.weighted([
      [8, usual],
      [4, usual + random.amount(DOLLAR)],
      // About the size from which a raise counts in a record.
      [1, 1000n * DOLLAR],
      [1, 1000n * DOLLAR - 1n],
      [1, 1n + random.amount(1000n)],
      [1, 1n],
    ]) ?? usual
  );
}

function randomMinimum(random: Random, target: bigint): bigint {
  const share = (target * BigInt(random.between(10, 70))) / 100n;
  return (
    random.weighted([
      [3, 0n],
      [2, target],
      [12, share],
    ]) ?? share
  );
}

function randomTenor(random: Random): number {
  return (
    random.weighted([
      [1, 1],
      [8, random.between(1, 15)],
      [5, random.between(16, 60)],
      [2, random.between(61, 200)],
      [1, random.between(201, 400)],
    ]) ?? 30
  );
}

function randomGoLive(random: Random, now: bigint): bigint {
  const midnight = now - (now % DAY);
  return (
    random.weighted([
      [4, now],
      // Shared by several raises, so that their order is decided by something else.
      [3, midnight],
      [3, now + random.amount(2n * DAY)],
      [1, now + random.amount(30n * DAY)],
      [1, 0n],
    ]) ?? now
  );
}

function randomCloseAt(random: Random, from: bigint): bigint {
  const usual = from + HOUR + random.amount(25n * DAY);
  return (
    random.weighted([
      [6, usual],
      [1, from + 1n],
      [1, 0n],
      [0.4, MAX_UINT64],
    ]) ?? usual
  );
}
