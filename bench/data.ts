/**
 * The open data of a long ledger: how large its files are, what they cost, and how reads fare in the same process meanwhile. The rows
 * are made up as they are asked for, so that no database is measured.
 * @module
 */
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openFolder } from "../api/data/folder.ts";
import { createRest } from "../api/data/keep.ts";
import { filesOf } from "../api/data/manifest.ts";
import { type DataSource, writeData } from "../api/data/write.ts";
import type { BookEvent } from "../api/proof/book-leaves.ts";
import { NO_DELTAS } from "../src/fold/state.ts";
import { appIn } from "../test/harness/app.ts";
import { FIRST, memorySource } from "../test/harness/data-source.ts";
import { serveApp } from "../test/harness/serve-app.ts";
import { CONNECTIONS, startGenerator } from "./harness/against-bare.ts";
import { bytesOf } from "./harness/capture.ts";
import type { Job, Load } from "./harness/generator.ts";
import { inPairs, rowOf, soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";

const MILLION = 1_000_000;
/** Fewer show the slope in less time. */
const EVENTS = Number(process.env.EVENTS ?? MILLION);
/** About one event in three blocks: ten files of a million. */
const BLOCKS_PER_EVENT = 3;
const BLOCKS_PER_FILE = 300_000n;
const LISTINGS = 1_000;
const READS = 1_000;
/** Seconds. */
const DURATION = 5;
/** Milliseconds until the thread has loaded its modules. */
const HEAD_START = 500;
const CENT = 10n ** 16n;
const KEPT_DIGESTS = 1_000;

export async function* data(): AsyncGenerator<Row> {
  const about = { bench: "data", case: `${EVENTS.toLocaleString("en")} events` };
  const { bytes, seconds, cores } = await writeOnce();
  const scale = MILLION / EVENTS;
  yield soloRow({ ...about, case: `${about.case}: size of a million`, unit: "MB", bar: "≤ 60 MB" }, [
    (bytes * scale) / 1e6,
  ]);
  yield soloRow({ ...about, case: `${about.case}: core time of a million`, unit: "s", bar: "≤ 60 s" }, [
    cores * scale,
  ]);
  yield soloRow({ ...about, case: `${about.case}: time`, unit: "s", bar: "reported" }, [seconds]);

  await using served = await serveApp(await appIn());
  await using generator = startGenerator();
  const port = Number(new URL(served.url).port);
  const reads: Job = {
    ...{ port, requests: [bytesOf(port, { path: "/v1/listings/lst_3" })], connections: CONNECTIONS },
    ...{ duration: DURATION, rate: READS },
  };
  const ask = () => generator.ask<Load>(reads);
  const askBeside = async () => {
    const stopping = new AbortController();
    const writing = writeOnce(stopping.signal);
    await sleep(HEAD_START);
    const load = await ask();
    stopping.abort();
    await writing;
    return load;
  };
  const pairs = await inPairs({ ours: askBeside, other: ask });
  for (const [figure, bar] of [
    ["p50", "reported"],
    ["p99", "≤ 1.5"],
  ] as const)
    yield rowOf(
      {
        ...about,
        case: `${READS.toLocaleString("en")} reads/s: ${figure}`,
        unit: "ms",
        against: "nothing written",
        bar,
      },
      pairs.map(({ ours, other }) => ({ ours: ours[figure], other: other[figure] })),
    );
}

/** A block after all events. */
export const LAST_BLOCK = FIRST + BigInt(EVENTS * BLOCKS_PER_EVENT) + BLOCKS_PER_FILE;

/** The events of a source in memory, made up. */
export function madeUpLedger(signal?: AbortSignal) {
  return { blocksPerFile: BLOCKS_PER_FILE, events: madeUp(signal) };
}

type Cost = { bytes: number; seconds: number; cores: number };

/** Writes until all is written or the signal aborts. */
async function writeOnce(signal?: AbortSignal): Promise<Cost> {
  const folder = openFolder(await mkdtemp(join(tmpdir(), "raisebook-bench-")));
  const { source } = memorySource(madeUpLedger(signal));
  const startedAt = performance.now();
  const before = process.cpuUsage();
  try {
    const pause = signal === undefined ? async () => {} : createRest();
    const manifest = await writeData(folder, source, LAST_BLOCK, { pause });
    const { user, system } = process.cpuUsage(before);
    const bytes =
      manifest === null || "reason" in manifest
        ? 0
        : filesOf(manifest).reduce((sum, one) => sum + one.bytes, 0);
    return { bytes, seconds: (performance.now() - startedAt) / 1_000, cores: (user + system) / 1e6 };
  } finally {
    await rm(folder.path, { recursive: true });
  }
}

/** Events one after another: of every eight, six subscriptions, a refund and a repayment. */
function madeUp(signal: AbortSignal | undefined): DataSource["events"] {
  return async (after, until, limit) => {
    if (signal?.aborted) return [];
    const first = after === null ? 0 : Number(after.blockNumber - FIRST) / BLOCKS_PER_EVENT + 1;
    const count = Math.max(0, Math.min(limit, EVENTS - first));
    return Array.from({ length: count }, (_, index) => eventOf(first + index, signal !== undefined)).filter(
      ({ blockNumber }) => blockNumber <= until,
    );
  };
}

const digests = new Map<number, string>();

/** Hashes that repeat where only the time counts: making them up would take more of it than the rows do. */
function digestOf(index: number, areKept: boolean): string {
  const key = areKept ? index % KEPT_DIGESTS : index;
  const digest = digests.get(key) ?? createHash("sha256").update(`${key}`).digest("hex");
  if (areKept) digests.set(key, digest);
  return digest;
}

function eventOf(index: number, areKept: boolean): BookEvent {
  const digest = digestOf(index, areKept);
  const amount = BigInt(Number.parseInt(digest.slice(0, 8), 16) % 5_000_000) * CENT;
  const kind = index % 8 === 6 ? "refunded" : index % 8 === 7 ? "repaid" : "subscribed";
  const money = {
    subscribed: {
      args: { amount: `${amount}`, bidRateBps: 1_000 + (index % 500) },
      deltas: { committed: amount },
    },
    refunded: { args: { amount: `${amount}`, reason: "min_not_met" }, deltas: { refunded: amount } },
    repaid: {
      args: { principal: `${amount}`, interest: `${amount / 10n}` },
      deltas: { repaidPrincipal: amount, repaidInterest: amount / 10n, outstanding: -amount },
    },
  }[kind];
  const blockNumber = FIRST + BigInt(index * BLOCKS_PER_EVENT);
  return {
    ...{
      escrowAddress: `0x${"e1".repeat(20)}`,
      onchainId: BigInt(index % LISTINGS),
      eventId: `${index}`,
      kind,
    },
    ...{
      blockNumber,
      blockTime: 1_700_000_000n + BigInt(index),
      txHash: `0x${digest}`,
      logIndex: index % 40,
    },
    ...{ part: 0, blockHash: `0x${digest}`, args: money.args, ...NO_DELTAS, ...money.deltas },
  };
}
