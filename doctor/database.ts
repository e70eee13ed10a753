/**
 * The database: what PostgreSQL allows this user and has room for, or who uses the directory of the embedded one.
 * @module
 */
import { existsSync, mkdirSync, rmdirSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type pg from "pg";
import type { Settings } from "../config/environment.ts";
import { DEEP_REORG_TABLE, schemaNameOf } from "../config/schema-name.ts";
import { isLoopbackHost } from "../config/values.ts";
import { checkChainIdentity } from "../daemon/chain-identity.ts";
import type { ChainNode } from "../daemon/check-chain.ts";
import { checkDatabase, clientOf, dataDirectoryOf } from "../daemon/check-database.ts";
import { findHolder } from "../daemon/data-lock.ts";
import { createNotes, type Notes } from "./notes.ts";

/** The oldest that Ponder supports. */
const OLDEST = 14;
/** Connections of an indexer and one reader: Ponder's pool of 30, 12 of the reader, and those that come and go. */
const CONNECTIONS = 45;
/** Milliseconds under which the bulk of a first indexing is cut off. */
const SHORT_STATEMENT = 60_000;
/** Seconds of a standby. */
const MOST_LAG = 10;
/** Milliseconds for a notice. */
const NOTICE = 3_000;
const LEAST_DISK = 2 ** 30;

type Parameters = {
  readonly timeout: number;
  readonly node: ChainNode | null;
  /** whether the service answers on this machine */
  readonly isRunning: boolean;
};

export async function examineDatabase(
  settings: Settings,
  { timeout, node, isRunning }: Parameters,
): Promise<Notes> {
  const notes = createNotes("database");
  if (settings.database.kind === "pglite") {
    await examineDirectory(settings, { node, isRunning }, notes);
    return notes;
  }
  const problems = await checkDatabase(settings, timeout);
  notes.take({ problems });
  if (problems.length > 0) return notes;
  const client = clientOf(settings.database.connectionString, timeout);
  try {
    await client.connect();
    const server = await readServer(client, settings);
    judgeServer(server, notes);
    if (!server.standby) await examineNotices(client, notes);
    await examineSchemas(client, settings, notes);
    await examineDisk(client, notes);
  } catch (error) {
    const what = `could not be examined to the end (${(error as Error).message})`;
    notes.warn("DATABASE_URL", what, "Look into the log of PostgreSQL.");
  } finally {
    await client.end().catch(() => {});
  }
  return notes;
}

type Server = {
  version: string;
  major: number;
  role: string;
  database: string;
  creates: boolean;
  standby: boolean;
  /** seconds; null: nothing was replayed, or it is no standby */
  lag: number | null;
  /** bytes */
  size: number;
  encoding: string;
  readOnly: boolean;
  /** milliseconds; 0: unlimited */
  statementTimeout: number;
  /** connections that this user may still open beside those of this service */
  free: number;
};

const SERVER = `WITH setting AS (SELECT name, setting FROM pg_settings), own AS (
    SELECT count(*) FILTER (WHERE usesysid = r.oid) AS of_role, count(*) FILTER (WHERE datname = current_database()) AS of_database,
      count(*) AS of_all
    FROM pg_stat_activity, (SELECT oid FROM pg_roles WHERE rolname = current_user) r
    WHERE backend_type = 'client backend' AND NOT (application_name = 'ponder_sync' OR left(application_name, length($1) + 1) = $1 || '_')
      AND pid <> pg_backend_pid()
  )
  SELECT (SELECT setting FROM setting WHERE name = 'server_version') AS version,
    (SELECT setting::int / 10000 FROM setting WHERE name = 'server_version_num') AS major,
    current_user AS role, current_database() AS database,
    has_database_privilege(current_database(), 'CREATE') AS creates,
    pg_is_in_recovery() AS standby,
    extract(epoch FROM now() - pg_last_xact_replay_timestamp())::float8 AS lag,
    pg_database_size(current_database())::float8 AS size,
    (SELECT setting FROM setting WHERE name = 'server_encoding') AS encoding,
    (SELECT setting = 'on' FROM setting WHERE name = 'default_transaction_read_only') AS "readOnly",
    (SELECT setting::int FROM setting WHERE name = 'statement_timeout') AS "statementTimeout",
    (SELECT least(
        (SELECT setting::int FROM setting WHERE name = 'max_connections')
          - (SELECT setting::int FROM setting WHERE name = 'superuser_reserved_connections') - of_all,
        (SELECT CASE WHEN rolconnlimit >= 0 THEN rolconnlimit - of_role END FROM pg_roles WHERE rolname = current_user),
        (SELECT CASE WHEN datconnlimit >= 0 THEN datconnlimit - of_database END FROM pg_database WHERE datname = current_database())
      ) FROM own)::int AS free`;

async function readServer(client: pg.Client, settings: Settings): Promise<Server> {
  const { rows } = await client.query<Server>(SERVER, [schemaNameOf(settings)]);
  const [server] = rows;
  if (server === undefined) throw new Error("no answer");
  return server;
}

function judgeServer(server: Server, notes: Notes): void {
  const { version, major, role, database, standby, lag, size, statementTimeout, free } = server;
  notes.fact(`PostgreSQL ${version}`, { sizeMb: Math.round(size / 1e6), freeConnections: free, standby });
  const on = (what: string, remedy: string) => notes.problem("DATABASE_URL", what, remedy);
  if (major < OLDEST)
    on(
      `is PostgreSQL ${version}; ${OLDEST} or newer is needed`,
      `Upgrade the server to PostgreSQL ${OLDEST} or newer.`,
    );
  if (server.encoding !== "UTF8") {
    const what = `is a database with the encoding ${server.encoding}: names with other letters cannot be stored`;
    on(what, "Create it anew: createdb --encoding=UTF8 --template=template0.");
  }
  if (standby) {
    const what =
      "is a standby, which cannot be written: readers (raisebook serve) can use it, the indexer cannot";
    notes.warn("DATABASE_URL", what, "Name the primary for raisebook start.");
    if (lag !== null && lag > MOST_LAG) {
      const late = `is a standby that is ${Math.round(lag)} s behind its primary`;
      notes.warn(
        "DATABASE_URL",
        late,
        "Look at pg_stat_replication of the primary, and at the network between them.",
      );
    }
    return;
  }
  if (server.readOnly) {
    const remedy = `ALTER ROLE "${role}" SET default_transaction_read_only = off;`;
    on("opens its transactions read-only", remedy);
  }
  if (!server.creates) {
    const remedy = `GRANT CREATE ON DATABASE "${database}" TO "${role}";`;
    on(`does not let the user ${role} create schemas, of which each release makes one`, remedy);
  }
  if (statementTimeout > 0 && statementTimeout < SHORT_STATEMENT) {
    const what = `ends statements after ${statementTimeout} ms: the first indexing writes in longer ones`;
    notes.warn("DATABASE_URL", what, `ALTER ROLE "${role}" SET statement_timeout = 0;`);
  }
  if (free < CONNECTIONS) {
    const what = `has ${Math.max(0, free)} connections left for this user; an indexer and a reader use up to ${CONNECTIONS}`;
    notes.warn(
      "DATABASE_URL",
      what,
      "Raise max_connections of the server, or the CONNECTION LIMIT of the user or the database.",
    );
  }
}

/** Whether notices come through, by which readers learn of a block at once. */
async function examineNotices(client: pg.Client, notes: Notes): Promise<void> {
  const channel = `raisebook_doctor_${process.pid}`;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), NOTICE);
  client.on("notification", () => resolve(true));
  await client.query(`LISTEN ${channel}`);
  await client.query(`NOTIFY ${channel}`);
  const arrives = await promise;
  clearTimeout(timer);
  await client.query(`UNLISTEN ${channel}`);
  if (arrives) return;
  const remedy =
    "Connect to PostgreSQL itself, or set pool_mode=session in the pooler (PgBouncer) before it.";
  notes.warn(
    "DATABASE_URL",
    "lets no notices through (LISTEN, NOTIFY): readers learn of blocks late",
    remedy,
  );
}

