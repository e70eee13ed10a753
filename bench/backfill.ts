/**
 * The backfill, against plain Ponder and plain fetching. A pair takes minutes: the variable RUNS says how many; EVENTS, BLOCKS
 * and LISTINGS change the size.
 * @module
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPublicClient, http } from "viem";
import { listingEscrowEventsAbi } from "../abis/ListingEscrowEvents.ts";
import type { Environment } from "../config/environment.ts";
import { PROJECT_ROOT } from "../config/schema-name.ts";
import { startPostgres } from "../test/harness/postgres.ts";
import { type ChainParameters, ESCROWS } from "./chain.ts";
import {
  askedOf,
  type Chain,
  type Measured,
  measureOurs,
  measurePlain,
  startChain,
} from "./harness/indexing.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";

const RUNS = Number(process.env.RUNS ?? 1);

export const SIZE: ChainParameters = {
  events: Number(process.env.EVENTS ?? 100_000),
  blocks: Number(process.env.BLOCKS ?? 2_000),
  listings: Number(process.env.LISTINGS ?? 1_000),
};
/** With this few events only the start counts. */
export const FEW: ChainParameters = { events: 100, blocks: 100, listings: 10 };
const MILLION: ChainParameters = { events: 1_000_000, blocks: 20_000, listings: 10_000 };

/** The same logs and blocks, fetched with viem alone. */
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

type About = Pick<Row, "bench" | "case" | "against" | "bar">;

/** Our figure and the reference's, measured in pairs: the medians, and the spread of ours. */
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

/** Each run has its own database. */
export async function fresh<Result>(run: (url: string) => Promise<Result>): Promise<Result> {
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

/** 100,000 events of the project's contracts, described by an operator's module (`CONTRACTS`) and by the built-in one. */
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

/** 100,000 events whose blocks are proven by their receipts, and the same events unproven. */
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

/** 1,000,000 events compared with 100,000, without the time of the start. */
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
