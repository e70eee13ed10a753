/**
 * The market as it stood: the ledger folded up to a moment, projected with today's registry.
 * @module
 */
import { LRUCache } from "lru-cache";
import { type Bodies, keepBodies } from "../feed/body.ts";
import type { Snapshot } from "../feed/feed.ts";
import type { Site } from "../market/listing.ts";
import { type ChainRows, type Head, type Market, project } from "../market/project.ts";
import type { Registry } from "../registry/schema.ts";
import type { BlockTimes } from "./block-times.ts";
import type { PastRows, Until } from "./read-ledger.ts";

/** A block, or a time in unix seconds; `head` is the last indexed block. */
export type AsOf = "head" | { block: bigint } | { time: bigint };

/** A market of the past, and its encoded answers. */
export type Past = { market: Market; body: Bodies };

/** Why there is no market of that moment, in words for the caller. */
export type NoPast = {
  reason: "out_of_range" | "backfilling" | "chain_silent" | "too_many_requests";
  detail: string;
};

export type History = {
  /** The market as of a moment, seen from the live `snapshot`. Never throws for what a caller can ask. */
  at(snapshot: Snapshot, asOf: AsOf): Promise<Past | NoPast>;
};

export type HistoryParameters = {
  /** null before the first checkpoint */
  read(until: Until): Promise<PastRows | null>;
  blockTimes: BlockTimes;
  /** the first block that is followed */
  firstBlock: bigint;
  site: Site;
};

/** How many moments are kept, each with all rows of its time; and how many rows in all, some kilobytes each. */
const KEPT = 16;
const ROWS_KEPT = 50_000;
/** How many may wait for their fold; folding runs beside the indexing, one at a time. */
const LONGEST_QUEUE = 16;

type Kept = { rows: ChainRows; final: boolean; registry: Registry; past: Past };

/** Answers from what it keeps where nothing can have changed, else from a fresh fold. */
export function createHistory({ read, blockTimes, firstBlock, site }: HistoryParameters): History {
  const kept = new LRUCache<string, Kept>({
    max: KEPT,
    maxSize: ROWS_KEPT,
    sizeCalculation: ({ rows }) => 1 + rows.listings.length + rows.repayments.length + rows.trades.length,
  });
  const folding = new Map<string, Promise<PastRows | null>>();
  let turn: Promise<unknown> = Promise.resolve();

  /** One fold at a time, and one for all who ask for the same moment. */
  const fold = (key: string, until: Until): Promise<PastRows | null> => {
    const running = folding.get(key);
    if (running !== undefined) return running;
    const result = turn.then(() => read(until)).finally(() => folding.delete(key));
    folding.set(key, result);
    turn = result.catch(() => {});
    return result;
  };

  const rowsAt = async (until: Until): Promise<Kept | PastRows | NoPast> => {
    const key = `${until.time}/${until.block ?? ""}`;
    const known = kept.get(key);
    if (known?.final) return known;
    if (!folding.has(key) && folding.size >= LONGEST_QUEUE) {
      return {
        reason: "too_many_requests",
        detail: "Too many moments of the past are asked for at once; try again.",
      };
    }
    return (await fold(key, until)) ?? backfilling();
  };

  return {
    async at(snapshot, asOf) {
      if (asOf === "head") return snapshot;
      if (!snapshot.backfilled) return backfilling();
      const moment = await momentOf(snapshot, asOf, { blockTimes, firstBlock });
      if ("reason" in moment) return moment;
      const found = await rowsAt(moment);
      if ("reason" in found) return found;
      const { registry } = snapshot;
      if ("past" in found && found.registry === registry) return found.past;

      const head = { number: moment.block ?? snapshot.market.head.number, timestamp: moment.time };
      const market = project({ rows: found.rows, registry, head, site });
      const past = { market, body: keepBodies() };
      const final = "past" in found || isFinal(moment, found.finalized);
      kept.set(`${moment.time}/${moment.block ?? ""}`, { rows: found.rows, final, registry, past });
      return past;
    },
  };
}

/** The moment as a bound of the ledger, whose time is `now`. */
async function momentOf(
  { market, finalized }: Snapshot,
  asOf: Exclude<AsOf, "head">,
  { blockTimes, firstBlock }: Pick<HistoryParameters, "blockTimes" | "firstBlock">,
): Promise<Until | NoPast> {
  const { head } = market;
  const outOfRange = (detail: string): NoPast => ({ reason: "out_of_range", detail });
  const known = `Indexed are the blocks ${firstBlock} to ${head.number}.`;
  try {
    if ("block" in asOf) {
      const { block } = asOf;
      if (block > head.number) return outOfRange(`Block ${block} is beyond the last indexed one. ${known}`);
      if (block < firstBlock) return outOfRange(`Block ${block} is before the first one. ${known}`);
      const time = block === head.number ? head.timestamp : await blockTimes.of(block, finalized);
      return { time, block };
    }
    const { time } = asOf;
    if (time > head.timestamp) return outOfRange(`That time is beyond the last indexed block. ${known}`);
    if (time < (await blockTimes.of(firstBlock, finalized)))
      return outOfRange(`That time is before the first block. ${known}`);
    return { time, block: null };
  } catch {
    return {
      reason: "chain_silent",
      detail: "The RPC does not tell the time of that block now; try again.",
    };
  }
}

function backfilling(): NoPast {
  return {
    reason: "backfilling",
    detail: "The past is answered from the whole ledger, which is still being indexed; try again later.",
  };
}

/** Whether nothing can change any more: later blocks may still have the time of the last final one. */
function isFinal({ time, block }: Until, finalized: Head): boolean {
  return block === null ? time < finalized.timestamp : block <= finalized.number;
}