/** Schemas that are there, and are not ours to fill. */
async function examineSchemas(client: pg.Client, settings: Settings, notes: Notes): Promise<void> {
  const schema = schemaNameOf(settings);
  const { rows } = await client.query<{ name: string; owner: string; usable: boolean }>(
    `SELECT nspname AS name, pg_get_userbyid(nspowner) AS owner,
      has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE') AS usable
    FROM pg_namespace WHERE nspname = ANY ($1)`,
    [[schema, "ponder_sync"]],
  );
  for (const { name, owner } of rows.filter(({ usable }) => !usable)) {
    const what = `has the schema ${name} of the user ${owner}, in which this user may not write`;
    notes.problem(
      "DATABASE_URL",
      what,
      `Connect as ${owner}, or drop the schema as ${owner} if nobody needs it.`,
    );
  }
  const mark = `${client.escapeIdentifier(schema)}.${DEEP_REORG_TABLE}`;
  const marked = await client.query<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [
    mark,
  ]);
  notes.fact("tables", { schema, exists: rows.some(({ name }) => name === schema) });
  if (marked.rows[0]?.there !== true) return;
  const what = `has tables (${schema}) of blocks that a deep reorganisation has taken back`;
  notes.problem("DATABASE_URL", what, "Have everything read again: raisebook db prune --start-over.");
}

