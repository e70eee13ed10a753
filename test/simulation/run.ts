import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../harness/daemon.ts";
import { runProgram } from "../harness/run-program.ts";
import { begin, type End, isAbout, lie } from "./faults.ts";
import { createJudge, type Judge, RedError } from "./judge.ts";
import { killWithin } from "./processes.ts";
import {
  faultsIn,
  type LastingFault,
  type Moment,
  type Schedule,
  type Signal,
  type Step,
  type Who,
} from "./schedule.ts";
import { startWorld, type World } from "./world.ts";

export type Report = {
  seed: number;
  hash: string;
  steps: number;
  faults: number;
  /** starts of the daemon, the indexer under it and the reader after the first */
  restarts: number;
  judged: number;
  refused: Readonly<Record<string, number>>;
  /** at each check, milliseconds until everything was right */
  untilRight: number[];
  seconds: number;
  verdict: "green" | "red";
  /** of a red run: the step, the difference, and what the processes wrote */
  failure: { step: number; what: string; details: readonly string[] } | null;
  /** what the processes wrote */
  output: string;
};

export type RunParameters = {
  schedule: Schedule;
  /** milliseconds until everything must be right, at all checks but the first */
  patience?: number | undefined;
  /** ends the run, as a red one */
  signal?: AbortSignal;
  /** Told of each step before it is done. */
  onStep?: (step: Step, index: number) => void;
  /** Told now and then, at a check, what is not right yet. */
  onWait?: (what: readonly string[]) => void;
};

/** Faults whose endpoints stay noted for some minutes. */
const OMISSIONS = ["omitted-log", "omitted-old-log", "lying-bloom"] as const;

export async function run({
  schedule,
  patience,
  signal,
  onStep,
  onWait = () => {},
}: RunParameters): Promise<Report> {
  const startedAt = performance.now();
  const world = await startWorld(schedule.seed, schedule.setup);
  const faults = faultsIn(schedule);
  const lasting = [
    ...(OMISSIONS.some((fault) => faults.has(fault)) ? ["logs_incomplete"] : []),
    ...(faults.has("pruned") ? ["endpoint_unfit"] : []),
  ];
  const judge = createJudge({ world, onWait, lasting });
  const untilRight: number[] = [];
  const interrupted = Promise.withResolvers<never>();
  interrupted.promise.catch(() => {});
  signal?.addEventListener("abort", () => interrupted.reject(new RedError("the run was ended")), {
    once: true,
  });
  let index = 0;
  let failure: Report["failure"] = null;
  try {
    const stage = createStage(world, judge, patience);
    for (const step of schedule.steps) {
      onStep?.(step, index);
      const done = stage(step);
      // The judge may turn red first; later failures for that reason do not matter.
      done.catch(() => {});
      const took = await Promise.race([done, judge.red, interrupted.promise]);
      if (took !== null) untilRight.push(Math.round(took));
      index += 1;
    }
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(`${error}`);
    const details = error instanceof RedError ? error.details : [`${stack}`];
    failure = { step: index, what: message, details };
  }
  const restarts = world.restarts();
  const output = world.output();
  const { judged, refused } = judge.counts();
  await judge.stop().catch(() => {});
  await world.stop();
  const { seed, hash } = schedule;
  return {
    ...{ seed, hash, steps: index, restarts, judged, refused, untilRight, failure, output },
    faults: [...faults.values()].reduce((total, count) => total + count, 0),
    seconds: Math.round((performance.now() - startedAt) / 1000),
    verdict: failure === null ? "green" : "red",
  };
}

