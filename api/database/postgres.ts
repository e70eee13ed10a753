/** @module Own connections to PostgreSQL: Ponder's retry an unreachable one for minutes, and wait forever for a silent one. */
import { drizzle } from "drizzle-orm/node-postgres";
import { PgDialect } from "drizzle-orm/pg-core";
import pg from "pg";
import type { ReadonlyDrizzle } from "ponder";
import type { Logger } from "../../config/log.ts";
import { KEPT_ALIVE, postgresClientOf } from "../../config/postgres-client.ts";
import { type Database, DatabaseSilentError } from "./checkpoint.ts";

export type PostgresParameters = {
  connectionString: string;
  /** the indexer's schema */
  schema: string;
  /** number of concurrent reads; others wait */
  connections: number;
  /** milliseconds per query */
  timeout: number;
  /** whether reads of a transaction that are asked for together are sent together, as the market's are (`whole.ts`) */
  isPipelined?: boolean;
  log: Pick<Logger, "debug">;
  /** Names the snapshot to read at (`kept-snapshot.ts`); null for the newest rows, as by default. */
  snapshot?: () => string | null;
};

export const POLLED = "The database announces no blocks; it is polled instead";
/** Milliseconds to get a free or a new connection. */
const CONNECT_TIMEOUT = 3_000;
/** Timeout of a small statement in milliseconds: its answer may have been lost, while long queries may take their time. */
const SMALL_TIMEOUT = 5_000;
/**
 * Milliseconds that one attempt waits for a locked table. Then the read starts again: what it had read already may be what the
 * holder of the lock waits for, and PostgreSQL breaks such a deadlock after a second, maybe at the indexer's cost.
 */
const LOCK_TIMEOUT = 500;
const LONGEST_QUEUE = 200;
/** Error classes unrelated to the query: connection lost, no resources, operator intervention, system error. */
const OUTAGES = /^(08|53|57|58)/;
/**
 * A table locked while the indexer changes its indexes and triggers; and a read that a standby cancelled, as the same change was to be
 * replayed there. Nothing else of the kind happens to transactions that only read.
 */
