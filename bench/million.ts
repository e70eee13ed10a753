/**
 * A market in Kiva's shape of up to a million raises, as an operator runs it: indexed from its chain, then served by a reader over the
 * tables that this left. What cannot be reached at this size is a row without a figure, not an end of the bench.
 * @module
 */
import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../test/harness/free-port.ts";
import { startPostgres } from "../test/harness/postgres.ts";
import { until } from "../test/harness/until.ts";
import { fresh } from "./backfill.ts";
import { ESCROWS } from "./chain.ts";
import { againstBare, type Case } from "./harness/against-bare.ts";
import { capture, type Request } from "./harness/capture.ts";
import { growingLedger, UNTIL_FINAL } from "./harness/growing.ts";
import { type Chain, measureOurs, startChain } from "./harness/indexing.ts";
import { soloRow } from "./harness/pairs.ts";
import { residentMegabytes, secondsOf } from "./harness/processes.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { type Reader, startReaderWith } from "./harness/start-reader.ts";
import { fullList } from "./million/full-list.ts";
import { createProgress } from "./million/progress.ts";
import { publicIdOf, registryOf, type Shape, shapeOf } from "./million/shape.ts";

const SCHEMA = "million";
const BENCH = "million";
/** Megabytes of the reader's heap: beyond it the reader ends, which is a missed bar. */
const HEAP = 4_096;
/** Milliseconds for the indexing and for a reader's start, per raise and at least. */
const PATIENCE = { perRaise: 1, least: 600_000 };
/** Megabytes that a reader of this many raises may take. */
const MEMORY_BARS = new Map([
  [10_000, "≤ 300 MB"],
  [100_000, "≤ 500 MB"],
  [1_000_000, "≤ 1,500 MB"],
]);
/** With this few raises only the start counts. */
const FEWEST = 100;
const BLOCKS = 60;
const REORGS = 20;
/** Milliseconds between two blocks, as on the chain: of faster ones a reader makes one market. */
const BLOCK_TIME = 450;
/** Milliseconds between two looks at what is waited for, and at what takes minutes. */
const INTERVAL = 30;
const LONG_INTERVAL = 1_000;
/** Milliseconds until the reader has to be at the last of them. */
const FOLLOWS_WITHIN = 60_000;
/** More finished raises than a reader keeps answers for. */
const MOST_FINISHED = 25_000;

export async function* million(stage: Stage, { raises }: { raises: number }): AsyncGenerator<Row> {
  await stage.startPostgres();
  const shape = shapeOf(raises);
  const database = await startPostgres();
  const folder = await mkdtemp(join(tmpdir(), "raisebook-million-"));
  const registry = join(folder, "registry.json");
  await pipeline(Readable.from(registryOf(shape)), createWriteStream(registry));
  const chain = await startChain({ raises });
  try {
    yield* indexing(shape, chain, database.connectionString);
    const settings = {
      ...{ DATABASE_URL: database.connectionString, DATABASE_SCHEMA: SCHEMA, REGISTRY: registry },
      ...{ RPC_URLS: chain.url, ESCROWS: ESCROWS.map((address) => `${address}@1`).join(",") },
    };
    yield* orMissed("a reader", serving(shape, { chain, settings, folder }));
  } finally {
    chain.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A row that says why the others are missing, in place of a failure. */
async function* orMissed(what: string, rows: AsyncGenerator<Row>): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    const why = error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : String(error);
    const about = { bench: BENCH, case: `${what}: bars missed: ${why}`, unit: "", bar: "met" };
    yield soloRow(about, [Number.NaN]);
  }
}

/** A start with hardly any events. */
async function startOfFew() {
  const chain = await startChain({ raises: FEWEST });
  try {
    const start = () => fresh((database) => measureOurs(chain, database, {}, { isServing: false }));
    // The first one makes the bundles.
    await start();
    return await start();
  } finally {
    chain.stop();
  }
}

async function* indexing(shape: Shape, chain: Chain, url: string): AsyncGenerator<Row> {
  const boot = await startOfFew();
  const progress = createProgress("indexing");
  const whole = await measureOurs(
    chain,
    url,
    { DATABASE_SCHEMA: SCHEMA },
    {
      isServing: false,
      timeout: patienceFor(shape),
      onBlock: (block) => progress(block / chain.head),
    },
  );
  const events = shape.events();
  const costOf = (spent: number, starting: number) => ((spent - starting) / events) * 1e6;
  const about = { bench: BENCH, against: `a limit; ${boot.seconds.toFixed(1)} s of starting are taken off` };
  const name = `indexing ${events.toLocaleString("en")} events`;
  const [cost, busy] = [costOf(whole.seconds, boot.seconds), costOf(whole.busy ?? 0, boot.busy ?? 0)];
  yield soloRow({ ...about, case: `${name}: an event`, unit: "µs", bar: "≤ 60 µs" }, [cost]);
  yield soloRow({ ...about, case: `${name}: the same, processor time`, unit: "µs", bar: "reported" }, [busy]);
  yield soloRow({ bench: BENCH, case: `${name}: memory`, unit: "MB", bar: "≤ 1,500 MB" }, [whole.megabytes]);
}

