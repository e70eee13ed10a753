import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Anvil, createAnvil } from "@viem/anvil";
import { createTestClient, http, type TestClient } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { WebSocketServer } from "ws";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSX = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
const REQUIRE_NODE = pathToFileURL(join(ROOT, "config/require-node.mjs")).href;
const ESCROWS = [`0x${"c0".repeat(20)}`, `0x${"c1".repeat(20)}`] as const;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Run {
  readonly child: ChildProcess;
  output(): string;
  readonly ended: Promise<number>;
}

const running = new Set<ChildProcess>();

/** Runs the daemon as `npm start` does, in a folder and an environment of its own. */
function run(folder: string, env: Record<string, string>, ...options: string[]): Run {
  const main = join(ROOT, "daemon/main.ts");
  return runCommand(folder, env, process.execPath, [
    ...["--import", REQUIRE_NODE, "--import", TSX],
    ...[main, ...options],
  ]);
}

function runCommand(folder: string, env: Record<string, string>, command: string, args: string[]): Run {
  const child = spawn(command, args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder, ...env } });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return typeof code === "number" ? code : -1;
  });
  return { child, output: () => output, ended };
}

/** A node's WebSocket that takes every subscription and never says a word of it. */
async function silentWebSocket() {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  let subscriptions = 0;
  server.on("connection", (socket) => {
    socket.on("message", (data) => {
      const { id, method } = JSON.parse(String(data)) as { id: number; method: string };
      if (method === "eth_subscribe") subscriptions += 1;
      const result = method === "eth_chainId" ? "0x61" : "0x1";
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, result }));
    });
  });
  const { port } = server.address() as AddressInfo;
  return { url: `ws://127.0.0.1:${port}`, subscriptions: () => subscriptions, close: () => server.close() };
}

let anvil: Anvil;
let client: TestClient;
let rpcUrl: string;
let folder: string;
let port: number;
let env: Record<string, string>;

beforeAll(async () => {
  const chainPort = await freePort();
  const anvilBinary = join(ROOT, "node_modules/.bin/anvil");
  anvil = createAnvil({ anvilBinary, port: chainPort, chainId: 97, startTimeout: 30_000 });
  await anvil.start();
  rpcUrl = `http://127.0.0.1:${chainPort}`;
  client = createTestClient({ mode: "anvil", transport: http(rpcUrl) });
  for (const escrow of ESCROWS) await client.setCode({ address: escrow as `0x${string}`, bytecode: "0x00" });
  await client.mine({ blocks: 5 });
}, 60_000);
afterAll(() => anvil.stop());

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "raisebook-daemon-"));
  port = await freePort();
  env = {
    RPC_URLS: rpcUrl,
    ESCROWS: `${ESCROWS[0]}@0`,
    REGISTRY: join(ROOT, "registry.example.json"),
    PORT: String(port),
    RAISEBOOK_DATA_DIR: "data",
    POLLING_INTERVAL: "100",
  };
});
afterEach(() => {
  for (const child of running) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

const answers = () =>
  fetch(`http://127.0.0.1:${port}/v1/health`).then(
    (response) => response.status,
    () => null,
  );
const until = (status: number | null) =>
  vi.waitFor(async () => expect(await answers()).toBe(status), { timeout: 120_000, interval: 100 });

function listenOn(port: number): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", () => resolve(server));
  });
}

/** Every process below, the nearest first. */
function descendants(pid: number | undefined): number[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
  const pairs = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) {
    for (const [child, of] of pairs) if (of === parent) found.push(child);
  }
  return found.slice(1).filter((one) => one !== undefined);
}