/** Of a server on this machine that tells where its data are. */
async function examineDisk(client: pg.Client, notes: Notes): Promise<void> {
  if (!(client.host.startsWith("/") || isLoopbackHost(client.host))) return;
  const shown = await client.query<{ data_directory: string }>("SHOW data_directory").catch(() => null);
  const directory = shown?.rows[0]?.data_directory;
  if (directory !== undefined) judgeDisk("DATABASE_URL", directory, notes);
}

function judgeDisk(variable: "DATABASE_URL" | "RAISEBOOK_DATA_DIR", directory: string, notes: Notes): void {
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(directory);
    free = bavail * bsize;
  } catch {
    return;
  }
  const mb = Math.round(free / 1e6);
  notes.fact(directory, { freeDiskMb: mb });
  if (free >= LEAST_DISK) return;
  notes.warn(
    variable,
    `is on a disk with ${mb} MB left (${directory})`,
    "Make room there, or move it to a larger disk.",
  );
}

async function examineDirectory(
  settings: Settings,
  { node, isRunning }: Pick<Parameters, "node" | "isRunning">,
  notes: Notes,
): Promise<void> {
  const directory = dataDirectoryOf(settings);
  if (directory === null) return;
  const usedBy = /process \d+/.exec(findHolder(directory) ?? "")?.[0] ?? null;
  notes.fact(directory, { exists: existsSync(directory), usedBy });
  if (usedBy !== null && !isRunning) {
    const what = `is in use by ${usedBy} (${directory}), though nothing answers on PORT`;
    notes.warn("RAISEBOOK_DATA_DIR", what, `Set PORT to that of the service, or stop that ${usedBy}.`);
  }
  const reason = whyNotWritable(directory);
  if (reason !== null) {
    const remedy = "Give this user the right to write there, or name another directory.";
    notes.problem("RAISEBOOK_DATA_DIR", `cannot be written: ${reason}`, remedy);
    return;
  }
  judgeDisk("RAISEBOOK_DATA_DIR", existing(directory), notes);
  if (node !== null) notes.take({ problems: await checkChainIdentity(settings, node) });
}

function existing(path: string): string {
  return existsSync(path) ? path : existing(dirname(resolve(path)));
}

/** By making a folder in the nearest directory that is there, and removing it: rights do not tell of a read-only disk. */
function whyNotWritable(directory: string): string | null {
  const place = existing(directory);
  try {
    if (!statSync(place).isDirectory()) return `${place} is no directory`;
    const trial = `${resolve(place)}/.raisebook-doctor-${process.pid}`;
    mkdirSync(trial);
    rmdirSync(trial);
    return null;
  } catch (error) {
    return `${place} (${(error as NodeJS.ErrnoException).code})`;
  }
}
