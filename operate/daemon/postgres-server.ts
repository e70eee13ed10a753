/**
 * Facts about PostgreSQL, the database and the user, in one statement.
 * @module
 */
import type pg from "pg";
import type { Settings } from "../../config/environment.ts";
import { schemaNameOf } from "../../config/schema-name.ts";

export type PostgresServer = {
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

export async function readServer(client: pg.Client, settings: Settings): Promise<PostgresServer> {
  const { rows } = await client.query<PostgresServer>(SERVER, [schemaNameOf(settings)]);
  const [server] = rows;
  if (server === undefined) throw new Error("no answer");
  return server;
}
