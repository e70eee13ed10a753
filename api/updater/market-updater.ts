/** @module Keeps the current Market in memory, following the indexed head and the registry. Requests read it without a query. */
import { isDeepStrictEqual } from "node:util";
import { type Checkpoint, DatabaseSilentError } from "../database/checkpoint.ts";
import { type ChainRows, NO_ROWS } from "../market/chain-rows.ts";
import { createProjection } from "../market/project.ts";
import type { Projection } from "../market/project-form.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Registry } from "../registry/schema.ts";
import { differences } from "./differences.ts";
import { logContradictions, logUnprojectable } from "./left-out.ts";
import { createLoanCounter } from "./loan-counter.ts";
import type { MarketUpdater, MarketUpdaterParameters } from "./market-updater-form.ts";
import { headOf, isAhead, isBefore, isReorgSince, isToReopen, sameBlocks, samePlace } from "./places.ts";
import { type Place, readMarket } from "./read-market.ts";
import { createRestarts } from "./restarts.ts";
import { snapshotAt } from "./snapshot-at.ts";
import { type Since, sameRows, type TableQueries } from "./tables.ts";

/** Longest milliseconds between reads: notices start only after the backfill, and may be lost. A restart must not be missed. */
const LONGEST_INTERVAL = 500;

/** Shortest milliseconds between announced blocks' markets: after a reorg many come in a second, and each rebuilds all answers. */
const SHORTEST_INTERVAL = 250;

/** The share of the time for reading and projecting during the backfill, when single blocks do not matter. */
const BACKFILL_SHARE = 0.05;

/**
 * Longest milliseconds to keep the old market while newer blocks are expected: during a reorg, as Ponder reverts rows first and records
 * the new head with the next block, seconds later with a slow RPC, and over a replica that is behind. The limit is for chains without
 * a next block.
 */
const REVERT_PATIENCE = 60_000;

/**
 * Raises that are read in a second. While a reorg's new blocks are older than the market, all rows would be needed: the reader waits for
 * as long as these would take, since newer blocks usually come first.
 */
const RAISES_A_SECOND = 10_000;

const CHECK_ATTEMPTS = 20;

/** The tables up to a position, and the market that was made of them. */
type UpdaterState = {
  position: Since;
  registry: Registry;
  projection: Projection;
};

