/** @module How long our own code keeps the event loop of the indexer's process from answering, on the embedded database. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PROJECT_ROOT } from "../config/schema-name.ts";
import { startDemoOnFreePorts } from "./harness/demo.ts";
import { soloRow } from "./harness/pairs.ts";
import type { Row } from "./harness/report.ts";

/** Seconds of the demo's living market: blocks, events, reorgs and new registries. */
const DURATION = 60;

/** The beginning of the path of the API's one file, which has its packages too. */
const API_FILE = join(PROJECT_ROOT, "node_modules/.cache/raisebook/operate-daemon-ponder-");

/** A profile as V8 writes it: the nodes of the call tree, and the node of each sample with the time since the one before it. */
type Profile = {
  startTime: number;
  nodes: readonly { id: number; callFrame: { url: string }; children?: readonly number[] }[];
  samples: readonly number[];
  timeDeltas: readonly number[];
};

export async function* loop(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-profiles-"));
  const { NODE_OPTIONS } = process.env;
  process.env.NODE_OPTIONS = `--cpu-prof --cpu-prof-dir=${folder} --cpu-prof-interval=500`;
  const demo = await startDemoOnFreePorts();
  process.env.NODE_OPTIONS = NODE_OPTIONS ?? "";
  try {
    await demo.says("Raisebook is ready");
    const readyAt = microseconds();
    await sleep(DURATION * 1000);
    const endedAt = microseconds();
    demo.process.kill("SIGINT");
    await demo.exited;
    const stretches = stretchesOf(indexerIn(folder), readyAt, endedAt);
    const longest = Math.max(0, ...stretches) / 1000;
    const busy = stretches.reduce((sum, stretch) => sum + stretch, 0) / 1e4 / DURATION;
    const about = { bench: "loop", bar: "≤ 10 ms" };
    yield soloRow({ ...about, case: "the longest stretch of our own code in a minute", unit: "ms" }, [
      longest,
    ]);
    yield soloRow({ ...about, case: "all of it", unit: "% of a core", bar: "reported" }, [busy]);
  } finally {
    demo.process.kill("SIGINT");
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The time by the clock that V8 also uses. */
function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** The largest profile is the indexer's: Ponder's. */
function indexerIn(folder: string): Profile {
  const files = readdirSync(folder).map((name) => join(folder, name));
  const [largest = ""] = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  return JSON.parse(readFileSync(largest, "utf8")) as Profile;
}

/** Microseconds of each time without a pause in which our code was on the stack, whatever it called. */
function stretchesOf({ nodes, samples, timeDeltas, startTime }: Profile, from: number, to: number): number[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const ours = new Set<number>();
  const visit = (id: number, isOurs: boolean) => {
    const { callFrame, children = [] } = byId.get(id) ?? { callFrame: { url: "" } };
    const path = callFrame.url.replace(/^file:\/\//, "");
    const isSource = path.startsWith(PROJECT_ROOT) && !path.includes("/node_modules/");
    const isHere = isOurs || isSource || path.startsWith(API_FILE);
    if (isHere) ours.add(id);
    for (const child of children) visit(child, isHere);
  };
  const [root] = nodes;
  if (root !== undefined) visit(root.id, false);
  const stretches: number[] = [];
  let [now, current] = [startTime, 0];
  for (const [index, id] of samples.entries()) {
    now += timeDeltas[index] ?? 0;
    if (now < from || now > to) continue;
    if (ours.has(id)) current += timeDeltas[index + 1] ?? 0;
    else if (current > 0) {
      stretches.push(current);
      current = 0;
    }
  }
  return stretches;
}
