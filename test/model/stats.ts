/**
 * The statistics over the visible listings, as `market.md` and decision 0005 define them.
 * @module
 */
import { sum } from "./chain-log.ts";
import type { Raise } from "./raise.ts";
import { type Status, statusOf } from "./status.ts";

/** The body of `GET /v1/stats`; amounts in base units. */
export type Stats = {
  byStatus: Record<Status, number>;
  raised: string;
  refunded: string;
  repaid: string;
  outstanding: string;
  reserves: string;
  subscribers: number;
  defaultRateBps: number | null;
};

/**
 * @param raises those of the visible listings
 * @param now the head's timestamp, unix seconds
 */
export function statsOf(raises: readonly Raise[], now: bigint): Stats {
  const having = (status: Status) => raises.filter((raise) => statusOf(raise, now) === status).length;
  const total = (of: (raise: Raise) => bigint) => `${sum(raises.map(of))}`;
  return {
    byStatus: {
      listed: having("listed"),
      funding: having("funding"),
      live: having("live"),
      matured: having("matured"),
      refunding: having("refunding"),
      voided: having("voided"),
      cancelled: having("cancelled"),
    },
    raised: total(({ raised }) => raised),
    refunded: total(({ refunded }) => refunded),
    repaid: total(({ repaid }) => repaid),
    outstanding: total(({ outstanding }) => outstanding),
    reserves: total(({ reserve }) => reserve),
    subscribers: raises.reduce((all, { subscribers }) => all + subscribers, 0),
    defaultRateBps: defaultRate(raises),
  };
}

function defaultRate(raises: readonly Raise[]): number | null {
  const settled = raises.flatMap(({ drawdown, terminal }) => {
    if (!drawdown || terminal?.name !== "ListingSettled") return [];
    const { amount: drawn } = drawdown.args;
    const { writtenOffPrincipal: writtenOff } = terminal.args;
    // Nobody loses more than was drawn, whatever the chain's figure says.
    return [{ drawn, lost: writtenOff < drawn ? writtenOff : drawn }];
  });
  const drawn = sum(settled.map((loan) => loan.drawn));
  return drawn === 0n ? null : Number((10_000n * sum(settled.map(({ lost }) => lost))) / drawn);
}
