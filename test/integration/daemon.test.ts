import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Anvil, createAnvil } from "@viem/anvil";
import { createTestClient, http } from "viem";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

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
  const child = spawn(process.execPath, ["--import", REQUIRE_NODE, "--import", TSX, main, ...options], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return typeof code === "number" ? code : -1;
  });
  return { child, output: () => output, ended };
}

let anvil: Anvil;
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
  const client = createTestClient({ mode: "anvil", transport: http(rpcUrl) });
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
  vi.waitFor(async () => expect(await answers()).toBe(status), { timeout: 60_000, interval: 100 });

describe("npm start", () => {
  it("lists every problem of the environment and exits 1", async () => {
    const { ended, output } = run(folder, { PORT: "x" });
    expect(await ended).toBe(1);
    for (const line of [
      "4 problems",
      "RPC_URLS is required",
      "ESCROWS or ESCROW_FACTORY",
      "REGISTRY is",
      "PORT must",
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
    const good = run(folder, env, "--check");
    expect([await good.ended, good.output()]).toEqual([0, expect.stringContaining("nothing wrong")]);
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
    expect([await ended, output()]).toEqual([0, expect.stringContaining("nothing wrong")]);
  });

  it("says what listens on its port, and does not hang on a node that answers nothing", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(port, "127.0.0.1", resolve));
    try {
      const { ended, output } = run(folder, { ...env, RPC_URLS: `http://127.0.0.1:${port}/secretkey` });
      expect(await ended).toBe(1);
      expect(output()).toContain(`something listens on 127.0.0.1:${port} already`);
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
