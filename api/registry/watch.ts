/** @module Announces possible changes of the source. False alarms are fine, since the listener compares; misses are not. */
import { type FSWatcher, watch } from "node:fs";
import { Socket } from "node:net";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { postgresClientOf } from "../../config/postgres-client.ts";
import type { RegistrySource } from "../../config/values.ts";

/** A URL or a table. */
const SERVER_POLL = 10_000;
/** Network file systems and some containers announce no changes, so files are polled too. */
const FILE_POLL = 5_000;
/** Milliseconds. Editors save in several steps, and folders change file by file; only the last step leaves a complete registry. */
const SETTLE = 100;

/** The channel by which a database announces a change of the tables; the payload does not matter. */
const REGISTRY_CHANNEL = "raisebook_registry";
/** Milliseconds to connect, and between attempts. */
const LISTEN_AGAIN = 5_000;

export type WatchOptions = {
  readonly source: RegistrySource;
  readonly pollInterval?: number;
  /** @param isAnnounced the source itself said so */
  readonly onPossibleChange: (isAnnounced?: boolean) => Promise<void>;
  readonly signal: AbortSignal;
};

/** Watches until the signal aborts, without keeping the process alive. */
export function watchSource({ source, pollInterval, onPossibleChange, signal }: WatchOptions): void {
  poll(pollInterval ?? ("path" in source ? FILE_POLL : SERVER_POLL), onPossibleChange, signal);
  for (const directory of directoriesOf(source)) watchDirectory(directory, onPossibleChange, signal);
  if (source.kind === "table") void listen(source.connectionString, onPossibleChange, signal);
}

/** A folder itself may be a link that is switched to another one. */
function directoriesOf(source: RegistrySource): readonly string[] {
  if (!("path" in source)) return [];
  const above = dirname(resolve(source.path));
  if (source.kind === "file") return [above];
  return [above, source.path, join(source.path, "listings"), join(source.path, "originators")];
}

/** A poll takes at most this share of the time, so that 100,000 files do not keep a processor busy. */
const MOST_BUSY = 1 / 20;

/** Each interval starts at the end of the last poll, so that a slow server never gets two requests at once. */
function poll(interval: number, onPossibleChange: () => Promise<void>, signal: AbortSignal): void {
  let timer: NodeJS.Timeout | undefined;
  const pollOnce = () => {
    const start = performance.now();
    void onPossibleChange().then(() => schedule((performance.now() - start) / MOST_BUSY));
  };
  const schedule = (pause: number) => {
    if (signal.aborted) return;
    timer = setTimeout(pollOnce, Math.max(interval, pause));
    timer.unref();
  };
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  schedule(interval);
}

/**
 * Watches the directory, not the file: editors replace the file by a rename, and a watch on the old one stays silent. Any
 * entry counts, because mounted configurations change by switching a link next to the file.
 */
function watchDirectory(directory: string, onPossibleChange: () => Promise<void>, signal: AbortSignal): void {
  const { onEvent, cancel } = settled(onPossibleChange);
  let watcher: FSWatcher;
  try {
    watcher = watch(directory, { persistent: false }, onEvent);
  } catch {
    return; // The poll remains.
  }
  watcher.on("error", () => watcher.close());
  const close = () => {
    cancel();
    watcher.close();
  };
  if (signal.aborted) close();
  else signal.addEventListener("abort", close, { once: true });
}

/** Several events in a row are one, or two where the first is not kept waiting. */
function settled(onPossibleChange: () => Promise<void>, isFirstAtOnce = false) {
  let settling: NodeJS.Timeout | undefined;
  let isWaiting = false;
  const onSettled = () => {
    settling = undefined;
    if (isWaiting) void onPossibleChange();
    isWaiting = false;
  };
  return {
    onEvent() {
      if (isFirstAtOnce && settling === undefined) void onPossibleChange();
      else isWaiting = true;
      clearTimeout(settling);
      settling = setTimeout(onSettled, SETTLE).unref();
    },
    cancel: () => clearTimeout(settling),
  };
}

/**
 * Listens to the tables' database as long as it can. Where it cannot, as on a standby or behind a pool of transactions, the
 * poll remains.
 */
async function listen(
  connectionString: string,
  onPossibleChange: WatchOptions["onPossibleChange"],
  signal: AbortSignal,
): Promise<void> {
  const { onEvent, cancel } = settled(() => onPossibleChange(true), true);
  signal.addEventListener("abort", cancel, { once: true });
  while (!signal.aborted) {
    const client = postgresClientOf(connectionString, LISTEN_AGAIN, { stream: () => new Socket().unref() });
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    const stop = () => void client.end().catch(() => {});
    signal.addEventListener("abort", stop, { once: true });
    try {
      await client.connect();
      client.on("notification", onEvent);
      await client.query(`LISTEN ${REGISTRY_CHANNEL}`);
      // A change may have come just before.
      void onPossibleChange();
      await ended;
    } catch {
      stop();
    }
    signal.removeEventListener("abort", stop);
    await sleep(LISTEN_AGAIN, undefined, { ref: false, signal }).catch(() => {});
  }
}
