/**
 * The events of a run, decided by its seed alone: which blocks come, which faults begin and end between them, which process is
 * killed, and when everything must be right again. Pure.
 * @module
 */
import { createHash } from "node:crypto";
import { type Random, random as seeded } from "../harness/history/random.ts";
import { LONG_FAULTS, LONG_TRAIL, longOf, mined } from "./long-faults.ts";

/** Faults of an upstream, each lasting for a while. */
const UPSTREAM_FAULTS = [
  "slow",
  "dropped",
  "truncated",
  "limited",
  "limited-until",
  "failing",
  "wrong-json",
  "html",
  "stale-head",
  "head-back",
  "doubled-logs",
  "refused-range",
  "finality-back",
  "omitted-log",
  "omitted-old-log",
  "lying-bloom",
  "pruned",
] as const;
const DATABASE_FAULTS = [
  "database-restart",
  "database-cut",
  "database-silent",
  "database-timeout",
  "disk-full",
] as const;
const OTHER_FAULTS = ["registry-invalid", "clock"] as const;
/** Shown once, at the end: what a node keeps back no reader can know. */
const LIES = ["missing-log"] as const;

export type UpstreamFault = (typeof UPSTREAM_FAULTS)[number];
export type LastingFault =
  | UpstreamFault
  | (typeof DATABASE_FAULTS)[number]
  | (typeof OTHER_FAULTS)[number]
  | "finality-stalled";

const WHO = ["indexer", "daemon", "server", "reader"] as const;
export type Who = (typeof WHO)[number];
export type Signal = "SIGKILL" | "SIGTERM";

/** Every kind of fault that a run can have; of kills, one for each who and how. */
export const FAULTS = [
  ...UPSTREAM_FAULTS,
  ...DATABASE_FAULTS,
  ...OTHER_FAULTS,
  ...LONG_FAULTS,
  ...LIES,
  "silent-socket",
  "reorg",
  "disagreement",
  "schema-switch",
  ...WHO.flatMap((who) => [`kill-${who}`, `stop-${who}`] as const),
] as const;
export type Fault = (typeof FAULTS)[number];

export type Setup = {
  database: "postgres" | "embedded";
  /** whether tokens are followed */
  holders: boolean;
  /** whether new blocks are announced over a WebSocket */
  webSocket: boolean;
  /** blocks of the market before the service starts */
  prefix: number;
  /** blocks from the chain's final block to its head; 30 when not given */
  trail?: number;
};

/** Which of the two upstreams. */
export type Upstreams = "first" | "second" | "both";

export type Step =
  /** one block of the market, and milliseconds until the next step */
  | { do: "mine"; pause: number }
  /** so many empty blocks at once */
  | { do: "idle"; blocks: number }
  | { do: "start" }
  /** the amount is in the fault's own unit: milliseconds, blocks, seconds */
  | { do: "begin"; fault: LastingFault; upstreams: Upstreams; amount: number }
  | { do: "end"; fault: LastingFault }
  /** at once, or later without waiting: milliseconds after now, or after the next such line of its log */
  | { do: "kill"; who: Who; signal: Signal; moment?: Moment }
  /** `seen`: upstreams show the shorter chain meanwhile; `disagreement`: the second stays on the old one for some blocks */
  | { do: "reorg"; depth: number; seen: boolean; disagreement: number }
  | { do: "publish" }
  | { do: "silence-socket" }
  | { do: "switch" }
  | { do: "lie" }
  /** everything is lifted: the answers at the head must be right within a patience, and the audit green */
  | { do: "check" /** nothing is lifted: what goes on must be seen */; unended?: true };

export type Moment = { line: string | null; after: number };

export type Schedule = { seed: number; setup: Setup; steps: Step[]; hash: string };

export type ScheduleParameters = {
  seed: number;
  /** of chain time; default 3 */
  minutes?: number;
  /** the kinds of faults that may come; default: all */
  only?: readonly Fault[] | undefined;
};

/** Seen where the history is fetched. */
const OF_HISTORY: readonly Fault[] = ["omitted-old-log", "pruned"];

/** Seconds of a chain's block, by which minutes are counted; the market's own leaps in time come on top. */
const BLOCK_SECONDS = 3;
const BLOCKS_BETWEEN_CHECKS = 20;
/** Above the chain's final block, wherever it is. */
const DEEPEST = 25;

