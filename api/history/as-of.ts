/** @module The market at a moment of the past: the ledger folded up to there, projected with today's registry and its texts and terms of that time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { BlockOrTime } from "../../config/format/time.ts";
import { createTurns } from "../../config/in-turn.ts";
import type { PublicSettings } from "../../config/public-settings.ts";
import type { Block } from "../../src/fold/events.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { lastSettledOf } from "../database/checkpoint.ts";
import { awaitsBids, type BidEvent, bidsOf } from "../market/bids.ts";
import { type ChainRows, NO_ROWS } from "../market/chain-rows.ts";
import type { Market } from "../market/market.ts";
import type { MarketContracts } from "../market/refolds.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { pairKey, type Registry } from "../registry/schema.ts";
import type { BlockTimes } from "./block-times.ts";
import { createPastCache } from "./cache.ts";
import { createPastFold, createPause } from "./fold.ts";
import { projectInParts } from "./in-parts.ts";
import type { Neighbours, PastQueries, Until } from "./read-ledger.ts";

/** A block, or a time in unix seconds; `head` is the last indexed block. */
export type AsOf = "head" | BlockOrTime;

/** The reason why there is no market at a moment, and a sentence for the caller. */
export type MomentUnavailable = {
  reason: "out_of_range" | "backfilling" | "chain_silent" | "too_many_requests";
  detail: string;
  /** whether it is so for every moment but the head */
  isOfAll?: boolean;
};

export type History = {
  /** The market as of a moment, seen from the live `snapshot`. No `asOf` makes it throw; a silent database does. */
  at(snapshot: Snapshot, asOf: AsOf): Promise<Market | MomentUnavailable>;
};

export type PastListings = {
  /** Every listing's row as of a final block, published or not. @param raises the number of listings that the ledger has now */
  listingsAt(block: bigint, raises: number): Promise<readonly ListingRow[] | MomentUnavailable>;
};

export type HistoryParameters = {
  reader: PastQueries;
  blockTimes: BlockTimes;
  firstBlock: bigint;
  publicSettings: PublicSettings;
  contracts?: MarketContracts | undefined;
  /** the registry in use with the texts and terms of a moment; by default with its own */
  registryAt?(used: Snapshot, moment: BlockOrTime): Promise<Registry>;
  /** called between two pieces of work; other work runs until it resolves */
  pause?(): Promise<void>;
  /** milliseconds after which a caller has to retry; the fold continues */
  timeout?: number;
  /** raises up to which the past of a market is told */
  mostRaises?: number;
};

/** Most moments folded or waiting; they run alongside the indexing, one at a time. */
export const MAX_QUEUE = 16;
const TIMEOUT = 10_000;
/** For a market that is backfilled while the tables are not: attempts, and milliseconds between them. */
const RESTART_ATTEMPTS = 20;
const RESTART_STEP = 100;

/** Raises of a market up to which its past is folded: their rows stay in memory, some four kilobytes each. */
export const MOST_RAISES = 200_000;

