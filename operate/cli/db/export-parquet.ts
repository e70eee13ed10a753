/** @module Writes the open data without a service: `raisebook db export --parquet`. */

import { setTimeout as sleep } from "node:timers/promises";
import { openFolder } from "../../../api/data/folder.ts";
import { filesOf, type Manifest } from "../../../api/data/manifest.ts";
import { dataSourceOf } from "../../../api/data/source.ts";
import { writeData } from "../../../api/data/write.ts";
import type { Database } from "../../../api/database/checkpoint.ts";
import { createHistory } from "../../../api/history/as-of.ts";
import { createBlockTimes } from "../../../api/history/block-times.ts";
import { createPastQueries } from "../../../api/history/read-ledger.ts";
import { createBookRoots } from "../../../api/proof/book-root.ts";
import { createBookQueries } from "../../../api/proof/read-book.ts";
import { createRevisions } from "../../../api/registry/revisions.ts";
import { requiredSigner } from "../../../api/registry/signature.ts";
import { createRegistryStore } from "../../../api/registry/store.ts";
import { startMarketUpdater } from "../../../api/updater/market-updater.ts";
import { createTableQueries } from "../../../api/updater/tables.ts";
import { print } from "../../../config/command.ts";
import type { Settings } from "../../../config/environment.ts";
import { counted } from "../../../config/format/counted.ts";
import { createLogger, type Logger } from "../../../config/log.ts";
import { progressBar } from "../../../config/progress-bar.ts";
import { publicSettingsOf } from "../../../config/public-settings.ts";
import { firstBlock, followsEscrow } from "../../../config/sources.ts";
import * as tables from "../../../ponder.schema.ts";
import { contractsOf } from "../../../src/contracts/contracts.ts";
import { revisionLogOf } from "../../daemon/registry-log.ts";
import { CommandError, checkpointOf, openTables, READ_TIMEOUT } from "./tables.ts";

/** Milliseconds for one question about the past; no other request waits. */
const PATIENCE = 3_600_000;
/** Milliseconds between looks for the first market. */
const LOOK_EVERY = 20;

/** The output of `--json`. */
type Report = {
  readonly directory: string;
  readonly toBlock: string;
  readonly events: number;
  readonly raises: number;
  readonly files: number;
  readonly bytes: number;
};

/**
 * @param patience milliseconds until reads that fail are given up, from the first failure on
 * @returns the exit code
 * @throws {CommandError} if there is nothing to export, or it cannot be read
 */
export async function exportParquet(
  settings: Settings,
  directory: string,
  isJson: boolean,
  patience = READ_TIMEOUT,
): Promise<number> {
  // Problems become the error of the command.
  const log = createLogger({ format: "json", level: "error", write: () => {} });
  const opened = await openTables(settings);
  try {
    if ((await checkpointOf(opened)) === null)
      throw new CommandError("Nothing is final yet: start the service first, and let it reach the head.");
    const manifest = await write(settings, await opened.database(log), directory, { log, patience });
    const files = filesOf(manifest);
    const report: Report = {
      ...{ directory, toBlock: manifest.toBlock },
      ...{ events: manifest.tables.ledger.rows, raises: manifest.tables.listings.rows },
      ...{ files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) },
    };
    const { events, raises, toBlock, bytes } = report;
    const text = isJson
      ? JSON.stringify(report, null, 2)
      : `Exported ${counted(events, "events")} and ${counted(raises, "raises")} up to block ${toBlock} to ${directory} (${files.length} files, ${bytes} bytes).`;
    print(`${text}\n`);
    return 0;
  } finally {
    await opened.close();
  }
}

async function write(
  settings: Settings,
  database: Database,
  directory: string,
  { log, patience }: { log: Logger; patience: number },
): Promise<Manifest> {
  const { lifecycle } = contractsOf(settings);
  const contracts = { lifecycle, follows: (escrow: string) => followsEscrow(settings, escrow) };
  const publicSettings = publicSettingsOf(settings);
  const pause = async () => {};
  const registry = await createRegistryStore({
    ...{ source: settings.registry, signer: requiredSigner(settings), log },
  });
  let failure: string | null = null;
  let failedAt = 0;
  /** All rows of a large market take minutes: a read after a failure may well succeed. */
  let isReading = false;
  const noteFailure = (line: string) => {
    if (failure === null) failedAt = performance.now();
    failure = JSON.parse(line).error;
  };
  const hasHolders = settings.desk !== null && settings.holders;
  const { position, read } = createTableQueries(database, tables, { lifecycle, hasHolders });
  const readNoted: typeof read = (...asked) => {
    isReading = true;
    return read(...asked).finally(() => {
      isReading = false;
    });
  };
  const updater = startMarketUpdater({
    tables: { position, read: readNoted },
    ...{ registry, publicSettings, contracts },
    log: createLogger({ format: "json", level: "warn", write: noteFailure }),
  });
  const progress = progressBar("Writing events");
  try {
    for (; updater.current() === null; await sleep(LOOK_EVERY))
      if (failure !== null && !isReading && performance.now() - failedAt > patience)
        throw new CommandError(`The tables cannot be read: ${failure}`);
    const queries = createBookQueries({ database, tables });
    const history = createHistory({
      reader: createPastQueries({ database, tables }),
      blockTimes: createBlockTimes(settings),
      ...{ firstBlock: firstBlock(settings), publicSettings, contracts, pause, timeout: PATIENCE },
      registryAt: createRevisions(revisionLogOf(settings, log), { signer: settings.registrySigner, log })
        .registryAt,
      // No answer shares the memory.
      mostRaises: Number.POSITIVE_INFINITY,
    });
    const roots = createBookRoots({
      ...{ queries, pastListings: history.listingsAt, pause, patience: PATIENCE, log },
    });
    const source = dataSourceOf({ settings, updater, history, roots, queries });
    const final = updater.current()?.finalized.number ?? 0n;
    const onProgress = (block: bigint, until: bigint) =>
      progress.update(Number(block - source.firstBlock), Number(until - source.firstBlock));
    const manifest = await writeData(openFolder(directory), source, final, { pause, onProgress });
    if (manifest === null)
      throw new CommandError(
        `No range of ${source.blocksPerFile} blocks (DATA_BLOCKS) is final yet: final is up to block ${final}.`,
      );
    if ("reason" in manifest) throw new CommandError(manifest.detail);
    return manifest;
  } finally {
    progress.end();
    updater.stop();
    registry.stop();
  }
}
