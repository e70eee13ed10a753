/**
 * Checks what PostgreSQL, and a pooler in front of it, permit this user: anything that would prevent a start or cause a failure
 * later. Used before a start and by the doctor.
 * @module
 */
import type pg from "pg";
import { type InstanceRow, instancesIn, instancesQuery } from "../../api/health/instances.ts";
import type { Settings } from "../../config/environment.ts";
import { LEASES } from "../../config/fence.ts";
import { postgresClientOf, readDeepReorg, tableExists } from "../../config/postgres-client.ts";
import { schemaNameOf } from "../../config/schema-name.ts";
import { DEEP_REORG_TABLE } from "../../config/table-names.ts";
import { isLoopbackHost } from "../../config/values.ts";
import { checkDatabase, checkDisk } from "./check-database.ts";
import { checkNotices, checkSessions } from "./check-notices.ts";
import { createFindings, type Findings, type PostgresCheck } from "./postgres-findings.ts";

/** The oldest version that Ponder supports. */
const OLDEST = 14;
/** Connections of an indexer (32) and one reader (20), as `docs/operations/deploying.md` counts them. */
const CONNECTIONS = 52;
/** Milliseconds; a shorter statement timeout interrupts the bulk writes of a backfill. */
const SHORT_STATEMENT = 60_000;
/** Maximum lag of a standby, in seconds. */
const MOST_LAG = 10;

type Options = {
  /** Milliseconds to connect, and for each answer. */
  readonly timeout: number;
  /** Whether a standby only causes a warning: readers can use one, the indexer cannot. */
  readonly mayBeStandby?: boolean;
};

/** Changes nothing. Returns nothing for the embedded database. */
export async function checkPostgres(
  settings: Settings,
  { timeout, mayBeStandby = false }: Options,
): Promise<PostgresCheck> {
  const findings = createFindings("DATABASE_URL");
  const { found } = findings;
  if (settings.database.kind !== "postgres") return found;
  found.problems.push(...(await checkDatabase(settings, timeout)));
  if (found.problems.length > 0) return found;
  const { connectionString, noticesUrl } = settings.database;
  const [client, other] = [
    postgresClientOf(connectionString, timeout),
    postgresClientOf(connectionString, timeout),
  ];
  try {
    await Promise.all([client.connect(), other.connect()]);
    const server = await readServer(client, settings);
    judgeServer(server, mayBeStandby, findings);
    await checkSessions(client, other, server, findings);
    await checkNotices(client, server, { noticesUrl, timeout }, findings);
    await checkSchemas(client, settings, findings);
    await noteInstances(client, settings, findings);
    await checkServerDisk(client, findings);
  } catch (error) {
    const what = `could not be checked completely (${(error as Error).message})`;
    findings.warn(what, "Look into the log of PostgreSQL.");
  } finally {
    await Promise.allSettled([client.end(), other.end()]);
  }
  return found;
}

function judgeServer(server: PostgresServer, mayBeStandby: boolean, { fact, problem, warn }: Findings): void {
  const { version, major, role, database, standby, lag, size, statementTimeout, free } = server;
  fact(`PostgreSQL ${version}`, { sizeMb: Math.round(size / 1e6), freeConnections: free, standby });
  if (major < OLDEST) {
    const remedy = `Upgrade the server to PostgreSQL ${OLDEST} or newer.`;
    problem(`is PostgreSQL ${version}; ${OLDEST} or newer is needed`, remedy);
  }
  if (server.encoding !== "UTF8") {
    const what = `is a database with the encoding ${server.encoding}: names with other letters cannot be stored`;
    problem(what, "Create it again: createdb --encoding=UTF8 --template=template0.");
  }
  if (standby) {
    const what =
      "is a standby, which cannot be written: readers (raisebook serve) can use it, the indexer cannot";
    (mayBeStandby ? warn : problem)(what, "Name the primary for raisebook start.");
    if (lag !== null && lag > MOST_LAG) {
      const late = `is a standby that is ${Math.round(lag)} s behind its primary`;
      warn(late, "Look at pg_stat_replication of the primary, and at the network between them.");
    }
    return;
  }
  if (server.readOnly) {
    const remedy = `ALTER ROLE "${role}" SET default_transaction_read_only = off;`;
    problem("opens its transactions read-only", remedy);
  }
  if (!server.creates) {
    const remedy = `GRANT CREATE ON DATABASE "${database}" TO "${role}";`;
    problem(`does not let the user ${role} create schemas, of which each release makes one`, remedy);
  }
  if (statementTimeout > 0 && statementTimeout < SHORT_STATEMENT) {
    const what = `ends statements after ${statementTimeout} ms: the first indexing writes in longer ones`;
    warn(what, `ALTER ROLE "${role}" SET statement_timeout = 0;`);
  }
  if (free < CONNECTIONS) {
    const what = `has ${Math.max(0, free)} connections left for this user; an indexer and a reader use up to ${CONNECTIONS}`;
    const remedy =
      "Raise max_connections of the server, or the CONNECTION LIMIT of the user or the database.";
    warn(what, remedy);
  }
}

