/**
 * The market in figures: sums and counts over the visible listings.
 * @module
 */
import type { Published } from "./listing.ts";
import { type Listing, STATUSES, type Stats, type Status } from "./schema.ts";

type Totals = Omit<Stats, "defaultRateBps">;

/** Sums and counts that follow a listing as it comes, changes and goes. */
export type RunningStats = {
  add(published: Published): void;
  /** Takes out what was added. */
  remove(published: Published): void;
  stats(): Stats;
};

export function createRunningStats(): RunningStats {
  const totals = createTotals();
  let drawn = 0n;
  let lost = 0n;
  const count = ({ row, listing }: Published, sign: 1 | -1) => {
    totals.count(listing, sign);
    if (row.terminalKind !== "settled" || row.drawnAmount === null) return;
    // Nobody loses more than was drawn.
    const writtenOff = row.writtenOffPrincipal ?? 0n;
    drawn += BigInt(sign) * row.drawnAmount;
    lost += BigInt(sign) * (writtenOff < row.drawnAmount ? writtenOff : row.drawnAmount);
  };
  return {
    add: (published) => count(published, 1),
    remove: (published) => count(published, -1),
    stats: () => ({
      ...totals.current(),
      /** Principal written off per principal drawn, over the settled raises. */
      defaultRateBps: drawn === 0n ? null : Number((10_000n * lost) / drawn),
    }),
  };
}

/** The sums and counts of some listings, such as those of one business; base units. */
export function totalsOf(listings: readonly Listing[]): Totals {
  const totals = createTotals();
  for (const listing of listings) totals.count(listing, 1);
  return totals.current();
}

const AMOUNTS = {
  raised: "raisedAmount",
  refunded: "refundedAmount",
  repaid: "repaidAmount",
  outstanding: "outstandingPrincipal",
  reserves: "reserveBalance",
} as const satisfies Partial<Record<keyof Totals, keyof Listing>>;
const AMOUNT_NAMES = Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[];

function createTotals() {
  const byStatus = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  const sums = Object.fromEntries(AMOUNT_NAMES.map((name) => [name, 0n])) as Record<
    keyof typeof AMOUNTS,
    bigint
  >;
  let subscribers = 0;
  return {
    count(listing: Listing, sign: 1 | -1): void {
      byStatus[listing.status] += sign;
      subscribers += sign * listing.subscriberCount;
      for (const name of AMOUNT_NAMES) sums[name] += BigInt(sign) * BigInt(listing[AMOUNTS[name]]);
    },
    current(): Totals {
      const amounts = AMOUNT_NAMES.map((name) => [name, sums[name].toString()]);
      return {
        byStatus: { ...byStatus },
        ...(Object.fromEntries(amounts) as Record<keyof typeof AMOUNTS, string>),
        subscribers,
      };
    },
  };
}
