/**
 * Releases beside each other: which readers of a service serve from its database, and whose turn it is.
 *
 * The readers of one schema that began to serve together are a generation. A reader that serves holds a shared advisory lock
 * named by the service and its generation, on a connection named after its schema: both are gone with the process, need no
 * table and no right to write. The highest generation is the one that began to serve last; the readers of lower ones leave.
 * @module
 */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../../config/log.ts";

/** A reader that serves. */
export type Peer = { readonly schema: string; readonly generation: number };

/** Milliseconds between two looks at the others. */
const LOOK_EVERY = 500;
/** Milliseconds after which a reader that has never reached the database listens, as nobody can be seen there. */
const LISTEN_ANYWAY_AFTER = 10_000;
/** Milliseconds for which no other release is seen before one that has waited for it takes its place: its connections may be cut. */
const GONE_AFTER = 15_000;
/** Milliseconds for a connection, and for an answer. */
const PATIENCE = 5_000;
/** PostgreSQL notices within half a minute that a reader's machine is gone. */
const KEEPALIVES = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 4 };

export type GenerationParameters = {
  readonly connectionString: string;
  readonly schema: string;
  /** `serviceKeyOf` the settings */
  readonly service: number;
  readonly log: Pick<Log, "info" | "debug">;
  /** whether this reader has something to answer with */
  hasMarket(): boolean;
  /** whether it is at the head of the chain */
  isReady(): boolean;
  /** Whether its tables are followed, by the database at this moment; default: `isIndexed` of the schema. */
  readonly isFollowed?: (client: pg.Client) => Promise<boolean>;
  /** Milliseconds that each of as many newer readers has served before this one leaves. */
  readonly provenAfter?: number;
  /**
   * Milliseconds after which one newer reader is enough: a release may be meant to have fewer. `provenAfter` where nothing follows
   * this reader's tables any more.
   */
  readonly fewerAfter?: number;
};

export type Generation = {
  /** Resolves when this reader may listen. */
  readonly mayListen: Promise<unknown>;
  /** Resolves when readers of another release serve instead, and this one is to leave. */
  readonly replaced: Promise<unknown>;
  /** Counts no longer as one that serves. */
  close(): void;
};

/**
 * The generation that a reader takes part in; null while it must wait.
 * @param now seconds by the database's clock, which keep a generation above one whose connections are cut for the moment
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

/** A reader, and for how many milliseconds it has been seen to serve. */
export type SeenPeer = Peer & { readonly age: number };

/**
 * The schema to which a reader of `own` leaves; null while it stays. Its own release never takes its place: when the database starts
 * again while a second reader waits for its turn, that one may begin before the first has its lock back. A reader that crashes and comes back counts as a new one:
 * such a release takes nobody with it.
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

/** Takes part in the generations of the service, as soon as it is this reader's turn, until it is closed. */
export function joinGeneration(parameters: GenerationParameters): Generation {
  const { connectionString, schema, service, log, provenAfter = 5_000, fewerAfter = 60_000 } = parameters;
  const { isFollowed = (client) => isIndexed(client, schema) } = parameters;
  const closed = new AbortController();
  const turn = new AbortController();
  const replaced = new AbortController();
  const startedAt = performance.now();
  let client: pg.Client | null = null;
  let generation: number | null = null;
  let hasLooked = false;
  let isWaiting = false;
  /** since when nobody of another release has been seen */
  let aloneSince: number | null = null;
  /** when each of the others was first seen, by the process id of its connection */
  let firstSeen = new Map<number, number>();

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
      const others = peers.find((peer) => peer.schema !== schema);
      aloneSince = others === undefined ? (aloneSince ?? performance.now()) : null;
      const isAlone = aloneSince !== null && (!isWaiting || performance.now() - aloneSince >= GONE_AFTER);
      const mayJoin = isAlone || (parameters.isReady() && (await isFollowed(client)));
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
    // Tables without an indexer are frozen: the sooner their readers leave, the better.
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
          // Its locks were gone with the connection before this one.
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
      await sleep(LOOK_EVERY, undefined, { signal: closed.signal }).catch(() => {});
    }
    void client?.end().catch(() => {});
  };
  void run();
  return {
    mayListen: once(turn.signal, "abort"),
    replaced: once(replaced.signal, "abort"),
    close() {
      closed.abort();
      // Also while it waits for an answer of a silent database.
      void client?.end().catch(() => {});
    },
  };
}

/**
 * Whether an indexer is at work on the tables, and done with what it missed. Those of a release that has just left are near the
 * head too, and go back to what is final as soon as its indexer starts again.
 */
async function isIndexed(client: pg.Client, schema: string): Promise<boolean> {
  const meta = `${pg.escapeIdentifier(schema)}._ponder_meta`;
  const { rows: known } = await client.query("SELECT to_regclass($1) IS NOT NULL AS exists", [meta]);
  if (known[0]?.exists !== true) return false;
  const { rows } = await client.query<{ indexed: boolean }>(
    `SELECT value ->> 'is_locked' = '1' AND value ->> 'is_ready' = '1' AS indexed FROM ${meta} WHERE key = 'app'`,
  );
  return rows[0]?.indexed === true;
}

async function connect(connectionString: string, schema: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    application_name: `${schema}${READER}`,
    connectionTimeoutMillis: PATIENCE,
    query_timeout: PATIENCE,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    for (const [name, value] of Object.entries(KEEPALIVES)) {
      await client.query("SELECT set_config($1, $2, false)", [name, String(value)]);
    }
    return client;
  } catch (error) {
    client.end().catch(() => {});
    throw error;
  }
}

/** Ends the name of a reader's connection. */
const READER = "_reader";

/** The others that serve: everybody may read both views, and names of connections in them. */
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
