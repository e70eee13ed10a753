/**
 * `npm start` as it runs for months: it is told to stop in every way, its indexer dies, its node goes silent. What it
 * says before it starts is in `daemon-check.test.ts`.
 */
import { chownSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { LocalChain } from "../../demo/chain.ts";
import {
  createDaemons,
  type DaemonPlace,
  descendants,
  ESCROWS,
  indexerOf,
  ROOT,
  startDaemonChain,
} from "../harness/daemon.ts";
import { isAlive } from "../harness/demo.ts";
import { freePort } from "../harness/free-port.ts";
import { startNodeSocket } from "../harness/node-socket.ts";
import { PATIENCE } from "../harness/patience.ts";

const { run, runCommand, place } = createDaemons();
let chain: LocalChain;
beforeAll(async () => {
  chain = await startDaemonChain();
});

const answersAt = (port: number) =>
  fetch(`http://127.0.0.1:${port}/v1/health`).then(
    (response) => response.status,
    () => null,
  );
const untilAt = (port: number, status: number | null) =>
  vi.waitFor(async () => expect(await answersAt(port)).toBe(status), PATIENCE);

/** Each over the data that the one before has left. */
describe("one after another over the same data, each", () => {
  let at: DaemonPlace;
  beforeAll(async () => {
    at = await place(chain.rpcUrl);
  });

  it("ends whole when npm alone gets SIGTERM, and lets no second service near its data", async () => {
    const { folder, env, port } = at;
    const ofNpm = { npm_config_cache: join(folder, ".npm"), npm_config_update_notifier: "false" };
    const own = { ...env, ...ofNpm, RAISEBOOK_DATA_DIR: join(folder, "data") };
    const npm = runCommand(ROOT, own, "npm", ["start"]);
    await untilAt(port, 200);
    const second = run(folder, { ...env, PORT: String(await freePort()) });
    expect(await second.ended).toBe(1);
    const holder = /RAISEBOOK_DATA_DIR is in use by process (\d+)/.exec(second.output())?.[1];
    const processes = descendants(npm.child.pid);
    expect(processes).toContain(Number(holder));
    expect(processes.length).toBeGreaterThanOrEqual(2);
    expect(await answersAt(port)).toBe(200);

    npm.child.kill("SIGTERM");
    expect(await npm.ended, npm.output()).toBe(0);
    await vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]), PATIENCE);
    expect(await answersAt(port)).toBe(null);
    expect(npm.output()).toContain("Stopping cause=SIGTERM");
  });

  it("writes nothing next to the code, and ends in order when the whole group is signalled", async () => {
    const written = () => statSync(join(ROOT, "ponder-env.d.ts")).mtimeMs;
    const before = written();
    const { child, ended, output } = run(at.folder, at.env);
    await untilAt(at.port, 200);
    expect(written()).toBe(before);
    // As init systems do: everything that was started at once.
    for (const pid of [child.pid ?? 0, indexerOf(child)]) process.kill(pid, "SIGTERM");
    expect(await ended, output()).toBe(0);
  });

  it("finds the database unlocked, and ends when nobody reads its output any more", async () => {
    const { child, ended, output } = run(at.folder, { ...at.env, LOG_LEVEL: "debug" });
    await untilAt(at.port, 200);
    expect(output()).not.toContain("Schema is locked");
    // Which the next line finds out.
    child.stdout?.destroy();
    await chain.testClient.mine({ blocks: 3 });
    await untilAt(at.port, null);
    await ended;
  });

  it("starts with other contracts, and leaves no indexer behind when it is killed", async () => {
    const { child, ended } = run(at.folder, { ...at.env, ESCROWS: `${ESCROWS[0]}@0,${ESCROWS[1]}@1` });
    await untilAt(at.port, 200);
    const indexer = indexerOf(child);
    child.kill("SIGKILL");
    await untilAt(at.port, null);
    await ended;
    await vi.waitFor(() => expect(isAlive(indexer)).toBe(false), PATIENCE);
  });

  it("kills its indexer and ends where another one has taken the directory, as while a container was paused", async () => {
    const { child, ended, output } = run(at.folder, {
      ...at.env,
      ESCROWS: `${ESCROWS[0]}@0,${ESCROWS[1]}@1`,
    });
    await untilAt(at.port, 200);
    const indexer = indexerOf(child);
    const claims = join(at.folder, "data/lock");
    for (const claim of readdirSync(claims)) rmSync(join(claims, claim));
    expect(await ended).toBe(1);
    expect(output()).toContain("RAISEBOOK_DATA_DIR is no longer this process's");
    expect(isAlive(indexer)).toBe(false);
    expect(readdirSync(claims)).toEqual([]);
  });

  it("refuses a database that cannot be opened, and says what to do", async () => {
    truncateSync(join(at.folder, "data/pglite/global/pg_control"), 100);
    const broken = run(at.folder, at.env);
    expect(await broken.ended).toBe(1);
    expect(broken.output()).toMatch(
      /holds a database that cannot be opened \(data.pglite: .*\): move the directory/,
    );
    if (process.getuid?.() !== 0) return;
    // As root's are where another user runs the service.
    chownSync(join(at.folder, "data/pglite/PG_VERSION"), 12_345, 12_345);
    const foreign = run(at.folder, at.env);
    expect(await foreign.ended).toBe(1);
    expect(foreign.output()).toContain(
      "(data/pglite/PG_VERSION): give all back with sudo chown -R 0:0 data/pglite",
    );
  });
});

