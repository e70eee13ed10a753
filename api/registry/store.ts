/** @module The registry in use: loads it, watches its source, and falls back to the last good copy when an update is bad. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import type { Logger } from "../../config/log.ts";
import type { RegistrySource } from "../../config/values.ts";
import { type Changes, changesBetween } from "./changes.ts";
import { type FirstCopy, type LastGood, loadFirstCopy, summaryOf, tryCopy } from "./copy.ts";
import { loadImages, NO_IMAGES } from "./images.ts";
import { loadRegistry } from "./load.ts";
import type { LoadOptions, Validators } from "./loaded.ts";
import type { Parsed } from "./parsed.ts";
import type { RegistryKeeper } from "./registry-keeper.ts";
import type { Registry } from "./schema.ts";
import type { RequiredSigner } from "./signature.ts";
import { watchSource } from "./watch.ts";

/** Milliseconds from a change to the writing of a long copy. */
const SAVE_AFTER = 5_000;

/** The registry's part of `/v1/health`. */
export type RegistryState = {
  /** `refused`: the last update was bad or unreadable, and an older copy is in use. */
  readonly status: "ok" | "refused";
  /** First 16 hex digits of the sha256 of the document in use. */
  readonly version: string;
  /** Hash of its content regardless of layout, which a signature covers. */
  readonly hash: Hex;
  /** Revision of the document in use; null if it has none. */
  readonly revision: number | null;
  /** Its signer; null when no signature is required. */
  readonly signer: Hex | null;
  readonly originators: number;
  readonly listings: number;
  /** The problem with the last update, without file names and URLs; null when ok. */
  readonly problem: string | null;
  readonly images: number;
  /** The place in the document that names an unusable picture; null when all are usable. */
  readonly imageProblem: string | null;
};

type RegistryActivity = {
  /** Copies that came into use, including the first. */
  readonly accepted: number;
  /** How often a new problem was found. */
  readonly refused: number;
  /** Since the source last confirmed the copy in use, or since the start; by a monotonic clock. */
  readonly secondsSinceConfirmed: number;
};

export type RegistryStoreOptions = {
  readonly source: RegistrySource;
  /** The required signer of each document. Default: no signature is required. */
  readonly signer?: RequiredSigner | null;
  readonly log: Logger;
  /** Milliseconds between polls. Default: 10 s for a URL or a table; 5 s for a file or a folder, which are also watched. */
  readonly pollInterval?: number;
  /** Milliseconds for the whole response of a URL, and a second more for each megabyte of it. */
  readonly timeout?: number;
  readonly maxBytes?: number;
  /** Keeps the copy in use, which is read when the source is bad at the start: a restart must not end a running service. */
  readonly lastGood?: LastGood | undefined;
  /** Keeps a long copy as it is in memory, so that a restart validates only new entries. */
  readonly saved?: RegistryKeeper | undefined;
  /** The first copy, from these sources, if it has been loaded already. */
  readonly first?: FirstCopy | undefined;
};

