/** @module Keeps a folder of open data up to the last final block, next to everything else that the process does. */
import { setTimeout as sleep } from "node:timers/promises";
import { fullDisk } from "../../config/disk-space.ts";
import type { Logger } from "../../config/log.ts";
import { createPause } from "../history/fold.ts";
import type { MarketSource } from "../market/snapshot.ts";
import type { DataFolder } from "./folder.ts";
import type { Manifest } from "./manifest.ts";
import { tooLarge } from "./source.ts";
import { type DataSource, lastWholeBlock, type NotYet, writeData } from "./write.ts";

/** Milliseconds of rest after each batch: a million rows take some minutes, and requests hardly notice. */
const REST = 10;
/** Milliseconds between looks for a range that became final. */
const LOOK_EVERY = 2_000;
/** The same after a failure. */
const RETRY_EVERY = 30_000;

export type KeepParameters = {
  folder: DataFolder;
  source: DataSource;
  updater: MarketSource;
  log: Pick<Logger, "info" | "warn" | "debug">;
  /** by default `createRest` */
  pause?(): Promise<void>;
  lookEvery?: number;
  retryEvery?: number;
  /** that of the folder's disk, if it is full */
  fullDiskOf?: typeof fullDisk;
  signal?: AbortSignal;
};

/** For writing next to requests. */
export function createRest(): () => Promise<void> {
  const pause = createPause();
  return async () => {
    await pause();
    await sleep(REST);
  };
}

/** Resolves only at the signal. A failure is a warning: whatever serves or indexes goes on. */
export async function keepData(parameters: KeepParameters): Promise<void> {
  const { folder, source, updater, log, pause = createRest(), signal } = parameters;
  const { lookEvery = LOOK_EVERY, retryEvery = RETRY_EVERY, fullDiskOf = fullDisk } = parameters;
  let done: { until: bigint; reverts: number | null } | null = null;
  let problem: string | null = null;
  let published = (await folder.manifest())?.toBlock ?? null;
  const onReplaced = (block: string) =>
    log.warn({ msg: "The open data are written again: final blocks in them were replaced", block });

  const bringUp = async (): Promise<Manifest | NotYet | null> => {
    const snapshot = updater.current();
    if (snapshot === null || !snapshot.backfilled) return null;
    const final = snapshot.finalized.number;
    const until = lastWholeBlock(final, source);
    if (until === null) return null;
    // Blocks final by depth can be reverted, and then files of them are replaced.
    const { reverts } = snapshot;
    if (done !== null && done.until >= until && done.reverts === reverts) return null;
    const large = tooLarge(snapshot.market);
    if (large !== null) throw new Error(large);
    const full = fullDiskOf(folder.path);
    if (full !== null) throw new Error(`DATA_FILES ${full}`);
    const written = await writeData(folder, source, final, { pause, onReplaced });
    // No waiting ends it: raises that are not visible count for the root, too.
    if (written !== null && "reason" in written && written.reason === "out_of_range")
      throw new Error(written.detail);
    if (written !== null && !("reason" in written)) done = { until, reverts };
    return written;
  };

  while (!signal?.aborted) {
    let wait = lookEvery;
    try {
      const found = await bringUp();
      if (found !== null && "reason" in found)
        log.debug({ msg: "Writing the open data has to wait", ...found });
      else if (found !== null) {
        const { ledger, listings } = found.tables;
        const about = { block: found.toBlock, events: ledger.rows, raises: listings.rows };
        // After a start they may have been written before.
        if (found.toBlock !== published || problem !== null)
          log.info({ msg: "The open data are written", ...about });
        published = found.toBlock;
        problem = null;
      }
    } catch (error) {
      wait = retryEvery;
      const { message } = error as Error;
      if (message !== problem)
        log.warn({ msg: "The open data cannot be written; indexing and answers go on", problem: message });
      problem = message;
    }
    await sleep(wait, undefined, { ref: false, signal }).catch(() => {});
  }
}
