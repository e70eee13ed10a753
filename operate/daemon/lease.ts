/**
 * Decides which of several `npm start` over the same tables in PostgreSQL indexes. One has a lease on them and renews it every second;
 * the others stand by, and one of them takes the tables when the lease is handed over or no longer renewed. Open transactions of
 * the last holder are then rolled back, and it can write nothing more (`config/fence.ts`).
 *
 * A waiting start measures the silence by its own clock and only while its own connection works: no clocks are compared, and an outage
 * of the database does not count as a silent holder.
 * @module
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { fenceKey, fenceTables, LEASES } from "../../config/fence.ts";
import type { Logger } from "../../config/log.ts";
import { postgresClientOf, tableExists } from "../../config/postgres-client.ts";
import { SettingsError } from "../../config/problems.ts";
import { identityOf, isRunning, processSpace } from "../../config/process-identity.ts";
import { REGISTRY_REVISIONS } from "../../config/table-names.ts";
import { requireSameSettings, type SharedSettings } from "./shared-settings.ts";

/** Milliseconds between renewals. */
const RENEW_EVERY = 1_000;
/** Milliseconds between looks at another's lease. */
const LOOK_EVERY = 250;
/** Milliseconds without a renewal after which its holder counts as gone: frozen, or cut off from the database. */
const SILENCE = 4_000;
/** The same where its connection has ended too, as when it was killed: a live one comes back within a second. */
const SILENCE_WITHOUT_CONNECTION = 2_000;
/** Milliseconds between two looks above which the measurement starts again: the waiting start may have been frozen itself. */
const LONGEST_GAP = 2_000;
/** Milliseconds to connect, and for a query: on a busy machine both take a while, and a new attempt takes longer. */
const TIMEOUT = 10_000;
/** Milliseconds to wait for a transaction of the last holder before looking again. */
const LOCK_TIMEOUT = 2_000;
/** Milliseconds for the last holder's open transactions to be rolled back. */
const END_TIMEOUT = 5_000;

export type LeaseParameters = {
  readonly connectionString: string;
  readonly schema: string;
  /** `serviceKeyOf` the settings */
  readonly service: number;
  /** names this start in public: random */
  readonly instance: string;
  readonly shared: SharedSettings;
  readonly log: Pick<Logger, "info" | "warn" | "debug">;
  /** Aborts on a request to stop. */
  readonly signal: AbortSignal;
  /** Called once when another start has the tables. */
  onStandby?(): void;
};

export type Tenure = {
  readonly token: string;
  /** Aborts when another start has taken the tables. */
  readonly lost: AbortSignal;
  /** Looks whether they are still ours; `lost` has the outcome. Never rejects. */
  confirm(): Promise<void>;
  /** Hands the tables to a start that stands by. Never rejects. */
  release(): Promise<void>;
};

type Lease = {
  tenure: string | null;
  beat: string;
  shared: SharedSettings;
  machine: { space: string; process: ReturnType<typeof identityOf> };
  isConnected: boolean;
};

/** Pids mean nothing elsewhere. The variable lets tests have two machines. */
const space = () => process.env.RAISEBOOK_MACHINE ?? processSpace();

/**
 * Waits until no other start has the tables, and takes them.
 * @returns null after the signal
 * @throws {SettingsError} if the start that has them has different settings
 */
export async function takeTables(parameters: LeaseParameters): Promise<Tenure | null> {
  const { schema, service, shared, log, signal, onStandby } = parameters;
  const holder = watchHolder();
  let client: pg.Client | null = null;
  let isStandby = false;
  let isSilent = false;
  while (!signal.aborted) {
    try {
      client ??= await connect(parameters);
      const lease = await read(client, schema);
      isSilent = false;
      const isFree = lease === null || lease.tenure === null;
      const { silentFor, isAlive } = holder.look(lease);
      if (isFree || isGone(lease, silentFor)) {
        const token = await take(client, parameters, lease);
        if (token !== null) {
          if (isStandby || !isFree) log.info({ msg: "This start now indexes", schema });
          return hold(client, parameters, token);
        }
      } else if (isStandby || isAlive) {
        // The settings of one that is gone do not matter.
        if (!isStandby) {
          requireSameSettings(shared, { ...lease.shared, ...(await registryInUse(client, service)) });
          log.info({ msg: "Another start indexes into these tables: this one stands by", schema });
          onStandby?.();
        }
        isStandby = true;
        await announce(client, parameters);
      }
    } catch (error) {
      if (error instanceof SettingsError) throw error;
      if (!isSilent)
        log.warn({ msg: "The database does not say which start indexes", error: error as Error });
      isSilent = true;
      client?.end().catch(() => {});
      client = null;
      holder.forget();
    }
    await sleep(LOOK_EVERY, undefined, { signal }).catch(() => {});
  }
  await client?.query(FORGET, [schema, parameters.instance]).catch(() => {});
  client?.end().catch(() => {});
  return null;
}