export type RegistryStore = {
  current(): Registry;
  state(): RegistryState;
  activity(): RegistryActivity;
  /** Polls now. Never rejects. */
  refresh(): Promise<void>;
  stop(): void;
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
  const { source, signer = null, log, lastGood, saved } = options;
  const stopping = new AbortController();
  const load: LoadOptions = { maxBytes: options.maxBytes, timeout: options.timeout, signal: stopping.signal };

  const first = options.first ?? (await loadFirstCopy({ source, signer, lastGood, saved }, load));
  if (first.savedSum !== null) log.debug({ msg: "Loaded the saved registry", version: first.copy.version });
  let pictures = NO_IMAGES;
  /** The copy with its current pictures; the same object when they have not changed. */
  const withPictures = async (next: Parsed): Promise<Parsed> => {
    const reported = new Set(pictures.problems);
    pictures = await loadImages({ source, registry: next.registry, before: pictures });
    for (const one of pictures.problems) {
      if (reported.has(one)) continue;
      log.warn({ msg: "A picture of the registry cannot be used", problem: next.located(one) });
    }
    const { images } = pictures;
    return images === next.registry.images ? next : { ...next, registry: { ...next.registry, images } };
  };
  let copy = await withPictures(first.copy);
  // The source's last response, good or bad: "unchanged" confirms it.
  let lastSeen: { validators: Validators; problem: string | null } = first;
  let problem: string | null = null;
  let accepted = 1;
  let refused = 0;
  let refusedAt = 0;
  let confirmedAt = performance.now();

  /** @param changes null when the source confirms the copy in use */
  const accept = (changes: Record<"originators" | "listings", Changes> | null) => {
    const { originators, listings, hash, revision } = copy.registry;
    const counts = {
      ...{ version: copy.version, hash, revision: revision ?? undefined, signer: signer?.address },
      ...{ originators: originators.length, listings: listings.length },
      ...{ originatorChanges: changes?.originators, listingChanges: changes?.listings },
    };
    if (problem !== null) {
      const seconds = Math.round((performance.now() - refusedAt) / 1000);
      log.info({ msg: "The registry is valid again", ...counts, seconds });
    } else if (changes !== null) log.info({ msg: "Loaded a new registry", ...counts });
    problem = null;
    confirmedAt = performance.now();
    if (changes !== null) accepted += 1;
  };

  /** Awaited before a copy comes into use, so that a process that ends just then leaves it for the next one. */
  const save = async ({ content }: Parsed) => {
    try {
      await lastGood?.write(content());
    } catch (error) {
      log.warn({ msg: "The registry in use could not be saved for a restart", error });
    }
  };

  const saveFirst = async ({ copy: loaded, validators, savedSum }: FirstCopy) => {
    if (savedSum === null) saved?.offer(loaded, validators);
    // Another process, or another machine, may have lost it.
    else if (await lastGood?.holds(savedSum).catch(() => false)) return;
    await saveLater(loaded);
  };

  let isSaving = false;
  let toSave: Parsed | null = null;
  /**
   * A long copy is in use before it is saved, once for several changes in a row, and no change waits for it: withdrawing a raise must
   * not take seconds.
   */
  const saveLater = async (newest: Parsed) => {
    toSave = newest;
    if (isSaving) return;
    isSaving = true;
    while (toSave !== null) {
      await sleep(SAVE_AFTER, undefined, { ref: false });
      const next: Parsed = toSave;
      toSave = null;
      await save(next);
    }
    isSaving = false;
  };

  const refuse = (summary: string) => {
    if (problem === null) refusedAt = performance.now();
    if (summary !== problem) {
      refused += 1;
      log.error({
        msg: "Refused a registry update; the last good copy stays in use",
        problem: summary,
        version: copy.version,
      });
    }
    problem = summary;
  };

  const poll = async (isAnnounced: boolean) => {
    let result: Parsed | string;
    try {
      const { validators } = lastSeen;
      const loaded = await loadRegistry(source, {
        ...load,
        validators,
        known: async () => copy.known,
        isAnnounced,
      });
      if (loaded.kind === "unchanged") {
        result = lastSeen.problem ?? copy;
        if (loaded.validators !== undefined) lastSeen = { ...lastSeen, validators: loaded.validators };
      } else {
        // The same bytes as those in use need no look.
        const isSame = loaded.draft.version() === copy.version;
        result = isSame ? copy : await tryCopy(loaded.draft, signer, copy);
        const problem = typeof result === "string" ? result : null;
        // They are the first page's: a fault of another one may be gone while it stays the same.
        const validators = loaded.isPaged === true && problem !== null ? null : loaded.validators;
        lastSeen = { validators, problem };
      }
    } catch (error) {
      result = summaryOf(error);
    }
    const base = typeof result === "string" || result.version === copy.version ? copy : result;
    const changes = base === copy ? null : changesBetween(copy.registry, base.registry);
    const next = await withPictures(base);
    if (changes !== null && base.isShort) await save(base);
    if (stopping.signal.aborted) return;
    copy = next;
    if (typeof result === "string") refuse(result);
    else accept(changes);
    if (changes === null || base.isShort) return;
    saved?.offer(base, lastSeen.validators);
    void saveLater(base);
  };

  // One poll at a time: an overtaken response must not replace a newer one.
  let queue = Promise.resolve();
  if (first.problem !== null) refuse(first.problem);
  else if (first.copy.isShort) await save(first.copy);
  else void saveFirst(first);
  /** Whether the poll that waits for the one before it was announced; null when none waits. */
  let waiting: boolean | null = null;
  const refresh = (isAnnounced = false) => {
    if (waiting === null) {
      queue = queue.then(() => {
        const wasAnnounced = waiting === true;
        waiting = null;
        return stopping.signal.aborted ? undefined : poll(wasAnnounced);
      });
    }
    waiting = waiting === true || isAnnounced;
    return queue;
  };

  watchSource({
    source,
    pollInterval: options.pollInterval,
    onPossibleChange: refresh,
    signal: stopping.signal,
  });

  return {
    current: () => copy.registry,
    state: () => ({
      status: problem === null ? "ok" : "refused",
      version: copy.version,
      hash: copy.registry.hash,
      revision: copy.registry.revision,
      signer: signer?.address ?? null,
      originators: copy.registry.originators.length,
      listings: copy.registry.listings.length,
      problem: problem === null ? null : withoutContent(problem),
      images: copy.registry.images.size,
      imageProblem: pictures.problems.length === 0 ? null : placesOf(pictures.problems),
    }),
    activity: () => ({
      accepted,
      refused,
      secondsSinceConfirmed: (performance.now() - confirmedAt) / 1000,
    }),
    refresh: () => refresh(),
    stop() {
      stopping.abort();
      saved?.stop();
    },
  };
}

/** The place of the problem. Its content is for the log only: the document may contain unannounced raises. */
function withoutContent(summary: string): string {
  // These messages reveal no content, and readers of signed documents need them.
  if (/^(signature|revision): /.test(summary)) return summary;
  const [where = summary] = summary.split(": ", 1);
  return where === summary ? summary : `${where} (the log says what is wrong)`;
}

/** The same for pictures: the place of the first, and the number of others. */
function placesOf(problems: readonly string[]): string {
  const [first = ""] = problems;
  return problems.length === 1
    ? withoutContent(first)
    : `${withoutContent(first)}, and ${problems.length - 1} more`;
}
