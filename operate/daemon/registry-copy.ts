/** @module Stores the last good copy of the registry for later starts: in PostgreSQL, for any machine, or in the data directory. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type LastGood, lastGoodFile } from "../../api/registry/copy.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import { postgresClientOf, withClient } from "../../config/postgres-client.ts";
import { serviceKeyOf } from "../../config/schema-name.ts";
import { REGISTRY_COPIES } from "../../config/table-names.ts";
import { dataDirectoryOf } from "./check-database.ts";

/** Milliseconds to connect. */
const TIMEOUT = 10_000;
/** Milliseconds for a query: the copy of 100,000 raises has 40 MB. */
const QUERY_TIMEOUT = 120_000;
/** A role or a standby that can only read: other processes of the service write the copy. */
export const MAY_NOT_WRITE = new Set(["42501", "25006"]);

/** Null for an embedded database in memory, which persists nothing. */
export function lastGoodPathOf(settings: Pick<Settings, "database">): string | null {
  const directory = dataDirectoryOf(settings);
  return directory === null ? null : join(directory, "registry.last-good.json");
}

/** Undefined for an embedded database in memory. */
export function lastGoodOf(settings: Settings, log: Pick<Logger, "debug" | "warn">): LastGood | undefined {
  const path = lastGoodPathOf(settings);
  if (settings.database.kind === "postgres")
    return lastGoodInPostgres(settings.database.connectionString, serviceKeyOf(settings), log);
  return path === null ? undefined : lastGoodFile(path);
}

function lastGoodInPostgres(
  connectionString: string,
  service: number,
  log: Pick<Logger, "debug" | "warn">,
): LastGood {
  const { schema, table } = REGISTRY_COPIES;
  const query = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> => {
    const client = postgresClientOf(connectionString, TIMEOUT, { query_timeout: QUERY_TIMEOUT });
    return (await withClient(client, () => client.query(text, values))).rows;
  };
  const exists = async () => {
    const right = "has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')";
    const [known] = await query(
      `SELECT ${right} AS may_read FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname || '.' || relname = $1`,
      [table],
    );
    if (known?.may_read === false)
      log.warn({ msg: "This role cannot read the last good registry: grant it SELECT", table });
    return known?.may_read === true;
  };
  const read = async () => {
    if (!(await exists())) return null;
    const [row] = await query(`SELECT document FROM ${table} WHERE service = $1`, [service]);
    return row?.document instanceof Uint8Array ? row.document : null;
  };
  /** A large copy is not fetched to compare it. */
  const holds = async (sum: string) => {
    if (!(await exists())) return false;
    const same = `SELECT 1 FROM ${table} WHERE service = $1 AND sha256(document) = decode($2, 'hex')`;
    return (await query(same, [service, sum])).length > 0;
  };
  return {
    read,
    holds,
    async write(content) {
      const bytes = Buffer.concat([...content]);
      try {
        if (await holds(createHash("sha256").update(bytes).digest("hex"))) return;
        // Serialised: readers that start together would collide.
        await query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('${table}'));
          CREATE SCHEMA IF NOT EXISTS ${schema};
          CREATE TABLE IF NOT EXISTS ${table} (service INTEGER PRIMARY KEY, document BYTEA NOT NULL);
          COMMIT`);
        await query(
          `INSERT INTO ${table} VALUES ($1, $2) ON CONFLICT (service) DO UPDATE SET document = excluded.document`,
          [service, bytes],
        );
      } catch (error) {
        if (!MAY_NOT_WRITE.has((error as { code?: string }).code ?? "")) throw error;
        log.debug({ msg: "This role cannot save the registry in use for a restart", error: error as Error });
      }
    },
  };
}
