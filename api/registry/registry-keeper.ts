/** @module When a registry is saved to its file: soon after it comes into use, and then some minutes apart. */
import { dirname } from "node:path";
import { setImmediate as pause } from "node:timers/promises";
import { type GrowingBytes, growingFile } from "../../config/bytes.ts";
import type { Logger } from "../../config/log.ts";
import { LISTS } from "./known.ts";
import type { Validators } from "./loaded.ts";
import type { Parsed } from "./parsed.ts";
import { type RegistryFile, readRegistry, readValidators, type SavedCopy, writeRegistry } from "./saved.ts";

/** Milliseconds from a new copy to the writing of its file, and between two writes. */
const [WRITE_AFTER, WRITE_EVERY] = [5_000, 20 * 60_000];

export type RegistryKeeper = {
  /** Null without a saved copy that may be used. Never rejects. */
  read(): Promise<SavedCopy | null>;
  /** The validators that the source gave with the saved copy; null without a copy. Never rejects. */
  validators(): Promise<Validators>;
  /** Moves the texts of a long copy out of memory, and saves it, or a newer one, when it is time. Never throws. */
  offer(copy: Parsed, validators: Validators): void;
  stop(): void;
};

type KeptRegistry = RegistryFile & {
  /** whether this process saves its registry too: readers on one machine may share the file */
  readonly writes: boolean;
  readonly log: Logger;
  /** Milliseconds, for tests. */
  readonly writeAfter?: number;
};

export function keepRegistry({
  writes,
  log,
  writeAfter = WRITE_AFTER,
  ...file
}: KeptRegistry): RegistryKeeper {
  let newest: { copy: Parsed; validators: Validators } | null = null;
  let timer: NodeJS.Timeout | null = null;
  let nextAt = 0;

  const write = async () => {
    const startedAt = performance.now();
    const taken = newest;
    newest = null;
    try {
      if (taken !== null) await writeRegistry(file, taken.copy, taken.validators);
      const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1));
      log.debug({ msg: "Saved the registry", version: taken?.copy.version, seconds });
    } catch (error) {
      log.warn({ msg: "The registry cannot be saved; the next start validates all entries", error });
    }
    nextAt = performance.now() + WRITE_EVERY;
    timer = null;
    if (newest !== null) schedule();
  };
  const schedule = () => {
    timer ??= setTimeout(write, Math.max(writeAfter, nextAt - performance.now())).unref();
  };
  /** A process that has read a long registry itself would need half a kilobyte more for each entry. */
  const moveTexts = async ({ checked }: Parsed) => {
    let room: GrowingBytes | null = null;
    const inRoom = () => {
      room ??= growingFile(dirname(file.path));
      return room;
    };
    try {
      for (const list of LISTS) for (const _ of checked.packed[list].moveTo(inRoom)) await pause();
    } catch (error) {
      log.debug({ msg: "The registry stays in memory: its directory cannot be used", error });
    }
  };
  const orNull = async <Result>(reading: Promise<Result | null>) => {
    try {
      return await reading;
    } catch (error) {
      log.warn({ msg: "The saved registry cannot be read; all entries are validated", error });
      return null;
    }
  };

  return {
    read: () => orNull(readRegistry(file)),
    validators: () => orNull(readValidators(file)),
    offer(copy, validators) {
      if (copy.isShort) return;
      void moveTexts(copy);
      if (!writes) return;
      newest = { copy, validators };
      schedule();
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
