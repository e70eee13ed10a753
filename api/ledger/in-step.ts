/** @module Keeps market and ledger consistent within one answer. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BlockOrTime } from "../../config/format/time.ts";
import { type Checkpoint, ledgerRevisionOf } from "../database/checkpoint.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import { pairKey, pairOf } from "../registry/schema.ts";
import { upTo } from "./query-fields.ts";
import type { LedgerQueries, NoPage } from "./read.ts";
import { withCorrections } from "./series.ts";
import { isByTimeAlone, spanTimesOf, sumsOfCorrections } from "./sums.ts";

/**
 * Milliseconds between checks for a new market after a mismatch, between attempts while the market stays the same (many requests
 * may wait while the database writes a reorg), and from the first failed attempt to the last.
 */
const STEP = 20;
const LONG_STEP = 1_000;
const LONGEST_STEP = 5_000;

/** Market and ledger differ. The message is for the caller. */
export class ReorganisingError extends Error {
  override readonly name = "ReorganisingError";

  constructor() {
    super("The last blocks are being replaced by others; ask again in a moment.");
  }
}

/**
 * Builds an answer whose ledger pages match its market: in a newer block a new listing's events would look foreign and be dropped,
 * and during a reorg the rows match no block for a moment. While the two differ, the answer is rebuilt with the newest market, for
 * up to five seconds.
 * @param make reads the ledger through the reader that it is given. When this reader throws, the answer is rebuilt even if `make`
 * catches the error; the last attempt counts
 * @throws {ReorganisingError} when market and ledger still differ after that time
 */
export async function inStep<Answer>(
  { updater, ledger }: { updater: MarketSource; ledger: LedgerQueries },
  make: (snapshot: Snapshot | null, ledger: LedgerQueries) => Promise<Answer>,
): Promise<Answer> {
  let deadline = Number.POSITIVE_INFINITY;
  for (;;) {
    const snapshot = updater.current();
    let isInStep = true;
    const refuse = () => {
      isInStep = false;
      throw new ReorganisingError();
    };
    const reader = snapshot === null ? ledger : upToHead(ledger, snapshot, refuse);
    try {
      const answer = await make(snapshot, reader);
      if (isInStep || performance.now() > deadline) return answer;
    } catch (error) {
      // The error may come from a read shared with another answer.
      if (!(error instanceof ReorganisingError) || performance.now() > deadline) throw error;
    }
    const now = performance.now();
    deadline = Math.min(deadline, now + LONGEST_STEP);
    while (updater.current() === snapshot && performance.now() < now + LONG_STEP) await sleep(STEP);
  }
}

type Found = { progress: Checkpoint };
type Read<Asked extends unknown[], Page extends Found> = (...asked: Asked) => Promise<Page | NoPage>;

/**
 * Reads the ledger up to the market, as it may have the next block already. The bound is the block of the market's last event, not
 * its head: a head without events may have been replaced, which reverts no rows.
 * @param refuse throws; called for a page that does not match the market
 */
function upToHead(ledger: LedgerQueries, snapshot: Snapshot, refuse: () => void): LedgerQueries {
  const { lastChanged } = snapshot;
  /** A restarted indexer has reverted rows; those of the market are readable once the updater has noticed. */
  const isRestarted = (backfilled: boolean) => snapshot.backfilled && !backfilled;
  const isOfMarket = ({ progress }: Found) =>
    !isRestarted(progress.backfilled) && ledgerRevisionOf(progress) === snapshot.ledgerRevision;
  const only =
    <Asked extends unknown[], Page extends Found>(
      is: (page: Found) => boolean,
      read: Read<Asked, Page>,
    ): Read<Asked, Page> =>
    async (...asked) => {
      const page = await read(...asked);
      if (typeof page === "string" ? isRestarted(page !== "backfilling") : !is(page)) refuse();
      return page;
    };
  const onlyContinued = <Asked extends unknown[], Page extends Found>(read: Read<Asked, Page>) =>
    only((page) => isOfMarket(page) || continues(page.progress, snapshot), read);
  /** Reads without a bound first, which is faster and usually matches. */
  const bounded =
    <Of, Query extends { until: BlockOrTime | null }, Page extends Found>(
      read: Read<[Of, Query], Page>,
    ): Read<[Of, Query], Page> =>
    async (of, query) => {
      const page = await read(of, query);
      if (typeof page === "string" ? !isRestarted(page !== "backfilling") : isOfMarket(page)) return page;
      return onlyContinued(read)(of, { ...query, until: upTo(lastChanged, query.until) });
    };
  // The next two never have a narrower bound.
  const until = { block: lastChanged.number };
  return {
    ofListing: bounded(ledger.ofListing),
    ofListings: bounded(ledger.ofListings),
    async sums(listings, query) {
      const found = await bounded(ledger.sums)(listings, query);
      const { market } = snapshot;
      if (typeof found === "string") return found;
      const corrected = market
        .corrected()
        .filter((listing) => listings.has(pairOf(listing)))
        .map((listing) => ({ listing, corrections: market.correctionsOf(listing) }));
      const { head } = market;
      const isByTime = corrected.some(({ corrections }) => corrections.some(isByTimeAlone));
      const times = isByTime
        ? await spanTimesOf(query, async (block) =>
            block >= head.number ? head.timestamp : found.timeOf(block),
          )
        : null;
      const span = { ...query, cutAt: found.cutAt, times };
      const added = corrected.flatMap(({ listing, corrections }) =>
        sumsOfCorrections(listing, corrections, span),
      );
      return { ...found, rows: [...found.rows, ...added] };
    },
    async seriesOfListing(pair, query) {
      const found = await onlyContinued(ledger.seriesOfListing)(pair, { ...query, until });
      const listing = snapshot.market.listingByPair.get(pairKey(pair));
      if (typeof found === "string" || listing === undefined) return found;
      const corrections = snapshot.market.correctionsOf(listing);
      return { ...found, buckets: withCorrections(found.buckets, corrections) };
    },
    bidsOfListing: (pair) => onlyContinued(ledger.bidsOfListing)(pair, until),
    anomalies: only(
      ({ progress }) =>
        isInBackfill(progress, snapshot)
          ? progress.head.number >= snapshot.market.head.number
          : !isRestarted(progress.backfilled) && progress.revisions.anomalies === snapshot.anomalyRevision,
      ledger.anomalies,
    ),
  };
}

/** Whether nothing was reverted since this market; new rows may exist only in later blocks. */
export function continues(progress: Checkpoint, snapshot: Snapshot): boolean {
  const { market, backfilled, reverts } = snapshot;
  const isCounted = progress.backfilled && backfilled && reverts !== null && progress.reverts === reverts;
  return (isCounted || isInBackfill(progress, snapshot)) && progress.head.number >= market.head.number;
}

/** Rows of the backfill are final, and the market follows them at intervals. */
function isInBackfill(progress: Checkpoint, { backfilled }: Snapshot): boolean {
  return !progress.backfilled && !backfilled;
}
