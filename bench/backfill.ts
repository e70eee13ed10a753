/**
 * The backfill, against plain Ponder and plain fetching. A pair takes minutes: the variable RUNS says how many; EVENTS, BLOCKS
 * and LISTINGS change the size.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
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
import { startIndexer } from "../operate/daemon/indexer.ts";
import { freePort } from "../test/harness/free-port.ts";
import { startPostgres } from "../test/harness/postgres.ts";
import { type ChainParameters, ESCROWS } from "./chain.ts";
import { peakMegabytes } from "./harness/processes.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";

/** Seconds from the start of the process to the head of the chain, and the most memory until then; what an event took of the chain. */
type Measured = { seconds: number; megabytes: number; calls?: number; bytes?: number };

const TIMEOUT = 900_000;

const RUNS = Number(process.env.RUNS ?? 1);

export const SIZE: ChainParameters = {
  events: Number(process.env.EVENTS ?? 100_000),
  blocks: Number(process.env.BLOCKS ?? 2_000),
  listings: Number(process.env.LISTINGS ?? 1_000),
};
/** So few events that only the start counts. */
export const FEW: ChainParameters = { events: 100, blocks: 100, listings: 10 };
const MILLION: ChainParameters = { events: 1_000_000, blocks: 20_000, listings: 10_000 };

export type Chain = { url: string; head: number; stop(): void };

export async function startChain(size: ChainParameters): Promise<Chain> {
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

/** How much a chain was asked so far. */
export function askedOf({ url }: Chain): Promise<{ calls: number; bytes: number }> {
  return createPublicClient({ transport: http(url) }).request<{
    Method: "bench_asked";
    Parameters?: undefined;
    ReturnType: { calls: number; bytes: number };
  }>({ method: "bench_asked" });
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

/** The block that Ponder has come to, by its own server. */
async function blockAt(port: number): Promise<number> {
  const { escrowChain } = await json(`http://127.0.0.1:${port}/status`);
  return (escrowChain as { block: { number: number } }).block.number;
}

export async function measureOurs(
  chain: Chain,
  databaseUrl: string,
  env: Environment,
  { isServing = true } = {},
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
    await until(async () => {
      if (!isServing) return (await blockAt(operatorPort)) === chain.head;
      const { indexedBlock, backfilled } = await json(`http://127.0.0.1:${port}/v1/health`);
      return Number(indexedBlock) === chain.head && backfilled !== false;
    }, log);
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, megabytes: peakMegabytes(indexer.process.pid ?? 0) };
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
    await until(async () => {
      return (await blockAt(port)) === chain.head;
    }, log);
    return { seconds: (performance.now() - startedAt) / 1000, megabytes: peakMegabytes(child.pid ?? 0) };
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
type About = Pick<Row, "bench" | "case" | "against" | "bar">;

async function compare(
  about: About,
  ours: () => Promise<Measured>,
  other: () => Promise<Measured>,
  unit = "s",
): Promise<Row[]> {
  const pairs: [Measured, Measured][] = [];
  for (let run = 0; run < RUNS; run += 1) pairs.push([await ours(), await other()]);
  const rowOf = (pick: (measured: Measured) => number, change: Partial<Row>): Row => {
    const sorted = (values: number[]) => values.sort((a, b) => a - b);
    const ratios = sorted(pairs.map(([mine, theirs]) => pick(mine) / pick(theirs)));
    return {
      ...about,
      ours: medianOf(sorted(pairs.map(([mine]) => pick(mine)))),
      other: medianOf(sorted(pairs.map(([, theirs]) => pick(theirs)))),
      unit,
      ratio: medianOf(ratios),
      spread: [ratios[0] ?? Number.NaN, ratios.at(-1) ?? Number.NaN],
      runs: RUNS,
      ...change,
    };
  };
  const seconds = rowOf(({ seconds }) => seconds, {});
  if (!pairs.every(([, { megabytes }]) => megabytes > 0)) return [seconds];
  const memory = rowOf(({ megabytes }) => megabytes, {
    case: `${about.case}: memory`,
    unit: "MB",
    bar: "≤ 1",
  });
  if (!pairs.every(([mine]) => mine.calls !== undefined)) return [seconds, memory];
  const reported = (unit: string) => ({ case: `${about.case}: ${unit} per event`, unit, bar: "reported" });
  return [
    ...[seconds, memory],
    rowOf(({ calls = Number.NaN }) => calls, reported("calls")),
    rowOf(({ bytes = Number.NaN }) => bytes, reported("bytes")),
  ];
}

function medianOf(sorted: readonly number[]): number {
  const [low, high] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.ceil((sorted.length - 1) / 2)],
  ];
  return ((low ?? 0) + (high ?? 0)) / 2;
}

type Side = (url: string) => Promise<Measured>;

/** Each run has a database of its own. */
export async function fresh(run: Side): Promise<Measured> {
  const database = await startPostgres();
  try {
    return await run(database.connectionString);
  } finally {
    await database.stop();
  }
}

