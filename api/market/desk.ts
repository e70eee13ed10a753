/** @module One raise on the secondary desk, and the best offers of all. Pure. */
import { owedOf } from "./schedule.ts";
import type { Listing, Schedule } from "./schema.ts";
import type { Trading } from "./trading-schema.ts";
import { remainingPerTokenBps as perTokenBps, toBps } from "./yield.ts";

export type DeskListing = Trading["listings"][number];

export type BestOffers = {
  /** with the lowest price; null while nothing is on offer */
  cheapest: DeskListing | null;
  /** with the highest yield to maturity; null while no offer has one */
  highestYield: DeskListing | null;
};

const best = new WeakMap<Trading, BestOffers>();

/** Remaining payments for a token, never negative. */
export type LeftPerToken = {
  /** of par */
  bps: number;
  /** Interest above the schedule was paid: `remainingPerTokenBps` sets it off against the principal, which is owed nevertheless. */
  isSetOff: boolean;
};

/** Null before the drawdown, and once the raise has ended. */
export function leftPerToken(
  { remainingPerTokenBps }: Pick<DeskListing, "remainingPerTokenBps">,
  listing: Pick<Listing, "outstandingPrincipal" | "repayment">,
  schedule: Pick<Schedule, "estimated" | "principal" | "interest" | "paidInterest">,
): LeftPerToken | null {
  if (remainingPerTokenBps === null) return null;
  const total = BigInt(owedOf(listing, schedule).total);
  const owed = toBps(perTokenBps({ principal: BigInt(schedule.principal), total, paid: 0n }));
  const told = Math.max(0, remainingPerTokenBps);
  return { bps: Math.max(told, owed), isSetOff: owed > told };
}

export function bestOffers(trading: Trading): BestOffers {
  const known = best.get(trading) ?? {
    cheapest: leastBy(trading.listings, ({ bestAskBps }) => bestAskBps),
    highestYield: leastBy(trading.listings, ({ yieldToMaturityBps }) =>
      yieldToMaturityBps === null ? null : -yieldToMaturityBps,
    ),
  };
  best.set(trading, known);
  return known;
}

function leastBy<Item>(items: readonly Item[], keyOf: (item: Item) => number | null): Item | null {
  let least: { item: Item; key: number } | null = null;
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null && (least === null || key < least.key)) least = { item, key };
  }
  return least?.item ?? null;
}