export function scheduleOf({ seed, minutes = 3, only = FAULTS }: ScheduleParameters): Schedule {
  // Another stream than the market's own, which the same seed decides.
  const random = seeded(seed ^ 0x5eed);
  const allowed = new Set<Fault>(only);
  const setup = setupOf(random, allowed);
  const blocks = Math.max(1, Math.round((minutes * 60) / BLOCK_SECONDS));
  const rounds = Math.max(1, Math.round(blocks / BLOCKS_BETWEEN_CHECKS));
  const steps: Step[] = [];
  let isSwitched = false;
  for (let round = 0; round < rounds; round++) {
    const count = Math.floor(((round + 1) * blocks) / rounds) - Math.floor((round * blocks) / rounds);
    const chosen = disturbances(random, setup, allowed, isSwitched);
    isSwitched ||= chosen.includes("schema-switch");
    steps.push(...roundOf(random, chosen, count, round === 0), { do: "check" });
    const long = LONG_FAULTS.filter((fault) => allowed.has(fault));
    if (long.length > 0 && random.chance(only.length === FAULTS.length ? 0.1 : 0.7))
      steps.push(...longOf(random, random.one(long), setup), { do: "check" });
  }
  if (setup.webSocket && allowed.has("silent-socket") && random.chance(0.4)) {
    steps.push({ do: "silence-socket" }, ...mined(random, 6), { do: "check" });
  }
  // A token's own logs would show the block.
  if (allowed.has("missing-log") && !setup.holders && random.chance(only.length === 1 ? 1 : 0.24)) {
    steps.push({ do: "lie" }, { do: "check" });
  }
  const decided = { seed, setup, steps };
  return { ...decided, hash: hashOf(decided) };
}

/** Names what is decided, whatever the code. */
export function hashOf(decided: Omit<Schedule, "hash">): string {
  return createHash("sha256").update(JSON.stringify(decided)).digest("hex").slice(0, 12);
}

/** The kinds of faults in a schedule, each with its number. */
export function faultsIn({ steps }: Pick<Schedule, "steps">): Map<Fault, number> {
  const counts = new Map<Fault, number>();
  for (const fault of steps.flatMap(faultsOf)) counts.set(fault, (counts.get(fault) ?? 0) + 1);
  return counts;
}

function faultsOf(step: Step): Fault[] {
  switch (step.do) {
    case "begin":
      return [step.fault];
    case "kill":
      return [`${step.signal === "SIGKILL" ? "kill" : "stop"}-${step.who}`];
    case "reorg":
      if (step.depth > DEEPEST) return step.disagreement > 0 ? ["forks"] : ["deep-reorg"];
      return step.disagreement > 0 ? ["reorg", "disagreement"] : ["reorg"];
    case "silence-socket":
      return ["silent-socket"];
    case "switch":
      return ["schema-switch"];
    case "lie":
      return ["missing-log"];
    default:
      return [];
  }
}

function setupOf(random: Random, allowed: ReadonlySet<Fault>): Setup {
  const needsPostgres = [...DATABASE_FAULTS, "schema-switch", "kill-reader", "stop-reader"] as const;
  const isOnlyThat = [...allowed].every((fault) => (needsPostgres as readonly Fault[]).includes(fault));
  const isEmbedded = random.chance(0.2) && !isOnlyThat;
  const wantsSocket = random.chance(0.25) || (allowed.size === 1 && allowed.has("silent-socket"));
  return {
    database: isEmbedded ? "embedded" : "postgres",
    holders: random.chance(0.5),
    webSocket: wantsSocket,
    prefix: random.between(36, 80),
    ...(allowed.has("deep-reorg") && random.chance(0.2) && { trail: LONG_TRAIL }),
  };
}

