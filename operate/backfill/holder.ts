/**
 * Finds out which process uses a schema of PostgreSQL. Ponder marks a schema as in use, with a heartbeat every 10 s, and a killed indexer
 * leaves the mark behind: the next one would wait 25 s for it to expire. So the indexer adds its identity to the mark, and the
 * next one removes the mark if that process is certainly gone: on the same machine, in the same boot and container. Ponder
 * rewrites the mark when it takes a schema, so that a mark never names another process. A mark made under a lease of the tables
 * (`operate/daemon/lease.ts`) means nothing to the one who has the lease now, wherever its process is.
 *
 * The embedded database belongs to one process through its directory's lock (`operate/daemon/data-lock.ts`), and its mark is removed
 * before each start (`operate/daemon/check-database.ts`).
 * @module
 */
import pg from "pg";
import { z } from "zod";
import type { Settings } from "../../config/environment.ts";
import { postgresClientOf, tableExists, withClient } from "../../config/postgres-client.ts";
import { identityOf, isRunning, processSpace } from "../../config/process-identity.ts";
import { serviceKeyOf } from "../../config/schema-name.ts";
import { TENURE_VARIABLE } from "../../config/turn.ts";
import type { Connection, PonderApp } from "./ponder.ts";

/** Milliseconds. Ponder detects and reports any problem of the database. */
const TIMEOUT = 5_000;

const holder = z.object({
  space: z.string(),
  process: z.object({ pid: z.int(), startedAt: z.string().nullable() }),
  /** the token of the lease under which it indexed */
  tenure: z.string().optional(),
});

const marksOf = (schema: string) => `${pg.escapeIdentifier(schema)}._ponder_meta`;

/** Adds this process and its service to the mark of the schema, which Ponder has just taken. */
export async function noteHolder(
  { database: { driver }, namespaceBuild }: PonderApp,
  settings: Settings,
): Promise<void> {
  if (driver.dialect !== "postgres") return;
  const tenure = process.env[TENURE_VARIABLE];
  const self = JSON.stringify({ space: processSpace(), process: identityOf(process.pid), tenure });
  await driver.user.query(
    `UPDATE ${marksOf(namespaceBuild.schema)} SET value = value || jsonb_build_object('holder', $1::jsonb, 'service', $2::int)
    WHERE key = 'app'`,
    [self, serviceKeyOf(settings)],
  );
}

/** Removes the mark if the process that it names is gone. @returns whether it did */
async function releaseSchema(connection: Connection, schema: string): Promise<boolean> {
  const marks = marksOf(schema);
  if (!(await tableExists(connection, marks))) return false;
  const { rows } = await connection.query(
    `SELECT value -> 'holder' AS holder FROM ${marks} WHERE key = 'app'`,
  );
  const { data } = holder.safeParse(rows[0]?.holder);
  if (data === undefined) return false;
  const isOfLease = data.tenure !== undefined && process.env[TENURE_VARIABLE] !== undefined;
  if (!isOfLease && (data.space !== processSpace() || isRunning(data.process))) return false;
  // Only if no process has taken the schema since.
  const { rows: released } = await connection.query(
    `UPDATE ${marks} SET value = jsonb_set(value, '{is_locked}', '0')
    WHERE key = 'app' AND value -> 'holder' = $1 AND value -> 'is_locked' = '1' RETURNING key`,
    [JSON.stringify(data)],
  );
  return released.length > 0;
}

/** The same before Ponder connects. Never rejects. */
export async function releaseBeforeStart(connectionString: string, schema: string): Promise<boolean> {
  const client = postgresClientOf(connectionString, TIMEOUT);
  return withClient(client, () => releaseSchema(client, schema)).catch(() => false);
}