/** Follows the tables until stopped. Logs a failure once and retries; the last market stays. */
export function startMarketUpdater(parameters: MarketUpdaterParameters): MarketUpdater {
  const { tables, registry, publicSettings, contracts, log, kept, saved, onBlock, onUpdate } = parameters;
  const { interval = 100 } = parameters;
  const archive = { blocksIn: saved?.newFile };
  let followed: UpdaterState | null = null;
  let snapshot: Snapshot | null = null;
  let revertedAt: number | null = null;
  const restarts = createRestarts();
  let failure: string | null = null;
  let failedAt = 0;
  let readAt = performance.now();
  let lookedAt = readAt;
  let reached: bigint | null = null;
  let publishedAt = Number.NEGATIVE_INFINITY;
  let triedAt = Number.NEGATIVE_INFINITY;
  /** milliseconds that the last new market took, with the reading of its rows */
  let updateTook = 0;
  let isNoticed = false;
  /** whether the market has differed from all rows, which are read next */
  let isDoubted = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;

  const publish = (next: UpdaterState, rows: ChainRows) => {
    const { position } = next;
    const startedAt = performance.now();
    const before = snapshot?.market;
    const wasBackfilled = snapshot?.backfilled === true;
    const isSame = rows === NO_ROWS && before !== undefined;
    const head = isSame ? { ...position.head, lastRow: before.head.lastRow } : headOf(position);
    const market = next.projection.advance(rows, head, position.finalized.number);
    publishedAt = performance.now();
    updateTook = publishedAt - triedAt;
    onUpdate?.((publishedAt - startedAt) / 1000);
    logUnprojectable(log, snapshot?.market.unprojectable ?? [], market.unprojectable);
    logContradictions(log, snapshot?.market.contradictions ?? [], market.contradictions);
    if (snapshot === null) saved?.forget();
    followed = next;
    const isKnown = snapshot?.registry.hash === next.registry.hash && (wasBackfilled || !position.backfilled);
    // The hash covers facts only; new pictures or a reorg leave it unchanged.
    const registrySince = (isKnown ? snapshot?.registrySince : null) ?? position.head;
    snapshot = snapshotAt(position, { market, registry: next.registry, registrySince });
    if (position.backfilled && !stopped && !loans.isCounting) loans.start();
  };

  /** Saves the market if it is time, once its loans are counted: the next process would count them again. */
  const offer = () => {
    if (followed === null || snapshot?.market.listings.archived == null) return;
    const { position, projection, registry: of } = followed;
    const { isWhole: _, rows: __, ...place } = { isWhole: true, rows: null, ...position };
    saved?.offer(projection, { position: place, registry: of.hash });
  };
  const loans = createLoanCounter(() => snapshot?.market, offer);

  const onAnswer = () => {
    readAt = performance.now();
  };

  const readWith = async (read: TableQueries["read"], current: Registry, ...place: Place) => {
    const of = { registry: current, publicSettings, contracts, archive, onAnswer };
    const made = await readMarket(read, of, ...place);
    if (made === null) return null;
    const { found, projection, rest, market } = made;
    const begin = () => {
      publish({ position: found, registry: current, projection: projection() }, rest());
      log.debug({ msg: "Built the market from all rows", block: Number(found.head.number) });
    };
    return { found, projection, market, begin };
  };

  const update = async () => {
    isNoticed = false;
    triedAt = performance.now();
    const position = await tables.position();
    onAnswer();
    lookedAt = readAt;
    reached = position?.head.number ?? null;
    // A saved market is not worth waiting for before it has been shown.
    const isKept = restarts.isBehind(position, snapshot === null ? null : (followed?.position ?? null));
    kept?.use(isKept);
    if (isKept) {
      // This wait counts towards REVERT_PATIENCE: both are for the same blocks.
      if (position?.backfilled) revertedAt ??= performance.now();
      return useNewRegistry();
    }
    if (position === null) {
      [followed, revertedAt] = [null, null];
      return;
    }
    const isBackfilling = followed !== null && !followed.position.backfilled && !position.backfilled;
    if (isBackfilling && performance.now() - publishedAt < updateTook / BACKFILL_SHARE) return;
    const before = followed;
    if (before === null) await takeSaved(position);
    await follow(position);
    if (position.backfilled) void kept?.renew(isOfMarket, { isNew: followed !== before });
  };

  /** Loads the saved market if the tables continue it; `follow` then updates it like a published one. */
  const takeSaved = async (position: Checkpoint) => {
    if (saved === undefined || snapshot !== null || position.isReverted) return;
    const current = registry.current();
    const found = await saved.take(current);
    if (found === null || !position.backfilled || !isAhead(position.head, found.position.head)) return;
    const { head, finalized } = found.position;
    // Raises of the archive would stay final.
    if (position.finalized.number < finalized.number) return;
    const projection = createProjection({
      ...{ registry: current, publicSettings, contracts, archive },
      ...{ start: head, saved: found.projection },
    });
    projection.advance(found.projection.rows, headOf(found.position), finalized.number);
    followed = { position: found.position, registry: current, projection };
    log.debug({ msg: "Loaded the saved market", block: Number(head.number) });
  };

  /** Projects the rows from before the restart: withdrawing a raise must not wait for the indexer. */
  const useNewRegistry = async () => {
    const current = registry.current();
    if (kept === undefined || followed === null || current === followed.registry) return;
    const whole = await readWith(kept.read, current);
    if (whole !== null && isOfMarket(whole.found)) whole.begin();
  };

  /** Whether these rows match the market or extend it. */
  const isOfMarket = (position: Checkpoint) =>
    followed !== null &&
    position.backfilled &&
    !position.isReverted &&
    position.reverts === followed.position.reverts;

  const follow = async (position: Checkpoint) => {
    const current = registry.current();
    const takes =
      followed !== null && (followed.registry === current || followed.projection.useEntries(current));
    // In an ordinary backfill the flows are left out: what was read then lacks them, even if no row has changed since.
    const hasAll = followed?.position.filled === position.filled;
    const before = takes && hasAll ? followed : null;
    const isSame = followed !== null && sameRows(followed.position, position);
    const isEarlier = before !== null && !isAhead(position.head, before.position.head);
    if (position.isReverted || isEarlier) {
      revertedAt ??= performance.now();
      // Otherwise this is a lagging replica, or only blocks without events were reverted.
      const isReorg = before !== null && !position.isReverted && isReorgSince(before.position, position);
      if (performance.now() - revertedAt < (isReorg ? readingTime() : REVERT_PATIENCE)) return;
    } else {
      revertedAt = null;
    }
    const isLessFinal = before !== null && isToReopen(before.position, position, shown());
    if (before === null || isDoubted || isEarlier || isLessFinal) {
      const whole = await readWith(tables.read, current);
      // It is a later look at the tables: the indexer may have taken rows back between the two.
      if (whole === null || isBefore(whole.found, position)) return;
      whole.begin();
      isDoubted = false;
    } else if (isSame && before.projection.toRestart().length === 0) {
      if (snapshot?.registry === current && samePlace(before.position, position)) return;
      const { anomalies, recent } = before.position;
      publish({ ...before, registry: current, position: { ...position, anomalies, recent } }, NO_ROWS);
    } else {
      const read = await readWith(tables.read, current, before.position, before.projection.toRestart());
      if (read === null) return;
      const { found } = read;
      if (isBefore(found, position)) return;
      if (found.isWhole) read.begin();
      else publish({ ...before, registry: current, position: found }, found.rows);
    }
    revertedAt = null;
  };

  /** Milliseconds to read all rows, in whole seconds. */
  const readingTime = () => Math.min(REVERT_PATIENCE, 1_000 * Math.floor(shown() / RAISES_A_SECOND));

  const shown = () => snapshot?.market.listings.length ?? 0;

  const isDue = () => {
    // A look alone costs little, and the first answers wait for the end of the backfill.
    if (followed !== null && !followed.position.backfilled) return true;
    if (performance.now() - triedAt >= LONGEST_INTERVAL) return true;
    if (failure !== null) return false;
    return !hears() || isNoticed || followed === null || registry.current() !== followed.registry;
  };

  const tryToUpdate = async () => {
    try {
      await update();
      if (failure !== null) {
        const seconds = Math.round((performance.now() - failedAt) / 1000);
        log.info({ msg: "The market is up to date again", seconds });
      }
      failure = null;
    } catch (error) {
      // A lost connection has many error messages.
      const kind = error instanceof DatabaseSilentError ? error.name : String(error);
      if (failure === null) failedAt = performance.now();
      if (failure !== kind) log.warn({ msg: "The market cannot be updated", error });
      failure = kind;
    }
  };

  /** Milliseconds until the market of an announced block may be made. */
  const untilNext = () => Math.max(0, publishedAt + SHORTEST_INTERVAL - performance.now());

  const run = async () => {
    clearTimeout(timer);
    if (isDue()) {
      running = tryToUpdate();
      await running;
      running = null;
    }
    if (!stopped) timer = setTimeout(run, isNoticed && failure === null ? untilNext() : interval).unref();
  };
  const hears =
    onBlock?.(() => {
      isNoticed = true;
      if (running === null && !stopped) {
        clearTimeout(timer);
        timer = setTimeout(run, untilNext()).unref();
      }
    }) ?? (() => false);
  void run();

  return {
    current: () => snapshot,
    secondsSinceRead: () => (performance.now() - readAt) / 1000,
    secondsSinceLook: () => (performance.now() - lookedAt) / 1000,
    reached: () => reached,
    isRestarting: restarts.isRestarting,
    indexer: restarts.indexer,
    isTold: () => hears(),
    async check() {
      const current = followed?.registry;
      const whole = current === undefined ? null : await readWith(tables.read, current);
      if (current === undefined || whole === null) return null;
      let [position, market] = [whole.found, whole.market()];
      const projection = whole.projection();
      for (let attempt = 0; attempt < CHECK_ATTEMPTS; attempt++) {
        await running;
        if (followed === null || snapshot === null || followed.registry !== current) return null;
        if (sameBlocks(followed.position, position) && sameRows(followed.position, position)) {
          const before = snapshot.market;
          const isCounted = isDeepStrictEqual(followed.position.anomalies, position.anomalies);
          const found = [...(await differences(before, market)), ...(isCounted ? [] : ["anomalies"])];
          if (found.length > 0) {
            log.error({ msg: "The market differs from a full rebuild and is replaced", differences: found });
            if (running === null && snapshot.market === before)
              publish({ position, registry: current, projection }, NO_ROWS);
            else isDoubted = true;
          }
          return { block: `${position.head.number}`, listings: market.listings.length, differences: found };
        }
        // Reading all rows takes longer than a block: catch up until both are at the same block.
        await new Promise((resolve) => setTimeout(resolve, interval));
        const read = await readWith(tables.read, current, position, projection.toRestart());
        if (read === null || read.found.isWhole || isBefore(read.found, position)) return null;
        position = read.found;
        market = projection.advance(position.rows, headOf(position), position.finalized.number);
      }
      return null;
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
      loans.stop();
    },
  };
}
