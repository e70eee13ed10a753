/** @module The defence between each kind of fault and a wrong answer, and a short run that must turn red without it. Pure. */
import { type Fault, hashOf, type LastingFault, type Schedule, type Setup, type Step } from "./schedule.ts";

export type Defence = {
  fault: Fault;
  /** what is taken out: another text in a file, which must have the first once */
  out: { file: string; text: string; instead: string };
  setup?: Partial<Setup>;
  steps: Step[];
};

const mined = (count: number, pause = 150): Step[] =>
  Array.from({ length: count }, () => ({ do: "mine", pause }));
const kill = (who: "indexer" | "daemon" | "server" | "reader", signal: "SIGKILL" | "SIGTERM"): Step => ({
  ...{ do: "kill", who, signal },
});
const check: Step = { do: "check" };
const lasting = (fault: LastingFault, blocks: Step[], amount = 0): Step[] => [
  { do: "begin", fault, upstreams: "both", amount },
  ...blocks,
  { do: "end", fault },
];

const standing = (steps: Step[]): Step[] => lasting("finality-stalled", steps);
/** Blocks that the service has, when the next step is done. */
const seen = [...mined(2), ...mined(1, 3_000)];

const RESTART = {
  file: "operate/daemon/supervise.ts",
  text: "if (code === EXIT_REFUSED && run.stall === null) {",
  instead: "if (run.stall === null) {",
};
const OPERATOR = {
  file: "test/simulation/processes.ts",
  text: "if (isWanted && runs.at(-1) === started) run();",
  instead: "",
};
const FEED_GOES_ON = {
  file: "api/updater/market-updater.ts",
  text: "failure = kind;",
  instead: "failure = kind; stopped = true;",
};

