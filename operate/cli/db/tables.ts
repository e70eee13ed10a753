/**
 * Opens the tables of the current schema for a command: in PostgreSQL, or in the embedded database while no service uses it.
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import pg from "pg";
import { MEMORY, type Settings } from "../../../config/environment.ts";
import { AGREED_COLUMN, FAST_FORWARD_TABLE, schemaNameOf } from "../../../config/schema-name.ts";
import type { Query } from "../../backfill/schema-ledger.ts";
import { PGLITE } from "../../daemon/check-database.ts";
import { lockDataDirectory } from "../../daemon/data-lock.ts";

/** The command failed; the message is for the operator. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

export type Tables = {
  query: Query;
  /** escaped */
  schema: string;
  close(): Promise<void>;
};

/** How far the tables are; null while no block in them is final. */
export type TablesCheckpoint = {
  /** Ponder's checkpoint of the last block that is served as final */
  checkpoint: string;
  /** null if the tables were filled without a backfill in bulk */
  mark: { last: number; ledgerKey: string | null } | null;
} | null;

/** Milliseconds to connect. */
const TIMEOUT = 10_000;

type PGlite = {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  close(): Promise<void>;
};

/**
 * Opens the tables in one snapshot. Until they are closed, no service can open an embedded database.
 *
 * @throws {CommandError} if there can be no tables
 * @throws {DataDirectoryError} if a service uses the embedded database
 */
export async function openTables(settings: Settings): Promise<Tables> {
  const schema = pg.escapeIdentifier(schemaNameOf(settings));
  const { database } = settings;
  if (database.kind === "postgres") {
    const { connectionString } = database;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT });
    // A broken connection fails the query that it is used for.
    client.on("error", () => {});
    await client.connect();
    const query: Query = async (text, values) => (await client.query(text, values)).rows;
    await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return { query, schema, close: () => client.end() };
  }
  const { directory, dataDirectory } = database;
  if (dataDirectory === MEMORY)
    throw new CommandError("The embedded database is in memory (RAISEBOOK_DATA_DIR): nothing of it is kept.");
  const lock = await lockDataDirectory(dataDirectory);
  // The first start creates it.
  if (!existsSync(directory) || readdirSync(directory).length === 0)
    return { query: async () => [], schema, close: async () => lock.release() };
  try {
    const { PGlite } = createRequire(PGLITE)(PGLITE) as { PGlite: { create(path: string): Promise<PGlite> } };
    const instance = await PGlite.create(directory);
    const query: Query = async (text, values) => (await instance.query(text, values)).rows;
    await query("BEGIN");
    const close = async () => {
      await instance.close();
      lock.release();
    };
    return { query, schema, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export async function checkpointOf({
  query,
  schema,
}: Pick<Tables, "query" | "schema">): Promise<TablesCheckpoint> {
  const exists = async (table: string) =>
    (await query("SELECT to_regclass($1) IS NOT NULL AS exists", [`${schema}.${table}`]))[0]?.exists === true;
  if (!(await exists("_ponder_checkpoint"))) return null;
  const [row] = await query(
    `SELECT LEAST(finalized_checkpoint, own ->> '${AGREED_COLUMN}') AS checkpoint
    FROM ${schema}._ponder_checkpoint, to_jsonb(_ponder_checkpoint) AS own`,
  );
  if (row === undefined) return null;
  const [mark] = (await exists(FAST_FORWARD_TABLE))
    ? await query(`SELECT last_block, ledger_key FROM ${schema}.${FAST_FORWARD_TABLE}`)
    : [];
  return {
    checkpoint: String(row.checkpoint),
    mark:
      mark === undefined
        ? null
        : {
            last: Number(mark.last_block),
            ledgerKey: mark.ledger_key === null ? null : String(mark.ledger_key),
          },
  };
}
