/** @module The service's own processes in a run, started again when they end as an operator's system does. */
import { setTimeout as sleep } from "node:timers/promises";
import { type DaemonRun, descendants, indexerOf } from "../harness/daemon.ts";
import { isAlive } from "../harness/demo.ts";
import type { Signal, Who } from "./schedule.ts";

export type Kept = {
  /** Signals it; what it was is dead or ending afterwards. */
  kill(signal: Signal): void;
  /** Ends it as asked to, and starts it again, with another environment from then on. */
  restart(env: Record<string, string>): Promise<void>;
  /** Ends it as asked to, until `restart`. */
  stop(): Promise<void>;
  current(): DaemonRun;
  /** of every start so far */
  output(): string;
  starts(): number;
};

/** Milliseconds. */
const RESTART_DELAY = 500;
const STOP_PATIENCE = 20_000;

/** Keeps a process running until it is stopped. */
export function keep(
  start: (env: Record<string, string>) => DaemonRun,
  firstEnv: Record<string, string>,
): Kept {
  const runs: DaemonRun[] = [];
  let env = firstEnv;
  let isWanted = true;
  const run = () => {
    const started = start(env);
    runs.push(started);
    void started.ended.then(async () => {
      await sleep(RESTART_DELAY);
      if (isWanted && runs.at(-1) === started) run();
    });
    return started;
  };
  const current = () => {
    const last = runs.at(-1);
    if (last === undefined) throw new Error("nothing was started");
    return last;
  };
  const stop = async () => {
    isWanted = false;
    const { child, ended } = current();
    const below = descendants(child.pid);
    child.kill("SIGTERM");
    const isOver = await Promise.race([ended.then(() => true), sleep(STOP_PATIENCE, false)]);
    if (isOver) return;
    for (const pid of [child.pid, ...below])
      if (pid !== undefined && isAlive(pid)) process.kill(pid, "SIGKILL");
    await ended;
  };
  run();
  return {
    kill: (signal) => void current().child.kill(signal),
    stop,
    async restart(next) {
      await stop();
      env = next;
      isWanted = true;
      run();
    },
    current,
    output: () => runs.map((one, index) => `=== start ${index + 1}\n${one.output()}`).join(""),
    starts: () => runs.length,
  };
}

/** Signals one of a daemon's processes, if it is there. */
export function killWithin(daemon: Kept, who: Exclude<Who, "reader">, signal: Signal): boolean {
  if (who === "daemon") {
    daemon.kill(signal);
    return true;
  }
  const { child } = daemon.current();
  const pid = who === "indexer" ? indexerIn(child) : serverIn(child);
  if (pid === undefined) return false;
  process.kill(pid, signal);
  return true;
}

function indexerIn(child: DaemonRun["child"]): number | undefined {
  try {
    return indexerOf(child);
  } catch {
    return undefined;
  }
}

/** The first of the readers that the daemon keeps: itself a child of the daemon, and no Ponder. */
function serverIn(child: DaemonRun["child"]): number | undefined {
  const indexer = indexerIn(child);
  return descendants(child.pid).find((pid) => pid !== indexer);
}
