/**
 * The simulation: `npm run simulate -- --seed 7`.
 * @module
 */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DEFENCES, OTHERS_DEFENCES, scheduleUnended, scheduleWithout } from "./defences.ts";
import { killsOf } from "./kills.ts";
import { type Report, type RunParameters, run } from "./run.ts";
import { FAULTS, type Fault, type Schedule, scheduleOf } from "./schedule.ts";
import { runWithout } from "./without.ts";

const USAGE = `Usage: npm run simulate -- [options]

  --seed N         one run; a random seed when not given
  --seeds A-B      runs of all these seeds, one after the other, with a line for each
  --kills N        instead: so many kills -9 of the indexer, each in another moment of its work
  --minutes M      of chain time, a block every 3 seconds; 3 when not given
  --only A,B       these kinds of faults alone
  --without A,B    instead: a run for each of these faults (or "all") without what defends against it, which must be red
  --schedule       shows what would be done, and does nothing
  --verbose        a line for each step but blocks, with the seconds since the beginning

Faults: ${FAULTS.join(", ")}
`;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    seeds: { type: "string" },
    minutes: { type: "string" },
    kills: { type: "string" },
    without: { type: "string" },
    // For the runs of --without: from a copy of the sources that lacks the defence.
    undefended: { type: "string" },
    only: { type: "string" },
    schedule: { type: "boolean" },
    verbose: { type: "boolean" },
    help: { type: "boolean" },
  },
});

/** Milliseconds: nothing is expected to become right. */
const UNDEFENDED_PATIENCE = 90_000;

class UsageError extends Error {}

function whole(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`--${name} is a whole number, not "${text}"`);
  return Number(text);
}

function seedsOf(): number[] {
  if (values.seeds === undefined) {
    return [whole("seed", values.seed ?? `${Math.floor(Math.random() * 1e9)}`)];
  }
  const [from = "", to = from] = values.seeds.split("-");
  const [first, last] = [whole("seeds", from), whole("seeds", to)];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function faultsOf(names: string): Fault[] {
  return names.split(",").map((name) => {
    const fault = FAULTS.find((one) => one === name.trim());
    if (fault === undefined) throw new UsageError(`there is no fault "${name}"`);
    return fault;
  });
}

function undefended(fault: Fault): Schedule {
  const defence = DEFENCES.find((one) => one.fault === fault);
  if (defence !== undefined) return scheduleWithout(defence);
  const others = OTHERS_DEFENCES.find((one) => one === fault);
  if (others === undefined) throw new UsageError(`nothing is known to take out for "${fault}"`);
  return scheduleUnended(others);
}

/** One line for each run. */
function line(report: Report): string {
  const { seed, hash, steps, faults, restarts, judged, refused, untilRight, verdict, seconds } = report;
  const worst = Math.max(0, ...untilRight);
  return [
    `seed ${seed}`,
    `schedule ${hash}`,
    `${steps} steps`,
    `${faults} faults`,
    `${restarts} restarts`,
    `${judged} answers, ${refused} refused`,
    `right after ${(worst / 1000).toFixed(1)} s at most`,
    `${seconds} s`,
    verdict,
  ].join(" · ");
}

/** On a terminal the current step; with `--verbose` a line for each. */
function progressOf({ seed, steps }: Schedule): Pick<RunParameters, "onStep" | "onWait"> {
  const startedAt = performance.now();
  const write = (text: string) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (values.verbose) process.stderr.write(`${seconds} s · ${text}\n`);
    else if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  };
  return {
    onStep(step, index) {
      if (step.do === "mine" && values.verbose) return;
      write(`seed ${seed} · step ${index + 1} of ${steps.length} · ${JSON.stringify(step)}`);
    },
    onWait: (what) => write(`seed ${seed} · waiting: ${what[0]?.slice(0, 160)}`),
  };
}

/** What is to be played; with the moments of kills, of which each check but the first is about one. */
function played(): { schedule: Schedule; moments?: readonly string[] }[] {
  if (values.kills !== undefined)
    return seedsOf().flatMap((seed) => killsOf(seed, whole("kills", `${values.kills}`)));
  if (values.undefended !== undefined)
    return faultsOf(values.undefended).map((fault) => ({ schedule: undefended(fault) }));
  const minutes = whole("minutes", values.minutes ?? "3");
  const only = values.only === undefined ? undefined : faultsOf(values.only);
  return seedsOf().map((seed) => ({ schedule: scheduleOf({ seed, minutes, only }) }));
}

async function main(): Promise<number> {
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  let red = 0;
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => ending.abort());
  if (values.without !== undefined) {
    const faults = values.without === "all" ? FAULTS : faultsOf(values.without);
    const tell = (text: string) => void process.stdout.write(text);
    return (await runWithout(faults, { signal: ending.signal, tell })) ? 0 : 1;
  }
  const patience = values.undefended === undefined ? undefined : UNDEFENDED_PATIENCE;
  for (const { schedule, moments = [] } of played()) {
    if (ending.signal.aborted) return 1;
    const { seed } = schedule;
    if (values.schedule) {
      process.stdout.write(`${JSON.stringify(schedule.setup)} ${schedule.hash}\n`);
      for (const step of schedule.steps) process.stdout.write(`${JSON.stringify(step)}\n`);
      continue;
    }
    const report = await run({ schedule, patience, signal: ending.signal, ...progressOf(schedule) });
    process.stdout.write(`${line(report)}\n`);
    for (const [index, moment] of moments.entries()) {
      const took = report.untilRight[index + 1];
      if (took !== undefined)
        process.stdout.write(`  ${moment}: right ${(took / 1000).toFixed(1)} s after the kill\n`);
    }
    const path = join(tmpdir(), `raisebook-simulation-${seed}.log`);
    if (report.failure !== null || values.verbose) writeFileSync(path, report.output);
    if (report.failure === null) continue;
    red += 1;
    const { step, what, details } = report.failure;
    const shown = details.slice(0, 12).map((detail) => `    ${detail}\n`);
    process.stdout.write(
      `  at step ${step} (${JSON.stringify(schedule.steps[step])}): ${what}\n${shown.join("")}  log: ${path}\n`,
    );
  }
  return red === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
