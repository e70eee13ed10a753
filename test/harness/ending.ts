/** @module Ends the processes and folders of a test file with it, the last first, unless a test has ended them before. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Stoppable = { stop(): unknown };

const running = new Set<Stoppable>();

/** @returns what was given: from then on its `stop` notes that it has ended */
export function endsWithFile<Started extends Stoppable>(started: Started): Started {
  const { stop } = started;
  running.add(started);
  const noted: Stoppable["stop"] = () => {
    running.delete(started);
    return stop.call(started);
  };
  return Object.assign(started, { stop: noted });
}

/** One that fails to end does not keep the others running. */
export async function endAll(): Promise<void> {
  const errors: unknown[] = [];
  for (const one of [...running].toReversed()) {
    // One may have been ended by another, as the database of a service.
    if (!running.has(one)) continue;
    try {
      await one.stop();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-"));
  endsWithFile({ stop: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) });
  return folder;
}
