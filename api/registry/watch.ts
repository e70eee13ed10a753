/**
 * Says when the registry's source may have changed. It may say so too often, never too rarely: whoever listens compares.
 * @module
 */
import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import type { RegistrySource } from "../../config/values.ts";

const URL_POLL = 10_000;
/** Network file systems and some containers announce nothing, so that a file is looked at too. */
const FILE_POLL = 5_000;
/** An editor saves in several steps; only the last one leaves a whole document. */
const SETTLE = 100;

export type WatchOptions = {
  readonly source: RegistrySource;
  readonly pollInterval?: number;
  readonly onPossibleChange: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Watches until the signal aborts. Keeps no process alive. */
export function watchSource({ source, pollInterval, onPossibleChange, signal }: WatchOptions): void {
  poll(pollInterval ?? (source.kind === "url" ? URL_POLL : FILE_POLL), onPossibleChange, signal);
  if (source.kind === "file") watchDirectory(dirname(source.path), onPossibleChange, signal);
}

/** The next look is timed from the end of the last, so that a slow server is never asked twice at once. */
function poll(interval: number, look: () => Promise<void>, signal: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    if (signal.aborted) return;
    timer = setTimeout(() => void look().then(schedule), interval);
    timer.unref();
  };
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  schedule();
}

/**
 * The directory, not the file: an editor replaces the file by a rename, and a watch on the old one hears nothing more.
 * Any entry counts, because a mounted configuration is changed by turning a link beside the file.
 */
function watchDirectory(directory: string, look: () => Promise<void>, signal: AbortSignal): void {
  let settling: NodeJS.Timeout | undefined;
  const onEvent = () => {
    clearTimeout(settling);
    settling = setTimeout(look, SETTLE);
    settling.unref();
  };
  let watcher: FSWatcher;
  try {
    watcher = watch(directory, { persistent: false }, onEvent);
  } catch {
    return; // The poll remains.
  }
  watcher.on("error", () => watcher.close());
  const close = () => {
    clearTimeout(settling);
    watcher.close();
  };
  if (signal.aborted) close();
  else signal.addEventListener("abort", close, { once: true });
}
