/**
 * The backfill, against plain Ponder and plain fetching: `node --import ./config/require-node.mjs --import tsx
 * bench/backfill.ts`. EVENTS, BLOCKS, LISTINGS and RUNS change its size; ONLY names the rows to run.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createPublicClient, http } from "viem";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import { type Environment, readSettings } from "../config/environment.ts";
import { PROJECT_ROOT } from "../config/schema-name.ts";
import { startIndexer } from "../daemon/indexer.ts";
import { freePort } from "../test/harness/free-port.ts";
import { setup, startPostgres } from "../test/harness/postgres.ts";
import { type ChainParameters, ESCROWS } from "./chain.ts";

/** One line of a table of results: `ratio` is ours by the other's. */
export type Row = {
  name: string;
  ours: number;
  other: number;
  against: string;
  unit: string;
  ratio: number;
  bar: string;
  runs: number;
  spread: string;
};

/** Seconds from the start of the process to the head of the chain, and the most memory until then. */
type Measured = { seconds: number; megabytes: number };

const TIMEOUT = 900_000;

const SIZE: ChainParameters = {
  events: Number(process.env.EVENTS ?? 100_000),
  blocks: Number(process.env.BLOCKS ?? 2_000),
  listings: Number(process.env.LISTINGS ?? 1_000),
};
const MILLION: ChainParameters = { events: 1_000_000, blocks: 20_000, listings: 10_000 };

type Chain = { url: string; head: number; stop(): void };

async function startChain(size: ChainParameters): Promise<Chain> {
  const file = fileURLToPath(new URL("chain-server.ts", import.meta.url));
  const numbers = [size.events, size.blocks, size.listings].map(String);
  const child = spawn(process.execPath, ["--max-old-space-size=8192", "--import", "tsx", file, ...numbers], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  const url = `http://127.0.0.1:${port}`;
  const head = Number(await createPublicClient({ transport: http(url) }).getBlockNumber());
  return { url, head, stop: () => child.kill() };
}

/** The most resident memory of a process so far. */
function peakMegabytes({ pid }: ChildProcess): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}

async function until(isDone: () => Promise<boolean>, log: readonly string[]): Promise<void> {
  const deadline = performance.now() + TIMEOUT;
  while (performance.now() < deadline) {
    if (await isDone().catch(() => false)) return;
    await sleep(50);
  }
  throw new Error(`not at the head in ${TIMEOUT / 1000} s:\n${log.slice(-20).join("\n")}`);
}

async function json(url: string): Promise<Record<string, unknown>> {
  return (await fetch(url)).json() as Promise<Record<string, unknown>>;
}

async function measureOurs(chain: Chain, databaseUrl: string, env: Environment): Promise<Measured> {
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
    settings,
    onLog: (line) => {
      log.push(`${((performance.now() - startedAt) / 1000).toFixed(2)} ${line}`);
      if (process.env.VERBOSE !== undefined) console.log(log.at(-1)?.slice(0, 300));
    },
  });
  try {
    await until(async () => {
      const { indexedBlock, backfilled } = await json(`http://127.0.0.1:${port}/v1/health`);
      return Number(indexedBlock) === chain.head && backfilled !== false;
    }, log);
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, megabytes: peakMegabytes(indexer.process) };
  } finally {
    await indexer.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measurePlain(chain: Chain, databaseUrl: string, schema: string): Promise<Measured> {
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
    await until(async () => {
      const { escrowChain } = await json(`http://127.0.0.1:${port}/status`);
      const { block } = escrowChain as { block: { number: number } };
      return block.number === chain.head;
    }, log);
    return { seconds: (performance.now() - startedAt) / 1000, megabytes: peakMegabytes(child) };
  } finally {
    child.kill("SIGINT");
    await once(child, "exit");
  }
}

/** The same logs and blocks, by viem and nothing else. */
async function measureFetching(chain: Chain, { blocks }: ChainParameters): Promise<Measured> {
  const startedAt = performance.now();
  const client = createPublicClient({ transport: http(chain.url, { batch: true }) });
  for (let from = 1; from <= blocks; from += 100) {
    const toBlock = BigInt(Math.min(blocks, from + 99));
    const logs = await client.getLogs({
      address: [...ESCROWS],
      events: listingEscrowEventsAbi,
      fromBlock: BigInt(from),
      toBlock,
    });
    const numbers = [...new Set(logs.map(({ blockNumber }) => blockNumber))];
    await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })));
  }
  return { seconds: (performance.now() - startedAt) / 1000, megabytes: 0 };
}

