/**
 * The registry in use: loads it, watches its source, and keeps the last good copy when an update is bad.
 * @module
 */
import { createHash } from "node:crypto";
import type { Log } from "../../config/log.ts";
import type { RegistrySource } from "../../config/values.ts";
import { keepLastGood, readLastGood } from "./last-good.ts";
import { type LoadOptions, loadRegistry, type Validators } from "./load.ts";
import { parseRegistry, RegistryError } from "./parse.ts";
import type { Registry } from "./schema.ts";
import { watchSource } from "./watch.ts";

/** The registry as `/v1/health` shows it. */
export type RegistryState = {
  /** `refused`: the last update was bad or could not be read, and an older good copy is in use. */
  readonly status: "ok" | "refused";
  /** 16 hex digits of the sha256 of the document in use. */
  readonly version: string;
  readonly originators: number;
  readonly listings: number;
  /** What was wrong with the last update; names no file and no URL. Null when ok. */
  readonly problem: string | null;
};

export type RegistryStoreOptions = {
  readonly source: RegistrySource;
  readonly log: Log;
  /** Called with each new good copy after the first. */
  readonly onChange?: (registry: Registry) => void;
  /** Milliseconds between two looks. Default: 10 s for a URL; 5 s for a file, whose changes are watched for besides. */
  readonly pollInterval?: number;
  /** Milliseconds that a URL may take to answer. */
  readonly timeout?: number;
  readonly maxBytes?: number;
  /** A file that keeps the copy in use; a start without a good document takes it from there. */
  readonly lastGood?: string;
  /** Stops the store, as `stop` does. */
  readonly signal?: AbortSignal;
};

export type RegistryStore = {
  current(): Registry;
  state(): RegistryState;
  /** Looks at the source now instead of at the next poll. Never rejects. */
  refresh(): Promise<void>;
  stop(): void;
};

type Copy = {
  readonly registry: Registry;
  readonly version: string;
  readonly bytes: Uint8Array;
};

/** A copy to start with, and what the source itself said. */
type Start = {
  readonly copy: Copy;
  readonly validators: Validators;
  readonly problem: string | null;
};

/**
 * Loads the registry and follows its changes until stopped.
 *
 * @throws {RegistryError} when there is no good first copy, neither at the source nor in `lastGood`.
 * @example
 * const store = await createRegistryStore({ source: { kind: "file", path: "registry.json" }, log });
 * store.current().listings.length;
 */
export async function createRegistryStore(options: RegistryStoreOptions): Promise<RegistryStore> {
  const { source, log, onChange } = options;
  const stopping = new AbortController();
  const load: LoadOptions = { maxBytes: options.maxBytes, timeout: options.timeout, signal: stopping.signal };

  const first = await start(options, load);
  let copy = first.copy;
  // What the source last sent, good or bad: an answer "unchanged" means that its verdict stands.
  let seen: { validators: Validators; problem: string | null } = first;
  let problem: string | null = null;

  const accept = (next: Copy) => {
    const changed = next.version !== copy.version;
    if (changed) copy = next;
    const { originators, listings } = copy.registry;
    const counts = { version: copy.version, originators: originators.length, listings: listings.length };
    if (changed) log.info({ msg: "Loaded a new registry", ...counts });
    else if (problem !== null) log.info({ msg: "The registry is good again", ...counts });
    problem = null;
    if (!changed) return;
    notify(copy.registry);
    keep();
  };

  const keep = () => {
    keepLastGood(options.lastGood, copy.bytes).catch((error: unknown) => {
      log.warn({ msg: "The registry in use could not be kept for a restart", error });
    });
  };

  const refuse = (summary: string) => {
    if (summary !== problem) {
      log.error({
        msg: "Refused a registry update; the last good copy stays in use",
        problem: summary,
        version: copy.version,
      });
    }
    problem = summary;
  };

  const notify = (registry: Registry) => {
    try {
      onChange?.(registry);
    } catch (error) {
      log.error({ msg: "A new registry could not be applied", error });
    }
  };

  const look = async () => {
    let verdict: Copy | string;
    try {
      const loaded = await loadRegistry(source, { ...load, validators: seen.validators });
      if (loaded.kind === "unchanged") verdict = seen.problem ?? copy;
      else {
        verdict = judge(loaded.bytes);
        seen = { validators: loaded.validators, problem: typeof verdict === "string" ? verdict : null };
      }
    } catch (error) {
      verdict = summaryOf(error);
    }
    if (stopping.signal.aborted) return;
    if (typeof verdict === "string") refuse(verdict);
    else accept(verdict);
  };

  if (first.problem === null) keep();
  else refuse(first.problem);

  // One look at a time, in order: an answer that was overtaken must not replace a newer one.
  let queue = Promise.resolve();
  const refresh = () => {
    queue = queue.then(() => (stopping.signal.aborted ? undefined : look()));
    return queue;
  };

  watchSource({
    source,
    pollInterval: options.pollInterval,
    onPossibleChange: refresh,
    signal: stopping.signal,
  });
  const stop = () => stopping.abort();
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener("abort", stop, { once: true, signal: stopping.signal });

  return {
    current: () => copy.registry,
    state: () => ({
      status: problem === null ? "ok" : "refused",
      version: copy.version,
      originators: copy.registry.originators.length,
      listings: copy.registry.listings.length,
      problem: problem === null ? null : withoutContent(problem),
    }),
    refresh,
    stop,
  };
}

/**
 * Where the problem is, for all to see; what stands there is for the log alone: the document holds raises that are
 * not announced yet.
 */
function withoutContent(summary: string): string {
  const [where = summary] = summary.split(": ", 1);
  return where === summary ? summary : `${where} (the log says what is wrong)`;
}

function copyOf(bytes: Uint8Array): Copy {
  const registry = parseRegistry(bytes);
  return { registry, version: createHash("sha256").update(bytes).digest("hex").slice(0, 16), bytes };
}

/** The source's document; when it is not good, the one that an earlier run has kept. */
async function start({ source, lastGood }: RegistryStoreOptions, load: LoadOptions): Promise<Start> {
  try {
    const loaded = await loadRegistry(source, load);
    if (loaded.kind === "unchanged") throw new RegistryError(["the registry's server sent no document"]);
    return { copy: copyOf(loaded.bytes), validators: loaded.validators, problem: null };
  } catch (error) {
    const kept = await readLastGood(lastGood);
    if (kept === null) throw error;
    return { copy: copyOf(kept), validators: null, problem: summaryOf(error) };
  }
}

/** The copy, or the summary of what is wrong with it. */
function judge(bytes: Uint8Array): Copy | string {
  try {
    return copyOf(bytes);
  } catch (error) {
    return summaryOf(error);
  }
}

function summaryOf(error: unknown): string {
  // The message of any other error may name a file of this machine.
  return error instanceof RegistryError ? error.summary : "the registry could not be read";
}
