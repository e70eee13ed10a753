/** @module The root of the book in a separate process: reads the whole book as a reader does after its start, and says what it takes. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connectPostgres } from "../../api/database/postgres.ts";
import { createPause } from "../../api/history/fold.ts";
import { rootOf } from "../../api/proof/book-leaves.ts";
import { createBookRoots } from "../../api/proof/book-root.ts";
import { countOf } from "../../api/proof/book-tree.ts";
import { createBookQueries } from "../../api/proof/read-book.ts";
import { createLogger } from "../../config/log.ts";
import * as tables from "../../ponder.schema.ts";
import { HEAD } from "../../test/harness/rows.ts";
import { peakMegabytes, residentMegabytes } from "./processes.ts";
import { SCHEMA } from "./tables.ts";
import { answerOwner } from "./worker.ts";

/** The database with the book. */
export type Question = { readonly connectionString: string };
export type Told = {
  readonly leaves: number;
  /** seconds until the root is known, and those of the processor in all threads of the process */
  readonly spent: number;
  readonly busy: number;
  /** bytes of the heap, and outside of it, that are kept */
  readonly heap: number;
  readonly outside: number;
  /** megabytes of the process above those before: at most, and in the end */
  readonly peak: number;
  readonly resident: number;
  /** milliseconds that the event loop waited at most, and 99 % of the time */
  readonly longest: number;
  readonly delay: number;
};

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
/** Milliseconds for a query on a busy machine. */
const TIMEOUT = 300_000;
/** Milliseconds until another query is begun for the same process; the read itself may take an hour. */
const PATIENCE = 3_600_000;

const memory = async () => {
  // Only the second collection frees all that a pass has left.
  collect();
  await new Promise((resolve) => setTimeout(resolve, 200));
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, outside: external };
};

answerOwner(async ({ connectionString }: Question): Promise<Told> => {
  const log = createLogger({ format: "json", level: "error", write: (line) => process.stderr.write(line) });
  const database = connectPostgres({
    ...{ connectionString, schema: SCHEMA, connections: 1, timeout: TIMEOUT, log },
  });
  const queries = createBookQueries({ database, tables });
  await queries.events(null, HEAD.number, 1);
  const before = await memory();
  const resident = residentMegabytes(process.pid);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  delay.enable();
  const roots = createBookRoots({
    ...{ queries, pastListings: async () => [], pause: createPause(), patience: PATIENCE, log },
  });
  const book = await roots.at(
    { backfilled: true, finalized: HEAD, lastChanged: HEAD, reverts: 0 },
    HEAD.number,
  );
  if ("reason" in book) throw new Error(book.detail);
  rootOf(book);
  delay.disable();
  const spent = (performance.now() - startedAt) / 1e3;
  const { user, system } = process.cpuUsage(cpu);
  const peak = peakMegabytes(process.pid) - resident;
  const after = await memory();
  const kept = residentMegabytes(process.pid) - resident;
  return {
    leaves: countOf(book.ledger) + countOf(book.listings),
    ...{ spent, busy: (user + system) / 1e6, peak, resident: kept },
    ...{ heap: after.heap - before.heap, outside: after.outside - before.outside },
    // The histogram counts a millisecond of waiting for its own timer.
    ...{ longest: delay.max / 1e6 - 1, delay: delay.percentile(99) / 1e6 - 1 },
  };
});
