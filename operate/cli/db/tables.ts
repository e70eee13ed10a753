/**
 * For `raisebook db export` and `raisebook db import`: runs the command, and opens the tables of the current schema: in PostgreSQL,
 * or in the embedded database while no service uses it.
 * @module
 */
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import pg from "pg";
import {
  CHECKPOINT_TEXT,
  type CheckpointRow,
  type Database,
  toCheckpoint,
} from "../../../api/database/checkpoint.ts";
import { type EmbeddedClient, readEmbedded } from "../../../api/database/embedded.ts";
import { connectPostgres } from "../../../api/database/postgres.ts";
import { type ChainClient, createChainClient } from "../../../chain/client.ts";
import { MEMORY, type Settings } from "../../../config/environment.ts";
import type { Logger } from "../../../config/log.ts";
import { postgresClientOf, tableExists } from "../../../config/postgres-client.ts";
import { runCommand } from "../../../config/run-command.ts";
import { schemaNameOf } from "../../../config/schema-name.ts";
import { FAST_FORWARD_TABLE } from "../../../config/table-names.ts";
import * as ponderSchema from "../../../ponder.schema.ts";
import { ledgerKey } from "../../backfill/earlier.ts";
import { firstGap } from "../../backfill/gaps.ts";
import type { Query } from "../../backfill/schema-ledger.ts";
import { PGLITE } from "../../daemon/check-database.ts";
import { DataDirectoryError, lockDataDirectory } from "../../daemon/data-lock.ts";

/** The command failed; the message is for the operator. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

export type Tables = {
  query: Query;
  /** Reads like a service, outside of the snapshot. @throws {CommandError} if there are no tables */
  database(log: Logger): Promise<Database>;
  /** escaped */
  schema: string;
  close(): Promise<void>;
};

/** How far the tables are; null before they are filled. */
export type TablesCheckpoint = {
  /** the last block that is final and whose events are all there; 0 before the first */
  last: number;
  /** null if the tables were filled without a backfill in bulk */
  mark: { last: number; ledgerKey: string | null } | null;
} | null;

/** Milliseconds to connect. */
const CONNECT_TIMEOUT = 10_000;
/** Milliseconds for one read of a service's kind. */
export const READ_TIMEOUT = 120_000;

type PGlite = {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  close(): Promise<void>;
};

async function noTables(): Promise<never> {
  throw new CommandError("There are no tables yet: start the service first, and let it reach the head.");
}

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
    const client = postgresClientOf(connectionString, CONNECT_TIMEOUT, { query_timeout: 0 });
    await client.connect();
    const query: Query = async (text, values) => (await client.query(text, values)).rows;
    await query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const name = schemaNameOf(settings);
    const reading = async (log: Logger) =>
      connectPostgres({
        ...{ connectionString, schema: name, connections: 2, timeout: READ_TIMEOUT, log },
        isPipelined: true,
      });
    return { query, schema, database: reading, close: () => client.end() };
  }
  const { directory, dataDirectory } = database;
  if (dataDirectory === MEMORY)
    throw new CommandError("The embedded database is in memory (RAISEBOOK_DATA_DIR): nothing of it is kept.");
  const lock = await lockDataDirectory(dataDirectory);
  // The first start creates it.
  if (!existsSync(directory) || readdirSync(directory).length === 0)
    return { query: async () => [], schema, database: noTables, close: async () => lock.release() };
  try {
    const { PGlite } = createRequire(PGLITE)(PGLITE) as { PGlite: { create(path: string): Promise<PGlite> } };
    const instance = await PGlite.create(directory);
    const query: Query = async (text, values) => (await instance.query(text, values)).rows;
    await query("BEGIN");
    const reading = async () => {
      // It has one connection, with its own transactions from now on.
      await query("COMMIT");
      await query(`SET search_path TO ${schema}`);
      return readEmbedded(instance as unknown as EmbeddedClient, ponderSchema);
    };
    const close = async () => {
      await instance.close();
      lock.release();
    };
    return { query, schema, database: reading, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

export async function checkpointOf({
  query,
  schema,
}: Pick<Tables, "query" | "schema">): Promise<TablesCheckpoint> {
  const connection = {
    query: async (text: string, values: unknown[]) => ({ rows: await query(text, values) }),
  };
  const exists = (table: string) => tableExists(connection, `${schema}.${table}`);
  if (!(await exists("_ponder_checkpoint"))) return null;
  await query(`SET LOCAL search_path TO ${schema}`);
  const [row] = await query(CHECKPOINT_TEXT);
  if (row === undefined) return null;
  const position = toCheckpoint(row as CheckpointRow);
  const gap = await firstGap(query, [schema]);
  // Rows that are final by their depth may be missing while the indexer catches up after a restart.
  const bounds = [position?.finalized.number ?? 0n, position?.head.number ?? 0n].map(Number);
  const [mark] = (await exists(FAST_FORWARD_TABLE))
    ? await query(`SELECT last_block, ledger_key FROM ${schema}.${FAST_FORWARD_TABLE}`)
    : [];
  return {
    last: Math.min(...bounds, gap === null ? Number.POSITIVE_INFINITY : gap - 1),
    mark:
      mark === undefined ? null : { last: Number(mark.last_block), ledgerKey: textOrNull(mark.ledger_key) },
  };
}

const textOrNull = (value: unknown) => (value === null ? null : String(value));

/** `key` is null with HOLDERS=true. */
type Context = { settings: Settings; key: string | null; client: ChainClient };
export type Work = (context: Context) => Promise<number>;

/** Milliseconds for an answer, and until a failing endpoint is given up. */
const TIMEOUT = 20_000;

/** Runs the command. @returns its exit code; 1 after a failure, which is reported on stderr */
export function runWith(work: Work): Promise<number> {
  return runCommand((settings) => {
    const key = ledgerKey(settings);
    const { rpcUrls: urls, rpcConcurrency: concurrency } = settings;
    const client = createChainClient({ urls, concurrency, timeout: TIMEOUT, patience: TIMEOUT });
    return work({ settings, key, client });
  }, messageOf);
}

/** The key of a ledger file. @throws {CommandError} with HOLDERS=true */
export function requireKey({ key }: Pick<Context, "key">): string {
  if (key !== null) return key;
  throw new CommandError(
    "HOLDERS=true: the transfers of tokens are in no ledger, so a service that counts holders reads its history from\n" +
      "the chain. A ledger file is for services with HOLDERS=false.",
  );
}

function messageOf(error: unknown): string {
  if (error instanceof DataDirectoryError) return `RAISEBOOK_DATA_DIR ${error.message}`;
  if (error instanceof CommandError) return error.message;
  return `It cannot be done: ${error instanceof Error ? error.message || String(error) : error}`;
}
