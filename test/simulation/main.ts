/** @module The simulation: `npm run simulate -- --seed 7`. */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { commandOf, print, wholeNumber } from "../../config/command.ts";
import { DEFENCES, OTHERS_DEFENCES, scheduleUnended, scheduleWithout } from "./defences.ts";
import { killsOf } from "./kills.ts";
import { type Report, type RunParameters, run } from "./run.ts";
import { FAULTS, type Fault, type Schedule, scheduleOf } from "./schedule.ts";
import { runWithout } from "./without.ts";

const LARGEST = 999_999_999;

const command = commandOf(
  "raisebook simulate",
  "Plays random markets with faults from a seed, and judges every answer by a model of its own (npm run simulate).",
  {
    more: `Faults: ${FAULTS.join(", ")}`,
    exitCodes: { 0: "every run was right; with --without: every run was wrong", 1: "otherwise" },
  },
)
  .option("--seed <N>", "one run; a random seed when not given", wholeNumber(0, LARGEST))
  .option("--seeds <A-B>", "runs of all these seeds, one after the other, with a line for each", rangeOf)
  .option(
    "--kills <N>",
    "instead: so many kills -9 of the indexer, each in another moment of its work",
    wholeNumber(0, LARGEST),
  )
  .option("--minutes <M>", "of chain time, a block every 3 seconds", wholeNumber(0, LARGEST), 3)
  .option("--only <A,B>", "these kinds of faults alone", faultsOf)
  .option(
    "--without <A,B>",
    'instead: a run for each of these faults (or "all") without what defends against it, which must be red',
    (text) => (text === "all" ? FAULTS : faultsOf(text)),
  )
  .option("--schedule", "show what would be done, and do nothing")
  .option("--verbose", "a line for each step but blocks, with the seconds since the beginning")
  .addOption(
    new Option(
      "--undefended <A>",
      "for the runs of --without: from a copy of the sources that lacks the defence",
    )
      .argParser(faultsOf)
      .hideHelp(),
  );
const values = command.parse().opts();

/** Milliseconds: nothing is expected to become right. */
const UNDEFENDED_PATIENCE = 90_000;

/** All from the first to the last of `A-B`. */
function rangeOf(text: string): readonly number[] {
  const [from = "", to = from] = text.split("-");
  const [first, last] = [from, to].map(wholeNumber(0, LARGEST)) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function faultsOf(names: string): readonly Fault[] {
  return names.split(",").map((name) => {
    const fault = FAULTS.find((one) => one === name.trim());
    if (fault === undefined) throw new InvalidArgumentError(`There is no fault "${name}".`);
    return fault;
  });
}

function seedsOf(): readonly number[] {
  return values.seeds ?? [values.seed ?? Math.floor(Math.random() * 1e9)];
}

function undefended(fault: Fault): Schedule {
  const defence = DEFENCES.find((one) => one.fault === fault);
  if (defence !== undefined) return scheduleWithout(defence);
  const others = OTHERS_DEFENCES.find((one) => one === fault);
  if (others === undefined) return command.error(`error: nothing is known to take out for "${fault}"`);
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
    `${judged} answers, ${Object.values(refused).reduce((sum, count) => sum + count, 0)} refused`,
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

/** The schedules to play, with the moments of kills: each check but the first is about one of these. */
function played(): { schedule: Schedule; moments?: readonly string[] }[] {
  const { kills, minutes, only } = values;
  if (kills !== undefined) return seedsOf().flatMap((seed) => killsOf(seed, kills));
  if (values.undefended !== undefined)
    return values.undefended.map((fault) => ({ schedule: undefended(fault) }));
  return seedsOf().map((seed) => ({ schedule: scheduleOf({ seed, minutes, only }) }));
}

async function main(): Promise<number> {
  let red = 0;
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => ending.abort());
  if (values.without !== undefined) {
    return (await runWithout(values.without, { signal: ending.signal, tell: print })) ? 0 : 1;
  }
  const patience = values.undefended === undefined ? undefined : UNDEFENDED_PATIENCE;
  for (const { schedule, moments = [] } of played()) {
    if (ending.signal.aborted) return 1;
    const { seed } = schedule;
    if (values.schedule) {
      print(`${JSON.stringify(schedule.setup)} ${schedule.hash}\n`);
      for (const step of schedule.steps) print(`${JSON.stringify(step)}\n`);
      continue;
    }
    const report = await run({ schedule, patience, signal: ending.signal, ...progressOf(schedule) });
    print(`${line(report)}\n`);
    for (const [index, moment] of moments.entries()) {
      const took = report.untilRight[index + 1];
      if (took !== undefined) print(`  ${moment}: right ${(took / 1000).toFixed(1)} s after the kill\n`);
    }
    const path = join(tmpdir(), `raisebook-simulation-${seed}.log`);
    if (report.failure !== null || values.verbose) writeFileSync(path, report.output);
    if (report.failure === null) continue;
    red += 1;
    const { step, what, details } = report.failure;
    const shown = details.slice(0, 12).map((detail) => `    ${detail}\n`);
    print(
      `  at step ${step} (${JSON.stringify(schedule.steps[step])}): ${what}\n${shown.join("")}  log: ${path}\n`,
    );
  }
  return red === 0 ? 0 : 1;
}

process.exitCode = await main();
