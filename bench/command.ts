/**
 * `npm start` on PostgreSQL as an operator runs it, from the command until `/v1/ready`, with the memory of all of its processes.
 * A pair takes minutes: the variable RUNS says how many; EVENTS, BLOCKS and LISTINGS change the size.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Environment } from "../config/environment.ts";
import { PROJECT_ROOT } from "../config/schema-name.ts";
import { freePort } from "../test/harness/free-port.ts";
import { startPostgres } from "../test/harness/postgres.ts";
import { until } from "../test/harness/until.ts";
import { fresh, SIZE } from "./backfill.ts";
import { ESCROWS } from "./chain.ts";
import { askedOf, type Chain, measurePlain, startChain } from "./harness/indexing.ts";
import { type Pair, rowOf, soloRow } from "./harness/pairs.ts";
import { commandOf, proportionalMegabytes, secondsOf, treeOf } from "./harness/processes.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";

const RUNS = Number(process.env.RUNS ?? 1);
const TIMEOUT = 300_000;
/** Milliseconds between two looks at the memory. */
const EVERY = 250;
/** How often one node is named. */
const NAMES = 50;

/** Until it is ready, or until everything is final too; and whether the memory is looked at, which takes a tenth of a core. */
type How = { isFinal?: boolean; isWatched?: boolean };
/** `calls` were asked of the chain until it was ready, `callsAfter` until everything was final. */
type Measured = {
  seconds: number;
  /** seconds until everything was final */
  final: number;
  /** the most at one moment, of all processes together */
  megabytes: number;
  cpu: number;
  calls: number;
  callsAfter: number;
};

