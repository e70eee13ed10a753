/** @module One raise on the secondary desk, and the best offers of all. Pure. */
import type { Trading } from "./trading-schema.ts";

export type DeskListing = Trading["listings"][number];

export type BestOffers = {
  /** with the lowest price; null while nothing is on offer */
  cheapest: DeskListing | null;
  /** with the highest yield to maturity; null while no offer has one */
  highestYield: DeskListing | null;
};

const summaries = new WeakMap<Trading, { byId: ReadonlyMap<string, DeskListing>; best: BestOffers }>();

function summaryOf(trading: Trading) {
  const known = summaries.get(trading) ?? {
    byId: new Map(trading.listings.map((one) => [one.publicId, one])),
    best: {
      cheapest: leastBy(trading.listings, ({ bestAskBps }) => bestAskBps),
      highestYield: leastBy(trading.listings, ({ yieldToMaturityBps }) =>
        yieldToMaturityBps === null ? null : -yieldToMaturityBps,
      ),
    },
  };
  summaries.set(trading, known);
  return known;
}

/** The desk of a listing; null when its token cannot change hands and the desk has not seen it. */
export function deskOf(trading: Trading, publicId: string): DeskListing | null {
  return summaryOf(trading).byId.get(publicId) ?? null;
}

export function bestOffers(trading: Trading): BestOffers {
  return summaryOf(trading).best;
}

function leastBy<Item>(items: readonly Item[], keyOf: (item: Item) => number | null): Item | null {
  let least: { item: Item; key: number } | null = null;
  for (const item of items) {
    const key = keyOf(item);
    if (key !== null && (least === null || key < least.key)) least = { item, key };
  }
  return least?.item ?? null;
}
