/** @module The processor time of a service without requests. */
import { setTimeout as sleep } from "node:timers/promises";
import { startStillDemo } from "./harness/demo.ts";
import { RUNS, soloRow } from "./harness/pairs.ts";
import { commandOf, cpuPercent } from "./harness/processes.ts";
import type { Row } from "./harness/report.ts";
import type { Stage } from "./harness/stage.ts";
import { startReader } from "./harness/start-reader.ts";

/** Seconds of a run. */
const DURATION = 4;
/** Milliseconds for what a start leaves to do: V8 collects its garbage some ten seconds later. */
const SETTLING = 20_000;

export async function* idle(stage: Stage): AsyncGenerator<Row> {
  const about = { bench: "idle", unit: "% of a core" };
  {
    await using reader = await startReader(stage, { listings: 10_000 });
    yield soloRow({ ...about, case: "a reader", bar: "≤ 1 %" }, await watch([reader.pid]));
  }
  await using demo = await startStillDemo();
  const children = demo.children();
  const chain = children.filter((pid) => /\banvil\b/.test(commandOf(pid)));
  const service = [demo.process.pid ?? 0, ...children.filter((pid) => !chain.includes(pid))];
  yield soloRow({ ...about, case: "the demo", bar: "≤ 2 %" }, await watch(service));
  yield soloRow({ ...about, case: "the demo's chain", bar: "reported" }, await watch(chain));
}

async function watch(pids: readonly number[]): Promise<number[]> {
  await sleep(SETTLING);
  const shares: number[] = [];
  for (let run = 0; run < RUNS; run++) shares.push(await cpuPercent(pids, DURATION));
  return shares;
}
