/**
 * PostgreSQL as an operator has it, from the system: the test's own server with its programs (`psql`, `pg_dump`, …), which
 * the registry package of `postgres.ts` does not have.
 * @module
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isListening } from "./demo.ts";
import { freePort } from "./free-port.ts";

const SUPERUSER = { name: "postgres", password: "superuser" };

/** The folder with the programs of the newest version, as on Debian; null without one. */
export const systemPostgres: string | null =
  globSync("/usr/lib/postgresql/*/bin/postgres")
    .map((path) => dirname(path))
    .toSorted((a, b) => Number(/\d+/.exec(b)) - Number(/\d+/.exec(a)))[0] ?? null;

export type SystemPostgres = {
  port: number;
  /** for its programs in a shell, as a superuser */
  env: Record<string, string>;
  stop(): Promise<void>;
};

/** @param programs folder of the programs */
export async function startSystemPostgres(programs: string): Promise<SystemPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-system-postgres-"));
  const password = join(folder, "password");
  writeFileSync(password, SUPERUSER.password);
  const user = ownerOf([folder, password]);
  const data = join(folder, "data");
  const as = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" }, stdio: "ignore" as const };
  const initial = [
    "--auth=scram-sha-256",
    `--pwfile=${password}`,
    "--no-sync",
    `--username=${SUPERUSER.name}`,
  ];
  execFileSync(join(programs, "initdb"), [...initial, `--pgdata=${data}`], as);
  const port = await freePort();
  const settings = { listen_addresses: "127.0.0.1", unix_socket_directories: folder, fsync: "off" };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(programs, "postgres"), ["-D", data, "-p", `${port}`, ...options], as);
  const ended = once(server, "close");
  while (!(await isListening(port))) {
    if (server.exitCode !== null) throw new Error("PostgreSQL did not start");
    await sleep(20);
  }
  return {
    port,
    env: {
      PATH: `${programs}:${process.env.PATH}`,
      PGHOST: "127.0.0.1",
      PGPORT: `${port}`,
      PGUSER: SUPERUSER.name,
      PGPASSWORD: SUPERUSER.password,
    },
    async stop() {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root: then the files are its own user's, who runs it. */
export function ownerOf(paths: readonly string[]): { uid: number; gid: number } | Record<string, never> {
  if (process.getuid?.() !== 0) return {};
  const [uid = 0, gid = 0] = ["-u", "-g"].map((flag) =>
    Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" })),
  );
  for (const path of paths) chownSync(path, uid, gid);
  return { uid, gid };
}