/** Answers from a cache if nothing can have changed, else from the ledger. */
export function createHistory(parameters: HistoryParameters): History & PastListings {
  const {
    reader,
    blockTimes,
    firstBlock,
    publicSettings,
    contracts,
    registryAt = async ({ registry }) => registry,
    pause = createPause(),
    timeout = TIMEOUT,
    mostRaises = MOST_RAISES,
  } = parameters;
  const { locate, read } = reader;
  const cache = createPastCache();
  const fold = createPastFold({ read, pause, lifecycle: contracts?.lifecycle });
  const running = new Map<
    string,
    Pick<Snapshot, "registry" | "reverts"> & { work: Promise<Market | MomentUnavailable> }
  >();
  const inTurn = createTurns(pause);

  const foldedAt = async (until: Until): Promise<ChainRows | null> => {
    const rows = await fold.rowsAt(until);
    if (rows === null) return null;
    const bids = new Map<string, readonly BidEvent[] | null>();
    for (const row of rows.listings.filter(awaitsBids)) {
      await pause();
      bids.set(pairKey(row), bidsOf(row, await reader.bids(row, until)));
    }
    return { ...rows, bids };
  };

  const rowsAt = async ({ last, progress }: Neighbours, until: Until): Promise<ChainRows | null> => {
    if (last === null) return NO_ROWS;
    // By the moment itself: since then a reorg may have put another event before it.
    if (last.blockNumber > lastSettledOf(progress).number) return foldedAt(until);
    const cached = cache.rows.get(last.eventId);
    if (cached !== undefined) return cached;
    const rows = await foldedAt({ time: last.blockTime, block: last.blockNumber });
    if (rows !== null) cache.rows.set(last.eventId, rows);
    return rows;
  };

  const marketAt = async (
    key: string,
    snapshot: Snapshot,
    moment: BlockOrTime,
  ): Promise<Market | MomentUnavailable> => {
    const neighbours = await locate(moment);
    if (neighbours === null) return backfilling();
    const until = await untilOf(neighbours, snapshot.market, moment, { blockTimes, firstBlock });
    if ("reason" in until) return until;
    const then = await registryAt(
      snapshot,
      until.block === null ? { time: until.time } : { block: until.block },
    );
    return inTurn(async () => {
      const rows = await rowsAt(neighbours, until);
      if (rows === null) return backfilling();
      const { registry } = snapshot;
      const head = { number: until.block ?? snapshot.market.head.number, timestamp: until.time };
      const { finalized } = neighbours.progress;
      const start = { registry: then, publicSettings, contracts, start: head };
      const market = await projectInParts(start, { rows, finalized: finalized.number }, pause);
      if (isSettled(until, lastSettledOf(neighbours.progress)))
        cache.markets.set(key, { rows, registry, market });
      return market;
    });
  };

  /** After a restart of the indexer the earlier rows are read, once the updater has noticed. */
  const marketAtLast = async (...asked: Parameters<typeof marketAt>): Promise<Market | MomentUnavailable> => {
    for (let attempt = 1; ; attempt++) {
      const found = await marketAt(...asked);
      const isRestarting = "reason" in found && found.reason === "backfilling";
      if (!isRestarting || attempt >= RESTART_ATTEMPTS) return found;
      await sleep(RESTART_STEP);
    }
  };

  const listingsAt = async (
    block: bigint,
    raises: number,
  ): Promise<readonly ListingRow[] | MomentUnavailable> => {
    if (raises > mostRaises) return tooLong(mostRaises);
    const neighbours = await locate({ block });
    if (neighbours === null) return backfilling();
    const time = neighbours.last?.blockTime ?? 0n;
    const rows = await inTurn(() => rowsAt(neighbours, { time, block }));
    return rows?.listings ?? backfilling();
  };
  return {
    listingsAt: (...asked) => inTime(listingsAt(...asked), timeout),
    async at(snapshot, asOf) {
      if (asOf === "head") return snapshot.market;
      if (!snapshot.backfilled) return backfilling();
      const wrong = outOfRange(snapshot.market, asOf, firstBlock);
      if (wrong !== null) return wrong;
      if (snapshot.market.listings.length > mostRaises) return tooLong(mostRaises);
      const key = "block" in asOf ? `block ${asOf.block}` : `time ${asOf.time}`;
      const cached = cache.markets.get(key);
      if (cached?.registry === snapshot.registry) return cached.market;

      // Everything below queries the database or the chain.
      const { registry, reverts } = snapshot;
      const known = running.get(key);
      // Work that began with an older registry may still show a withdrawn raise, and before a reorg the rows that it reverted.
      if (known?.registry === registry && known.reverts === reverts) return inTime(known.work, timeout);
      if (running.size >= MAX_QUEUE) {
        return unavailable(
          "too_many_requests",
          "Too many moments of the past are asked for at once; try again.",
        );
      }
      const work = marketAtLast(key, snapshot, asOf).finally(() => {
        if (running.get(key)?.work === work) running.delete(key);
      });
      running.set(key, { registry, reverts, work });
      return inTime(work, timeout);
    },
  };
}

