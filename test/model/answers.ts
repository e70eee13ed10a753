/**
 * The whole prediction: chain logs, registry and head in; the bodies of `GET /v1/listings`, `GET /v1/originators`,
 * `GET /v1/stats` and every listing's schedule out. Only the head is the present: with the logs up to a past block
 * and that block as the head, it is what `asOf` must answer.
 * @module
 */
import { type ChainLog, inChainOrder } from "./chain-log.ts";
import type { DeskLog } from "./desk-log.ts";
import { type Grade, gradeOf, type Loan, loanOf, type Rating } from "./grade.ts";
import { balancesOf, type Transfer } from "./holders.ts";
import { describeListing, type ExpectedListing } from "./listing.ts";
import type { OverTimeParameters } from "./over-time.ts";
import { type Raise, raiseOf } from "./raise.ts";
import { oneLine, owns, pairKeyOf, type RegistryDocument, type RegistryOriginator } from "./registry.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";
import { type Stats, statsOf } from "./stats.ts";
import { type TradedListing, type Trading, tradesOf, tradingOf } from "./trading.ts";

/** A block; `timestamp` in unix seconds is the only `now` there is. */
export type Head = { number: bigint; timestamp: bigint };

export type PredictParameters = {
  /** of all escrows, up to the head */
  logs: readonly ChainLog[];
  /** the desk that is followed, if any */
  desk?: string | null;
  /** of the desk, up to the head */
  deskLogs?: readonly DeskLog[];
  /** of the listing tokens, up to the head */
  transfers?: readonly Transfer[];
  /** whether the tokens are followed: when not told, if there are transfers at all */
  holders?: boolean;
  registry: RegistryDocument;
  head: Head;
  /** the last block that no reorg takes back; the head when not given */
  finalized?: bigint;
  publicUrl: string;
  appUrl: string | null;
  /** 97 when not given */
  chainId?: number;
};

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
  listings: { listings: ExpectedListing[]; trading: Trading };
  originators: { originators: ExpectedOriginator[] };
  stats: Stats;
  /** by public id */
  schedules: Record<string, Schedule>;
  /** by public id: the trades between two parties, oldest first */
  trades: Record<string, ReturnType<typeof tradesOf>>;
  /** what series and cohorts are made of */
  overTime(): OverTimeParameters;
};

type VisibleListing = {
  listing: ExpectedListing;
  raise: Raise;
  history: readonly ChainLog[];
};

export function predict({ registry, head, finalized = head.number, ...rest }: PredictParameters): Prediction {
  const now = head.timestamp;
  const histories = historiesOf(rest.logs);
  const raises = new Map([...histories].map(([pair, history]) => [pair, raiseOf(history)]));
  const graded = registry.originators.map((originator) => ({
    originator,
    ...gradeOf(loansOf(originator, registry, raises), originator.kybStatus, now),
  }));

  const visible = registry.listings
    .flatMap((entry) => {
      const pair = pairKeyOf(entry.escrowAddress, entry.onchainId);
      const history = histories.get(pair);
      const raise = raises.get(pair);
      const issuer = graded.find(({ originator }) => originator.publicId === entry.originator);
      if (!history || !raise?.created || !raise.terms || !issuer) return [];
      if (now < raise.terms.goLiveAt) return [];
      const listing = describeListing({ ...rest, entry, raise, history, ...issuer, now, finalized });
      return [{ listing, raise, history, goLiveAt: raise.terms.goLiveAt }];
    })
    .sort((one, other) => {
      if (one.goLiveAt !== other.goLiveAt) return one.goLiveAt > other.goLiveAt ? -1 : 1;
      return one.listing.publicId < other.listing.publicId ? -1 : 1;
    });
  const listings = visible.map(({ listing }) => listing);
  const traded = tradedAmong(visible, [...raises.values()], rest);

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
  return {
    listings: {
      listings,
      trading: tradingOf({ desk: rest.desk ?? null, logs: rest.deskLogs ?? [], listings: traded, now }),
    },
    originators: { originators },
    stats: statsOf(
      visible.map(({ raise }) => raise),
      now,
    ),
    schedules: Object.fromEntries(
      visible.map(({ listing, raise, history }) => [listing.publicId, scheduleOf(raise, history, now)]),
    ),
    trades: Object.fromEntries(
      visible.map(({ listing, history }, index) => {
        const own = traded[index];
        return [listing.publicId, own ? tradesOf(own, history, rest.deskLogs ?? []) : []];
      }),
    ),
    overTime: () => ({
      now,
      desk: rest.deskLogs ?? [],
      raises: visible.map(({ listing, raise, history }, index) => {
        const originator = registry.originators.find(({ publicId }) => publicId === listing.originator);
        if (!originator) throw new Error(`${listing.originator} is in no registry`);
        return {
          history,
          raise,
          token: traded[index]?.token,
          originator: listing.originator,
          country: originator.jurisdiction,
          grade: listing.originatorGrade,
          gradeThen: raise.drawdown ? gradeAt(originator, registry, histories, raise.drawdown.at) : "NR",
        };
      }),
    }),
  };
}

/** The grade that the originator had at a moment, with the verification of now. */
function gradeAt(
  originator: RegistryOriginator,
  registry: RegistryDocument,
  histories: ReadonlyMap<string, ChainLog[]>,
  moment: bigint,
): Grade {
  const then = [...histories].map(
    ([pair, history]) => [pair, raiseOf(history.filter(({ at }) => at <= moment))] as const,
  );
  return gradeOf(loansOf(originator, registry, new Map(then)), originator.kybStatus, moment).grade;
}

/** Each listing's own logs in order, by escrow and id. */
export function historiesOf(logs: readonly ChainLog[]): Map<string, ChainLog[]> {
  const pairs = [...new Set(logs.map((log) => pairKeyOf(log.escrow, log.args.onchainId)))];
  const ordered = inChainOrder(logs);
  return new Map(
    pairs.map((pair) => [pair, ordered.filter((log) => pairKeyOf(log.escrow, log.args.onchainId) === pair)]),
  );
}

/** The visible listings as the desk sees them, in the same order. */
function tradedAmong(
  visible: readonly VisibleListing[],
  raises: readonly Raise[],
  { transfers, holders = transfers !== undefined }: Pick<PredictParameters, "transfers" | "holders">,
): TradedListing[] {
  const creations = inChainOrder(raises.flatMap(({ created }) => (created ? [created] : [])));
  return visible.map(({ listing, raise }) => {
    const { publicId, refnum, tokenAddress } = listing;
    const first = creations.find(({ args }) => args.token.toLowerCase() === tokenAddress);
    // Events of a token belong to the listing that had it first.
    const token = first === raise.created ? tokenAddress : undefined;
    const holderCount = holders && token ? balancesOf(transfers ?? [], token).size : null;
    return { publicId, refnum, raise, token, holderCount };
  });
}

/** The loans that the registry gives the originator, and those of its addresses that no entry names. */
function loansOf(
  originator: RegistryOriginator,
  registry: RegistryDocument,
  raises: ReadonlyMap<string, Raise>,
): Loan[] {
  return [...raises].flatMap(([pair, raise]) => {
    const entry = registry.listings.find((named) => pairKeyOf(named.escrowAddress, named.onchainId) === pair);
    const isItsOwn = entry
      ? entry.originator === originator.publicId
      : !!raise.created && owns(originator, raise.created.args.originator);
    const loan = isItsOwn ? loanOf(raise) : undefined;
    return loan ? [loan] : [];
  });
}