function patienceFor({ raises }: Shape): number {
  return Math.max(PATIENCE.least, raises * PATIENCE.perRaise);
}

type Serving = { chain: Chain; settings: Readonly<Record<string, string>>; folder: string };

async function* serving(shape: Shape, { chain, settings, folder }: Serving): AsyncGenerator<Row> {
  const metricsPort = await freePort();
  const marketFiles = join(folder, "markets");
  const env = {
    ...settings,
    MARKET_FILES: marketFiles,
    ...{ METRICS_PORT: String(metricsPort), NODE_OPTIONS: `--max-old-space-size=${HEAP}` },
  };
  const size = `${shape.raises.toLocaleString("en")} raises`;
  const start = { bench: BENCH, unit: "s" };
  const memory = { bench: BENCH, unit: "MB", bar: MEMORY_BARS.get(shape.raises) ?? "reported" };
  {
    const startedAt = performance.now();
    await using rebuilt = await startReaderWith(env, patienceFor(shape));
    const seconds = (performance.now() - startedAt) / 1000;
    const busy = secondsOf([rebuilt.pid]);
    yield soloRow({ ...start, case: `${size}: a reader's start, rebuilt`, bar: "≤ 30 s" }, [seconds]);
    yield soloRow({ ...start, case: `${size}: the same, processor time`, bar: "reported" }, [busy]);
    yield soloRow({ ...memory, case: `${size}: a reader's memory, rebuilt` }, [
      residentMegabytes(rebuilt.pid),
    ]);
    await untilSaved(marketFiles, shape);
  }
  const startedAt = performance.now();
  await using reader = await startReaderWith(env, patienceFor(shape));
  const seconds = (performance.now() - startedAt) / 1000;
  yield soloRow({ ...start, case: `${size}: a reader's start, from a snapshot`, bar: "≤ 3 s" }, [seconds]);
  yield soloRow({ ...memory, case: `${size}: a reader's memory, started from it` }, [
    residentMegabytes(reader.pid),
  ]);
  await untilRooted(reader, shape);
  yield soloRow({ ...memory, case: `${size}: the same with the root of the book` }, [
    residentMegabytes(reader.pid),
  ]);
  yield* orMissed(
    "blocks",
    blocks(shape, { chain, url: settings.DATABASE_URL ?? "", port: reader.port, metricsPort }),
  );
  yield* orMissed("answers", answers(shape, reader));
  yield* orMissed("the full list", fullList(reader, folder, { bench: BENCH }));
  yield soloRow({ ...memory, case: `${size}: a reader's memory, at last` }, [residentMegabytes(reader.pid)]);
}

/** A file in its place is whole. */
async function untilSaved(directory: string, shape: Shape): Promise<void> {
  // A short registry is not saved.
  const kinds = shape.raises > 5_000 ? [".market", ".registry"] : [".market"];
  const isSaved = async () => {
    const names = await readdir(directory);
    return kinds.every((kind) => names.some((name) => name.endsWith(kind)));
  };
  await until("the market and the registry saved", isSaved, {
    timeout: patienceFor(shape),
    interval: INTERVAL,
  });
}

/** After a start the whole book is hashed while answers are given, which then have half of the time. */
async function untilRooted({ port }: Reader, shape: Shape): Promise<void> {
  const waiting = { timeout: patienceFor(shape), interval: LONG_INTERVAL };
  await until("a root of the book", async () => (await healthOf(port)).root !== null, waiting);
}

type Blocks = { chain: Chain; url: string; port: number; metricsPort: number };

