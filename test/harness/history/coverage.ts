/** @module The situations that a history reached, by the model: a test of a history that reached nothing would prove nothing. */
import type { Prediction } from "../../model/answers.ts";
import { type ChainLog, those } from "../../model/chain-log.ts";
import { type DeskLog, deskLogs } from "../../model/desk-log.ts";

export type Coverage = {
  events: Record<string, number>;
  statuses: Record<string, number>;
  repayments: Record<string, number>;
  outcomes: Record<string, number>;
  pricingModes: Record<string, number>;
  grades: Record<string, number>;
  caps: Record<string, number>;
  /** blocks with events of more than one escrow */
  sharedBlocks: number;
  /** blocks with the time of the one before, among those with events */
  sameSecond: number;
  /** of the widest amount shown */
  bits: number;
  /** listings that the chain and the registry tell different things about */
  unverified: { originator: number; metadata: number };
  desk: DeskCoverage;
};

type DeskCoverage = {
  offers: number;
  trades: number;
  /** where the seller bought */
  selfTrades: number;
  cancelled: number;
  /** with something left when their time was over, and not cancelled */
  expired: number;
  /** at the head, by the prediction; listings with a yield to maturity too */
  open: number;
  trades24h: number;
  trades30d: number;
  yields: number;
  /** of a token that no listing has */
  foreign: number;
};

/** @param desk its logs up to the head, and the head's time in unix seconds */
export function coverageOf(
  logs: readonly ChainLog[],
  { listings, originators }: Prediction,
  desk: { logs: readonly DeskLog[]; now: bigint },
): Coverage {
  const shown = listings.listings;
  const blocks = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
  const of = (number: bigint) => logs.filter(({ blockNumber }) => blockNumber === number);
  return {
    events: counted(logs.map(({ name }) => name)),
    statuses: counted(shown.map(({ status }) => status)),
    repayments: counted(shown.map(({ repayment }) => repayment)),
    outcomes: counted(shown.map(({ outcome }) => outcome ?? "none")),
    pricingModes: counted(shown.map(({ pricingMode }) => pricingMode ?? "unknown")),
    grades: counted(originators.originators.map(({ ratingGrade }) => ratingGrade)),
    caps: counted(originators.originators.map(({ rating }) => rating.cap ?? "none")),
    sharedBlocks: blocks.filter((number) => new Set(of(number).map(({ escrow }) => escrow)).size > 1).length,
    sameSecond: blocks.length - new Set(logs.map(({ at }) => at)).size,
    bits: Math.max(
      0,
      ...shown.flatMap(({ raisedAmount, reserveBalance, repaidAmount }) =>
        [raisedAmount, reserveBalance, repaidAmount].map((amount) => BigInt(amount).toString(2).length),
      ),
    ),
    unverified: {
      originator: shown.filter(({ originatorVerified }) => !originatorVerified).length,
      metadata: shown.filter(({ metadataVerified }) => !metadataVerified).length,
    },
    desk: { ...deskCoverage(logs, desk), ...tradingCoverage(listings) },
  };
}

function tradingCoverage({ trading }: Prediction["listings"]) {
  const { openOffers: open, trades24h, trades30d } = trading;
  const yields = trading.listings.filter(({ yieldToMaturityBps }) => yieldToMaturityBps !== null).length;
  return { open, trades24h, trades30d, yields };
}

function deskCoverage(
  logs: readonly ChainLog[],
  desk: { logs: readonly DeskLog[]; now: bigint },
): Omit<DeskCoverage, keyof ReturnType<typeof tradingCoverage>> {
  const offers = deskLogs(desk.logs, "OfferCreated").map(({ args }) => args);
  const fills = deskLogs(desk.logs, "OfferFilled").map(({ args }) => args);
  const cancellations = deskLogs(desk.logs, "OfferCancelled").map(({ args }) => args.offerId);
  const tokens = those(logs, "ListingCreated").map(({ args }) => args.token);
  const sellers = new Map(offers.map(({ offerId, seller }) => [offerId, seller]));
  const selfTrades = fills.filter(({ offerId, buyer }) => sellers.get(offerId) === buyer).length;
  const isSpent = (id: bigint) => fills.some(({ offerId, remaining }) => offerId === id && remaining === 0n);
  return {
    offers: offers.length,
    trades: fills.length - selfTrades,
    selfTrades,
    cancelled: cancellations.length,
    expired: offers.filter(
      ({ offerId, expiresAt }) =>
        expiresAt <= desk.now && !cancellations.includes(offerId) && !isSpent(offerId),
    ).length,
    foreign: offers.filter(({ token }) => !tokens.includes(token)).length,
  };
}

function counted(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
