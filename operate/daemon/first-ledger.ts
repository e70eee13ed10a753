/** @module A first start with `LEDGER`: has the file fetched, verified and stored for the indexer. */
import { RpcError } from "../../chain/call.ts";
import { createChainClient } from "../../chain/client.ts";
import { InconsistentChainError } from "../../chain/logs.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { type Problem, problemWith } from "../../config/problems.ts";
import { ledgerKey } from "../backfill/earlier.ts";
import { findLedgers } from "../backfill/history.ts";
import { importLedger } from "../backfill/import-ledger.ts";
import { LedgerFileError } from "../backfill/ledger-line.ts";
import { indexedFinalBlock } from "./preflight.ts";

/** Milliseconds. */
const TIMEOUT = 20_000;
const PROGRESS_EVERY = 3_000;

/** Errors about the file, or about the chain that it is compared with; not about the data directory or the database. */
const OF_THE_FILE = [LedgerFileError, RpcError, InconsistentChainError];

/**
 * Does nothing where the tables are filled, or will be from a ledger that is there already, or from the chain alone.
 * @returns why the file cannot be used; null if all is well, or after the signal
 */
export async function takeFirstLedger(
  settings: Settings,
  log: Pick<Logger, "info" | "warn">,
  signal: AbortSignal,
): Promise<Problem | null> {
  const { ledger: source, rpcUrls: urls, rpcConcurrency: concurrency } = settings;
  const isUsed = settings.fastForward && ledgerKey(settings) !== null;
  if (source === null || !isUsed || (await hasLedger(settings, log))) return null;
  const client = createChainClient({ urls, concurrency, timeout: TIMEOUT, patience: TIMEOUT });
  const seldom = atIntervals(PROGRESS_EVERY);
  log.info({ msg: "Fetching the ledger file for the first start" });
  try {
    const { events, last, compared, blocks, refused } = await importLedger({
      ...{ source, settings, client, signal },
      onFetched: (bytes, total) =>
        seldom(() => log.info({ msg: "Fetching the ledger file", bytes, total: total ?? undefined })),
      onCompared: (done, total) =>
        seldom(() => log.info({ msg: "Comparing the ledger file with the chain", done, total })),
    });
    const counts = { events, block: last.number, compared, of: blocks };
    log.info({ msg: "The ledger file agrees with the chain", ...counts });
    if (refused > 0) log.warn({ msg: "The endpoints refused a part of the comparison", refused });
    return null;
  } catch (error) {
    if (signal.aborted) return null;
    if (!OF_THE_FILE.some((kind) => error instanceof kind)) throw error;
    return problemWith("LEDGER", `cannot be used: ${(error as Error).message}`);
  }
}

async function hasLedger(settings: Settings, log: Pick<Logger, "info" | "warn">): Promise<boolean> {
  if ((await indexedFinalBlock(settings, TIMEOUT)) !== null) return true;
  const found = await findLedgers(settings, log);
  for (const ledger of found) await ledger.close();
  return found.length > 0;
}

/** @param interval milliseconds */
function atIntervals(interval: number): (action: () => void) => void {
  let last = performance.now();
  return (action) => {
    if (performance.now() - last < interval) return;
    last = performance.now();
    action();
  };
}
