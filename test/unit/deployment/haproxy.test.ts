/** Which machine HAProxy leads the readers of a replica to, by Patroni's answers; skipped without it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { textOf } from "../../harness/deployment/files.ts";
import { temporaryFolder } from "../../harness/ending.ts";
import { PATIENCE } from "../../harness/patience.ts";

const folder = temporaryFolder();
const net = `127.${20 + (process.pid % 200)}.1.`;
const servers: Server[] = [];
let haproxy: ChildProcess | null = null;
afterAll(() => {
  haproxy?.kill("SIGKILL");
  for (const server of servers) server.close();
});

/** The role of each machine, as Patroni tells it. */
const roles: Record<string, "primary" | "replica" | "gone"> = { db1: "primary", db2: "replica" };

/** A database that says its name, and its Patroni. */
async function startMachine(name: string, address: string): Promise<void> {
  const database = createServer((socket) => socket.on("error", () => {}).write(name));
  const patroni = createHttpServer((request, response) => {
    response.writeHead(request.url?.startsWith(`/${roles[name]}`) ? 200 : 503).end();
  });
  servers.push(database, patroni);
  const listening = [once(database, "listening"), once(patroni, "listening")];
  database.listen(5432, address).unref();
  patroni.listen(8008, address).unref();
  await Promise.all(listening);
}

/** A connection of a reader; `at` is the machine that it was led to. */
async function read() {
  const socket = connect(5001, `${net}9`).on("error", () => {});
  const ended = once(socket, "close");
  const [first] = await Promise.race([once(socket, "data"), ended.then(() => [null])]);
  return { at: first === null ? null : String(first), ended, end: () => socket.destroy() };
}

const led = (to: string) =>
  vi.waitFor(async () => {
    const { at, end } = await read();
    end();
    expect(at).toBe(to);
  }, PATIENCE);

describe.skipIf(spawnSync("haproxy", ["-v"]).status !== 0)("haproxy", () => {
  it("leads readers to the replica, else to the primary, and never to both", {
    timeout: 60_000,
  }, async () => {
    await Promise.all([startMachine("db1", `${net}1`), startMachine("db2", `${net}2`)]);
    const config = join(folder, "haproxy.cfg");
    const shipped = textOf("deploy/patroni/haproxy.cfg");
    writeFileSync(config, shipped.replaceAll("10.0.0.", net).replaceAll("127.0.0.1", `${net}9`));
    haproxy = spawn("haproxy", ["-f", config], { stdio: "ignore" });
    await led("db2");
    const atReplica = await read();
    roles.db2 = "gone";
    await atReplica.ended;
    await led("db1");
    const atPrimary = await read();
    expect(atPrimary.at).toBe("db1");
    roles.db2 = "replica";
    await atPrimary.ended;
    await led("db2");
    // A switchover.
    [roles.db1, roles.db2] = ["replica", "primary"];
    await led("db1");
  });
});