/** Ours and another's, in pairs: median, and the spread of ours. */
async function compare(
  row: Pick<Row, "name" | "against" | "bar">,
  ours: () => Promise<Measured>,
  other: () => Promise<Measured>,
  runs: number,
): Promise<Row[]> {
  const pairs: [Measured, Measured][] = [];
  for (let run = 0; run < runs; run += 1) pairs.push([await ours(), await other()]);
  const of = (pick: (measured: Measured) => number, unit: string, suffix: string, bar: string): Row => {
    const [mine, theirs] = [0, 1].map((index) =>
      pairs.map((pair) => pick(pair[index] as Measured)).sort((a, b) => a - b),
    ) as [number[], number[]];
    const [median, otherMedian] = [medianOf(mine), medianOf(theirs)];
    return {
      name: `${row.name}${suffix}`,
      ours: median,
      other: otherMedian,
      against: row.against,
      unit,
      ratio: median / otherMedian,
      bar,
      runs,
      spread: `${mine[0]?.toFixed(1)} to ${mine.at(-1)?.toFixed(1)}`,
    };
  };
  const hasMemory = pairs.every(([, { megabytes }]) => megabytes > 0);
  const seconds = of(({ seconds }) => seconds, "s", "", row.bar);
  return hasMemory ? [seconds, of(({ megabytes }) => megabytes, "MB", ", memory", "≤ 1")] : [seconds];
}

function medianOf(sorted: readonly number[]): number {
  return (
    ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) /
    2
  );
}

/** Runs the benches, `RUNS` pairs each. */
export async function backfill(): Promise<Row[]> {
  const runs = Number(process.env.RUNS ?? 1);
  const only = process.env.ONLY?.split(",");
  const isWanted = (name: string) => only === undefined || only.includes(name);
  const stopServer = await setup();
  const chain = await startChain(SIZE);
  const rows: Row[] = [];
  const fresh = async <T>(run: (url: string) => Promise<T>): Promise<T> => {
    const database = await startPostgres();
    try {
      return await run(database.connectionString);
    } finally {
      await database.stop();
    }
  };
  let count = 0;
  const ours = (env: Environment, url: string) => {
    count += 1;
    return measureOurs(chain, url, { DATABASE_SCHEMA: `ours_${count}`, ...env });
  };
  const plain = (url: string) => {
    count += 1;
    return measurePlain(chain, url, `plain_${count}`);
  };
  try {
    if (isWanted("cold")) {
      const row = { name: "backfill, cold", against: "plain Ponder, as it comes", bar: "≤ 0.14" };
      rows.push(
        ...(await compare(
          row,
          () => fresh((url) => ours({}, url)),
          () => fresh(plain),
          runs,
        )),
      );
    }
    if (isWanted("fetching")) {
      const row = { name: "backfill, cold", against: "plain viem, fetching alone", bar: "reported" };
      const fetching = () => measureFetching(chain, SIZE);
      rows.push(...(await compare(row, () => fresh((url) => ours({}, url)), fetching, runs)));
    }
    if (isWanted("warm")) {
      // The first runs fill the cache of each.
      await fresh(async (url) => {
        await ours({ FAST_FORWARD: "false" }, url);
        const again = { name: "backfill, a new schema", against: "plain Ponder, cache warm", bar: "≤ 1.0" };
        const ordinary = { name: "ordinary indexing, cache warm", against: again.against, bar: "≤ 1.6" };
        await fresh(async (plainUrl) => {
          await plain(plainUrl);
          const warm = () => plain(plainUrl);
          rows.push(...(await compare(again, () => ours({}, url), warm, runs)));
          rows.push(...(await compare(ordinary, () => ours({ FAST_FORWARD: "false" }, url), warm, runs)));
        });
      });
    }
    if (isWanted("million")) {
      const boot = await startChain({ events: 100, blocks: 100, listings: 10 });
      const million = await startChain(MILLION);
      const cost = async (size: Chain, events: number): Promise<Measured> => {
        const run = (one: Chain) => fresh((url) => measureOurs(one, url, { DATABASE_SCHEMA: "one" }));
        const [start, whole] = [await run(boot), await run(size)];
        return { ...whole, seconds: ((whole.seconds - start.seconds) / events) * 1e6 };
      };
      const row = { name: "backfill-1m, µs an event", against: "its own 100,000", bar: "≤ 1.1" };
      const [time, memory] = await compare(
        row,
        () => cost(million, MILLION.events),
        () => cost(chain, SIZE.events),
        runs,
      );
      if (time !== undefined) rows.push({ ...time, unit: "µs" });
      if (memory !== undefined) rows.push({ ...memory, bar: "ours ≤ 1,000 MB" });
      boot.stop();
      million.stop();
    }
  } finally {
    chain.stop();
    await stopServer();
  }
  return rows;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rows = await backfill();
  console.table(
    rows.map(({ name, against, ours, other, unit, ratio, bar, spread }) => ({
      name,
      against,
      ours: `${ours.toFixed(1)} ${unit} (${spread})`,
      other: `${other.toFixed(1)} ${unit}`,
      ratio: ratio.toFixed(3),
      bar,
    })),
  );
}
