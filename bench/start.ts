/** @module How long it takes to be ready. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { playDemoMarket, startDemoChain } from "../demo/market/play.ts";
import { FEW, fresh } from "./backfill.ts";
import { startStillDemo } from "./harness/demo.ts";
import { measureOurs, measurePlain, startChain } from "./harness/indexing.ts";
import { inPairs, rowOf } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";

const SIZE = { listings: 10_000 };

export async function* start(stage: Stage): AsyncGenerator<Row> {
  await stage.market(SIZE);
  const reader = await inPairs({
    ours: () => secondsUntil(() => startReader(stage, SIZE)),
    other: () => secondsUntil(startNode),
  });
  const about = { bench: "start", unit: "s" };
  yield rowOf({ ...about, case: "a reader, 10,000 listings", against: "node -e 0", bar: "≤ 1.5 s" }, reader);
  await stage.startPostgres();
  const chain = await startChain(FEW);
  const indexer = await inPairs({
    ours: async () => (await fresh((url) => measureOurs(chain, url, {}))).seconds,
    other: async () => (await fresh((url) => measurePlain(chain, url, "plain"))).seconds,
  });
  chain.stop();
  const plain = { case: "an indexer on PostgreSQL", against: "plain Ponder", bar: "≤ 1" };
  yield rowOf({ ...about, ...plain }, indexer);
  const demo = await inPairs({
    ours: () => secondsUntil(startStillDemo),
    other: () => secondsUntil(playChain),
  });
  yield rowOf({ ...about, case: "the demo", against: "its chain alone", bar: "≤ 2.5 × + 3 s" }, demo);
}

/** Seconds until it is ready; the time to end is not counted. */
async function secondsUntil(ready: () => Promise<AsyncDisposable>): Promise<number> {
  const startedAt = performance.now();
  await using _started = await ready();
  return (performance.now() - startedAt) / 1000;
}

async function startNode(): Promise<AsyncDisposable> {
  await once(spawn(process.execPath, ["-e", "0"]), "exit");
  return { [Symbol.asyncDispose]: async () => {} };
}

async function playChain(): Promise<AsyncDisposable> {
  const now = Math.floor(Date.now() / 1000);
  const chain = await startDemoChain({ end: now });
  await playDemoMarket(chain, { seed: 1, now });
  return { [Symbol.asyncDispose]: chain.stop };
}
