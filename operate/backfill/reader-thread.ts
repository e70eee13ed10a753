/** @module Starts the thread of `reader.ts`. It needs no other module of ours, so that the thread can start before them. */
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import type { FromWorker } from "./messages.ts";

/** The thread that fetches and folds (`reader.ts`), and all its messages. */
export type BackfillWorker = { worker: Worker; messages: AsyncIterable<[FromWorker]> };

/** Hides Node's type-stripping warning. */
const NO_WARNING = "--disable-warning=ExperimentalWarning";

/** @param url of `reader.ts`, or of its bundle */
export function startReader(url: URL): BackfillWorker {
  const worker = new Worker(url, {
    execArgv: [NO_WARNING, "--import", new URL("loading.mjs", import.meta.url).href],
  });
  // Messages are queued from the first on. An exit ends the queue.
  const messages = on(worker, "message", { close: ["exit"] }) as unknown as AsyncIterable<[FromWorker]>;
  return { worker, messages };
}
