/**
 * The whole prediction: chain logs, registry and head in; the bodies of `GET /v1/listings` and `GET /v1/originators`
 * out, field by field from the interface document and `market.md`.
 * @module
 */
import type { ChainLog } from "./chain-log.ts";
import { inChainOrder } from "./chain-log.ts";
import { type Grade, gradeOf, type Loan, loanOf, type Rating } from "./grade.ts";
import { type Raise, raiseOf } from "./raise.ts";
import {
  lines,
  metadataHashOf,
  oneLine,
  owns,
  pairOf,
  type RegistryDocument,
  type RegistryListing,
  type RegistryOriginator,
} from "./registry.ts";
import { repaymentOf, statusOf, statusSince } from "./status.ts";

const LAST_INSTANT = 253_402_300_799n; // 9999-12-31T23:59:59Z
const PRICING_MODES = ["fixed", "auction"];
const OUTCOMES = ["repaid", "repaid_with_reserve", "defaulted"];

/** A block; `timestamp` in unix seconds is the only `now` there is. */
export type Head = { number: bigint; timestamp: bigint };

export type PredictParameters = {
  /** of all escrows, up to the head */
  logs: readonly ChainLog[];
  registry: RegistryDocument;
  head: Head;
  publicUrl: string;
  appUrl: string;
  /** 97 when not given */
  chainId?: number;
};

type ExpectedListing = ReturnType<typeof describeListing>;

type ExpectedOriginator = {
  publicId: string;
  legalName: string;
  jurisdiction: string;
  ratingGrade: Grade;
  kybStatus: string;
  rating: Rating;
  listings: ExpectedListing[];
};

export type Prediction = {
  listings: { listings: ExpectedListing[]; trading: typeof DISABLED_TRADING };
  originators: { originators: ExpectedOriginator[] };
};

const DISABLED_TRADING = {
  enabled: false,
  deskAddress: null,
  openOffers: 0,
  openAmount: null,
  openNotional: null,
  bestAskBps: null,
  trades24h: 0,
  trades30d: 0,
  tradesTotal: 0,
  volume24h: null,
  volume30d: null,
  volumeTotal: null,
  selfTrades: 0,
  vwap30dBps: null,
  sellers30d: 0,
  buyers30d: 0,
  lastTrade: null,
  listings: [],
};

export function predict({ registry, head, ...rest }: PredictParameters): Prediction {
  const histories = historiesOf(rest.logs);
  const raises = new Map([...histories].map(([pair, history]) => [pair, raiseOf(history)]));
  const graded = registry.originators.map((originator) => ({
    originator,
    ...gradeOf(loansOf(originator, registry, raises), originator.kybStatus, head.timestamp),
  }));

  const visible = registry.listings.flatMap((entry) => {
    const pair = pairOf(entry.escrowAddress, entry.onchainId);
    const history = histories.get(pair);
    const raise = raises.get(pair);
    const issuer = graded.find(({ originator }) => originator.publicId === entry.originator);
    if (!history || !raise?.created || !raise.terms || !issuer) return [];
    if (head.timestamp < raise.terms.goLiveAt) return [];
    const listing = describeListing({ ...rest, entry, raise, history, ...issuer, now: head.timestamp });
    return [{ listing, goLiveAt: raise.terms.goLiveAt }];
  });
  const listings = visible
    .sort((one, other) => {
      if (one.goLiveAt !== other.goLiveAt) return one.goLiveAt > other.goLiveAt ? -1 : 1;
      return one.listing.publicId < other.listing.publicId ? -1 : 1;
    })
    .map(({ listing }) => listing);

  const originators = graded
    .map(({ originator, grade, rating }) => ({
      publicId: originator.publicId,
      legalName: oneLine(originator.legalName),
      jurisdiction: originator.jurisdiction,
      ratingGrade: grade,
      kybStatus: originator.kybStatus,
      rating,
      listings: listings.filter((listing) => listing.originator === originator.publicId),
    }))
    .filter((originator) => originator.listings.length > 0)
    .sort((one, other) => (one.publicId < other.publicId ? -1 : 1));
  return { listings: { listings, trading: DISABLED_TRADING }, originators: { originators } };
}