/** The faults of a round. Few that cost a start of the indexer, as each takes seconds. */
function disturbances(
  random: Random,
  { database }: Setup,
  allowed: ReadonlySet<Fault>,
  isSwitched: boolean,
): Fault[] {
  const isThere = (fault: Fault) =>
    allowed.has(fault) &&
    !(LONG_FAULTS as readonly Fault[]).includes(fault) &&
    fault !== "silent-socket" &&
    fault !== "missing-log" &&
    fault !== "disagreement" &&
    !(isSwitched && fault === "schema-switch") &&
    (database === "postgres" || !/^(database-|disk-|schema-)|-(reader|server)$/.test(fault));
  const isStart = (fault: Fault) => /^(kill|stop)-(indexer|daemon)$|^schema-switch$/.test(fault);
  const possible = FAULTS.filter(isThere);
  const cheap = possible.filter((fault) => !isStart(fault));
  const chosen: Fault[] = [];
  const draw = (among: readonly Fault[]) => {
    const rest = among.filter((fault) => !chosen.includes(fault));
    if (rest.length > 0) chosen.push(random.one(rest));
  };
  for (let drawn = random.between(2, 4); drawn > 0; drawn--) draw(cheap);
  if (random.chance(0.6)) draw(possible.filter(isStart));
  if (possible.includes("reorg") && random.chance(0.5)) draw(["reorg"]);
  if (
    allowed.has("disagreement") &&
    (chosen.includes("reorg") || !allowed.has("reorg")) &&
    random.chance(0.4)
  )
    chosen.push("disagreement");
  return chosen;
}

/** Blocks, with disturbances at random moments between them, all of which are over at the end. */
function roundOf(random: Random, chosen: readonly Fault[], blocks: number, isFirst: boolean): Step[] {
  const at: Step[][] = Array.from({ length: blocks + 1 }, () => []);
  const put = (moment: number, step: Step) => at[Math.min(moment, blocks)]?.push(step);
  for (const fault of chosen) {
    const isOfStart = isFirst && OF_HISTORY.includes(fault);
    const moment = isOfStart ? 0 : random.below(blocks);
    const kill = /^(kill|stop)-(\w+)$/.exec(fault);
    if (kill) {
      put(moment, { do: "kill", who: kill[2] as Who, signal: kill[1] === "kill" ? "SIGKILL" : "SIGTERM" });
    } else if (fault === "reorg" || (fault === "disagreement" && !chosen.includes("reorg"))) {
      const disagreement = chosen.includes("disagreement") ? random.between(2, 6) : 0;
      put(moment, { do: "reorg", depth: depthOf(random), seen: random.chance(0.5), disagreement });
    } else if (fault === "schema-switch") put(moment, { do: "switch" });
    else if (fault !== "disagreement") {
      put(moment, beginningOf(random, fault as LastingFault));
      const over = isOfStart ? blocks : moment + random.between(2, 10);
      put(over, { do: "end", fault: fault as LastingFault });
    }
  }
  // Over the registry's history, too: what was published is what the answers show.
  put(random.below(blocks), { do: "publish" });
  const pauses = mined(random, blocks);
  const steps = at.flatMap((here, index) => [...here, ...pauses.slice(index, index + 1)]);
  if (!isFirst) return steps;
  // It starts at once, or into what has begun by then.
  const into = steps.findLastIndex((step) => step.do === "begin" && OF_HISTORY.includes(step.fault)) + 1;
  const start = Math.max(into, random.chance(0.7) ? 0 : random.below(Math.min(4, steps.length)));
  const killed = steps.findIndex(({ do: what }) => what === "kill" || what === "switch" || what === "reorg");
  return steps.toSpliced(killed < 0 ? start : Math.min(start, killed), 0, { do: "start" });
}

function beginningOf(random: Random, fault: LastingFault): Step {
  const upstreams = random.weighted<Upstreams>([
    [3, "first"],
    [3, "second"],
    [3, "both"],
  ]);
  // A start needs an endpoint with the history and with the headers of its blocks.
  const isOneOnly = fault === "pruned" || fault === "lying-bloom";
  const amounts: Partial<Record<LastingFault, number>> = {
    slow: random.between(100, 1_500),
    "stale-head": random.between(1, 90),
    "head-back": random.between(1, 90),
    "refused-range": random.between(1, 20),
    clock: random.one([-1, 1]) * random.between(60, 7_200),
    "finality-back": random.between(1, 300),
    "omitted-log": random.below(8),
    "omitted-old-log": random.below(8),
    pruned: random.between(0, 60),
  };
  const place = isOneOnly && upstreams === "both" ? "first" : upstreams;
  return { do: "begin", fault, upstreams: place ?? "both", amount: amounts[fault] ?? 0 };
}

function depthOf(random: Random): number {
  return (
    random.weighted([
      [4, 1],
      [3, random.between(2, 5)],
      [3, random.between(6, DEEPEST)],
    ]) ?? 1
  );
}
