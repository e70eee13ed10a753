/** @module Clients of PostgreSQL. */
import pg from "pg";

/** Detects a dead peer on an idle connection after minutes instead of hours. */
export const KEPT_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** An unconnected client. @param timeout milliseconds to connect, and for each query; 0: none */
export function postgresClientOf(
  connectionString: string,
  timeout: number,
  options: pg.ClientConfig = {},
): pg.Client {
  const timeouts = { connectionTimeoutMillis: timeout, query_timeout: timeout };
  const client = new pg.Client({ connectionString, ...KEPT_ALIVE, ...timeouts, ...options });
  // A broken connection fails the query that it is used for.
  client.on("error", () => {});
  return client;
}

/** With these, PostgreSQL notices within half a minute that a client's machine is gone, and drops its locks and snapshots. */
const KEEPALIVES = { tcp_keepalives_idle: "10", tcp_keepalives_interval: "5", tcp_keepalives_count: "4" };

/** Connects for long. A client that cannot is ended. */
export async function connectKeptAlive(client: pg.Client): Promise<void> {
  try {
    await client.connect();
    // Not as parameters of the connection: PgBouncer refuses those.
    await client.query("SELECT set_config(key, value, false) FROM json_each_text($1)", [
      JSON.stringify(KEEPALIVES),
    ]);
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

/** Connects the client, and ends it after the work, also if that fails. */
export async function withClient<Result>(
  client: pg.Client,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

type Connection = {
  query(text: string, values?: unknown[]): Promise<{ rows: { exists?: unknown; note?: unknown }[] }>;
};

/** @param table with its schema, escaped */
export async function tableExists(connection: Connection, table: string): Promise<boolean> {
  const { rows } = await connection.query("SELECT to_regclass($1) IS NOT NULL AS exists", [table]);
  return rows[0]?.exists === true;
}

/**
 * A schema's note of a deep reorganisation: the final block below which an endpoint had another chain, with its hash, which earlier
 * versions did not note; null without a note.
 * @param table `DEEP_REORG_TABLE` of the schema, which is empty where another service has started the chain over
 */
export async function readDeepReorg(
  connection: Connection,
  table: string,
): Promise<{ block: number; hash: string | null } | "started over" | null> {
  if (!(await tableExists(connection, table))) return null;
  const { rows } = await connection.query(
    `SELECT to_jsonb(note) AS note FROM ${table} AS note ORDER BY finalized_block DESC LIMIT 1`,
  );
  if (rows[0] === undefined) return "started over";
  const note = rows[0].note as { finalized_block: number; finalized_hash?: string | null };
  return { block: note.finalized_block, hash: note.finalized_hash ?? null };
}
