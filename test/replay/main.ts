/**
 * Replays faults that were once found by trying: `npm run replay`, or `npm run replay -- 9 17` for some. Each is replayed by the
 * tests that faults.json names; the table says for each whether it is still closed.
 * @module
 */
import { startVitest, type TestCase } from "vitest/node";
import { commandOf } from "../../config/command.ts";
import faults from "./faults.json" with { type: "json" };

type Fault = (typeof faults)[number];
type Verdict = "closed" | "OPEN" | "skipped" | "NOT FOUND";

const [wanted] = commandOf(
  "npm run replay --",
  "Replays faults that were found by trying, by the tests that prove them closed.",
  {
    exitCodes: { 0: "all are closed", 1: "one is open, or has no test of that name" },
  },
)
  .argument(
    "[fault...]",
    `their numbers, of ${faults[0]?.fault} to ${faults.at(-1)?.fault}; all when none is given`,
  )
  .parse().processedArgs;

const chosen = wanted.length === 0 ? faults : faults.filter(({ fault }) => wanted.includes(fault));
const unknown = wanted.filter((fault) => !faults.some((one) => one.fault === fault));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no fault ${unknown.join(", ")}. There are ${faults.map(({ fault }) => fault).join(", ")}.\n`,
  );
  process.exit(2);
}

const tests = chosen.flatMap((one) => one.tests);
const files = [...new Set(tests.map(({ file }) => file))];
const pattern = new RegExp(tests.map(({ name }) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"));
const vitest = await startVitest("test", files, {
  run: true,
  watch: false,
  testNamePattern: pattern,
  reporters: ["dot"],
});
const cases = vitest.state.getTestModules().flatMap((module) => [...module.children.allTests()]);

const verdicts = chosen.map((fault) => ({ fault, verdict: verdictOf(fault) }));
for (const { fault, verdict } of verdicts) {
  process.stdout.write(`${verdict.padEnd(9)}  ${fault.fault.padStart(3)}  ${fault.what}\n`);
}
const closed = verdicts.filter(({ verdict }) => verdict === "closed").length;
const skipped = verdicts.filter(({ verdict }) => verdict === "skipped").length;
process.stdout.write(
  `\n${closed} of ${verdicts.length} faults are closed${skipped > 0 ? `, ${skipped} skipped: a tool is missing` : ""}.\n`,
);
await vitest.close();
process.exitCode = closed + skipped === verdicts.length ? 0 : 1;

/** A fault is closed when each of its tests ran and passed. */
function verdictOf({ tests }: Fault): Verdict {
  const states = tests.flatMap(({ file, name }) => {
    const found = cases.filter((test) => isNamed(test, file, name));
    return found.length === 0 ? ["missing" as const] : found.map((test) => test.result().state);
  });
  if (states.includes("missing")) return "NOT FOUND";
  if (states.includes("failed")) return "OPEN";
  return states.every((state) => state === "passed") ? "closed" : "skipped";
}

/** A name may be that of a group, or the beginning of the names of a table of cases. */
function isNamed(test: TestCase, file: string, name: string): boolean {
  return test.module.relativeModuleId === file && test.fullName.includes(name);
}