/** Does steps; a check resolves to the milliseconds that it took until everything was right. */
function createStage(
  world: World,
  judge: Judge,
  patience: number | undefined,
): (step: Step) => Promise<number | null> {
  const { chain } = world;
  const ends = new Map<LastingFault, End>();
  const down = (name: "daemon" | "reader") => {
    for (const server of world.servers) if (server.name === name) server.goesDown();
  };
  const end = async (fault: LastingFault) => {
    await ends.get(fault)?.();
    ends.delete(fault);
  };
  const kill = (who: Who, signal: Signal) => {
    if (who === "reader") {
      down("reader");
      world.reader()?.kill(signal);
      return;
    }
    if (who !== "indexer" || world.database === null) down("daemon");
    killWithin(world.daemon(), who, signal);
  };
  let laterKill = Promise.resolve();
  let checks = 0;
  const killLater = async (who: Who, signal: Signal, { line, after }: Moment) => {
    const seen = line === null ? 0 : timesOf(line, world.output());
    while (line !== null && timesOf(line, world.output()) <= seen) await sleep(10);
    await sleep(after);
    kill(who, signal);
  };
  const check = async (isUnended = false) => {
    await laterKill;
    if (!isUnended) for (const fault of [...ends.keys()]) await end(fault);
    chain.agree();
    world.publish();
    const took = await judge.untilRight(checks++ === 0 ? undefined : patience);
    const findings = await judge.audit();
    if (findings.length > 0)
      throw new RedError(
        "the audit is red",
        findings.map((one) => JSON.stringify(one)),
      );
    return took;
  };

  return async (step) => {
    switch (step.do) {
      case "start":
        world.start();
        return null;
      case "mine":
        await chain.mine();
        await sleep(step.pause);
        return null;
      case "idle":
        await chain.idle(step.blocks);
        return null;
      case "begin":
        await end(step.fault);
        ends.set(step.fault, await begin(step.fault, world, step.amount, step.upstreams));
        return null;
      case "end":
        await end(step.fault);
        return null;
      case "publish":
        // An invalid document stays until its fault is over.
        if (!ends.has("registry-invalid")) world.publish();
        return null;
      case "reorg":
        await chain.reorganise(step.depth, step);
        return null;
      case "kill":
        if (step.moment) laterKill = killLater(step.who, step.signal, step.moment);
        else kill(step.who, step.signal);
        return null;
      case "silence-socket":
        await world.socket?.become("silent");
        return null;
      case "switch":
        await world.restartInto();
        return null;
      case "lie":
        return bearALie(world, judge);
      case "check":
        return check(step.unended);
    }
  };
}

function timesOf(line: string, output: string): number {
  return output.split(line).length - 1;
}

/** Blocks until the lie is told, at most. */
const LIE_WITHIN = 60;

/**
 * The nodes keep a log of the history back while it is fetched: the audit must turn red and name the listing, and the documented way
 * back must lead to right answers.
 */
async function bearALie(world: World, judge: Judge): Promise<null> {
  const { chain } = world;
  judge.rest();
  let told = lie(world);
  for (let block = 0; block < LIE_WITHIN && told === null; block++) {
    await chain.mine();
    told = lie(world);
  }
  if (told === null) throw new Error("no money moved");
  const { hidden } = told;
  await world.restartInto(world.schema(), (env) => startOver(world, env));
  const findings = await judge.audit();
  if (!findings.some((finding) => isAbout(hidden, finding))) {
    throw new RedError(
      `the audit does not name listing ${BigInt(hidden.topics[1] ?? 0)} of ${hidden.address}, a log of which is kept back`,
      [hidden, ...findings].map((one) => JSON.stringify(one)),
    );
  }
  told.end();
  await world.restartInto(world.schema(), (env) => startOver(world, env));
  judge.resume();
  return null;
}

/** As the documentation says: everything is read from the chain again. */
async function startOver({ database }: World, env: Record<string, string>): Promise<void> {
  if (database === null) {
    rmSync(`${env.RAISEBOOK_DATA_DIR}`, { recursive: true, force: true });
    return;
  }
  const args = ["--import", "./config/bundle.mjs", "operate/daemon/prune-main.ts", "--start-over", "--yes"];
  const { code, output, errors } = await runProgram(process.execPath, args, { cwd: ROOT, env });
  if (code !== 0) throw new RedError("db:prune --start-over fails", [output, errors]);
}
