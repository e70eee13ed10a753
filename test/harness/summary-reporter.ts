/** @module Ends every run with the slowest files, and one line that says how many tests passed and how many failed. */
import type { Reporter, SerializedError, TestModule } from "vitest/node";

const SLOWEST = 20;

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    let passed = 0;
    // An error that no test saw fails the run too.
    let failed = unhandled.length;
    let skipped = 0;
    for (const module of modules) {
      // A file that does not even load has no tests: it counts as one that failed.
      if (module.errors().length > 0) failed += 1;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failed += 1;
        else skipped += 1;
      }
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
    const slowest =
      modules.length > SLOWEST ? `The slowest files, in seconds:\n${slowestOf(modules)}\n\n` : "";
    // After the other reporters have written.
    process.once("exit", () => process.stdout.write(`${slowest}${line}\n`));
  }
}

/** A line for each, with what its imports, its hooks and its tests take together. */
function slowestOf(modules: readonly TestModule[]): string {
  return modules
    .map((module) => {
      const { setupDuration, collectDuration, duration } = module.diagnostic();
      return { file: module.relativeModuleId, seconds: (setupDuration + collectDuration + duration) / 1000 };
    })
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${file}`)
    .join("\n");
}