const PASSING = new Set(["55P03", "40001"]);
/** Codes of the versions of PostgreSQL for a snapshot whose transaction has ended. */
const NO_SNAPSHOT = new Set(["22023", "42704", "55000"]);
const BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/** Read-only transactions, each on one snapshot. They throw a `DatabaseSilentError` on an outage or timeout. */
export function connectPostgres(parameters: PostgresParameters): Database {
  const {
    connectionString,
    schema,
    connections,
    timeout,
    isPipelined = false,
    log,
    snapshot = () => null,
  } = parameters;
  const pool = new pg.Pool({
    connectionString,
    application_name: `${schema}_api`,
    ...KEPT_ALIVE,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: timeout,
    pipeline: isPipelined,
    onConnect: async (client) => {
      // Without a listener a broken connection would end the process.
      client.on("error", (error) => log.debug({ msg: "A connection to the database broke", error }));
      // Not as parameters of the connection: PgBouncer refuses those.
      await client.query(
        small(`SET statement_timeout = ${timeout}; SET lock_timeout = ${LOCK_TIMEOUT};
          SET search_path TO ${client.escapeIdentifier(schema)}`),
      );
    },
  });
  pool.on("error", () => {});
  const small = (text: string) => ({ text, query_timeout: Math.min(timeout, SMALL_TIMEOUT) });
  const begin = async (client: pg.PoolClient, name: string | null) => {
    await client.query(small(BEGIN));
    if (name === null) return;
    try {
      await client.query(small(`SET TRANSACTION SNAPSHOT ${client.escapeLiteral(name)}`));
    } catch (error) {
      if (!NO_SNAPSHOT.has((error as { code?: string }).code ?? "")) throw error;
      // The newest rows instead.
      await client.query("ROLLBACK");
      await client.query(BEGIN);
    }
  };

  const dialect = new PgDialect({ casing: "snake_case" });
  // Ponder's own reader is of the same kind, from another build of the same library.
  const databases = new WeakMap<pg.PoolClient, ReadonlyDrizzle>();
  const databaseOf = (client: pg.PoolClient): ReadonlyDrizzle => {
    const database = databases.get(client) ?? (drizzle(client) as unknown as ReadonlyDrizzle);
    databases.set(client, database);
    return database;
  };
  /** @param work also returns what its connection has to finish before it is free; callers do not wait for that */
  const withClient = async <Result>(
    work: (client: pg.PoolClient) => Promise<{ result: Result; ended?: Promise<unknown> }>,
  ): Promise<Result> => {
    if (pool.waitingCount >= LONGEST_QUEUE) throw new DatabaseSilentError("too many reads are waiting");
    const client = await pool.connect().catch((error: Error) => {
      throw new DatabaseSilentError(error.message);
    });
    try {
      const { result, ended } = await work(client);
      if (ended === undefined) client.release();
      else
        ended.then(
          () => client.release(),
          () => client.release(true),
        );
      return result;
    } catch (error) {
      // Destroyed, since a query may still be running on it.
      client.release(true);
      throw error;
    }
  };
  /** Reads again while the indexer is in the way, for `timeout` milliseconds in all. */
  const untilFree = async <Result>(read: () => Promise<Result>): Promise<Result> => {
    const deadline = performance.now() + timeout;
    for (;;) {
      try {
        return await read();
      } catch (error) {
        const isPassing = PASSING.has((error as { code?: string }).code ?? "");
        if (isPassing && performance.now() < deadline) continue;
        throw isPassing || isOutage(error) ? new DatabaseSilentError((error as Error).message) : error;
      }
    }
  };
  const reading: typeof withClient = (work) => untilFree(() => withClient(work));

  return {
    transaction: (read) =>
      reading(async (client) => {
        await begin(client, snapshot());
        const result = await read(databaseOf(client));
        return { result, ended: client.query("COMMIT") };
      }),
    statement: (name, query) =>
      reading(async (client) => {
        const { sql: text, params } = dialect.sqlToQuery(query);
        const kept = snapshot();
        if (kept !== null) await begin(client, kept);
        const { rows } = await client.query({ ...small(text), name, values: params });
        return kept === null ? { result: rows } : { result: rows, ended: client.query("COMMIT") };
      }),
  };
}

function isOutage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return OUTAGES.test(error.code ?? "");
  const { syscall } = error as NodeJS.ErrnoException;
  return (
    syscall !== undefined ||
    /^(Query read timeout|Connection terminated|Client has encountered)/.test(error.message)
  );
}

export type Notices = Pick<PostgresParameters, "connectionString" | "schema" | "log"> & {
  /** Throws if this connection's notices are of no use; may end it later, by `fail`. */
  prepare?(client: pg.Client, fail: (error: Error) => void): Promise<void>;
};

/** Milliseconds until the next attempt to listen. */
const LISTEN_AGAIN = 5_000;

/**
 * Calls back, with the connection that heard, whenever Ponder has indexed a block; a standby sends no notices (`replica.ts`).
 * @returns whether notices arrive now
 */
export function listenForBlocks(
  { connectionString, schema, log, prepare }: Notices,
  indexed: (client: pg.Client) => void,
): () => boolean {
  let listening: pg.Client | null = null;
  const listen = async () => {
    const client = postgresClientOf(connectionString, CONNECT_TIMEOUT, {
      application_name: `${schema}_notices`,
    });
    let isOver = false;
    const reconnect = (error?: Error) => {
      // A connection that breaks reports it more than once.
      if (isOver) return;
      isOver = true;
      listening = null;
      log.debug({ msg: POLLED, error });
      client.end().catch(() => {});
      setTimeout(listen, LISTEN_AGAIN).unref();
    };
    client.on("error", reconnect);
    client.once("end", () => reconnect());
    client.on("notification", () => indexed(client));
    try {
      await client.connect();
      await prepare?.(client, reconnect);
      await client.query(`LISTEN ${client.escapeIdentifier(`${schema}_live_query`)}`);
      if (!isOver) listening = client;
    } catch (error) {
      reconnect(error as Error);
    }
  };
  void listen();
  return () => listening !== null;
}
