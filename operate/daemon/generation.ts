/**
 * Releases next to each other: which readers of a service serve from its database, and whose turn it is.
 *
 * The readers of one schema that began to serve together are a generation. A serving reader holds a shared advisory lock
 * named by the service and its generation, on a connection named after its schema: both vanish with the process and need
 * neither tables nor permission to write. The highest generation is the newest; the readers of lower ones leave.
 * @module
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Logger } from "../../config/log.ts";
import { connectKeptAlive, postgresClientOf, tableExists } from "../../config/postgres-client.ts";

/** A serving reader. */
export type Peer = { readonly schema: string; readonly generation: number };

/** Milliseconds between checks of the other readers. */
const CHECK_INTERVAL = 500;
/** Milliseconds after which a reader that never reached the database listens anyway, as no other reader can be seen. */
const LISTEN_ANYWAY_AFTER = 10_000;
/** Milliseconds without another release before a waiting one takes its place: the other's connections may just be down. */
export const GONE_AFTER = 15_000;
/** Timeout of connections and queries, in milliseconds. */
const TIMEOUT = 5_000;

export type GenerationParameters = {
  readonly connectionString: string;
  readonly schema: string;
  /** `serviceKeyOf` the settings */
  readonly service: number;
  readonly log: Pick<Logger, "info" | "debug">;
  /** whether this reader has a market to answer from */
  hasMarket(): boolean;
  /** whether it is at the head of the chain */
  isReady(): boolean;
  /** Whether an indexer currently updates its tables, according to the database; default: `isIndexed` of the schema. */
  readonly isFollowed?: (client: pg.Client) => Promise<boolean>;
  /** Whether it may take over from readers of this schema; null while that is not known. By default from any. */
  readonly mayReplace?: (schema: string) => Promise<boolean | null>;
  /** Milliseconds for which as many newer readers must each have served before this one leaves. */
  readonly provenAfter?: number;
  /**
   * Milliseconds after which one newer reader is enough, as a release may have fewer of them; `provenAfter` if no indexer updates
   * this reader's tables any more.
   */
  readonly fewerAfter?: number;
};

export type Generation = {
  /** Resolves when this reader may listen. */
  readonly mayListen: Promise<unknown>;
  /** Resolves when readers of another release serve instead and this one should leave. */
  readonly replaced: Promise<unknown>;
  /** Stops counting as a serving reader. */
  close(): void;
};

/**
 * The generation that a reader joins; null while it must wait.
 * @param now seconds by the database's clock, so that a new generation is above one whose connections are currently down
 */
export function generationToJoin(
  peers: readonly Peer[],
  { schema, hasMarket, isReady }: Pick<GenerationParameters, "schema" | "hasMarket" | "isReady">,
  now: number,
): number | null {
  const own = peers.filter((peer) => peer.schema === schema);
  if (own.length < peers.length && !isReady()) return null;
  if (own.length > 0 && !hasMarket()) return null;
  if (own.length > 0) return Math.max(...own.map(({ generation }) => generation));
  return Math.max(now, ...peers.map(({ generation }) => generation + 1));
}

/** A reader, and how long it has been seen to serve, in milliseconds. */
export type SeenPeer = Peer & { readonly age: number };

/**
 * The schema whose readers replace a reader of `own`; null while it stays. Its own release never replaces it: when the database
 * restarts while a second reader waits for its turn, that one may begin before the first has regained its lock. A reader that
 * crashes and comes back counts as new, so that a crashing release never replaces another.
 */
export function successorOf(
  own: Peer,
  peers: readonly SeenPeer[],
  { provenAfter, fewerAfter }: { provenAfter: number; fewerAfter: number },
): string | null {
  const proven = peers.filter(({ age }) => age >= provenAfter);
  const newest = proven.toSorted((a, b) => b.generation - a.generation)[0];
  if (newest === undefined || newest.generation <= own.generation || newest.schema === own.schema)
    return null;
  const newer = proven.filter(({ generation }) => generation === newest.generation);
  const older = peers.filter(({ generation }) => generation === own.generation);
  const isEnough = newer.length >= older.length + 1 || newer.some(({ age }) => age >= fewerAfter);
  return isEnough ? newest.schema : null;
}