export const DEFENCES: readonly Defence[] = [
  {
    fault: "kill-indexer",
    out: {
      file: "api/database/checkpoint.ts",
      text: "CASE WHEN ready THEN latest_checkpoint ELSE safe_checkpoint END",
      instead: "latest_checkpoint",
    },
    steps: [...mined(5), kill("indexer", "SIGKILL"), ...mined(20, 500), check],
  },
  { fault: "stop-indexer", out: RESTART, steps: [kill("indexer", "SIGTERM"), ...mined(20, 300), check] },
  ...(["kill-server", "stop-server"] as const).map((fault): Defence => {
    const out = {
      file: "operate/daemon/keep-running.ts",
      text: "while (!signal.aborted) {",
      instead: "for (let first = true; first && !signal.aborted; first = false) {",
    };
    const signal = fault === "kill-server" ? "SIGKILL" : "SIGTERM";
    return { fault, out, steps: [kill("server", signal), ...mined(4), check] };
  }),
  ...(["daemon", "reader"] as const).flatMap((who): Defence[] => [
    { fault: `kill-${who}`, out: OPERATOR, steps: [kill(who, "SIGKILL"), ...mined(4), check] },
    { fault: `stop-${who}`, out: OPERATOR, steps: [kill(who, "SIGTERM"), ...mined(4), check] },
  ]),
  {
    fault: "reorg",
    out: { file: "operate/backfill/start.ts", text: "      leaveOrphans(app);\n", instead: "" },
    steps: [
      ...mined(5),
      ...lasting(
        "slow",
        [1, 3, 5].flatMap((depth): Step[] => [
          { do: "reorg", depth, seen: false, disagreement: 0 },
          ...mined(8, 500),
        ]),
        400,
      ),
      check,
    ],
  },
  {
    fault: "disagreement",
    out: {
      file: "operate/backfill/corrections.mjs",
      text: "const corrections = CORRECTIONS.filter(",
      instead: "const corrections = [].filter(",
    },
    setup: { holders: true, webSocket: true },
    steps: [
      ...[20, 12, 25].flatMap((depth): Step[] => [
        ...mined(depth, 300),
        { do: "reorg", depth, seen: false, disagreement: 6 },
      ]),
      ...mined(8, 500),
      check,
    ],
  },
  {
    fault: "head-back",
    // The next start would find out that no final block is lost: without that, the indexer ends for good.
    out: {
      file: "operate/backfill/start.ts",
      text: "      keepHeads(next);\n",
      instead: '      process.once("SIGINT", () => process.exit(1));\n',
    },
    steps: [...lasting("head-back", mined(20, 300), 70), check],
  },
  {
    fault: "refused-range",
    out: {
      file: "chain/logs.ts",
      text: 'if (!isRefusal(error) || signal?.aborted || (error as RpcError).kind === "pruned") throw error;',
      instead: "if (isRefusal(error)) return [];",
    },
    steps: [...mined(30, 300), ...lasting("refused-range", [{ do: "switch" }, ...mined(30, 500)], 2), check],
  },
  {
    fault: "registry-invalid",
    out: {
      file: "api/registry/store.ts",
      text: `typeof result === "string" || result.version === copy.version ? copy : result`,
      instead: `typeof result === "string" ? { ...copy, registry: { ...copy.registry, listings: [], listingByPair: new Map(), listingByPublicId: new Map() } } : result`,
    },
    steps: [...lasting("registry-invalid", mined(20, 400)), check],
  },
  {
    fault: "silent-socket",
    out: { file: "api/health/stall.ts", text: "after = 60_000", instead: "after = 3_600_000" },
    setup: { webSocket: true },
    steps: [{ do: "silence-socket" }, ...mined(4), check],
  },
  ...(["database-restart", "database-cut"] as const).map(
    (fault): Defence => ({ fault, out: FEED_GOES_ON, steps: [...lasting(fault, mined(10, 400)), check] }),
  ),
  {
    fault: "database-timeout",
    out: {
      file: "api/database/postgres.ts",
      text: `isPassing || isOutage(error)`,
      instead: "isOutage(error)",
    },
    steps: [...lasting("database-timeout", mined(12, 500)), check],
  },
  {
    fault: "database-silent",
    out: { file: "api/database/postgres.ts", text: "query_timeout: timeout,", instead: "" },
    steps: [...lasting("database-silent", mined(12, 2_500)), check],
  },
  {
    fault: "clock",
    out: {
      file: "api/updater/market-updater.ts",
      text: "next.projection.advance(rows, head,",
      instead:
        "next.projection.advance(rows, { ...head, timestamp: head.timestamp + BigInt(Math.round((Date.now() - performance.timeOrigin - performance.now()) / 60_000)) * 60n },",
    },
    steps: [...mined(2), ...lasting("clock", mined(10), 86_400), check],
  },
  {
    fault: "schema-switch",
    out: {
      file: "operate/backfill/earlier.ts",
      text: "SELECT last_block, finalized_checkpoint, to_jsonb(own)",
      instead: "SELECT last_block, latest_checkpoint AS finalized_checkpoint, to_jsonb(own)",
    },
    steps: [
      ...mined(5),
      { do: "switch" },
      ...mined(2),
      check,
      ...mined(3),
      { do: "reorg", depth: 25, seen: false, disagreement: 0 },
      ...mined(2),
      check,
    ],
  },
  {
    fault: "finality-stalled",
    out: {
      file: "operate/backfill/finality.ts",
      text: 'tip - tipThen > depth ? "stalled" : "finalized"',
      instead: '"finalized"',
    },
    steps: standing([...seen, { do: "idle", blocks: 300 }, ...seen, { do: "check", unended: true }]),
  },
  {
    fault: "finality-back",
    out: {
      file: "operate/backfill/finality.ts",
      text: "if (reached <= floor) return undefined;",
      instead: "",
    },
    steps: [...mined(5), ...lasting("finality-back", mined(20, 500), 5), check],
  },
  {
    fault: "deep-reorg",
    out: {
      file: "operate/backfill/finality.ts",
      text: "chain.finalityBlockCount = reorgWindow(settings);",
      instead: "chain.finalityBlockCount = 30;",
    },
    steps: standing([
      ...[...seen, { do: "idle", blocks: 90 } as const, ...seen],
      ...[{ do: "reorg", depth: 110, seen: false, disagreement: 0 } as const, ...seen],
      check,
    ]),
  },
  {
    fault: "omitted-log",
    out: {
      file: "operate/backfill/complete-logs.ts",
      text: "omissionIn(logs, blooms.get(blockHash) ?? null)",
      instead: "null",
    },
    steps: [...lasting("omitted-log", mined(20, 300)), check],
  },
  {
    fault: "omitted-old-log",
    out: {
      file: "config/environment.ts",
      text: 'logsProven: values.LOGS_PROVEN ?? "events",',
      instead: 'logsProven: "none",',
    },
    setup: { holders: true, prefix: 80 },
    steps: [...lasting("omitted-old-log", [{ do: "switch" }, ...mined(30, 500)]), check],
  },
  {
    fault: "lying-bloom",
    out: {
      file: "operate/backfill/complete-logs.ts",
      text: `else if (shapes.has(shape)) return { why: "the header does not hash to the block's hash" };`,
      instead: "",
    },
    steps: [...lasting("lying-bloom", mined(20, 300)), check],
  },
  {
    fault: "pruned",
    out: {
      file: "chain/client.ts",
      text: 'const isPruned = error.kind === "pruned" && task.block !== null;',
      instead: "const isPruned = false;",
    },
    setup: { holders: true },
    // The other one is the slower one, and has everything.
    steps: [
      { do: "begin", fault: "slow", upstreams: "second", amount: 400 },
      { do: "begin", fault: "pruned", upstreams: "first", amount: 0 },
      ...[{ do: "switch" } as const, ...mined(5), { do: "check", unended: true } as const],
    ],
  },
  {
    fault: "forks",
    out: {
      file: "operate/backfill/finality.ts",
      text: ".filter(([number, hash]) => blocks[number - first]?.hash === hash)",
      instead: ".filter(([number]) => blocks[number - first] !== undefined)",
    },
    // The first names final blocks of the fork that stays, when it still shows the other one, which is indexed.
    steps: standing([
      ...[...seen, { do: "idle", blocks: 50 } as const, ...seen],
      ...[{ do: "reorg", depth: 80, seen: false, disagreement: 40 } as const, ...seen],
      { do: "idle", blocks: 40 },
      check,
    ]),
  },
  {
    fault: "missing-log",
    out: {
      file: "operate/audit/audit.ts",
      text: "const findings = comparisons.flatMap(",
      instead: "const findings = comparisons.slice(0, 0).flatMap(",
    },
    steps: [{ do: "lie" }, check],
  },
];

/** The faults whose defence is in Ponder or in viem: they must turn a check red for as long as they last. */
export const OTHERS_DEFENCES = [
  ...(["slow", "dropped", "truncated", "limited", "limited-until", "failing", "wrong-json", "html"] as const),
  ...(["stale-head", "doubled-logs", "disk-full"] as const),
] satisfies LastingFault[];

const SETUP: Setup = { database: "postgres", holders: false, webSocket: false, prefix: 45 };

/** The run of a defence, from a service that is right. */
export function scheduleWithout({ steps: shown, setup }: Pick<Defence, "steps" | "setup">): Schedule {
  const steps: Step[] = [{ do: "start" }, ...mined(3), check, ...shown];
  const decided = { seed: 26, setup: { ...SETUP, ...setup }, steps };
  return { ...decided, hash: hashOf(decided) };
}

/** A run in which each of these faults begins, and is not over at the check. */
export function scheduleUnended(fault: LastingFault): Schedule {
  const amount = fault === "slow" ? 30_000 : 5;
  return scheduleWithout({
    steps: [
      ...mined(1),
      { do: "begin", fault, upstreams: "both", amount },
      ...mined(3),
      { do: "check", unended: true },
    ],
  });
}