/** Starts the command and stops it when it is ready. */
async function measureCommand(
  chain: Chain,
  env: Environment,
  { isFinal = false, isWatched = false }: How = {},
): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), "raisebook-bench-"));
  const registry = join(folder, "registry.json");
  await writeFile(registry, JSON.stringify({ originators: [], listings: [] }));
  const port = await freePort();
  const before = await askedOf(chain);
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  const child = spawn("npm", ["start"], {
    cwd: PROJECT_ROOT,
    env: {
      ...process.env,
      RPC_URLS: chain.url,
      ESCROWS: ESCROWS.map((address) => `${address}@1`).join(","),
      REGISTRY: registry,
      PORT: String(port),
      OPERATOR_PORT: String(await freePort()),
      LOG_FORMAT: "json",
      RAISEBOOK_TEST_POSTGRES: undefined,
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = keepLog(child, seconds);
  const memory = isWatched ? watchMemory(child.pid ?? 0) : null;
  try {
    const base = `http://127.0.0.1:${port}`;
    const waiting = {
      ...{ timeout: TIMEOUT, isOver: () => child.exitCode !== null },
      report: () => log.slice(-20).join("\n"),
    };
    await until("ready", async () => (await fetch(`${base}/v1/ready`)).ok, waiting);
    const ready = { seconds: seconds(), calls: (await askedOf(chain)).calls - before.calls };
    if (isFinal) {
      await until(
        "everything final",
        async () => {
          const health = (await (await fetch(`${base}/v1/health`)).json()) as Record<string, string | null>;
          return Number(health.finalizedBlock) >= SIZE.blocks;
        },
        waiting,
      );
    }
    const callsAfter = (await askedOf(chain)).calls - before.calls - ready.calls;
    const { megabytes, cpu } = memory?.end() ?? { megabytes: Number.NaN, cpu: Number.NaN };
    return { ...ready, final: seconds(), callsAfter, megabytes, cpu };
  } finally {
    memory?.end();
    // npm does not always pass a signal on.
    for (const pid of treeOf(child.pid ?? 0).slice(1, 2)) process.kill(pid, "SIGINT");
    if (child.exitCode === null) await once(child, "close");
    await rm(folder, { recursive: true, force: true });
  }
}

function keepLog(child: ChildProcess, seconds: () => number): string[] {
  const log: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on("line", (line) => {
      log.push(`${seconds().toFixed(2)} ${line}`);
      if (process.env.VERBOSE !== undefined) console.error(log.at(-1)?.slice(0, 240));
    });
  }
  return log;
}

/** The most memory of a process and its descendants at one moment, in megabytes, and their processor time, in seconds. */
function watchMemory(pid: number): { end(): { megabytes: number; cpu: number } } {
  const most = { megabytes: 0, cpu: 0 };
  let parts: string[] = [];
  const look = () => {
    const pids = treeOf(pid);
    const each = pids.map(proportionalMegabytes);
    const megabytes = each.reduce((sum, one) => sum + one, 0);
    most.cpu = Math.max(most.cpu, secondsOf(pids));
    if (megabytes <= most.megabytes) return;
    most.megabytes = megabytes;
    if (process.env.VERBOSE !== undefined)
      parts = pids.map(
        (one, place) => `${Math.round(each[place] ?? 0)} MB ${commandOf(one).split(" ").slice(-3).join(" ")}`,
      );
  };
  const timer = setInterval(look, EVERY);
  return {
    end() {
      clearInterval(timer);
      for (const part of parts) console.error(part);
      parts = [];
      return most;
    },
  };
}

type Side = () => Promise<Measured>;

async function pairsOf(ours: Side, other: () => Promise<{ seconds: number }>) {
  const pairs: { ours: Measured; other: { seconds: number } }[] = [];
  for (let run = 0; run < RUNS; run += 1) pairs.push({ ours: await ours(), other: await other() });
  return pairs;
}

/** 100,000 events: cold, and into a new schema over the same database; and one node under one name and under fifty. */
export async function* command(stage: Stage): AsyncGenerator<Row> {
  await stage.startPostgres();
  const chain = await startChain(SIZE);
  let schemas = 0;
  const next = () => {
    schemas += 1;
    return `command_${schemas}`;
  };
  const ours = (url: string, env: Environment = {}, how: How = {}) =>
    measureCommand(chain, { DATABASE_URL: url, DATABASE_SCHEMA: next(), ...env }, how);
  const watched = (url: string) => ours(url, {}, { isWatched: true });
  const plain = (url: string) => measurePlain(chain, url, next());
  const bench = "command";
  const timesOf = (pairs: Awaited<ReturnType<typeof pairsOf>>): Pair<number>[] =>
    pairs.map(({ ours, other }) => ({ ours: ours.seconds, other: other.seconds }));
  const memoryOf = async (name: string, side: Side): Promise<Row> => {
    const found: number[] = [];
    for (let run = 0; run < RUNS; run += 1) found.push((await side()).megabytes);
    return soloRow({ bench, case: `${name}: memory of all processes`, unit: "MB", bar: "≤ 1,000" }, found);
  };
  try {
    // The first one makes the bundles.
    await fresh(ours);
    const cold = await pairsOf(
      () => fresh(ours),
      () => fresh(plain),
    );
    yield rowOf({ bench, case: "cold", against: "plain Ponder", unit: "s", bar: "≤ 0.12" }, timesOf(cold));
    yield await memoryOf("cold", () => fresh(watched));
    const [database, plainDatabase] = [await startPostgres(), await startPostgres()];
    // The first runs fill the cache of plain Ponder, and leave a ledger to fold again.
    await ours(database.connectionString);
    await plain(plainDatabase.connectionString);
    const warm = await pairsOf(
      () => ours(database.connectionString),
      () => plain(plainDatabase.connectionString),
    );
    const against = "plain Ponder, cache warm";
    yield rowOf({ bench, case: "a new schema", against, unit: "s", bar: "≤ 1.0" }, timesOf(warm));
    yield await memoryOf("a new schema", () => watched(database.connectionString));
    await database.stop();
    await plainDatabase.stop();
    yield* endpoints((env) => fresh((url) => ours(url, env, { isFinal: true, isWatched: true })), chain);
  } finally {
    chain.stop();
  }
}

/** One node under fifty names, compared with the same node under one. */
async function* endpoints(run: (env: Environment) => Promise<Measured>, { url }: Chain): AsyncGenerator<Row> {
  const RPC_URLS = Array.from({ length: NAMES }, (_, place) => `${url}/${place}`).join();
  const pairs: Pair<Measured>[] = [];
  for (let count = 0; count < RUNS; count += 1)
    pairs.push({ ours: await run({ RPC_URLS }), other: await run({}) });
  const figures: [string, string, keyof Measured, string][] = [
    ["until ready", "s", "seconds", "≤ 1.2"],
    ["until everything is final", "s", "final", "reported"],
    ["memory of all processes until then", "MB", "megabytes", "≤ 1.2"],
    ["processor time until then", "s", "cpu", "reported"],
    ["calls until ready", "calls", "calls", "reported"],
    ["calls from there until everything is final", "calls", "callsAfter", "reported"],
  ];
  for (const [figure, unit, key, bar] of figures)
    yield rowOf(
      {
        bench: "command",
        case: `one node named ${NAMES} times: ${figure}`,
        against: "named once",
        unit,
        bar,
      },
      pairs.map(({ ours, other }) => ({ ours: ours[key], other: other[key] })),
    );
}
