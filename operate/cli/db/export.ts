/** @module Writes a ledger file: `raisebook db export`. */

import { createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { counted } from "../../../config/format/counted.ts";
import { progressBar } from "../../../config/progress-bar.ts";
import { writeInPlace } from "../../../config/unfinished.ts";
import { blockAt } from "../../backfill/history.ts";
import { type LedgerFileHeader, ledgerFileText } from "../../backfill/ledger-file.ts";
import type { FiledEvent } from "../../backfill/ledger-line.ts";
import { readSchemaLedger } from "../../backfill/schema-ledger.ts";
import { stopRequest } from "../../daemon/stop-request.ts";
import { exportCommand } from "../options.ts";
import { exportParquet } from "./export-parquet.ts";
import {
  CommandError,
  checkpointOf,
  openTables,
  requireKey,
  runWith,
  type Tables,
  type TablesCheckpoint,
  type Work,
} from "./tables.ts";

/** The output of `--json`. */
type Report = {
  /** null: standard output */
  readonly file: string | null;
  /** size of the file; null on standard output */
  readonly bytes: number | null;
  readonly schema: string;
  readonly events: number;
  readonly lastBlock: LedgerFileHeader["last"];
};

type Ledger = { header: LedgerFileHeader; rows(): AsyncGenerator<FiledEvent> };

async function ledgerOf(
  { query, schema }: Tables,
  { settings, key, client }: Parameters<Work>[0] & { key: string },
): Promise<Ledger> {
  const position = await checkpointOf({ query, schema });
  const { last, mark } = requireLedger(position, schema, key, settings.databaseSchema);
  const of = { query, settings, schema, mark: mark?.last ?? null, last };
  const { escrowChildren, lastEventBlock, rows } = await readSchemaLedger(of);
  const { hash } = await blockAt(client, last);
  const newest = lastEventBlock === null ? null : await blockAt(client, lastEventBlock.number);
  if (newest?.hash !== lastEventBlock?.hash)
    throw new CommandError(
      `Block ${lastEventBlock?.number} of the tables is not the chain's any more: they are of blocks that are gone.`,
    );
  const events = `SELECT count(*) AS events FROM ${schema}.ledger WHERE block_number <= $1`;
  const [count] = await query(events, [last]);
  const { chainId, escrows, escrowFactory, desk } = settings;
  return {
    header: {
      ...{ chainId, escrows: [...escrows], escrowFactory, desk, ledgerKey: key },
      ...{ last: { number: last, hash }, escrowChildren: [...escrowChildren], events: Number(count?.events) },
    },
    rows,
  };
}

/** The position of tables whose ledger has the events of this key. */
function requireLedger(position: TablesCheckpoint, schema: string, key: string, ownName: string | null) {
  if (position === null || position.last === 0)
    throw new CommandError(
      `Nothing is final yet in schema ${schema}: start the service first, and let it reach the head.`,
    );
  const { mark } = position;
  if (mark === null && ownName !== null)
    throw new CommandError(
      `The tables of ${schema} do not say which contracts they are of: they have a name of your own (DATABASE_SCHEMA), and\n` +
        "were indexed event by event (FAST_FORWARD=false).",
    );
  if (mark !== null && mark.ledgerKey !== key)
    throw new CommandError(
      `The tables of ${schema} are of other contracts or of another release than the settings: export them with the\n` +
        "settings and the release that filled them.",
    );
  return position;
}

async function write({ header, rows }: Ledger, file: string): Promise<number | null> {
  const progress = progressBar("Writing events");
  const counted = async function* () {
    let count = 0;
    for await (const event of rows()) {
      yield event;
      count += 1;
      if (count % 1_000 === 0) progress.update(count, header.events);
    }
    progress.update(count, header.events);
  };
  try {
    const text = ledgerFileText(header, counted());
    if (file === "-") {
      await pipeline(text, createGzip(), process.stdout);
      return null;
    }
    const signal = stopRequest(() => {});
    await writeInPlace(file, (unfinished) =>
      pipeline(text, createGzip(), createWriteStream(unfinished, { flush: true }), { signal }),
    ).catch((error) => {
      throw signal.aborted ? new CommandError("Interrupted: nothing was exported.") : error;
    });
    return (await stat(file)).size;
  } finally {
    progress.end();
  }
}

const command = exportCommand().parse();
const [file] = command.processedArgs;
const { parquet, json = false } = command.opts();
if ((file === undefined) === (parquet === undefined))
  command.error("error: name a file for the ledger, or a directory with --parquet");
process.exitCode = await runWith(async (context) => {
  if (parquet !== undefined) return exportParquet(context.settings, parquet, json);
  return exportLedger(context, file ?? "-");
});

async function exportLedger(context: Parameters<Work>[0], file: string): Promise<number> {
  const key = requireKey(context);
  const tables = await openTables(context.settings);
  try {
    const ledger = await ledgerOf(tables, { ...context, key });
    const { last, events } = ledger.header;
    const bytes = await write(ledger, file);
    const report: Report = {
      ...{ file: bytes === null ? null : file, bytes },
      ...{ schema: tables.schema.replaceAll('"', ""), events, lastBlock: last },
    };
    const text = json
      ? JSON.stringify(report, null, 2)
      : `Exported ${counted(events, "events")} up to block ${last.number}${bytes === null ? "" : ` to ${file} (${bytes} bytes)`}.`;
    (bytes === null ? process.stderr : process.stdout).write(`${text}\n`);
    return 0;
  } finally {
    await tables.close();
  }
}

// Idle connections of the pool would keep the process alive for ten seconds.
if (parquet !== undefined) process.exit();
