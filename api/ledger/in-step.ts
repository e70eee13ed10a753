/**
 * Answers from the market and from pages of the ledger that are of the same events.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Checkpoint, ledgerRevisionOf } from "../database/checkpoint.ts";
import type { MarketSource, Snapshot } from "../market/snapshot.ts";
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
    const reader =
      snapshot === null
        ? ledger
        : checked(ledger, (progress) => {
            if (isOf(progress, snapshot)) return;
            isInStep = false;
            throw new ReorganisingError();
          });
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

/** In the backfill the market follows at intervals: then rows may be of a later block, but not of an earlier one. */
function isOf(progress: Checkpoint, { market, backfilled, ledgerRevision }: Snapshot): boolean {
  if (!progress.backfilled && !backfilled) return progress.head.number >= market.head.number;
  return ledgerRevisionOf(progress) === ledgerRevision;
}

/** @param check throws at a page that is not to be used */
function checked(ledger: LedgerReader, check: (progress: Checkpoint) => void): LedgerReader {
  const checking =
    <Asked extends unknown[], Page extends { progress: Checkpoint }>(
      read: (...asked: Asked) => Promise<Page | NoPage>,
    ) =>
    async (...asked: Asked) => {
      const page = await read(...asked);
      if (typeof page !== "string") check(page.progress);
      return page;
    };
  return {
    ofListing: checking(ledger.ofListing),
    ofListings: checking(ledger.ofListings),
    anomalies: checking(ledger.anomalies),
    seriesOfListing: checking(ledger.seriesOfListing),
    bidsOfListing: checking(ledger.bidsOfListing),
    sums: checking(ledger.sums),
  };
}
