/**
 * The market as it stood: the ledger folded up to a moment, projected with today's registry.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Block } from "../../src/fold/events.ts";
import type { Site } from "../market/listing.ts";
import { type ChainRows, type Market, project } from "../market/project.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { BlockOrTime } from "../time.ts";
import type { BlockTimes } from "./block-times.ts";
import { createPastFold } from "./fold.ts";
import { keepPasts } from "./kept.ts";
import { createPause } from "./pause.ts";
import type { PastReader, Place, Until } from "./read-ledger.ts";

/** A block, or a time in unix seconds; `head` is the last indexed block. */
export type AsOf = "head" | BlockOrTime;

/** Why there is no market of that moment, in words for the caller. */
export type NoPast = {
  reason: "out_of_range" | "backfilling" | "chain_silent" | "too_many_requests";
  detail: string;
};

export type History = {
  /** The market as of a moment, seen from the live `snapshot`. Never throws for what a caller can ask. */
  at(snapshot: Snapshot, asOf: AsOf): Promise<Market | NoPast>;
};

export type HistoryParameters = {
  reader: PastReader;
  blockTimes: BlockTimes;
  /** the first block that is followed */
  firstBlock: bigint;
  site: Site;
  /** called between two pieces of work; others have their turn until it is resolved */
  pause?(): Promise<void>;
  /** milliseconds after which a caller is told to come back; the fold goes on */
  patience?: number;
};

/** How many moments may be worked on or wait for it; their fold and projection run beside the indexing, one at a time. */
const LONGEST_QUEUE = 16;
const PATIENCE = 10_000;

const NOTHING: ChainRows = { listings: [], repayments: [], offers: [], trades: [], holders: new Map() };

/** Answers from what it keeps where nothing can have changed, else from the ledger. */
export function createHistory({
  reader: { locate, read },
  blockTimes,
  firstBlock,
  site,
  pause = createPause(),
  patience = PATIENCE,
}: HistoryParameters): History {
  const kept = keepPasts();
  const fold = createPastFold({ read, pause });
  const answering = new Map<string, Promise<Market | NoPast>>();
  let turn: Promise<unknown> = Promise.resolve();

  /** After everybody who came before, and a pause. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = turn.then(work);
    turn = result.catch(() => {}).then(pause);
    return result;
  };

  const rowsAt = async ({ last, progress }: Place, until: Until): Promise<ChainRows | null> => {
    if (last === null) return NOTHING;
    // By the moment itself: a reorg since may have put another event before it.
    if (last.blockNumber > progress.finalized.number) return fold.rowsAt(until);
    const known = kept.rows.get(last.eventId);
    if (known !== undefined) return known;
    const rows = await fold.rowsAt({ time: last.blockTime, block: last.blockNumber });
    if (rows !== null) kept.rows.set(last.eventId, rows);
    return rows;
  };

  const answer = async (key: string, snapshot: Snapshot, moment: BlockOrTime): Promise<Market | NoPast> => {
    const place = await locate(moment);
    if (place === null) return backfilling();
    const until = await untilOf(place, snapshot.market, moment, { blockTimes, firstBlock });
    if ("reason" in until) return until;
    return inTurn(async () => {
      const rows = await rowsAt(place, until);
      if (rows === null) return backfilling();
      const { registry } = snapshot;
      const head = { number: until.block ?? snapshot.market.head.number, timestamp: until.time };
      const market = project({ rows, registry, head, site });
      if (isFinal(until, place.progress.finalized)) kept.markets.set(key, { rows, registry, market });
      return market;
    });
  };

  return {
    async at(snapshot, asOf) {
      if (asOf === "head") return snapshot.market;
      if (!snapshot.backfilled) return backfilling();
      const wrong = outOfRange(snapshot.market, asOf, firstBlock);
      if (wrong !== null) return wrong;
      const key = "block" in asOf ? `block ${asOf.block}` : `time ${asOf.time}`;
      const known = kept.markets.get(key);
      if (known?.registry === snapshot.registry) return known.market;

      // Everything below asks the database or the chain.
      let running = answering.get(key);
      if (running === undefined) {
        if (answering.size >= LONGEST_QUEUE) {
          return tooMany("Too many moments of the past are asked for at once; try again.");
        }
        running = answer(key, snapshot, asOf).finally(() => answering.delete(key));
        answering.set(key, running);
      }
      return inTime(running, patience);
    },
  };
}

/** What is beyond the index, as far as that can be told without a question to anybody; null when nothing is. */
function outOfRange({ head }: Market, moment: BlockOrTime, firstBlock: bigint): NoPast | null {
  const no = (detail: string) => notIndexed(detail, head, firstBlock);
  if ("time" in moment) {
    return moment.time > head.timestamp ? no("That time is beyond the last indexed block.") : null;
  }
  const { block } = moment;
  if (block > head.number) return no(`Block ${block} is beyond the last indexed one.`);
  return block < firstBlock ? no(`Block ${block} is before the first one.`) : null;
}

/** The moment as a bound of the ledger, whose time is `now`. The chain is asked for what the ledger does not know. */
async function untilOf(
  { last, next, progress }: Place,
  { head }: Market,
  moment: BlockOrTime,
  { blockTimes, firstBlock }: Pick<HistoryParameters, "blockTimes" | "firstBlock">,
): Promise<Until | NoPast> {
  try {
    if ("time" in moment) {
      const { time } = moment;
      // What follows an event follows the first block.
      const first = last?.blockTime ?? (await blockTimes.of(firstBlock, progress.finalized));
      if (first === null) return overBudget();
      if (time < first) return notIndexed("That time is before the first block.", head, firstBlock);
      return { time, block: null };
    }
    const { block } = moment;
    if (block === head.number) return { time: head.timestamp, block };
    // Times never fall: between two events of one time there is no other.
    if (last !== null && (last.blockNumber === block || last.blockTime === next?.blockTime)) {
      return { time: last.blockTime, block };
    }
    const time = await blockTimes.of(block, progress.finalized);
    return time === null ? overBudget() : { time, block };
  } catch {
    return {
      reason: "chain_silent",
      detail: "The RPC does not tell the time of that block now; try again.",
    };
  }
}

/** Whether nothing can change any more: later blocks may still have the time of the last final one. */
function isFinal({ time, block }: Until, finalized: Block): boolean {
  return block === null ? time < finalized.timestamp : block <= finalized.number;
}

/** What the work comes to, or why to come back for it. */
async function inTime(work: Promise<Market | NoPast>, patience: number): Promise<Market | NoPast> {
  const over = new AbortController();
  const late = sleep<NoPast>(
    patience,
    { reason: "backfilling", detail: "The past is still being read up to that moment; try again later." },
    { signal: over.signal, ref: false },
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

function backfilling(): NoPast {
  return {
    reason: "backfilling",
    detail: "The past is answered from the whole ledger, which is still being indexed; try again later.",
  };
}

function notIndexed(detail: string, head: Block, firstBlock: bigint): NoPast {
  return {
    reason: "out_of_range",
    detail: `${detail} Indexed are the blocks ${firstBlock} to ${head.number}.`,
  };
}

function tooMany(detail: string): NoPast {
  return { reason: "too_many_requests", detail };
}

function overBudget(): NoPast {
  return tooMany(
    "The chain was asked for the times of many blocks just now; try again, or ask for a time or a block with an event.",
  );
}