/** Existing schemas to which this user may not write, or which must not be resumed. */
async function checkSchemas(
  client: pg.Client,
  settings: Settings,
  { fact, warn, problem }: Findings,
): Promise<void> {
  const schema = schemaNameOf(settings);
  const { rows } = await client.query<{ name: string; owner: string; usable: boolean }>(
    `SELECT nspname AS name, pg_get_userbyid(nspowner) AS owner,
      has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE') AS usable
    FROM pg_namespace WHERE nspname = ANY ($1)`,
    [[schema, "ponder_sync"]],
  );
  for (const { name, owner } of rows.filter(({ usable }) => !usable)) {
    const what = `has the schema ${name} of the user ${owner}, in which this user may not write`;
    problem(what, `Connect as ${owner}, or drop the schema as ${owner} if it is not needed.`);
  }
  const mark = `${client.escapeIdentifier(schema)}.${DEEP_REORG_TABLE}`;
  const own = rows.find(({ name }) => name === schema);
  fact("tables", { schema, exists: own !== undefined });
  if (own?.usable !== true) return;
  const note = await readDeepReorg(client, mark);
  if (note === null) return;
  if (note === "started over" || note.hash === null) {
    const what = `has tables (${schema}) of blocks that a deep reorganisation has taken back`;
    return problem(what, "Have everything read again: raisebook db prune --start-over.");
  }
  // The indexer asks the endpoints.
  const what = `has a note in ${schema}: an endpoint had another chain below the final block ${note.block}`;
  const remedy =
    "Remove an endpoint of another chain from RPC_URLS. If they all have it: raisebook db prune --start-over.";
  warn(what, remedy);
}

/** Which start indexes into the tables, and how many stand by. */
async function noteInstances(client: pg.Client, settings: Settings, { fact }: Findings): Promise<void> {
  if (!(await tableExists(client, LEASES.lease))) return;
  const { rows } = await client.query<InstanceRow>(instancesQuery(schemaNameOf(settings)));
  const { indexing, standby } = instancesIn(rows);
  fact("starts", { indexing: indexing?.id ?? "none", standby: standby.length });
}

/** Only for a server on this machine, and a user permitted to ask for its data directory. */
async function checkServerDisk(client: pg.Client, { fact, warn }: Findings): Promise<void> {
  if (!(client.host.startsWith("/") || isLoopbackHost(client.host))) return;
  const shown = await client.query<{ data_directory: string }>("SHOW data_directory").catch(() => null);
  const directory = shown?.rows[0]?.data_directory;
  if (directory === undefined) return;
  const { freeMb, warning } = checkDisk(directory);
  if (freeMb !== null) fact(directory, { freeDiskMb: freeMb });
  if (warning !== null) warn(warning, "Make room there, or move it to a larger disk.");
}

type PostgresServer = {
  version: string;
  major: number;
  role: string;
  database: string;
  creates: boolean;
  standby: boolean;
  /** seconds; null if nothing was replayed or it is not a standby */
  lag: number | null;
  /** bytes */
  size: number;
  encoding: string;
  readOnly: boolean;
  /** milliseconds; 0: unlimited */
  statementTimeout: number;
  /** further connections allowed to this user, not counting those of this service */
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

async function readServer(client: pg.Client, settings: Settings): Promise<PostgresServer> {
  const { rows } = await client.query<PostgresServer>(SERVER, [schemaNameOf(settings)]);
  const [server] = rows;
  if (server === undefined) throw new Error("no answer");
  return server;
}
