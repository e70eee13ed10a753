/** @module Debian's PgBouncer in front of PostgreSQL, with its defaults but for the mode. */
import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startServerProcess } from "./deployment/server-process.ts";
import { freePort } from "./free-port.ts";

export const hasPgBouncer = (): boolean => spawnSync("pgbouncer", ["--version"]).status === 0;

export type PgBouncer = { connectionString: string; stop(): Promise<void> };

/** @param connectionString of the PostgreSQL behind it, with user and password */
export async function startPgBouncer(
  connectionString: string,
  poolMode: "session" | "transaction" | "statement",
): Promise<PgBouncer> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-pgbouncer-"));
  const port = await freePort();
  const url = new URL(connectionString);
  const { username, password } = url;
  await writeFile(join(folder, "users.txt"), `"${username}" "${password}"\n`);
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "plain",
    auth_file: join(folder, "users.txt"),
    pool_mode: poolMode,
    // It refuses to run as root.
    ...(process.getuid?.() === 0 ? { user: "nobody" } : {}),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  const file = join(folder, "pgbouncer.ini");
  await writeFile(
    file,
    ["[databases]", `* = host=127.0.0.1 port=${url.port}`, "[pgbouncer]", ...lines, ""].join("\n"),
  );
  await chmod(folder, 0o755);
  const server = await startServerProcess({ command: "pgbouncer", args: [file], port });
  url.port = `${port}`;
  return {
    connectionString: url.href,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
