/**
 * An hour of load: `npm run soak -- --minutes 60`. A reader and the daemon answer at half of what they can, while blocks, reorganisations
 * and registries come in, and the judge of the simulation compares answers with the model meanwhile. Nothing fails here.
 * @module
 */
import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Job, Load } from "../../bench/harness/generator.ts";
import { startWorker } from "../../bench/harness/worker.ts";
import { descendants, indexerOf } from "../harness/daemon.ts";
import { random as seeded } from "../harness/history/random.ts";
import type { RegistryDocument } from "../model/registry.ts";
import { createJudge, RedError } from "./judge.ts";
import { startWorld, type World } from "./world.ts";

const USAGE = `Usage: npm run soak -- [options]

  --minutes M     of load, after a minute of quiet; 60 when not given
  --block-time M  milliseconds of a block; 3000 when not given. With fewer more happens, which is for the memory: p99 is another then
  --seed N        of the market and of the reorganisations; 1 when not given

Exit code 1 when an answer was wrong or a 5xx, a process was started again, the memory of a process was not flat, or p99 was above three times that of quiet.
`;

/** Milliseconds of a block when not told otherwise, and blocks between two reorganisations and between two registries. */
const BLOCK_TIME = 3_000;
const BLOCKS_BETWEEN_REORGS = 20;
const BLOCKS_BETWEEN_REGISTRIES = 40;
const DEEPEST = 25;
/** Blocks of the market before the service starts: there are as many raises then as are published at once. */
const PREFIX = 300;
/** Raises that are published at once, so that the load stays half of what was measured. The questions name the first of them. */
const PUBLISHED = 40;
const NAMED = 6;
/** Without a rate, and with one: so many that those on which a ledger page waits for the end of a reorganisation are not missed. The
 * server takes 1,000, and the judge needs some. */
const CONNECTIONS = 32;
const CONNECTIONS_AT_RATE = 900;
/** Seconds. */
const WARM_UP = 20;
const QUIET = 60;
/** Part of the load after which memory is taken for warm. */
const WARM_AFTER = 1 / 6;
const MEMORY_INTERVAL = 5_000;
/** The limits of a run. */
const MOST_GROWTH = 1.1;
const MOST_P99 = 3;

/** The memory of one process, by its role. */
type Sample = { at: number; role: string; bytes: number };

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    "block-time": { type: "string" },
    seed: { type: "string" },
    help: { type: "boolean" },
  },
});

/** Ordinary questions of each kind, asked in turn. */
function requestsOf(world: World): Buffer[] {
  const { listings, originators } = world.registry();
  const paths = [
    "/v1/listings",
    "/v1/listings?status=live&limit=20",
    "/v1/stats",
    "/v1/originators",
    "/v1/events?limit=50",
    "/",
    ...listings
      .slice(0, NAMED)
      .flatMap(({ publicId }) => [`/v1/listings/${publicId}`, `/listings/${publicId}`]),
    ...originators.slice(0, 2).map(({ publicId }) => `/v1/originators/${publicId}`),
  ];
  const question = JSON.stringify({
    query: "{ listings(first: 10) { nodes { publicId status raisedAmount } } }",
  });
  return [
    ...paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)),
    Buffer.from(
      `POST /graphql HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${question.length}\r\n\r\n${question}`,
    ),
  ];
}

/** The raises that the questions name, and the newest ones. */
function newest({ originators, listings }: RegistryDocument): RegistryDocument {
  const [named, others] = [listings.slice(0, NAMED), listings.slice(NAMED)];
  return { originators, listings: [...named, ...others.slice(NAMED - PUBLISHED)] };
}

/** Blocks, reorganisations and registries, until told to stop. */
async function live(
  { chain, publish }: World,
  { seed, blockTime, signal }: { seed: number; blockTime: number; signal: AbortSignal },
): Promise<Record<string, number>> {
  const random = seeded(seed ^ 0x50a4);
  const counts = { blocks: 0, reorganisations: 0, registries: 0 };
  while (!signal.aborted) {
    await sleep(blockTime, undefined, { signal }).catch(() => {});
    await chain.mine();
    counts.blocks += 1;
    if (counts.blocks % BLOCKS_BETWEEN_REORGS === 0) {
      await chain.reorganise(1 + random.below(DEEPEST), { seen: false, disagreement: 0 });
      counts.reorganisations += 1;
    }
    if (counts.blocks % BLOCKS_BETWEEN_REGISTRIES === 0) {
      publish();
      counts.registries += 1;
    }
  }
  return counts;
}

/** The memory of each process of the service, until told to stop. */
async function watchMemory(world: World, signal: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  const daemon = world.daemon().current().child;
  while (!signal.aborted) {
    const at = performance.now();
    const roles = [
      ["indexer", indexerOf(daemon)],
      ["reader", descendants(daemon.pid).find(isReader) ?? 0],
      ["daemon", daemon.pid ?? 0],
      ["reader of its own", world.reader()?.current().child.pid ?? 0],
    ] as const;
    for (const [role, pid] of roles) samples.push({ at, role, bytes: residentBytes(pid) });
    await sleep(MEMORY_INTERVAL, undefined, { signal }).catch(() => {});
  }
  return samples;
}

/** Whether a child of the daemon is a reader: esbuild is another. */
function isReader(pid: number): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("serve-main");
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/**
 * For each role, the least of the first half after the warm-up, and of the second. Between two collections V8 lets garbage pile up, in
 * a process with little to do for a quarter of an hour: the memory after a collection is compared.
 */
