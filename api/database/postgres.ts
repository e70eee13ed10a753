/**
 * Reads the tables on PostgreSQL over connections of its own. Ponder's readers try for minutes to reach a database that
 * is gone, and wait for ever for one that is silent.
 * @module
 */
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { ReadonlyDrizzle } from "ponder";
import type { Log } from "../../config/log.ts";
import { type Database, DatabaseSilentError } from "./checkpoint.ts";

export type PostgresParameters = {
  connectionString: string;
  /** what the indexer writes to */
  schema: string;
  /** how many reads run at the same time; others wait */
  connections: number;
  /** milliseconds that one query may take */
  timeout: number;
  log: Log;
};

/** Milliseconds until a connection must be there, a free one or a new one. */
const CONNECT_TIMEOUT = 3_000;
/** Reads that may wait for a connection. */
const LONGEST_QUEUE = 200;
/** Error classes that say nothing about the query: connection lost, no resources, stopped by somebody, system error. */
const OUTAGES = /^(08|53|57|58)/;
/** A table is locked: the indexer changes its indexes and triggers. */
const LOCKED = "55P03";

/** Each transaction is of one snapshot and only reads; it throws a `DatabaseSilentError` in time. */
export function connectPostgres(parameters: PostgresParameters): Database {
  const { connectionString, schema, connections, timeout, log } = parameters;
  const pool = new pg.Pool({
    connectionString,
    application_name: `${schema}_api`,
    max: connections,
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    query_timeout: timeout,
    statement_timeout: timeout,
    lock_timeout: 500,
    onConnect: async (client) => {
      // Without a listener a connection that breaks would end the process.
      client.on("error", (error) => log.debug({ msg: "A connection to the database broke", error }));
      await client.query(`SET search_path TO ${client.escapeIdentifier(schema)}`);
    },
  });
  pool.on("error", () => {});

  return {
    async transaction(read) {
      if (pool.waitingCount >= LONGEST_QUEUE) throw new DatabaseSilentError("too many reads wait for it");
      const client = await pool.connect().catch((error: Error) => {
        throw new DatabaseSilentError(error.message);
      });
      try {
        await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
        // Ponder's own reader is of the same kind, over another build of the same library.
        const result = await read(drizzle(client) as unknown as ReadonlyDrizzle);
        await client.query("COMMIT");
        client.release();
        return result;
      } catch (error) {
        // Not given back: a query may still be under way on it.
        client.release(true);
        throw isOutage(error) ? new DatabaseSilentError(error.message) : error;
      }
    },
  };
}

function isOutage(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) return OUTAGES.test(error.code ?? "") || error.code === LOCKED;
  const { syscall } = error as NodeJS.ErrnoException;
  return (
    syscall !== undefined ||
    /^(Query read timeout|Connection terminated|Client has encountered)/.test(error.message)
  );
}