/** Refuses a moment outside of the index, as far as the snapshot alone shows; null for one inside. */
export function outOfRange(
  { head }: Market,
  moment: BlockOrTime,
  firstBlock: bigint,
): MomentUnavailable | null {
  const refuse = (detail: string) => notIndexed(detail, head, firstBlock);
  if ("time" in moment) {
    return moment.time > head.timestamp ? refuse("That time is beyond the last indexed block.") : null;
  }
  const { block } = moment;
  if (block > head.number) return refuse(`Block ${block} is beyond the last indexed one.`);
  if (block < 0n) return refuse("The chain has fewer blocks.");
  return block < firstBlock ? refuse(`Block ${block} is before the first one.`) : null;
}

/** The moment as a bound of the ledger. Its time is from the ledger where that has it, else from the chain. */
async function untilOf(
  { last, next, progress }: Neighbours,
  { head }: Market,
  moment: BlockOrTime,
  { blockTimes, firstBlock }: Pick<HistoryParameters, "blockTimes" | "firstBlock">,
): Promise<Until | MomentUnavailable> {
  try {
    if ("time" in moment) {
      const { time } = moment;
      // A time after an event is after the first block too.
      const first = last?.blockTime ?? (await blockTimes.of(firstBlock, progress.irreversible));
      if (first === null) return overBudget();
      if (time < first) return notIndexed("That time is before the first block.", head, firstBlock);
      return { time, block: null };
    }
    const { block } = moment;
    // Times never decrease: all blocks between two events with the same time have that time.
    if (last !== null && (last.blockNumber === block || last.blockTime === next?.blockTime)) {
      return { time: last.blockTime, block };
    }
    // After the ledger, in which another block may already have replaced this one.
    if (block === head.number) return { time: head.timestamp, block };
    const time = await blockTimes.of(block, progress.irreversible);
    return time === null ? overBudget() : { time, block };
  } catch {
    return unavailable("chain_silent", "The RPC does not tell the time of that block now; try again.");
  }
}

/** Whether nothing can change the moment. A later block may still have the time of the last settled one. */
function isSettled({ time, block }: Until, settled: Block): boolean {
  return block === null ? time < settled.timestamp : block <= settled.number;
}

/** The result of the work, or after `timeout` milliseconds the request to retry. */
async function inTime<Past>(
  work: Promise<Past | MomentUnavailable>,
  timeout: number,
): Promise<Past | MomentUnavailable> {
  const over = new AbortController();
  const late = sleep<MomentUnavailable>(
    timeout,
    { reason: "backfilling", detail: "The past is still being read up to that moment; try again later." },
    { signal: over.signal, ref: false },
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
}

function backfilling(): MomentUnavailable {
  return unavailable(
    "backfilling",
    "The past is answered from the whole ledger, which is still being indexed; try again later.",
  );
}

function notIndexed(detail: string, head: Block, firstBlock: bigint): MomentUnavailable {
  return unavailable("out_of_range", `${detail} Blocks ${firstBlock} to ${head.number} are indexed.`);
}

function tooLong(most: number): MomentUnavailable {
  const bound = most.toLocaleString("en");
  return {
    reason: "out_of_range",
    detail: `Answers about the past work for markets of up to ${bound} raises. Events and series work for any number.`,
    isOfAll: true,
  };
}

export function unavailable(reason: MomentUnavailable["reason"], detail: string): MomentUnavailable {
  return { reason, detail };
}

function overBudget(): MomentUnavailable {
  return unavailable(
    "too_many_requests",
    "The chain was asked for the times of many blocks just now; try again, or ask for a time or a block with an event.",
  );
}