/** Measures for how many milliseconds a lease has been seen as it is, and whether its holder has renewed it since another look. */
function watchHolder() {
  let seen: Pick<Lease, "tenure" | "beat"> | null = null;
  let [since, lookedAt] = [0, 0];
  return {
    look(lease: Lease | null): { silentFor: number; isAlive: boolean } {
      const at = performance.now();
      const isAlive = lease !== null && lease.tenure === seen?.tenure && lease.beat !== seen.beat;
      if (isAlive || lease?.tenure !== seen?.tenure || at - lookedAt > LONGEST_GAP) since = at;
      [seen, lookedAt] = [lease, at];
      return { silentFor: at - since, isAlive };
    },
    forget() {
      seen = null;
    },
  };
}

function isGone({ machine, isConnected }: Lease, silentFor: number): boolean {
  if (machine.space === space() && !isRunning(machine.process)) return true;
  return silentFor >= (isConnected ? SILENCE : SILENCE_WITHOUT_CONNECTION);
}

async function connect({ connectionString, schema }: LeaseParameters): Promise<pg.Client> {
  const client = postgresClientOf(connectionString, TIMEOUT, { application_name: connectionName(schema) });
  try {
    await client.connect();
    // A renewal that is lost is made again.
    await client.query("SET synchronous_commit = off");
    if (!(await tableExists(client, LEASES.standby))) await client.query(TABLES);
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

const connectionName = (schema: string) => `${schema}_lease`;
/** Ponder's connections that write. */
const WRITERS = ["internal", "user", "sync"];

// Serialised: starts at once would collide. Free space keeps a row that changes every second in its place.
const TABLES = `BEGIN; SELECT pg_advisory_xact_lock(hashtext('${LEASES.schema}'));
  CREATE SCHEMA IF NOT EXISTS ${LEASES.schema};
  CREATE TABLE IF NOT EXISTS ${LEASES.lease} (tables TEXT PRIMARY KEY, tenure TEXT, instance TEXT NOT NULL, since TIMESTAMPTZ NOT NULL,
    beat BIGINT NOT NULL, renewed_at TIMESTAMPTZ NOT NULL, backend INTEGER NOT NULL, machine JSONB NOT NULL, shared JSONB NOT NULL)
    WITH (fillfactor = 10);
  CREATE TABLE IF NOT EXISTS ${LEASES.standby} (tables TEXT, instance TEXT, since TIMESTAMPTZ NOT NULL, seen_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (tables, instance)) WITH (fillfactor = 10);
  GRANT USAGE ON SCHEMA ${LEASES.schema} TO PUBLIC;
  GRANT SELECT (tables, tenure, instance, since, renewed_at) ON ${LEASES.lease} TO PUBLIC;
  GRANT SELECT ON ${LEASES.standby} TO PUBLIC;
  COMMIT`;

async function read(client: pg.Client, schema: string): Promise<Lease | null> {
  const { rows } = await client.query<Lease>(
    `SELECT tenure, beat, shared, machine, EXISTS (
       SELECT FROM pg_stat_activity WHERE pid = backend AND application_name = $2
     ) AS "isConnected" FROM ${LEASES.lease} WHERE tables = $1`,
    [schema, connectionName(schema)],
  );
  return rows[0] ?? null;
}

/** The hash of the registry that readers logged last; nothing before the first entry. */
async function registryInUse(client: pg.Client, service: number): Promise<SharedSettings> {
  const { revisions } = REGISTRY_REVISIONS;
  if (!(await tableExists(client, revisions))) return {};
  const { rows } = await client.query<{ hash: string }>(
    `SELECT hash FROM ${revisions} WHERE service = $1 ORDER BY number DESC LIMIT 1`,
    [service],
  );
  return rows[0] === undefined ? {} : { REGISTRY: rows[0].hash };
}

/** Records that this start stands by, and drops the ones that have stopped doing so. */
async function announce(client: pg.Client, { schema, instance }: LeaseParameters): Promise<void> {
  await client.query(
    `WITH gone AS (DELETE FROM ${LEASES.standby} WHERE tables = $1 AND seen_at < now() - interval '1 minute' AND instance <> $2)
    INSERT INTO ${LEASES.standby} AS own VALUES ($1, $2, now(), now())
    ON CONFLICT (tables, instance) DO UPDATE SET seen_at = now() WHERE own.seen_at < now() - interval '1 second'`,
    [schema, instance],
  );
}

const FORGET = `DELETE FROM ${LEASES.standby} WHERE tables = $1 AND instance = $2`;

/** @returns the token of the new tenure; null if another was quicker, or the holder has come back */
async function take(
  client: pg.Client,
  { schema, instance, shared, log }: LeaseParameters,
  last: Lease | null,
): Promise<string | null> {
  const token = randomUUID();
  const wasHeld = last !== null && last.tenure !== null;
  // A transaction of the last holder may be open for as long as that one is frozen.
  if (wasHeld) await endWriters(client, schema);
  await client.query(`BEGIN; SET LOCAL synchronous_commit = local; SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`);
  await client.query(`SELECT pg_advisory_xact_lock(${fenceKey("$1")})`, [schema]);
  const machine = { space: space(), process: identityOf(process.pid) };
  const { rowCount } = await client.query(TAKE, [
    ...[schema, token, instance, JSON.stringify(machine), JSON.stringify(shared)],
    ...[last?.tenure ?? null, last?.beat ?? null],
  ]);
  await client.query("COMMIT");
  if (rowCount === 0) return null;
  await client.query(FORGET, [schema, instance]);
  if (wasHeld && !(await untilEnded(client, schema)))
    log.warn({
      msg: "Connections of the indexer before this one cannot be ended: they may hold locks",
      schema,
    });
  await fenceTables(client, schema);
  return token;
}

const TAKE = `INSERT INTO ${LEASES.lease} AS own (tables, tenure, instance, since, beat, renewed_at, backend, machine, shared)
  VALUES ($1, $2, $3, clock_timestamp(), 0, clock_timestamp(), pg_backend_pid(), $4, $5)
  ON CONFLICT (tables) DO UPDATE SET tenure = excluded.tenure, instance = excluded.instance, since = excluded.since, beat = 0,
    renewed_at = excluded.renewed_at, backend = excluded.backend, machine = excluded.machine, shared = excluded.shared
  WHERE own.tenure IS NOT DISTINCT FROM $6 AND own.beat IS NOT DISTINCT FROM $7::bigint`;

/** Ends the connections with which Ponder writes to the schema. @returns the number of connections found */
async function endWriters(client: pg.Client, schema: string): Promise<number> {
  const { rows } = await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ANY ($1) AND datname = current_database()`,
    [WRITERS.map((pool) => `${schema}_${pool}`)],
  );
  return rows.length;
}

async function untilEnded(client: pg.Client, schema: string): Promise<boolean> {
  const deadline = performance.now() + END_TIMEOUT;
  while ((await endWriters(client, schema)) > 0) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

const RENEW = `UPDATE ${LEASES.lease} SET beat = beat + 1, renewed_at = clock_timestamp(), backend = pg_backend_pid()
  WHERE tables = $1 AND tenure = $2`;
const RELEASE = `UPDATE ${LEASES.lease} SET tenure = NULL WHERE tables = $1 AND tenure = $2`;

/** Renews the lease until it is lost or released. */
function hold(first: pg.Client, parameters: LeaseParameters, token: string): Tenure {
  const { schema, log } = parameters;
  const lost = new AbortController();
  const released = new AbortController();
  let client: pg.Client | null = first;
  let renewing: Promise<void> | null = null;
  const renew = async () => {
    try {
      client ??= await connect(parameters);
      const { rowCount } = await client.query(RENEW, [schema, token]);
      if (rowCount === 0 && !released.signal.aborted) lost.abort();
    } catch (error) {
      // A start that stands by notices on its own; without one, the indexer continues once the database is back.
      log.debug({ msg: "The lease of the tables cannot be renewed now", error: error as Error });
      client?.end().catch(() => {});
      client = null;
    }
  };
  const confirm = () => {
    renewing ??= renew().finally(() => {
      renewing = null;
    });
    return renewing;
  };
  const ends = AbortSignal.any([lost.signal, released.signal]);
  const keep = async () => {
    while (!ends.aborted) {
      await confirm();
      await sleep(RENEW_EVERY, undefined, { signal: ends }).catch(() => {});
    }
    if (lost.signal.aborted) client?.end().catch(() => {});
  };
  void keep();
  return {
    token,
    lost: lost.signal,
    confirm,
    async release() {
      released.abort();
      await renewing;
      if (!lost.signal.aborted) await client?.query(RELEASE, [schema, token]).catch(() => {});
      client?.end().catch(() => {});
    },
  };
}
