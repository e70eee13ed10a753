/** @module Announces possible changes of the source. False alarms are fine, since the listener compares; misses are not. */
import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import type { RegistrySource } from "../../config/values.ts";

const URL_POLL = 10_000;
/** Network file systems and some containers announce no changes, so files are polled too. */
const FILE_POLL = 5_000;
/** Editors save in several steps; only the last one leaves a complete document. */
const SETTLE = 100;

export type WatchOptions = {
  readonly source: RegistrySource;
  readonly pollInterval?: number;
  readonly onPossibleChange: () => Promise<void>;
  readonly signal: AbortSignal;
};

/** Watches until the signal aborts, without keeping the process alive. */
export function watchSource({ source, pollInterval, onPossibleChange, signal }: WatchOptions): void {
  poll(pollInterval ?? (source.kind === "url" ? URL_POLL : FILE_POLL), onPossibleChange, signal);
  if (source.kind === "file") watchDirectory(dirname(source.path), onPossibleChange, signal);
}

/** Each interval starts at the end of the last poll, so that a slow server never gets two requests at once. */
function poll(interval: number, onPossibleChange: () => Promise<void>, signal: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const schedule = () => {
    if (signal.aborted) return;
    timer = setTimeout(() => void onPossibleChange().then(schedule), interval);
    timer.unref();
  };
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  schedule();
}

/**
 * Watches the directory, not the file: editors replace the file by a rename, and a watch on the old one stays silent. Any
 * entry counts, because mounted configurations change by switching a link next to the file.
 */
function watchDirectory(directory: string, onPossibleChange: () => Promise<void>, signal: AbortSignal): void {
  let settling: NodeJS.Timeout | undefined;
  const onEvent = () => {
    clearTimeout(settling);
    settling = setTimeout(onPossibleChange, SETTLE);
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
