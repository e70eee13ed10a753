/** @module What tests start or make ends with their file, the last first, unless a test has ended it before. */
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

export async function endAll(): Promise<void> {
  // One may have been ended by another, as the database of a service.
  for (const one of [...running].toReversed()) if (running.has(one)) await one.stop();
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "raisebook-"));
  endsWithFile({ stop: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) });
  return folder;
}
