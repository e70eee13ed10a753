/**
 * Ordinary reads of a reader with 10,000 followers, compared with the same reads without followers; a block with an event comes every 450
 * ms in both cases. Then the same with followers whose filter lets no event through.
 * @module
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { CONNECTIONS, startGenerator } from "./harness/against-bare.ts";
import { bytesOf } from "./harness/capture.ts";
import type { CrowdMessage, Reached } from "./harness/crowd.ts";
import type { Job, Load } from "./harness/generator.ts";
import { eventsInTurn, growingLedger } from "./harness/growing.ts";
import { inPairs, type Pair, rowOf, soloRow } from "./harness/pairs.ts";
import { cpuPercent, residentMegabytes } from "./harness/processes.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";
import { startWorker } from "./harness/worker.ts";

const FOLLOWERS = 10_000;
/** Files of the reader and of the crowd besides the connections of followers. */
const OTHER_FILES = 2_500;
/** A filter that no event of the bench has. */
const OTHER_EVENTS = "?kind=listing_voided";
/** A number that no other bench has: this one writes into its tables. */
const LISTINGS = 900;
/** Reads a second. */
const READS = 1_000;
/** Seconds of one side of a run. */
const DURATION = 4;
/** Milliseconds between blocks, as on the chain; and until the reader has handled all followers that came or left. */
const INTERVAL = 450;
const SETTLING = 1_000;
/** More than elsewhere: a tail of a few milliseconds also contains other work of the machine. */
const RUNS = 9;
const RUNS_OF_OTHERS = 3;
const PATHS = ["/v1/listings/lst_000003", "/v1/listings?limit=20", "/v1/stats", "/v1/events?limit=20"];

type Measure = {
  load: Load;
  /** percent of a core */
  cpu: number;
  megabytes: number;
  /** milliseconds from the commit of each event until the first and the last follower had it */
  first: readonly number[];
  last: readonly number[];
};

export async function* followers(
  stage: Stage,
  { followers: count = FOLLOWERS }: { followers?: number | undefined } = {},
): AsyncGenerator<Row> {
  checkFiles(count);
  const { connectionString } = await stage.market({ listings: LISTINGS });
  await using reader = await startReader(stage, { listings: LISTINGS });
  await using ledger = await growingLedger(connectionString, eventsInTurn(LISTINGS));
  await using generator = startGenerator();
  await using crowd = startWorker(new URL("harness/crowd.ts", import.meta.url));
  const { port, pid } = reader;
  const tell = <Reply>(message: CrowdMessage) => crowd.ask<Reply>(message);
  const reads: Job = {
    ...{ port, requests: PATHS.map((path) => bytesOf(port, { path })), connections: CONNECTIONS },
    ...{ duration: DURATION, rate: READS },
  };
  // The made-up tables name no event yet that the ledger has.
  await ledger.append();

  const grow = async (isReaching: boolean) => {
    const endsAt = performance.now() + DURATION * 1000;
    const times = { first: [] as number[], last: [] as number[] };
    while (performance.now() < endsAt - INTERVAL) {
      const reaching = isReaching ? tell<Reached>({ next: true }) : null;
      const [{ id, committedAt }] = await Promise.all([ledger.append(), sleep(INTERVAL)]);
      const reached = await reaching;
      if (reached === null) continue;
      if (reached.id !== id) throw new Error(`${reached.id} came in place of ${id}`);
      times.first.push(reached.first - committedAt);
      times.last.push(reached.last - committedAt);
    }
    return times;
  };
  const side =
    (wanted: number, query = "") =>
    async (): Promise<Measure> => {
      const there = await tell<number>({ port, count: wanted, query });
      if (there !== wanted) throw new Error(`${there} follow, not ${wanted}`);
      await sleep(SETTLING);
      const [load, times, cpu] = await Promise.all([
        generator.ask<Load>(reads),
        grow(wanted > 0 && query === ""),
        cpuPercent([pid], DURATION),
      ]);
      const others = Object.keys(load.statuses).filter((status) => status !== "200");
      if (others.length > 0) throw new Error(`reads were answered ${others}`);
      return { load, cpu, megabytes: residentMegabytes(pid), ...times };
    };

  // A process keeps memory that it has once taken: only before the first follower does it have none for followers.
  const { megabytes: before } = await side(0)();
  // Later followers use memory that the first ones have freed.
  const { megabytes: full } = await side(count)();
  yield soloRow({ bench: "followers", case: "its memory for each follower", unit: "kB", bar: "≤ 20" }, [
    ((full - before) * 1024) / count,
  ]);
  const pairs = await inPairs({ ours: side(count), other: side(0) }, RUNS);
  const about = { bench: "followers", against: "nobody follows" };
  const name = `${READS.toLocaleString("en")} reads/s`;
  const beside = (of: (measure: Measure) => number): Pair<number>[] =>
    pairs.map(({ ours, other }) => ({ ours: of(ours), other: of(other) }));
  yield rowOf(
    { ...about, case: `${name}, p50`, unit: "ms", bar: "reported" },
    beside(({ load }) => load.p50),
  );
  yield rowOf(
    { ...about, case: `${name}, p99`, unit: "ms", bar: "≤ 1.5" },
    beside(({ load }) => load.p99),
  );
  yield rowOf(
    { ...about, case: "the reader's processor time", unit: "% of a core", bar: "reported" },
    beside(({ cpu }) => cpu),
  );
  yield rowOf(
    {
      ...about,
      case: "the reader's memory",
      unit: "MB",
      against: "before anybody followed",
      bar: "reported",
    },
    pairs.map(({ ours }) => ({ ours: ours.megabytes, other: before })),
  );
  const ours = pairs.map((pair) => pair.ours);
  for (const [which, bar, times] of [
    ["first", "reported", ours.flatMap(({ first }) => first)],
    ["last", "≤ 500", ours.flatMap(({ last }) => last)],
  ] as const)
    yield soloRow({ bench: "followers", case: `committed → the ${which} has it`, unit: "ms", bar }, times);

  const idle = await inPairs({ ours: side(count, OTHER_EVENTS), other: side(0) }, RUNS_OF_OTHERS);
  yield rowOf(
    {
      ...about,
      case: "the reader's processor time, no event for them",
      unit: "% of a core",
      bar: "reported",
    },
    idle.map(({ ours, other }) => ({ ours: ours.cpu, other: other.cpu })),
  );
  yield rowOf(
    { ...about, case: `${name}, p99, no event for them`, unit: "ms", bar: "reported" },
    idle.map(({ ours, other }) => ({ ours: ours.load.p99, other: other.load.p99 })),
  );
}

/** @throws if the limit of open files is too low for this many connections */
function checkFiles(count: number): void {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
  if (limit !== undefined && Number(limit) < count + OTHER_FILES)
    throw new Error(`ulimit -n is ${limit}: ${count} followers need ${count + OTHER_FILES} open files`);
}