/** The indexer of a daemon: the one of its children that runs Ponder. */
function indexerOf(daemon: ChildProcess): number {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  const own = new Set(descendants(daemon.pid));
  const lines = stdout.split("\n").map((line) => /^\s*(\d+) (.*ponder\.js start.*)$/.exec(line));
  const pid = lines.map((line) => Number(line?.[1])).find((one) => own.has(one));
  if (pid === undefined) throw new Error("there is no indexer");
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

type Health = {
  status: string;
  indexedBlock: string | null;
  restarts: { count: number; reason: string | null };
};

const health = async () => (await (await fetch(`http://127.0.0.1:${port}/v1/health`)).json()) as Health;
const untilHealth = (what: (found: Health) => void) =>
  vi.waitFor(async () => what(await health()), { timeout: 150_000, interval: 100 });

describe("npm start", () => {
  it("lists every problem of the environment and exits 1", async () => {
    const files = { KNOWLEDGE: "nowhere", SITE_LOGO: "nowhere.svg" };
    const { ended, output } = run(folder, { PORT: "x", ...files });
    expect(await ended).toBe(1);
    for (const line of [
      "6 problems",
      "RPC_URLS is required",
      "ESCROWS or ESCROW_FACTORY",
      "REGISTRY is",
      "PORT must",
      "KNOWLEDGE cannot be used (nowhere)",
      "SITE_LOGO cannot be used (nowhere.svg)",
    ]) {
      expect(output()).toContain(line);
    }
    expect(output()).not.toContain("    at ");
  });

  it("prints its help, and refuses an unknown option with it", async () => {
    const help = run(folder, {}, "--help");
    expect([await help.ended, help.output()]).toEqual([0, expect.stringContaining("Usage: npm start")]);
    const unknown = run(folder, env, "--chekc");
    expect([await unknown.ended, unknown.output()]).toEqual([
      2,
      expect.stringMatching(/^Unknown option "--chekc".\s+Raisebook/),
    ]);
  });

  it("checks without starting", async () => {
    const good = run(folder, { ...env, RPC_URL: "http://127.0.0.1/hunter2" }, "--check");
    expect([await good.ended, good.output()]).toEqual([0, expect.stringContaining("All checks passed")]);
    expect(good.output()).toMatch(/WARN {2}RPC_URL is set, but nothing reads it; did you mean RPC_URLS\?/);
    expect(good.output()).not.toContain("hunter2");
    const missing = run(folder, { ...env, ESCROWS: "", REGISTRY: "none.json" }, "--check");
    expect(await missing.ended).toBe(1);
    expect(missing.output()).toContain("ESCROWS or ESCROW_FACTORY is required");
    expect(missing.output()).toContain("REGISTRY cannot be used (none.json)");
    const bad = run(
      folder,
      { ...env, ESCROWS: `0x${"d0".repeat(20)}@0`, REGISTRY: "none.json", LOG_FORMAT: "json" },
      "--check",
    );
    expect(await bad.ended).toBe(1);
    const logged = bad
      .output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { level: string; variable?: string });
    expect(logged.filter(({ level }) => level === "error").map(({ variable }) => variable)).toEqual([
      "ESCROWS",
      "REGISTRY",
    ]);
  });

  it("reads .env.local and .env, and lets what is set win", async () => {
    writeFileSync(join(folder, ".env.local"), `RPC_URLS=${rpcUrl}\nPORT=x\nESCROWS=${ESCROWS[0]}@0\n`);
    writeFileSync(join(folder, ".env"), `REGISTRY=${env.REGISTRY}\nESCROWS=nonsense\n`);
    const { ended, output } = run(folder, { PORT: String(port) }, "--check");
    expect([await ended, output()]).toEqual([0, expect.stringContaining("All checks passed")]);
  });

  it("says what listens on its port, and does not hang on a node that answers nothing", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
    try {
      const { ended, output } = run(folder, { ...env, RPC_URLS: `http://127.0.0.1:${port}/secretkey` });
      expect(await ended).toBe(1);
      expect(output()).toContain(`something is already listening on 127.0.0.1:${port}`);
      expect(output()).toContain(
        `RPC_URLS at http://127.0.0.1:${port} did not answer eth_chainId within 10 s`,
      );
      expect(output()).not.toContain("secretkey");
    } finally {
      silent.close();
    }
  });

  it("serves, stops on SIGTERM and SIGINT with 0, and starts again over the same data, also with other contracts", async () => {
    const configurations = [env, env, { ...env, ESCROWS: `${ESCROWS[0]}@0,${ESCROWS[1]}@1` }];
    for (const [index, configuration] of configurations.entries()) {
      const { child, ended, output } = run(folder, configuration);
      await until(200);
      child.kill(index === 0 ? "SIGTERM" : "SIGINT");
      expect(await ended, output()).toBe(0);
      expect(await answers()).toBe(null);
    }
  });

  it("ends whole when npm alone gets SIGTERM, and lets no second service near its data", async () => {
    const ofNpm = { npm_config_cache: join(folder, ".npm"), npm_config_update_notifier: "false" };
    const own = { ...env, ...ofNpm, RAISEBOOK_DATA_DIR: join(folder, "data") };
    const npm = runCommand(ROOT, own, "npm", ["start"]);
    await until(200);
    const second = run(folder, { ...env, PORT: String(await freePort()) });
    expect(await second.ended).toBe(1);
    const holder = /RAISEBOOK_DATA_DIR is in use by process (\d+)/.exec(second.output())?.[1];
    const processes = descendants(npm.child.pid);
    expect(processes).toContain(Number(holder));
    expect(processes.length).toBeGreaterThanOrEqual(2);
    expect(await answers()).toBe(200);

    npm.child.kill("SIGTERM");
    expect(await npm.ended, npm.output()).toBe(0);
    await vi.waitFor(() => expect(processes.filter(isAlive)).toEqual([]), { timeout: 10_000 });
    expect(await answers()).toBe(null);
    expect(npm.output()).toContain("Stopping cause=SIGTERM");

    const control = join(folder, "data/pglite/global/pg_control");
    truncateSync(control, 100);
    const broken = run(folder, env);
    expect(await broken.ended).toBe(1);
    expect(broken.output()).toMatch(
      /holds a database that cannot be opened \(data.pglite: .*\): move the directory/,
    );
  });

  it("starts a killed indexer again on the same port, and polls when the WebSocket is silent", async () => {
    const webSocket = await silentWebSocket();
    const { child, ended, output } = run(folder, {
      ...env,
      ...{ RAISEBOOK_DATA_DIR: "memory://", WS_URL: webSocket.url, RAISEBOOK_STALL_AFTER: "2" },
    });
    await untilHealth(({ status }) => expect(status).toBe("ok"));
    process.kill(indexerOf(child), "SIGKILL");
    // A stranger takes the port in between.
    const stranger = await vi.waitFor(() => listenOn(port), { timeout: 10_000, interval: 10 });
    await vi.waitFor(() => expect(output()).toMatch(/PORT cannot be used: something is already listening/), {
      timeout: 30_000,
    });
    await new Promise((resolve) => stranger.close(resolve));
    await untilHealth(({ status, restarts }) => {
      expect(status).toBe("ok");
      expect(restarts).toEqual({ count: 1, reason: expect.stringContaining("was ended by SIGKILL") });
    });
    expect(output()).toContain("The indexer ended and will be restarted cause=was ended by SIGKILL");

    // The API answers before the indexer listens.
    await vi.waitFor(() => expect(webSocket.subscriptions()).toBeGreaterThan(0), { timeout: 60_000 });
    await client.mine({ blocks: 3 });
    await untilHealth(({ restarts }) => {
      expect(restarts).toEqual({ count: 2, reason: expect.stringContaining("the WebSocket is silent") });
    });
    const subscribed = webSocket.subscriptions();
    await client.mine({ blocks: 3 });
    const head = Number(await client.request({ method: "eth_blockNumber" } as never));
    await untilHealth(({ status, indexedBlock }) => {
      expect([status, Number(indexedBlock)]).toEqual(["ok", head]);
    });
    expect(webSocket.subscriptions()).toBe(subscribed);
    expect(output()).toContain("The indexer has stalled while the chain advances");
    child.kill("SIGHUP");
    expect(await ended).toBe(0);
    webSocket.close();
    // Three starts of the indexer, on a busy machine.
  }, 400_000);

  it("ends in order when the whole group is signalled, and leaves the database unlocked", async () => {
    const first = run(folder, env);
    await until(200);
    // As init systems do: everything that was started at once.
    for (const pid of [first.child.pid ?? 0, indexerOf(first.child)]) process.kill(pid, "SIGTERM");
    expect(await first.ended).toBe(0);
    const again = run(folder, { ...env, LOG_LEVEL: "debug" });
    await until(200);
    expect(again.output()).not.toContain("Schema is locked");
    // Nobody reads its output any more, which the next line finds out.
    again.child.stdout?.destroy();
    await client.mine({ blocks: 3 });
    await until(null);
    await again.ended;
  });

  it("leaves no indexer behind when it is killed", async () => {
    const { child, ended } = run(folder, env);
    await until(200);
    child.kill("SIGKILL");
    await until(null);
    await ended;
  });
});

describe("the check of Node's version", () => {
  const pretend = (version: string) => {
    const script = `Object.defineProperty(process.versions, "node", { value: "${version}" }); await import("${REQUIRE_NODE}");`;
    return spawn(process.execPath, ["--input-type=module", "--eval", script]);
  };

  it.each([
    ["20.20.2", 1],
    ["9.0.0", 1],
    ["22.0.0", 0],
    ["100.0.0", 0],
  ])("answers to Node %s with exit code %d", async (version, expected) => {
    const child = pretend(version);
    let output = "";
    child.stderr.on("data", (chunk) => (output += String(chunk)));
    const [code] = await once(child, "close");
    expect(code).toBe(expected);
    if (expected === 1) expect(output).toContain(`needs Node.js 22 or newer; this is ${version}`);
    else expect(output).toBe("");
  });
});