/** Each listing's own logs in order, by escrow and id. */
export function historiesOf(logs: readonly ChainLog[]): Map<string, ChainLog[]> {
  const pairs = [...new Set(logs.map((log) => pairOf(log.escrow, log.args.onchainId)))];
  const ordered = inChainOrder(logs);
  return new Map(
    pairs.map((pair) => [pair, ordered.filter((log) => pairOf(log.escrow, log.args.onchainId) === pair)]),
  );
}

/** What the registry gives the originator, and what its addresses raised that no registry entry names. */
function loansOf(
  originator: RegistryOriginator,
  registry: RegistryDocument,
  raises: ReadonlyMap<string, Raise>,
): Loan[] {
  return [...raises].flatMap(([pair, raise]) => {
    const entry = registry.listings.find((named) => pairOf(named.escrowAddress, named.onchainId) === pair);
    const isItsOwn = entry
      ? entry.originator === originator.publicId
      : !!raise.created && owns(originator, raise.created.args.originator);
    const loan = isItsOwn ? loanOf(raise) : undefined;
    return loan ? [loan] : [];
  });
}

function describeListing(of: {
  entry: RegistryListing;
  originator: RegistryOriginator;
  grade: Grade;
  raise: Raise;
  history: readonly ChainLog[];
  now: bigint;
  publicUrl: string;
  appUrl: string;
  chainId?: number;
}) {
  const { entry, originator, raise, now } = of;
  const { created, terms, drawdown, terminal } = raise;
  if (!created || !terms) throw new Error("a listing without its creation is not visible");
  const status = statusOf(raise, now);
  const outcome = terminal?.name === "ListingSettled" ? OUTCOMES[terminal.args.outcome] : null;
  return {
    publicId: entry.publicId,
    refnum: created.args.refnum,
    title: oneLine(entry.title),
    description: lines(entry.description),
    status,
    targetAmount: `${terms.targetAmount}`,
    minRaise: `${terms.minRaise}`,
    raisedAmount: `${raise.raised}`,
    couponRateBps: raise.couponRateBps,
    tenorDays: terms.tenorDays,
    insuranceBps: terms.insuranceBps,
    reserveBalance: `${raise.reserve}`,
    pricingMode: PRICING_MODES[terms.pricingMode],
    goLiveAt: instant(terms.goLiveAt),
    closeAt: terms.closeAt === 0n ? null : instant(terms.closeAt),
    originatorGrade: of.grade,
    chainId: of.chainId ?? 97,
    tokenAddress: created.args.token.toLowerCase(),
    escrowAddress: created.escrow,
    subscriberCount: raise.subscribers,
    onchainId: `${created.args.onchainId}`,
    acceptsMoney: status === "listed" || status === "funding",
    statusSince: instant(statusSince(raise, of.history, now)),
    refundedAmount: `${raise.refunded}`,
    repaidAmount: `${raise.repaid}`,
    outstandingPrincipal: `${raise.outstanding}`,
    drawnDownAt: drawdown ? instant(drawdown.at) : null,
    maturityAt: drawdown ? instant(drawdown.args.maturityAt) : null,
    repayment: repaymentOf(raise, now),
    outcome: outcome ?? null,
    originator: originator.publicId,
    originatorVerified: owns(originator, created.args.originator),
    url: `${of.publicUrl}/listings/${entry.publicId}`,
    appUrl: `${of.appUrl}/listings/${entry.publicId}`,
    metadataVerified: raise.metadataHash === metadataHashOf(entry),
  };
}

/** Unix seconds as the documents write a time. */
function instant(seconds: bigint): string {
  const written = new Date(Number(seconds < LAST_INSTANT ? seconds : LAST_INSTANT) * 1000).toISOString();
  return written.replace(".000Z", "Z");
}