function growthOf(samples: readonly Sample[]): { role: string; warm: number; last: number }[] {
  const times = samples.map(({ at }) => at);
  const [first, end] = [Math.min(...times), Math.max(...times)];
  const warmAt = first + WARM_AFTER * (end - first);
  const half = (warmAt + end) / 2;
  const leastOf = (some: readonly Sample[]) => Math.min(...some.map(({ bytes }) => bytes));
  return [...Map.groupBy(samples, ({ role }) => role)].map(([role, own]) => ({
    role,
    warm: leastOf(own.filter(({ at }) => at >= warmAt && at < half)),
    last: leastOf(own.filter(({ at }) => at >= half)),
  }));
}

function refusalsIn(statuses: Load["statuses"]): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => sum + (Number.parseInt(status, 10) >= 500 ? count : 0),
    0,
  );
}

type SoakParameters = { minutes: number; seed: number; blockTime: number; ending: AbortSignal };

async function soak({ minutes, seed, blockTime, ending }: SoakParameters): Promise<boolean> {
  const tell = (text: string) => void process.stdout.write(`${text}\n`);
  const setup = { database: "postgres", holders: false, webSocket: false, prefix: PREFIX } as const;
  const world = await startWorld(seed, setup, { isDirect: true, published: newest });
  const judge = createJudge({ world, onWait: () => {} });
  const stopping = new AbortController();
  const signal = AbortSignal.any([ending, stopping.signal]);
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  ending.addEventListener("abort", () => ended.reject(new Error("ended")), { once: true });
  try {
    world.start();
    await Promise.race([judge.untilRight(), ended.promise]);
    const requests = requestsOf(world);
    await using generator = startWorker(new URL("../../bench/harness/generator.ts", import.meta.url));
    // For each block the judge computes the whole market: not in the time of what it judges.
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
    const port = Number(new URL(world.servers[0]?.url ?? "").port);
    const load = (job: Pick<Job, "duration" | "rate">): Promise<Load> =>
      Promise.race([
        generator.ask<Load>({
          ...{ port, requests, ...job },
          connections: job.rate === undefined ? CONNECTIONS : CONNECTIONS_AT_RATE,
        }),
        judge.red,
        ended.promise,
      ]);

    await load({ duration: WARM_UP });
    const capacity = await load({ duration: WARM_UP });
    const [status = "none", ...others] = Object.keys(capacity.statuses);
    if (status !== "200" || others.length > 0)
      throw new Error(`statuses ${JSON.stringify(capacity.statuses)}`);
    const rate = capacity.rate / 2;
    const quiet = await load({ duration: QUIET, rate });
    tell(
      `capacity ${capacity.rate.toFixed(0)} answers a second; half of it, without blocks: p99 ${quiet.p99.toFixed(1)} ms`,
    );

    const changes = live(world, { seed, blockTime, signal });
    const memory = watchMemory(world, signal);
    // Whichever fails first ends the run, in order.
    const failing = [changes, memory].map((one) => one.then(() => new Promise<never>(() => {})));
    const busy = await Promise.race([load({ duration: minutes * 60, rate }), ...failing]);
    stopping.abort();
    const counts = await changes;
    await judge.untilRight();
    const { judged, refused } = judge.counts();
    const ratio = busy.p99 / quiet.p99;
    const growth = growthOf(await memory);
    const failed = refusalsIn(busy.statuses);
    const restarts = world.restarts();
    tell(
      [
        `${minutes} minutes at ${busy.rate.toFixed(0)} answers a second · statuses ${JSON.stringify(busy.statuses)}`,
        `${JSON.stringify(counts)} · ${judged} answers judged, refused ${JSON.stringify(refused)}, none wrong · ${restarts} restarts`,
        `p99 ${busy.p99.toFixed(1)} ms, ${ratio.toFixed(2)} of quiet (at most ${MOST_P99})`,
        ...growth.map(
          ({ role, warm, last }) =>
            `${role}: at least ${megabytes(warm)} in the first half, ${megabytes(last)} in the second, ${(last / warm).toFixed(2)} (at most ${MOST_GROWTH})`,
        ),
      ].join("\n"),
    );
    // Last, as nothing else would be told if the node refused it.
    const findings = await judge.audit();
    if (findings.length > 0)
      throw new RedError(
        "the audit is red",
        findings.map((one) => JSON.stringify(one)),
      );
    tell("audit green");
    return (
      failed === 0 &&
      restarts === 0 &&
      ratio <= MOST_P99 &&
      growth.every(({ warm, last }) => last / warm <= MOST_GROWTH)
    );
  } catch (error) {
    if (!(error instanceof RedError)) throw error;
    tell([`red: ${error.message}`, ...error.details.slice(0, 12)].join("\n  "));
    return false;
  } finally {
    stopping.abort();
    await judge.stop().catch(() => {});
    await world.stop();
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(0)} MiB`;
}

const minutes = Number(values.minutes ?? 60);
const blockTime = Number(values["block-time"] ?? BLOCK_TIME);
const seed = Number(values.seed ?? 1);
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
if (!(minutes > 0 && blockTime > 0 && Number.isSafeInteger(seed))) {
  process.stderr.write(`--minutes and --block-time are numbers above 0, --seed is a whole one.\n\n${USAGE}`);
  process.exit(2);
}
const ending = new AbortController();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => ending.abort());
process.exitCode = (await soak({ minutes, seed, blockTime, ending: ending.signal })) ? 0 : 1;
