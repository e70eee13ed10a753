/** @module Writes Parquet files row by row, in a thread of the lowest priority that ends when the last file is closed. */
import { Worker } from "node:worker_threads";
import type { Column } from "./columns.ts";
import type { Cell } from "./rows.ts";

/** Rows handed to the thread at once: copying them takes half a millisecond, in which nothing else is answered. */
const BATCH = 100;
/** Written into every file. Not a version of this release: the bytes depend on `DATA_VERSION` alone. */
const CREATED_BY = "raisebook";

type WrittenFile = { rows: number; bytes: number; sha256: string };

export type ParquetFile = {
  /** @throws when the disk is full, for example */
  add(row: readonly Cell[]): Promise<void>;
  /** Completes the file, which is on the disk then. */
  close(): Promise<WrittenFile>;
  /** Removes what has been written. */
  abandon(): Promise<void>;
};

type Work = "open" | "write" | "close" | "abandon";
type Answer = { id: number; result?: unknown; error?: { message: string; code?: string } };

/** Begins a file; one at a time in each thread. */
export async function openParquet(path: string, columns: readonly Column[]): Promise<ParquetFile> {
  const thread = startThread();
  const shapes = columns.map(({ name, type, isNullable }) => ({ name, type, isNullable }));
  await thread.ask("open", { path, columns: shapes, createdBy: CREATED_BY }).catch(async (error) => {
    await thread.end();
    throw error;
  });
  let values: Cell[][] = columns.map(() => []);
  let waiting = 0;
  const flush = async () => {
    if (waiting === 0) return;
    const full = values;
    values = columns.map(() => []);
    waiting = 0;
    await thread.ask("write", { values: full });
  };
  return {
    async add(row) {
      for (const [index, cell] of row.entries()) values[index]?.push(cell);
      waiting += 1;
      if (waiting >= BATCH) await flush();
    },
    async close() {
      await flush();
      const written = await thread.ask("close");
      await thread.end();
      return written as WrittenFile;
    },
    async abandon() {
      await thread.ask("abandon").catch(() => {});
      await thread.end();
    },
  };
}

function startThread() {
  const worker = new Worker(new URL("./parquet-worker.mjs", import.meta.url), { execArgv: [] });
  // A service that ends does not wait for a file: it is begun again at the next start.
  worker.unref();
  const waiting = new Map<number, (answer: Answer) => void>();
  let last = 0;
  /** why the thread answers nothing more */
  let fault: string | null = null;
  const fail = (message: string) => {
    fault ??= message;
    for (const [id, settle] of waiting) settle({ id, error: { message } });
  };
  worker.on("message", (answer: Answer) => waiting.get(answer.id)?.(answer));
  worker.on("error", ({ message }) => fail(message));
  worker.on("exit", () => fail("the thread that writes has ended"));
  return {
    ask: (work: Work, parameters: object = {}) =>
      new Promise<unknown>((resolve, reject) => {
        if (fault !== null) return reject(new Error(fault));
        last += 1;
        const id = last;
        waiting.set(id, ({ result, error }) => {
          waiting.delete(id);
          if (error === undefined) resolve(result);
          else reject(Object.assign(new Error(error.message), { code: error.code }));
        });
        worker.postMessage({ id, work, ...parameters });
      }),
    end: async () => {
      await worker.terminate();
    },
  };
}
