/** @module The first indexing of a generated chain, by us and by plain Ponder: from the start of the process to the head. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createPublicClient, http } from "viem";
import { type Environment, readSettings } from "../../config/environment.ts";
import { PROJECT_ROOT } from "../../config/schema-name.ts";
import { startIndexer } from "../../operate/daemon/indexer.ts";
import { freePort } from "../../test/harness/free-port.ts";
import { until } from "../../test/harness/until.ts";
import { type ChainParameters, ESCROWS } from "../chain.ts";
import { peakMegabytes, secondsOf } from "./processes.ts";

/** Seconds from the start of the process to the head of the chain, and the most memory until then; what an event took of the chain. */
export type Measured = {
  seconds: number;
  megabytes: number;
  /** seconds of the processor */
  busy?: number;
  calls?: number;
  bytes?: number;
};

const TIMEOUT = 900_000;

export type Chain = { url: string; head: number; stop(): void };

/** @param size of a made-up chain, or the raises of the market in Kiva's shape */
export async function startChain(size: ChainParameters | { raises: number }): Promise<Chain> {
  const file = fileURLToPath(new URL("../chain-server.ts", import.meta.url));
  const what = "raises" in size ? ["million", size.raises] : [size.events, size.blocks, size.listings];
  const args = ["--max-old-space-size=8192", "--import", "tsx", file, ...what.map(String)];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const url = `http://127.0.0.1:${port}`;
  const head = Number(await createPublicClient({ transport: http(url) }).getBlockNumber());
  return { url, head, stop: () => child.kill() };
}

/** The requests to a chain so far. */
export function askedOf({ url }: Chain): Promise<{ calls: number; bytes: number }> {
  return createPublicClient({ transport: http(url) }).request<{
    Method: "bench_asked";
    Parameters?: undefined;
    ReturnType: { calls: number; bytes: number };
  }>({ method: "bench_asked" });
}

async function json(url: string): Promise<Record<string, unknown>> {
  return (await fetch(url)).json() as Promise<Record<string, unknown>>;
}

/** The block that Ponder has reached, according to its own server. */
async function blockAt(port: number): Promise<number> {
  const { escrowChain } = await json(`http://127.0.0.1:${port}/status`);
  return (escrowChain as { block: { number: number } }).block.number;
}

type MeasureOptions = {
  isServing?: boolean;
  /** milliseconds */
  timeout?: number;
  onBlock?: (number: number) => void;
};

export async function measureOurs(
  chain: Chain,
  databaseUrl: string,
  env: Environment,
  { isServing = true, timeout = TIMEOUT, onBlock }: MeasureOptions = {},
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-bench-"));
  const registry = join(folder, "registry.json");
  await writeFile(registry, JSON.stringify({ originators: [], listings: [] }));
  const [port, operatorPort] = [await freePort(), await freePort()];
  const settings = readSettings({
    RPC_URLS: chain.url,
    ESCROWS: ESCROWS.map((address) => `${address}@1`).join(","),
    REGISTRY: registry,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    OPERATOR_PORT: String(operatorPort),
    LOG_FORMAT: "json",
    ...env,
  });
  const log: string[] = [];
  const startedAt = performance.now();
  const indexer = startIndexer({
    ...{ settings, isServing },
    onLog: (line) => {
      log.push(`${((performance.now() - startedAt) / 1000).toFixed(2)} ${line}`);
      if (process.env.VERBOSE !== undefined) console.log(log.at(-1)?.slice(0, 300));
    },
  });
  try {
    await until(
      "at the head",
      async () => {
        if (!isServing) {
          const block = await blockAt(operatorPort);
          onBlock?.(block);
          return (
            block === chain.head && (await fetch(`http://127.0.0.1:${operatorPort}/ready`)).status === 200
          );
        }
        const { indexedBlock, backfilled } = await json(`http://127.0.0.1:${port}/v1/health`);
        return Number(indexedBlock) === chain.head && backfilled !== false;
      },
      { timeout, report: () => log.slice(-20).join("\n") },
    );
    const seconds = (performance.now() - startedAt) / 1000;
    const pid = indexer.process.pid ?? 0;
    return { seconds, megabytes: peakMegabytes(pid), busy: secondsOf([pid]) };
  } finally {
    await indexer.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function measurePlain(chain: Chain, databaseUrl: string, schema: string): Promise<Measured> {
  const port = await freePort();
  const log: string[] = [];
  const startedAt = performance.now();
  const root = join(PROJECT_ROOT, "bench/plain-ponder");
  const ponder = join(PROJECT_ROOT, "node_modules/ponder/dist/esm/bin/ponder.js");
  const child = spawn(process.execPath, [ponder, "start", "--root", root, "--schema", schema], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      RPC_URLS: chain.url,
      ESCROWS: ESCROWS.join(","),
      PORT: String(port),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => log.push(line));
  }
  try {
    await until("at the head", async () => (await blockAt(port)) === chain.head, {
      timeout: TIMEOUT,
      report: () => log.slice(-20).join("\n"),
    });
    return { seconds: (performance.now() - startedAt) / 1000, megabytes: peakMegabytes(child.pid ?? 0) };
  } finally {
    child.kill("SIGINT");
    await once(child, "exit");
  }
}