/** Joins the generations of the service when it is this reader's turn, until closed. */
export function joinGeneration(parameters: GenerationParameters): Generation {
  const { connectionString, schema, service, log, provenAfter = 5_000, fewerAfter = 60_000 } = parameters;
  const { isFollowed = (client) => isIndexed(client, schema), mayReplace = async () => true } = parameters;
  const closed = new AbortController();
  const turn = new AbortController();
  const replaced = new AbortController();
  const startedAt = performance.now();
  let client: pg.Client | null = null;
  let generation: number | null = null;
  let hasLooked = false;
  let isWaiting = false;
  /** since when no other release has been seen */
  let aloneSince: number | null = null;
  /** the schema of the one that was seen last */
  let lastOther: string | null = null;
  /** by the other's schema: what was last known of replacing it, and the question that is open */
  const verdicts = new Map<string, boolean | null>();
  const questions = new Map<string, Promise<boolean | null>>();
  /** when each of the others was first seen, by the process id of its connection */
  let firstSeen = new Map<number, number>();

  const ask = async (other: string): Promise<boolean | null> => {
    try {
      const passes = await mayReplace(other);
      verdicts.set(other, passes);
      return passes;
    } catch (error) {
      const msg = "The book cannot be compared with the other release's now";
      log[verdicts.has(other) ? "debug" : "info"]({ msg, schema: other, error: error as Error });
      verdicts.set(other, verdicts.get(other) ?? null);
      return null;
    }
  };
  /** Null while that is not known: a comparison may take minutes, and fail. */
  const passesBeside = (other: string): Promise<boolean | null> => {
    const question = questions.get(other) ?? ask(other).finally(() => questions.delete(other));
    questions.set(other, question);
    return Promise.race([question, sleep(TIMEOUT, null, { ref: false })]);
  };

  const join = async (client: pg.Client) => {
    // One at a time: two releases that begin to serve at once are two generations.
    await client.query("SELECT pg_advisory_lock($1, 0)", [service]);
    generation ??= generationToJoin(await peersOf(client, service), parameters, await clockOf(client));
    if (generation !== null) {
      await client.query("SELECT pg_advisory_lock_shared($1, $2)", [service, generation]);
      turn.abort();
    }
    await client.query("SELECT pg_advisory_unlock($1, 0)", [service]);
  };

  const look = async (client: pg.Client) => {
    const peers = await peersOf(client, service);
    hasLooked = true;
    if (generation === null) {
      const foreign = peers.filter((peer) => peer.schema !== schema);
      const others = foreign.toSorted((a, b) => b.generation - a.generation)[0];
      aloneSince = others === undefined ? (aloneSince ?? performance.now()) : null;
      lastOther = others?.schema ?? lastOther;
      const isAlone = aloneSince !== null && (!isWaiting || performance.now() - aloneSince >= GONE_AFTER);
      // The reasons against replacing a release hold too while that one's connections are down. Readers of its own have passed before.
      const replaces = others === undefined && peers.length > 0 ? null : lastOther;
      const passes = async () => replaces === null || (await passesBeside(replaces));
      // Alone it only waits where the books are known to differ: otherwise no reader would serve.
      const mayJoin = isAlone
        ? ((await passes()) ?? verdicts.get(replaces ?? "")) !== false
        : parameters.isReady() && (await isFollowed(client)) && (await passes()) === true;
      if (mayJoin && generationToJoin(peers, parameters, 0) !== null) await join(client);
      if (generation !== null || others === undefined || isWaiting) return;
      isWaiting = true;
      const msg = "Readers of another release serve: this one waits until its tables are at the head";
      return log.info({ msg, schema, serving: others.schema });
    }
    const now = performance.now();
    firstSeen = new Map(peers.map(({ pid }) => [pid, firstSeen.get(pid) ?? now]));
    const seen = peers.map((peer) => ({ ...peer, age: now - (firstSeen.get(peer.pid) ?? now) }));
    const own = generation;
    // Tables without an indexer are out of date: the sooner their readers leave, the better.
    const isFrozen = peers.some((peer) => peer.generation > own) && !(await isFollowed(client));
    const patience = { provenAfter, fewerAfter: isFrozen ? provenAfter : fewerAfter };
    const by = successorOf({ schema, generation }, seen, patience);
    if (by === null || replaced.signal.aborted) return;
    log.info({ msg: "Replaced by readers of another release; exiting", schema, by });
    replaced.abort();
  };

  const run = async () => {
    while (!closed.signal.aborted) {
      try {
        if (client === null) {
          client = await connect(connectionString, schema);
          // The locks vanished with the previous connection.
          if (generation !== null) await join(client);
        }
        if (!closed.signal.aborted) await look(client);
      } catch (error) {
        log.debug({ msg: "The other readers cannot be seen", error: error as Error });
        client?.end().catch(() => {});
        client = null;
        firstSeen = new Map();
        aloneSince = null;
        if (!hasLooked && performance.now() - startedAt >= LISTEN_ANYWAY_AFTER) turn.abort();
      }
      await sleep(CHECK_INTERVAL, undefined, { signal: closed.signal }).catch(() => {});
    }
    void client?.end().catch(() => {});
  };
  void run();
  return {
    mayListen: once(turn.signal, "abort"),
    replaced: once(replaced.signal, "abort"),
    close() {
      closed.abort();
      // Even while it waits for an answer from a silent database.
      void client?.end().catch(() => {});
    },
  };
}

/**
 * Whether an indexer updates the tables and has caught up. The tables of a release that has just left are near the head too, but
 * are reverted to the final block as soon as its indexer restarts.
 */
async function isIndexed(client: pg.Client, schema: string): Promise<boolean> {
  const meta = `${pg.escapeIdentifier(schema)}._ponder_meta`;
  if (!(await tableExists(client, meta))) return false;
  const { rows } = await client.query<{ indexed: boolean }>(
    `SELECT value ->> 'is_locked' = '1' AND value ->> 'is_ready' = '1' AS indexed FROM ${meta} WHERE key = 'app'`,
  );
  return rows[0]?.indexed === true;
}

async function connect(connectionString: string, schema: string): Promise<pg.Client> {
  const client = postgresClientOf(connectionString, TIMEOUT, { application_name: `${schema}${READER}` });
  await connectKeptAlive(client);
  return client;
}

/** The suffix of a reader's connection name. */
const READER = "_reader";

/** The other serving readers: every user may read both views and the connection names in them. */
async function peersOf(client: pg.Client, service: number): Promise<(Peer & { pid: number })[]> {
  const { rows } = await client.query<{ pid: number; generation: string; name: string }>(
    `SELECT pid, objid::bigint AS generation, application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND objsubid = 2 AND mode = 'ShareLock' AND granted AND classid = $1 AND objid > 0
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) AND pid <> pg_backend_pid()`,
    [service],
  );
  return rows
    .filter(({ name }) => name.endsWith(READER))
    .map(({ pid, generation, name }) => ({
      pid,
      schema: name.slice(0, -READER.length),
      generation: Number(generation),
    }));
}

/** Seconds since 2020, which fit into the number of a lock. */
async function clockOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ now: string }>(
    "SELECT floor(extract(epoch FROM clock_timestamp() - '2020-01-01T00:00:00Z'))::int AS now",
  );
  return Number(rows[0]?.now);
}
