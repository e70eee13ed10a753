/**
 * Old schemas in PostgreSQL: each change of the code or the contracts indexes into a fresh one and leaves the last behind.
 * Ponder's own prune drops every schema without a running process, even the current one and those of other applications.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { z } from "zod";
import type { Settings } from "../../config/environment.ts";
import type { Log } from "../../config/log.ts";
import {
  DEEP_REORG_TABLE,
  FAST_FORWARD_TABLE,
  IMPORTS,
  ORPHANS_TABLE,
  schemaNameOf,
  serviceKeyOf,
} from "../../config/schema-name.ts";

/** Names made by `schemaNameOf`. A schema named by an operator (DATABASE_SCHEMA) is never dropped. */
const GENERATED_NAME = "^raisebook_[0-9a-f]{10}$";
/** Tables of every version of the indexer. */
const OUR_TABLES = ["listing", "ledger"];
/** Milliseconds after which Ponder takes over the schema of a silent process. */
const HEARTBEAT_TIMEOUT = 25_000;

export type IndexSchema = {
  readonly name: string;
  /** Such as "84 MB". */
  readonly size: string;
  readonly lastActive: Date;
  /** `serviceKeyOf` the settings that it was filled with; undefined for an earlier version's. */
  readonly service: number | undefined;
  /** Null when it can be dropped. */
  readonly keptBecause: string | null;
};

const ponderApp = z.object({
  table_names: z.array(z.string()),
  is_locked: z.int(),
  heartbeat_at: z.number(),
  service: z.int().optional(),
});
type PonderApp = z.infer<typeof ponderApp>;

/** The schemas that are certainly this indexer's, by name. */
export async function findSchemas(client: pg.Client, current: string): Promise<IndexSchema[]> {
  const { rows } = await client.query<{ name: string; size: string }>(
    `SELECT nspname AS name, pg_size_pretty((
       SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE c.relnamespace = n.oid AND c.relkind = 'r'
     )) AS size
     FROM pg_namespace n WHERE nspname ~ $1 AND EXISTS (
       SELECT FROM pg_class c WHERE c.relnamespace = n.oid AND c.relname = '_ponder_meta' AND c.relkind = 'r'
     ) ORDER BY nspname`,
    [GENERATED_NAME],
  );
  const schemas: IndexSchema[] = [];
  for (const { name, size } of rows) {
    const app = await readApp(client, name);
    if (app === null) continue;
    const keptBecause = name === current ? "the current one" : await reasonToKeep(client, name, app);
    schemas.push({
      ...{ name, size, keptBecause },
      ...{ lastActive: new Date(app.heartbeat_at), service: app.service },
    });
  }
  return schemas;
}

/** A line for each below a title; nothing without any. */
export function describeSchemas(title: string, schemas: readonly IndexSchema[]): string {
  const lines = schemas.map(({ name, size, lastActive, keptBecause }) => {
    const active = `last active ${lastActive.toISOString().slice(0, 16).replace("T", " ")} UTC`;
    return `  ${name}  ${size.padStart(8)}  ${keptBecause ?? active}\n`;
  });
  return lines.length === 0 ? "" : `${title}:\n${lines.join("")}`;
}

/** Whether an indexer has ever begun to fill it. */
export async function schemaExists(client: pg.Client, name: string): Promise<boolean> {
  const table = `${client.escapeIdentifier(name)}._ponder_meta`;
  const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS exists", [table]);
  return rows[0]?.exists === true;
}

/** Drops a schema, or returns the reason to keep it. */
export async function dropSchema(client: pg.Client, name: string): Promise<string | null> {
  await client.query("BEGIN");
  try {
    await client.query("SET LOCAL lock_timeout = '10s'");
    // An indexer that starts now waits for this table, and then finds no schema.
    await client.query(`LOCK TABLE ${client.escapeIdentifier(name)}._ponder_meta IN ACCESS EXCLUSIVE MODE`);
    const app = await readApp(client, name);
    const reason =
      app === null ? "no longer a schema of this indexer" : await reasonToKeep(client, name, app);
    if (reason === null) await client.query(`DROP SCHEMA ${client.escapeIdentifier(name)} CASCADE`);
    await client.query("COMMIT");
    return reason;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  }
}

/** Milliseconds between two checks for schemas to drop. */
const SELDOM = 600_000;
const OFTEN = 1_000;

/** Drops what the service has left behind and nobody has used for `dropSchemasAfter`, and looks again until the signal. */
export async function dropUnused(settings: Settings, log: Log, signal: AbortSignal): Promise<void> {
  const { database, dropSchemasAfter } = settings;
  if (database.kind !== "postgres" || dropSchemasAfter === null) return;
  const grace = dropSchemasAfter * 1_000;
  const service = serviceKeyOf(settings);
  const dropThem = async (client: pg.Client) => {
    for (const { name, size, ...schema } of await findSchemas(client, schemaNameOf(settings))) {
      if (schema.keptBecause !== null || schema.service !== service) continue;
      if (Date.now() - schema.lastActive.getTime() < grace) continue;
      if ((await dropSchema(client, name)) === null)
        log.info({ msg: "Dropped an old schema", schema: name, size });
    }
  };
  while (!signal.aborted) {
    const client = prunerOf(database.connectionString);
    try {
      await client.connect();
      await dropThem(client);
    } catch (error) {
      log.debug({ msg: "Old schemas cannot be dropped now", error: error as Error });
    } finally {
      await client.end().catch(() => {});
    }
    await sleep(Math.min(SELDOM, Math.max(OFTEN, grace)), undefined, { signal }).catch(() => {});
  }
}

