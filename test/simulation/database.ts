/** @module The PostgreSQL of a run: a separate server that can be restarted, cut off, kept waiting and filled up. */
import { spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import {
  type Postgres,
  type PostgresServer,
  startPostgres,
  startPostgresServer,
} from "../harness/postgres.ts";
import { startTcpProxy, type TcpProxy } from "../harness/tcp-proxy.ts";

export type RunDatabase = Pick<Postgres, "query"> & {
  /** through what can be cut */
  connectionString: string;
  /** past that */
  directString: string;
  become: TcpProxy["become"];
  restart(): Promise<void>;
  /** Holds locks on tables of a schema, and lets every new connection wait for milliseconds only. Returns what ends that. */
  block(schema: string): Promise<() => Promise<void>>;
  /** Fills its disk; false if it has no disk of its own. */
  fill(): boolean;
  /** Makes room again, and starts the server if it has ended. */
  empty(): Promise<void>;
  stop(): Promise<void>;
};

/** Size of its disk in bytes; the server's empty data take a third. */
const DISK = "160m";
const TIMEOUT = "30ms";

/** @param folder of the run; the server's data are in it, on a file system of their own where root may mount one */
export async function startRunDatabase(folder: string): Promise<RunDatabase> {
  const disk = join(folder, "disk");
  await mkdir(disk);
  const hasDisk = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${DISK}`, "tmpfs", disk]).status === 0;
  const unmount = () => void (hasDisk && spawnSync("umount", ["-l", disk]));
  // On a signal the package of the server ends the process once the server has stopped.
  process.on("exit", unmount);
  // The server's own user must be able to look through the folders above its data.
  for (const path of [folder, disk]) chmodSync(path, 0o755);
  const server = await startPostgresServer(join(disk, "data"));
  const database = await startPostgres(server.url);
  const proxy = await startTcpProxy(server.port);
  const url = new URL(database.connectionString);
  url.port = String(proxy.port);
  const filler = join(disk, "filler");
  /** what a full disk keeps from ending */
  const untilEmpty: (() => Promise<void>)[] = [];
  return {
    query: database.query,
    connectionString: url.href,
    directString: database.connectionString,
    become: proxy.become,
    async restart() {
      if (await isUp(server)) await server.stop();
      // It cannot on a full disk: who makes room there starts it.
      await server.start().catch((error) => {
        if (!existsSync(filler)) throw error ?? new Error("PostgreSQL does not start");
      });
    },
    async block(schema) {
      // There are no connections on a full disk: nothing to hold up.
      if (existsSync(filler)) return async () => {};
      const unblock = await block(database, schema);
      return async () => {
        if (existsSync(filler)) untilEmpty.push(unblock);
        else await unblock();
      };
    },
    fill() {
      if (hasDisk) fillUp(filler);
      return hasDisk;
    },
    async empty() {
      rmSync(filler, { force: true });
      if (!(await isUp(server))) await server.start();
      for (const unblock of untilEmpty.splice(0)) await unblock();
    },
    async stop() {
      await proxy.stop();
      rmSync(filler, { force: true });
      if (await isUp(server)) await server.stop();
      process.off("exit", unmount);
      unmount();
    },
  };
}

function fillUp(path: string): void {
  const file = openSync(path, "w");
  try {
    for (const size of [1 << 20, 1 << 12]) {
      const bytes = Buffer.alloc(size);
      try {
        for (;;) if (writeSync(file, bytes) < size) break;
      } catch {
        // No room for one of that size.
      }
    }
  } finally {
    closeSync(file);
  }
}

async function block(database: Postgres, schema: string): Promise<() => Promise<void>> {
  const name = new URL(database.connectionString).pathname.slice(1);
  const locks = new pg.Client({ connectionString: database.connectionString });
  locks.on("error", () => {});
  await locks.connect();
  const own = (await locks.query("SELECT pg_backend_pid() AS pid")).rows[0].pid;
  await database.query(`ALTER DATABASE ${name} SET statement_timeout = '${TIMEOUT}'`);
  // Statements here may take longer.
  const query = (text: string) => database.query(`SET statement_timeout = 0; ${text}`);
  const cut = () =>
    query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '${name}' AND pid <> pg_backend_pid() AND pid <> ${own}`,
    );
  await cut();
  await locks.query("SET lock_timeout = 3000; BEGIN");
  // Nothing to lock before the first start.
  await locks
    .query(`LOCK TABLE ${schema}.ledger, ${schema}.listing IN ACCESS EXCLUSIVE MODE`)
    .catch(() => locks.query("ROLLBACK"));
  return async () => {
    await query(`ALTER DATABASE ${name} RESET statement_timeout`);
    await locks.end();
    // Connections keep what they began with.
    await cut();
  };
}

async function isUp({ url }: PostgresServer): Promise<boolean> {
  const client = new pg.Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 2_000 });
  client.on("error", () => {});
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}
