/**
 * Answers from the market and from pages of the ledger that are of the same events.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { BlockOrTime } from "../../config/format/time.ts";
import { type Checkpoint, ledgerRevisionOf } from "../database/checkpoint.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
import { upTo } from "./bounds.ts";
import type { LedgerReader, NoPage } from "./read.ts";

/**
 * Milliseconds between two looks at the market when a page is of another one, between two attempts while the market stays as it is
 * (many may wait, and the database has a reorganisation to write), and from the first attempt that fails until the last.
 */
const STEP = 20;
const LONG_STEP = 1_000;
const LONGEST_STEP = 5_000;

/** The rows are not those of the market. The message is for the caller. */
export class ReorganisingError extends Error {
  override readonly name = "ReorganisingError";

  constructor() {
    super("The last blocks are being replaced by others; ask again in a moment.");
  }
}

/**
 * Makes an answer of a market and of pages of the very events that it is made of: of a block that the market has not reached, a
 * listing's first events would be missing as those of a stranger; in a reorganisation the rows are those of no block for a moment.
 * While the two differ, the answer is made again with the market of then, for five seconds.
 * @param make reads the ledger through the reader that it is given. Whatever becomes of an error that this reader throws, the answer
 * is made again; only the last one counts
 * @throws {ReorganisingError} when the two do not meet in time
 */
export async function inStep<Answer>(
  { feed, ledger }: { feed: MarketSource; ledger: LedgerReader },
  make: (snapshot: Snapshot | null, ledger: LedgerReader) => Promise<Answer>,
): Promise<Answer> {
  let deadline = Number.POSITIVE_INFINITY;
  for (;;) {
    const snapshot = feed.current();
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
      // It may come from a reading that is shared with another answer.
      if (!(error instanceof ReorganisingError) || performance.now() > deadline) throw error;
    }
    const now = performance.now();
    deadline = Math.min(deadline, now + LONGEST_STEP);
    while (feed.current() === snapshot && performance.now() < now + LONG_STEP) await sleep(STEP);
  }
}

/** What is read, of one position. */
type Found = { progress: Checkpoint };
type Read<Asked extends unknown[], Page extends Found> = (...asked: Asked) => Promise<Page | NoPage>;

/**
 * Reads what the market is made of: the ledger may have the next block already. The bound is the block of the market's last event
 * and not its head, as another block may have come in the place of a head without events: nothing was taken back for it.
 * @param refuse throws, at a page that is of neither
 */
function upToHead(ledger: LedgerReader, snapshot: Snapshot, refuse: () => void): LedgerReader {
  const { lastChanged } = snapshot;
  /** An indexer that was started again has taken rows back; those of the market can be read as soon as the feed has noticed. */
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
  /** Without a bound pages are read faster, and mostly they are of the market's events. */
  const bounded =
    <Of, Query extends { until: BlockOrTime | null }, Page extends Found>(
      read: Read<[Of, Query], Page>,
    ): Read<[Of, Query], Page> =>
    async (of, query) => {
      const page = await read(of, query);
      if (typeof page === "string" ? !isRestarted(page !== "backfilling") : isOfMarket(page)) return page;
      return onlyContinued(read)(of, { ...query, until: upTo(lastChanged, query.until) });
    };
  // These two have no narrower bound of their own.
  const until = { block: lastChanged.number };
  return {
    ofListing: bounded(ledger.ofListing),
    ofListings: bounded(ledger.ofListings),
    sums: bounded(ledger.sums),
    seriesOfListing: (pair, query) => onlyContinued(ledger.seriesOfListing)(pair, { ...query, until }),
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

/** Whether the rows of the market are there still, and others at most in later blocks. */
export function continues(progress: Checkpoint, snapshot: Snapshot): boolean {
  const { market, backfilled, reverts } = snapshot;
  const isCounted = progress.backfilled && backfilled && reverts !== null && progress.reverts === reverts;
  return (isCounted || isInBackfill(progress, snapshot)) && progress.head.number >= market.head.number;
}

/** What is read in the backfill is final, and the market follows it at intervals. */
function isInBackfill(progress: Checkpoint, { backfilled }: Snapshot): boolean {
  return !progress.backfilled && !backfilled;
}