export function prunerOf(connectionString: string): pg.Client {
  const application_name = "raisebook_prune";
  const client = new pg.Client({ connectionString, application_name, connectionTimeoutMillis: 10_000 });
  // A broken connection fails the query that it is used for.
  client.on("error", () => {});
  return client;
}

/**
 * Ponder's cache of a chain's blocks and logs, of which some may be of blocks that are gone. Its tables differ by version. It is also
 * where schemas that are kept have the announced contracts from: no new one may be folded from them, and they may not be gone on with.
 */
export async function clearCache(client: pg.Client, chainId: number): Promise<void> {
  const tables = await namesOf(client, CACHE_TABLES, []);
  for (const table of tables) await client.query(`DELETE FROM ${table} WHERE chain_id = $1`, [chainId]);
  for (const schema of await namesOf(client, FAST_FORWARDED, [FAST_FORWARD_TABLE])) {
    const { rowCount } = await client.query(
      `UPDATE ${schema}.${FAST_FORWARD_TABLE} SET ledger_key = NULL FROM ${schema}._ponder_checkpoint WHERE chain_id = $1`,
      [chainId],
    );
    if (rowCount === 0) continue;
    await client.query(`CREATE TABLE IF NOT EXISTS ${schema}.${DEEP_REORG_TABLE} (finalized_block BIGINT)`);
  }
}

/** Ledger files that were imported: nothing may be folded from them any more. */
export async function clearImports(client: pg.Client): Promise<void> {
  await client.query(`DROP SCHEMA IF EXISTS ${IMPORTS.schema} CASCADE`);
}

/** Ponder's record of the application that fills a schema; null for another application. */
async function readApp(client: pg.Client, name: string): Promise<PonderApp | null> {
  const { rows } = await client.query<{ value: unknown }>(
    `SELECT value FROM ${client.escapeIdentifier(name)}._ponder_meta WHERE key = 'app'`,
  );
  const app = ponderApp.safeParse(rows[0]?.value).data;
  return app !== undefined && OUR_TABLES.every((table) => app.table_names.includes(table)) ? app : null;
}

async function reasonToKeep(client: pg.Client, name: string, app: PonderApp): Promise<string | null> {
  if (app.is_locked === 1 && app.heartbeat_at + HEARTBEAT_TIMEOUT > Date.now()) return "in use by an indexer";
  if ((await namesOf(client, CONNECTIONS, [name])).length > 0) return "in use: there are connections to it";
  const tables = app.table_names.flatMap((table) => [table, `_reorg__${table}`]);
  const otherTables = await namesOf(client, OTHER_TABLES, [
    name,
    [...tables, "_ponder_meta", "_ponder_checkpoint", FAST_FORWARD_TABLE, DEEP_REORG_TABLE, ORPHANS_TABLE],
  ]);
  if (otherTables.length > 0) return `it contains other tables too: ${otherTables.join(", ")}`;
  const dependents = await namesOf(client, DEPENDENTS, [name]);
  return dependents.length > 0 ? `something outside depends on it: ${dependents.join(", ")}` : null;
}

/** Connections are named after the schema, Ponder's and the readers' alike; readers send no heartbeat. */
const CONNECTIONS = `SELECT application_name AS name FROM pg_stat_activity
  WHERE left(application_name, length($1) + 1) = $1 || '_' AND datname = current_database()`;
const OTHER_TABLES = `SELECT relname AS name FROM pg_class
  WHERE relnamespace = $1::regnamespace AND relkind IN ('r', 'p', 'f', 'm') AND relname <> ALL ($2)`;
const CACHE_TABLES = `SELECT attrelid::regclass::text AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
  JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'ponder_sync' AND relkind = 'r' AND attname = 'chain_id'`;
const FAST_FORWARDED = `SELECT relnamespace::regnamespace::text AS name FROM pg_class WHERE relname = $1 AND relkind = 'r'`;
/** Views and foreign keys that CASCADE would drop too. */
const DEPENDENTS = `SELECT DISTINCT v.oid::regclass::text AS name FROM pg_depend d
    JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
    JOIN pg_class v ON v.oid = r.ev_class
    JOIN pg_class t ON d.refclassid = 'pg_class'::regclass AND t.oid = d.refobjid
  WHERE t.relnamespace = $1::regnamespace AND v.relnamespace <> $1::regnamespace
  UNION SELECT f.conrelid::regclass::text FROM pg_constraint f JOIN pg_class t ON t.oid = f.confrelid
  WHERE t.relnamespace = $1::regnamespace AND f.connamespace <> $1::regnamespace`;

async function namesOf(client: pg.Client, query: string, values: unknown[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(query, values);
  return rows.map(({ name }) => name);
}
