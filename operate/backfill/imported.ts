/**
 * An imported ledger file, stored until the first start of an empty schema: in the data directory next to the embedded
 * database, or in a table of PostgreSQL, since the indexer may run on another machine than the import. It is removed once a schema
 * is filled, so that it is never used again.
 * @module
 */
import { createReadStream } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type pg from "pg";
import { MEMORY, type Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { postgresClientOf, tableExists, withClient } from "../../config/postgres-client.ts";
import { IMPORTS } from "../../config/table-names.ts";
import { writeInPlace } from "../../config/unfinished.ts";
import { ledgerKey, type PriorLedger } from "./earlier.ts";
import { openLedgerFile } from "./ledger-file.ts";

const FILE = "import.ledger.gz";
/** Bytes. */
const PART = 1_000_000;

/** Stores the file at `path` for the next start, atomically. It replaces an earlier one. */
export async function keepImport(settings: Settings, path: string): Promise<void> {
  const { database } = settings;
  if (database.kind === "postgres") {
    await withClient(clientFor(database), (client) => storeIn(client, keyOf(settings), path));
    return;
  }
  const place = placeIn(database.dataDirectory);
  await writeInPlace(place, (unfinished) => writeFile(unfinished, createReadStream(path), { flush: true }));
  // Left by an import of the previous release that was killed.
  await rm(`${place}.new`, { force: true });
}

/** The stored file; null without one, or if its contracts differ. */
export async function findImported(
  settings: Settings,
  log: Pick<Logger, "warn">,
): Promise<PriorLedger | null> {
  const { database } = settings;
  const key = ledgerKey(settings);
  const found =
    database.kind === "postgres"
      ? await storedIn(clientFor(database), key)
      : await fileIn(database.dataDirectory);
  if (found === null) return null;
  const { bytes, close } = found;
  try {
    const { header, events } = await openLedgerFile(bytes);
    if (header.ledgerKey === key) {
      const { last } = header;
      const escrowChildren = new Map(header.escrowChildren);
      const place = { last: last.number, escrowChildren, knownBlock: last, completeness: null };
      return { of: "an imported file", ...place, rows: events, close };
    }
  } catch (error) {
    await close();
    throw error;
  }
  await close();
  log.warn({
    msg: "The imported ledger file is of other contracts or of another release: the chain is read",
  });
  return null;
}

/**
 * Removes the stored file of these contracts and this code, once a schema is filled or is to be read from the chain.
 * @returns the keys of the others, which stay: they may be another service's
 */
export async function forgetImport(settings: Settings): Promise<string[]> {
  const { database } = settings;
  if (database.kind !== "postgres") {
    if (database.dataDirectory !== MEMORY) await rm(placeIn(database.dataDirectory), { force: true });
    return [];
  }
  return withClient(clientFor(database), async (client) => {
    if (!(await tableExists(client, IMPORTS.table))) return [];
    await client.query(`DELETE FROM ${IMPORTS.table} WHERE ledger_key = $1`, [ledgerKey(settings)]);
    const { rows } = await client.query<{ key: string }>(
      `SELECT ledger_key AS key FROM ${IMPORTS.table} WHERE part = 0 ORDER BY 1`,
    );
    return rows.map(({ key }) => key);
  });
}

type Found = { bytes(): AsyncIterable<Uint8Array>; close(): Promise<void> };

const clientFor = ({ connectionString }: { connectionString: string }) =>
  postgresClientOf(connectionString, 0);

const placeIn = (dataDirectory: string) => join(dataDirectory, FILE);

function keyOf(settings: Settings): string {
  const key = ledgerKey(settings);
  if (key === null) throw new Error("the ledger does not have all events of these settings");
  return key;
}

async function fileIn(dataDirectory: string): Promise<Found | null> {
  if (dataDirectory === MEMORY) return null;
  const place = placeIn(dataDirectory);
  const found = await stat(place).catch(() => null);
  return found?.isFile() ? { bytes: () => createReadStream(place), close: async () => {} } : null;
}

/** The file with this key, or else any other, which the caller then reports. */
async function storedIn(client: pg.Client, key: string | null): Promise<Found | null> {
  await client.connect();
  const close = () => client.end();
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { rows } = (await tableExists(client, IMPORTS.table))
      ? await client.query<{ key: string }>(
          `SELECT ledger_key AS key FROM ${IMPORTS.table} WHERE part = 0 ORDER BY ledger_key = $1 DESC LIMIT 1`,
          [key ?? ""],
        )
      : { rows: [] };
    const [stored] = rows;
    if (stored !== undefined) return { bytes: () => partsOf(client, stored.key), close };
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  await close();
  return null;
}

async function* partsOf(client: pg.Client, key: string): AsyncGenerator<Uint8Array> {
  for (let part = 0; ; part += 1) {
    const { rows } = await client.query<{ bytes: Uint8Array }>(
      `SELECT bytes FROM ${IMPORTS.table} WHERE ledger_key = $1 AND part = $2`,
      [key, part],
    );
    const [row] = rows;
    if (row === undefined) return;
    yield row.bytes;
  }
}

async function storeIn(client: pg.Client, key: string, path: string): Promise<void> {
  await client.query("BEGIN");
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${IMPORTS.schema}`);
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${IMPORTS.table}
    (ledger_key TEXT, part INTEGER, bytes BYTEA NOT NULL, PRIMARY KEY (ledger_key, part))`,
  );
  await client.query(`DELETE FROM ${IMPORTS.table} WHERE ledger_key = $1`, [key]);
  let part = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: PART })) {
    await client.query(`INSERT INTO ${IMPORTS.table} VALUES ($1, $2, $3)`, [key, part, bytes]);
    part += 1;
  }
  await client.query("COMMIT");
}
