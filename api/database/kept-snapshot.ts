/**
 * A snapshot of the tables that matches the market. A restarting indexer reverts all rows that are not final; PostgreSQL keeps them
 * while an earlier transaction is open, and other connections can read at its snapshot.
 * @module
 */
import type pg from "pg";
import type { Logger } from "../../config/log.ts";
import { connectKeptAlive, postgresClientOf } from "../../config/postgres-client.ts";
import { CHECKPOINT_TEXT, type Checkpoint, type CheckpointRow, toCheckpoint } from "./checkpoint.ts";

export type KeptSnapshot = {
  /** The name of the snapshot to read at; null while the newest rows are right. */
  inUse(): string | null;
  /**
   * Replaces the snapshot by a new one if the rows match; at once, or after one that is being taken. Never rejects: without a snapshot
   * the newest rows are read.
   * @param isNew whether the market has changed; otherwise only a snapshot that is old is replaced
   */
  renew(fits: (position: Checkpoint) => boolean, market: { isNew: boolean }): Promise<void>;
  /** Switches requests to the snapshot, or back to the newest rows. */
  use(isNeeded: boolean): void;
};

export type KeptSnapshotParameters = {
  connectionString: string;
  /** the indexer's schema */
  schema: string;
  log: Pick<Logger, "debug">;
};

/** Milliseconds for a connection, and for an answer. */
const PATIENCE = 3_000;
/** Milliseconds for which one is kept while no block comes: vacuum leaves what is deleted meanwhile, in every table of the database. */
const LONGEST_KEPT = 3_600_000;

type Kept = { client: pg.Client; name: string };

export function keepSnapshot({ connectionString, schema, log }: KeptSnapshotParameters): KeptSnapshot {
  /** Two connections alternate, so that a snapshot that does not match leaves the previous one. */
  let spare: pg.Client | null = null;
  let kept: Kept | null = null;
  let isUsed = false;
  let running = false;
  let renewedAt = 0;
  /** asked for while the one before was being taken, which may lack the newest rows */
  let next: ((position: Checkpoint) => boolean) | null = null;

  const connect = async (): Promise<pg.Client> => {
    const client = postgresClientOf(connectionString, PATIENCE, { application_name: `${schema}_kept` });
    const forget = () => {
      if (spare === client) spare = null;
      if (kept?.client === client) kept = null;
    };
    client.on("error", forget);
    client.on("end", forget);
    await connectKeptAlive(client);
    try {
      const path = client.escapeIdentifier(schema);
      await client.query(`SET search_path TO ${path}; SET idle_in_transaction_session_timeout = 0`);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    return client;
  };

  const renew = async (fits: (position: Checkpoint) => boolean) => {
    const client = spare ?? (await connect());
    spare = null;
    try {
      // After a rollback no table is locked any more, and the indexer may change its triggers.
      const results = (await client.query(
        `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT pg_export_snapshot() AS name;
        SAVEPOINT position; ${CHECKPOINT_TEXT}; ROLLBACK TO position`,
      )) as unknown as pg.QueryResult[];
      const name: unknown = results[1]?.rows[0]?.name;
      const found = toCheckpoint(results[3]?.rows[0] as CheckpointRow | undefined);
      const isFit = typeof name === "string" && found !== null && fits(found);
      const old = isFit ? kept?.client : client;
      if (isFit) kept = { client, name };
      await old?.query("ROLLBACK").then(
        () => {
          spare = old;
        },
        () => void old.end().catch(() => {}),
      );
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
  };

  return {
    inUse: () => (isUsed ? (kept?.name ?? null) : null),
    async renew(fits, { isNew }) {
      if (!isNew && performance.now() - renewedAt < LONGEST_KEPT) return;
      renewedAt = performance.now();
      next = fits;
      if (running) return;
      running = true;
      while (next !== null) {
        const current = next;
        next = null;
        await renew(current).catch((error) =>
          log.debug({ msg: "No snapshot of the tables can be kept", error }),
        );
      }
      running = false;
    },
    use(isNeeded) {
      isUsed = isNeeded;
    },
  };
}
