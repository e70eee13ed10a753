/**
 * Stores positions and dead letters: in a separate PostgreSQL schema, which no release of the tables drops, or as files in the data
 * directory if the database is embedded. Each value is replaced as a whole, and a completed write survives a kill.
 * @module
 */
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { PLACES } from "../../config/deliverer.ts";
import { MEMORY, type Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { connectKeptAlive, KEPT_ALIVE, postgresClientOf } from "../../config/postgres-client.ts";
import { problemWith, SettingsError } from "../../config/problems.ts";
import { serviceKeyOf } from "../../config/schema-name.ts";
import { DataDirectoryError, type DataLock, lockDataDirectory, refuseForeign } from "../daemon/data-lock.ts";
import { KEYS } from "./message.ts";

export type Store = {
  get(key: string): Promise<unknown>;
  put(key: string, value: object | string): Promise<void>;
  remove(key: string): Promise<void>;
  /** The entries whose keys begin with the prefix; the returned keys omit it. */
  entries(prefix: string): Promise<(readonly [rest: string, value: unknown])[]>;
  /**
   * Waits until no other process delivers from this store; null if the signal came first.
   * @returns a signal that aborts when this process loses its turn
   */
  turn(signal: AbortSignal, log: Logger): Promise<AbortSignal | null>;
  /** Whether no process delivers from it; until `close`, none can start to. */
  isFree(): Promise<boolean>;
  close(): Promise<void>;
};

/** @throws {SettingsError} if nothing could be stored */
export function openStore(settings: Pick<Settings, "database" | "chainId" | "publicUrl">): Store {
  const { database } = settings;
  if (database.kind === "postgres") return inPostgres(database.connectionString, serviceKeyOf(settings));
  if (database.dataDirectory !== MEMORY) return inFolder(database.dataDirectory);
  const problem = `is ${MEMORY}, where nothing is kept: delivered messages would be sent again after each start`;
  throw new SettingsError([problemWith("RAISEBOOK_DATA_DIR", problem)]);
}

const SCHEMA = PLACES.schema;
const CREATE = `CREATE SCHEMA IF NOT EXISTS ${SCHEMA};
  CREATE TABLE IF NOT EXISTS ${SCHEMA}.entry (
    service INTEGER NOT NULL, key TEXT NOT NULL, value JSONB NOT NULL, PRIMARY KEY (service, key)
  )`;
/** Milliseconds. */
const TIMEOUT = 10_000;
const CHECK_INTERVAL = 2_000;

/** @param service separates services that share a database */
function inPostgres(connectionString: string, service: number): Store {
  const connection = { connectionString, application_name: SCHEMA, connectionTimeoutMillis: TIMEOUT };
  const pool = new pg.Pool({ ...connection, ...KEPT_ALIVE, max: 4, query_timeout: TIMEOUT });
  pool.on("error", () => {});
  let created: Promise<unknown> | null = null;
  const query = async <Row extends pg.QueryResultRow>(text: string, ...values: unknown[]) => {
    created ??= pool.query(CREATE);
    await created.catch((error) => {
      created = null;
      throw error;
    });
    return (await pool.query<Row>(text, [service, ...values])).rows;
  };
  let owner: pg.Client | null = null;
  const lock = async (): Promise<boolean> => {
    owner ??= await connected(connection);
    const text = "SELECT pg_try_advisory_lock(hashtext($1), $2) AS got";
    const { rows } = await owner.query<{ got: boolean }>(text, [SCHEMA, service]);
    return rows[0]?.got === true;
  };
  const leave = async () => {
    const client = owner;
    owner = null;
    await client?.end().catch(() => {});
  };

  /** After a change of `PUBLIC_URL` there are none of this service, and targets would start over without a warning. */
  const warnOfOthers = async (log: Logger) => {
    const rows = await query<{ service: number }>(
      `SELECT DISTINCT service FROM ${SCHEMA}.entry WHERE starts_with(key, $2)
        AND NOT EXISTS (SELECT FROM ${SCHEMA}.entry WHERE service = $1 AND starts_with(key, $2)) ORDER BY service`,
      KEYS.states,
    );
    if (rows.length === 0) return;
    const msg = "The database has positions of webhooks, but not of this service: each target starts over";
    const hint = "if PUBLIC_URL has changed, move them: docs/webhooks.md";
    log.warn({ msg, service, others: rows.map((row) => row.service), hint });
  };

  return {
    get: async (key) => {
      const text = `SELECT value FROM ${SCHEMA}.entry WHERE service = $1 AND key = $2`;
      return (await query<{ value: unknown }>(text, key))[0]?.value ?? null;
    },
    put: async (key, value) => {
      await query(
        `INSERT INTO ${SCHEMA}.entry VALUES ($1, $2, $3) ON CONFLICT (service, key) DO UPDATE SET value = excluded.value`,
        ...[key, JSON.stringify(value)],
      );
    },
    remove: async (key) => {
      await query(`DELETE FROM ${SCHEMA}.entry WHERE service = $1 AND key = $2`, key);
    },
    entries: async (prefix) => {
      const rows = await query<{ key: string; value: unknown }>(
        `SELECT key, value FROM ${SCHEMA}.entry WHERE service = $1 AND starts_with(key, $2) ORDER BY key`,
        prefix,
      );
      return rows.map(({ key, value }) => [key.slice(prefix.length), value]);
    },
    async turn(signal, log) {
      let isWaiting = false;
      let fault: string | null = null;
      for (; !signal.aborted; await sleep(CHECK_INTERVAL, undefined, { signal }).catch(() => {})) {
        try {
          const isOwn = await lock();
          const lost = new AbortController();
          if (isOwn) {
            owner?.once("end", () => {
              owner = null;
              lost.abort();
            });
            await warnOfOthers(log);
          }
          if (fault !== null) log.info({ msg: "The positions of webhooks can be read again" });
          fault = null;
          if (isOwn) return lost.signal;
          if (!isWaiting) log.info({ msg: "Another process delivers webhooks; waiting for it to end" });
          isWaiting = true;
        } catch (error) {
          await leave();
          if (fault !== String(error)) log.warn({ msg: "The positions of webhooks cannot be read", error });
          fault = String(error);
        }
      }
      return null;
    },
    isFree: lock,
    async close() {
      await leave();
      await pool.end();
    },
  };
}

async function connected(connection: pg.ClientConfig & { connectionString: string }): Promise<pg.Client> {
  const client = postgresClientOf(connection.connectionString, TIMEOUT, connection);
  await connectKeptAlive(client);
  return client;
}

function inFolder(dataDirectory: string): Store {
  const folder = join(dataDirectory, PLACES.folder);
  const fileOf = (key: string) => join(folder, `${encodeURIComponent(key)}.json`);
  const read = async (file: string): Promise<unknown> => {
    try {
      return JSON.parse(await readFile(file, "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  };
  let lock: DataLock | null = null;
  const locked = async (): Promise<AbortSignal> => {
    refuseForeign([folder, dataDirectory]);
    if (lock === null || lock.lost.aborted) lock = await lockDataDirectory(folder);
    return lock.lost;
  };
  return {
    get: (key) => read(fileOf(key)),
    async put(key, value) {
      const file = fileOf(key);
      await mkdir(folder, { recursive: true });
      await writeFile(`${file}.new`, JSON.stringify(value), { mode: 0o600, flush: true });
      await rename(`${file}.new`, file);
    },
    remove: (key) => rm(fileOf(key), { force: true }),
    async entries(prefix) {
      const names = await readdir(folder).catch(() => []);
      const keys = names
        .filter((name) => name.endsWith(".json"))
        .map((name) => decodeURIComponent(name.slice(0, -".json".length)))
        .filter((key) => key.startsWith(prefix));
      return Promise.all(
        keys.toSorted().map(async (key) => [key.slice(prefix.length), await read(fileOf(key))] as const),
      );
    },
    turn: locked,
    async isFree() {
      refuseForeign([folder, dataDirectory]);
      try {
        await locked();
        return true;
      } catch (error) {
        if (error instanceof DataDirectoryError) return false;
        throw error;
      }
    },
    close: async () => lock?.release(),
  };
}
