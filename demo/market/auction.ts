/**
 * How an auction clears, foretold: the plan must know who holds what after it.
 * @module
 */
import type { Backer } from "./cast.ts";

export type PlannedBid = {
  readonly backer: Backer;
  readonly amount: bigint;
  readonly rateBps: number;
};

export type Clearing = {
  /** What each backer keeps. */
  readonly accepted: ReadonlyMap<Backer, bigint>;
  /** The rate of the dearest accepted bid, which all of them earn. */
  readonly rateBps: number;
};

/** The cheapest bids are accepted first, of equal ones the earlier, up to `target`. */
export function clearAuction(bids: readonly PlannedBid[], target: bigint): Clearing {
  const accepted = new Map<Backer, bigint>();
  let room = target;
  let clearingRate = 0;
  for (const { backer, amount, rateBps } of bids.toSorted((a, b) => a.rateBps - b.rateBps)) {
    const kept = amount < room ? amount : room;
    if (kept === 0n) break;
    room -= kept;
    clearingRate = rateBps;
    accepted.set(backer, (accepted.get(backer) ?? 0n) + kept);
  }
  return { accepted, rateBps: clearingRate };
}