function listenOn(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => resolve(server));
  });
}

type Health = {
  status: string;
  indexedBlock: string | null;
  restarts: { count: number; reason: string | null };
};

it("starts a killed indexer again on the same port, and polls when the WebSocket is silent", async () => {
  const { folder, port, env } = await place(chain.rpcUrl);
  const untilHealth = (what: (found: Health) => void) =>
    vi.waitFor(async () => what(await (await fetch(`http://127.0.0.1:${port}/v1/health`)).json()), PATIENCE);
  const webSocket = await startNodeSocket();
  const { child, ended, output } = run(folder, {
    ...env,
    ...{ RAISEBOOK_DATA_DIR: "memory://", WS_URL: webSocket.url, RAISEBOOK_STALL_AFTER: "2" },
  });
  await untilHealth(({ status }) => expect(status).toBe("ok"));
  process.kill(indexerOf(child), "SIGKILL");
  // A stranger takes the port in between.
  const stranger = await vi.waitFor(() => listenOn(port), { ...PATIENCE, interval: 10 });
  await vi.waitFor(
    () => expect(output()).toMatch(/PORT cannot be used: something is already listening/),
    PATIENCE,
  );
  await new Promise((resolve) => stranger.close(resolve));
  await untilHealth(({ status, restarts }) => {
    expect(status).toBe("ok");
    expect(restarts).toEqual({ count: 1, reason: expect.stringContaining("was ended by SIGKILL") });
  });
  expect(output()).toContain("The indexer ended and will be restarted cause=was ended by SIGKILL");

  // The API answers before the indexer listens.
  await vi.waitFor(() => expect(webSocket.subscriptions()).toBeGreaterThan(0), PATIENCE);
  await chain.testClient.mine({ blocks: 3 });
  await untilHealth(({ restarts }) => {
    expect(restarts).toEqual({ count: 2, reason: expect.stringContaining("the WebSocket is silent") });
  });
  const subscribed = webSocket.subscriptions();
  await chain.testClient.mine({ blocks: 3 });
  const head = Number(await chain.publicClient.getBlockNumber());
  await untilHealth(({ status, indexedBlock }) => {
    expect([status, Number(indexedBlock)]).toEqual(["ok", head]);
  });
  expect(webSocket.subscriptions()).toBe(subscribed);
  expect(output()).toContain("The indexer has stalled while the chain advances");
  child.kill("SIGHUP");
  expect(await ended).toBe(0);
  webSocket.close();
});