/** Blocks as the indexer writes them; the reader itself says how long its markets took. */
async function* blocks(shape: Shape, { chain, url, port, metricsPort }: Blocks): AsyncGenerator<Row> {
  const head = { number: BigInt(chain.head), timestamp: BigInt(shape.timeOf(chain.head)) };
  const alive = shape.raises - shape.firstAlive;
  await using ledger = await growingLedger(url, {
    ...{ schema: SCHEMA, head },
    raiseOf(block) {
      const { escrow, id } = shape.factsOf(shape.firstAlive + (Number(block) % alive));
      return { escrowAddress: escrow, onchainId: id };
    },
  });
  for (const [name, write, bar] of [
    ["with one change", ledger.append, "≤ 2 ms"],
    ["without a change", ledger.pass, "≤ 0.1 ms"],
  ] as const) {
    const spent: number[] = [];
    let before = await updatesOf(metricsPort);
    for (let block = 0; block < BLOCKS; block += 1) {
      await write();
      await sleep(BLOCK_TIME);
      const after = await updatesOf(metricsPort);
      // Two blocks in one market have one time between them.
      if (after.count === before.count + 1) spent.push((after.seconds - before.seconds) * 1000);
      before = after;
    }
    await untilIndexed(port, ledger.head());
    yield soloRow({ bench: BENCH, case: `a block ${name}`, unit: "ms", bar }, spent);
    // A raise changes once more when its last event becomes final.
    for (let block = 0n; block <= UNTIL_FINAL; block += 1n) await ledger.pass();
    await untilIndexed(port, ledger.head());
  }
  const until: number[] = [];
  for (let reorg = 0; reorg < REORGS; reorg += 1) {
    await ledger.append();
    await untilIndexed(port, ledger.head());
    await sleep(BLOCK_TIME);
    await ledger.replace();
    const from = performance.now();
    await untilIndexed(port, ledger.head());
    until.push(performance.now() - from);
  }
  yield soloRow(
    {
      bench: BENCH,
      case: "a reorg of a block with one change, until it is shown",
      unit: "ms",
      bar: "reported",
    },
    until,
  );
}

function untilIndexed(port: number, block: bigint): Promise<void> {
  const isThere = async () => BigInt((await healthOf(port)).indexedBlock) >= block;
  return until(`at block ${block}`, isThere, { timeout: FOLLOWS_WITHIN, interval: INTERVAL });
}

async function healthOf(port: number): Promise<{ root: unknown; indexedBlock: string }> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/health`);
  return (await answer.json()) as { root: unknown; indexedBlock: string };
}

/** The markets that the reader has made, and the time that they took. */
async function updatesOf(port: number): Promise<{ count: number; seconds: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics/raisebook`)).text();
  const sumOf = (name: string) =>
    Number(new RegExp(`^raisebook_market_update_duration_seconds_${name} (\\S+)$`, "m").exec(text)?.[1]);
  return { count: sumOf("count"), seconds: sumOf("sum") };
}

async function* answers(shape: Shape, { port }: Reader): AsyncGenerator<Row> {
  const list = (query: string): Case => ({
    case: query,
    requests: [{ path: `/v1/listings${query}` }],
    bar: "≥ 0.5",
  });
  const raise = (number: number): Request => ({ path: `/v1/listings/${publicIdOf(number)}` });
  const finished = Math.min(MOST_FINISHED, shape.firstAlive);
  const spread = Array.from({ length: finished }, (_, index) =>
    raise(Math.floor((index * shape.firstAlive) / finished)),
  );
  const { headers } = await capture(port, { path: "/v1/listings?limit=50" });
  const etag = headers[headers.findIndex((name) => name.toLowerCase() === "etag") + 1] ?? "";
  const unchanged = { path: "/v1/listings?limit=50", headers: { "If-None-Match": etag } };
  yield* againstBare(BENCH, port, [
    ...["?limit=50", "?status=funding&limit=50", "?status=matured&sort=most_raised&limit=50"].map(list),
    { case: "?sort=newest&limit=50, 200 cursors in turn", requests: await pages(port, 200), bar: "≥ 0.5" },
    { case: "one raise that is alive", requests: [raise(shape.firstAlive)], bar: "≥ 0.8" },
    { case: "one raise that is finished", requests: [raise(0)], bar: "≥ 0.4" },
    { case: `${finished.toLocaleString("en")} finished raises in turn`, requests: spread, bar: "reported" },
    { case: "304", requests: [unchanged], status: 304, bar: "≥ 0.85" },
  ]);
}

async function pages(port: number, most: number): Promise<Request[]> {
  const found: Request[] = [];
  for (let cursor: string | null = ""; cursor !== null && found.length < most; ) {
    const after: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v1/listings?sort=newest&limit=50${after}`;
    found.push({ path });
    cursor = JSON.parse((await capture(port, { path })).body.toString()).page.nextCursor;
  }
  return found;
}
