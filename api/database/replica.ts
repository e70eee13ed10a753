/**
 * @module Notices of blocks for readers on a replica, which refuses LISTEN: its primary sends them, and a block counts once the
 * replica has replayed it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { sql } from "ponder";
import { createTurns } from "../../config/in-turn.ts";
import type { Database } from "./checkpoint.ts";
import { listenForBlocks, type Notices } from "./postgres.ts";

export type ReplicaNotices = Omit<Notices, "prepare"> & {
  /** where the tables are read; `connectionString` is its primary's */
  replica: Database;
};

/** Milliseconds between questions whether the replica has a block: usually it has it before the first. */
const PAUSE = { shortest: 5, longest: 100 };
/** Longest milliseconds to wait for it. The position may be of a primary that is gone, and never be reached. */
const LONGEST_WAIT = 5_000;
/** Milliseconds between signs of life of the primary, and the timeout of its answers: a silent connection sends no notice. */
const ALIVE_EVERY = 5_000;

/** The insert position of the log. The write position may be behind it, since a commit need not wait for the write. */
const POSITION = { text: "SELECT pg_current_wal_insert_lsn()::text AS lsn", query_timeout: ALIVE_EVERY };

/** Calls back whenever the replica has replayed a block that Ponder has indexed. @returns whether notices arrive now */
export function listenAtPrimary(parameters: ReplicaNotices, indexed: () => void): () => boolean {
  const { replica, log, ...primary } = parameters;
  let isAnnounced = false;
  let isRunning = false;

  /** One after another: a connection runs one statement at a time. */
  const inTurn = createTurns();
  const positionOf = (client: pg.Client): Promise<string> =>
    inTurn(async () => (await client.query<{ lsn: string }>(POSITION)).rows[0]?.lsn ?? "");
  const hasReplayed = async (lsn: string) => {
    // A replica that was promoted has nothing to replay.
    const query = sql`SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn AS replayed`;
    const [row] = await replica.statement<{ replayed: boolean }>("replayed", query);
    return row?.replayed === true;
  };
  const announce = async (client: pg.Client) => {
    isAnnounced = true;
    if (isRunning) return;
    isRunning = true;
    try {
      // Several blocks in a row need one question.
      while (isAnnounced) {
        isAnnounced = false;
        const lsn = await positionOf(client);
        const deadline = performance.now() + LONGEST_WAIT;
        for (let pause = PAUSE.shortest; !(await hasReplayed(lsn)); ) {
          if (performance.now() > deadline) break;
          await sleep(pause, undefined, { ref: false });
          pause = Math.min(2 * pause, PAUSE.longest);
        }
        indexed();
      }
    } catch (error) {
      log.debug({ msg: "It is unknown whether the replica has an announced block", error: error as Error });
      // The market updater finds out, and reports a database that is silent.
      indexed();
    } finally {
      isRunning = false;
    }
  };
  return listenForBlocks(
    {
      ...{ ...primary, log },
      async prepare(client, fail) {
        const [own, other] = await Promise.all([clusterOf(replica), clusterAt(client)]);
        if (own !== other) throw new Error("NOTICES_DATABASE_URL is not the primary of DATABASE_URL");
        const timer = setInterval(() => {
          positionOf(client).catch((error) => {
            clearInterval(timer);
            fail(error);
          });
        }, ALIVE_EVERY).unref();
        client.once("end", () => clearInterval(timer));
      },
    },
    (client) => void announce(client),
  );
}

/** The identifier that a primary shares with its replicas and no other server. Every user may read it. */
const CLUSTER = {
  text: "SELECT system_identifier::text AS cluster FROM pg_control_system()",
  query_timeout: ALIVE_EVERY,
};

async function clusterOf(replica: Database): Promise<string | undefined> {
  const [row] = await replica.statement<{ cluster: string }>("cluster", sql.raw(CLUSTER.text));
  return row?.cluster;
}

/** The identifier of the cluster that this connection leads to. */
export async function clusterAt(client: pg.Client): Promise<string | undefined> {
  const { rows } = await client.query<{ cluster: string }>(CLUSTER);
  return rows[0]?.cluster;
}