let schemas = 0;

/** 100,000 events: cold, into a new schema, and by ordinary indexing from the RPC cache. */
export async function* backfill(stage: Stage): AsyncGenerator<Row> {
  await stage.startPostgres();
  const chain = await startChain(SIZE);
  const ours = (env: Environment): Side => {
    schemas += 1;
    const own = { DATABASE_SCHEMA: `ours_${schemas}`, ...env };
    return (url) => measureOurs(chain, url, own);
  };
  const plain: Side = (url) => {
    schemas += 1;
    return measurePlain(chain, url, `plain_${schemas}`);
  };
  const bench = "backfill";
  try {
    const cold = { bench, case: "cold", against: "plain Ponder, as it comes", bar: "≤ 0.14" };
    yield* await compare(
      cold,
      () => fresh(ours({})),
      () => fresh(plain),
    );
    const fetching = { bench, case: "cold", against: "plain viem, fetching alone", bar: "reported" };
    yield* await compare(
      fetching,
      () => fresh(ours({})),
      () => measureFetching(chain, SIZE),
    );
    const [database, plainDatabase] = [await startPostgres(), await startPostgres()];
    // The first runs fill the cache of each, and leave a ledger to fold again.
    await ours({ FAST_FORWARD: "false" })(database.connectionString);
    await ours({})(database.connectionString);
    await plain(plainDatabase.connectionString);
    const warm = () => plain(plainDatabase.connectionString);
    const against = "plain Ponder, cache warm";
    const again = { bench, case: "a new schema over the same database", against, bar: "≤ 1.0" };
    yield* await compare(again, () => ours({})(database.connectionString), warm);
    const ordinary = { bench, case: "ordinary indexing, cache warm", against, bar: "≤ 1.6" };
    yield* await compare(ordinary, () => ours({ FAST_FORWARD: "false" })(database.connectionString), warm);
    await database.stop();
    await plainDatabase.stop();
  } finally {
    chain.stop();
  }
}

/** 100,000 events of the project's contracts, described by a module of an operator's (`CONTRACTS`), beside the built-in one. */
export async function* backfillModule(stage: Stage): AsyncGenerator<Row> {
  await stage.startPostgres();
  const chain = await startChain(SIZE);
  const folder = await mkdtemp(join(tmpdir(), "raisebook-bench-"));
  const path = join(folder, "contracts.ts");
  const builtIn = JSON.stringify(join(PROJECT_ROOT, "src/contracts/built-in.ts"));
  await writeFile(path, `export { BUILT_IN as default } from ${builtIn};`);
  const run = (env: Environment) => () => fresh((url) => measureOurs(chain, url, env));
  const about = { bench: "backfill-module", case: "cold", against: "the built-in contracts", bar: "≤ 1.15" };
  try {
    yield* await compare(about, run({ CONTRACTS: path }), run({}));
  } finally {
    chain.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** 100,000 events whose blocks are proven by their receipts, beside the same ones unproven. */
export async function* backfillProven(stage: Stage): AsyncGenerator<Row> {
  await stage.startPostgres();
  const chain = await startChain(SIZE);
  const run = (env: Environment) => () =>
    fresh(async (url) => {
      const before = await askedOf(chain);
      const measured = await measureOurs(chain, url, env);
      const after = await askedOf(chain);
      const calls = (after.calls - before.calls) / SIZE.events;
      return { ...measured, calls, bytes: (after.bytes - before.bytes) / SIZE.events };
    });
  const about = { bench: "backfill-proven", case: "cold", against: "LOGS_PROVEN=none", bar: "≤ 1.6" };
  try {
    yield* await compare(about, run({ LOGS_PROVEN: "events" }), run({ LOGS_PROVEN: "none" }));
  } finally {
    chain.stop();
  }
}

/** 1,000,000 events beside 100,000, what starting takes not counted. */
export async function* backfillMillion(stage: Stage): AsyncGenerator<Row> {
  await stage.startPostgres();
  const chains = [await startChain(FEW), await startChain(SIZE), await startChain(MILLION)] as const;
  const [boot, small, million] = chains;
  const cost = async (chain: Chain, events: number): Promise<Measured> => {
    const run = (one: Chain) => fresh((url) => measureOurs(one, url, { DATABASE_SCHEMA: "one" }));
    const [start, whole] = [await run(boot), await run(chain)];
    return { ...whole, seconds: ((whole.seconds - start.seconds) / events) * 1e6 };
  };
  try {
    const about = {
      bench: "backfill-1m",
      case: "cost of an event",
      against: "its own 100,000",
      bar: "≤ 1.1",
    };
    const measure =
      (chain: Chain, { events }: ChainParameters) =>
      () =>
        cost(chain, events);
    yield* await compare(about, measure(million, MILLION), measure(small, SIZE), "µs");
  } finally {
    for (const chain of chains) chain.stop();
  }
}
