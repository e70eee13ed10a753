/** @module A registry in use, in a separate process as a reader has it: loads it, polls it, and reports the time and memory. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { keepRegistry } from "../../api/registry/registry-keeper.ts";
import { createRegistryStore, type RegistryStore } from "../../api/registry/store.ts";
import { createLogger } from "../../config/log.ts";
import { registrySource } from "../../config/values.ts";
import { residentMegabytes } from "./processes.ts";
import { answerOwner } from "./worker.ts";

/**
 * `load` a source as in REGISTRY, with a file that it is saved to at once and started from, or poll it, and say the title of a listing.
 */
export type Question = { readonly load: string; readonly saved?: string } | { readonly poll: string };
export type Told = {
  /** milliseconds */
  readonly spent: number;
  /** milliseconds of the processor in all threads of the process */
  readonly busy: number;
  /** bytes of the heap and outside of it that are kept, more than before the registry */
  readonly kept: number;
  /** megabytes of the process, more than before */
  readonly resident: number;
  readonly title: string | null;
};

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
/** Polls come from the owner. */
const NEVER = 2 ** 30;
/** Milliseconds for a page or a query on a busy machine. */
const PATIENCE = 300_000;

collect();
const resident = () => residentMegabytes(process.pid);
const kept = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
const before = { resident: resident(), kept: kept() };
let store: RegistryStore | null = null;
const log = createLogger({ format: "json", level: "error", write: (line) => process.stderr.write(line) });

const keptIn = (path: string) =>
  keepRegistry({ path, origin: "bench", signer: null, writes: true, log, writeAfter: 0 });

answerOwner(async (question: Question): Promise<Told> => {
  const startedAt = performance.now();
  const cpu = process.cpuUsage();
  if ("load" in question) {
    store = await createRegistryStore({
      source: registrySource.parse(question.load),
      ...{ pollInterval: NEVER, timeout: PATIENCE, log },
      saved: question.saved === undefined ? undefined : keptIn(question.saved),
    });
  } else await store?.refresh();
  const spent = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  const title =
    "poll" in question ? (store?.current().listingByPublicId.get(question.poll)?.title ?? null) : null;
  // Only the second collection frees all that a pass has left.
  collect();
  await new Promise((resolve) => setTimeout(resolve, 100));
  collect();
  return {
    spent,
    busy: (user + system) / 1000,
    kept: kept() - before.kept,
    resident: resident() - before.resident,
    title,
  };
});
