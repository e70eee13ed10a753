/** @module When a market is saved to its file, and read from it: once at the start, then some minutes apart. */
import { stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type GrowingBytes, growingFile } from "../../config/bytes.ts";
import { growAsUsual, growFreely } from "../../config/heap-growth.mjs";
import type { Logger } from "../../config/log.ts";
import { removeAbandoned } from "../../config/unfinished.ts";
import { whenAsked } from "../../config/when-asked.ts";
import type { Projection } from "../market/project-form.ts";
import type { Registry } from "../registry/schema.ts";
import { type Origin, readMarket, type SavedMarket, writeMarket } from "./saved-market.ts";

/** Milliseconds between two writes: taking what is to be written stops answers for a moment. */
const WRITE_EVERY = 20 * 60_000;
/** The same until a market that could not be saved is tried again. */
const TRY_EVERY = 60_000;

/** The files of all schemas that a release has named, also unfinished ones. */
const MARKET_FILE = /^raisebook_[0-9a-f]{10}\.market(\.\d+\.unfinished)?$/;

/** Size in bytes from which on garbage collection is postponed during the read: most of what is read stays in memory. */
const LARGE = 64 * 1024 * 1024;

export type MarketKeeper = {
  /** A new file without a name, in the folder of the market's file; null if none can be created. */
  newFile(): GrowingBytes | null;
  /** Starts reading the file, which takes a second with a million raises. `take` or `forget` must follow. */
  prepare(): void;
  /** The saved market, the first time that it is asked for; null if there is none for this registry, or it cannot be used. */
  take(registry: Registry): Promise<SavedMarket | null>;
  /** Releases a market that was not taken. */
  forget(): void;
  /** Saves a market that has an archive, if it is time. Never throws. */
  offer(projection: Projection, saved: Omit<SavedMarket, "projection">): void;
};

type KeptMarket = {
  /** of the file: readers on one machine may share it */
  path: string;
  origin: Origin;
  /** whether this process saves its market too */
  writes: boolean;
  /** milliseconds without a change after which the files of other schemas are removed, as their schemas are; null: never */
  dropOthersAfter: number | null;
  log: Logger;
};

export function keepMarket({ path, origin, writes, dropOthersAfter, log }: KeptMarket): MarketKeeper {
  /** null once it is taken */
  let reading: (() => Promise<SavedMarket | null>) | null = whenAsked(async () => {
    const file = await stat(path).catch(() => null);
    if (file !== null && file.size >= LARGE) growFreely();
    return readMarket(path, origin);
  });
  let isWriting = false;
  let nextAt = 0;
  let warned = false;

  const write = async (saved: SavedMarket) => {
    const startedAt = performance.now();
    try {
      await writeMarket(path, origin, saved);
      const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1));
      log.debug({ msg: "Saved the market", block: Number(saved.position.head.number), seconds });
      const isOther = (name: string) => MARKET_FILE.test(name) && !name.startsWith(basename(path));
      if (dropOthersAfter !== null) await removeAbandoned(dirname(path), isOther, dropOthersAfter);
    } catch (error) {
      log.warn({ msg: "The market cannot be saved; the next start reads all rows", error });
    }
    isWriting = false;
    nextAt = performance.now() + WRITE_EVERY;
  };

  return {
    newFile() {
      try {
        return growingFile(dirname(path));
      } catch (error) {
        if (!warned) log.warn({ msg: "The market is kept in memory: its directory cannot be used", error });
        warned = true;
        return null;
      }
    },
    prepare() {
      // `take` reports the error.
      reading?.().catch(() => {});
    },
    forget() {
      reading = null;
      growAsUsual();
    },
    async take(registry) {
      const taken = reading;
      reading = null;
      try {
        const saved = await taken?.();
        if (saved?.registry !== registry.hash) return null;
        nextAt = performance.now() + WRITE_EVERY;
        return saved;
      } catch (error) {
        log.warn({ msg: "The saved market cannot be read; all rows are read", error });
        return null;
      } finally {
        growAsUsual();
      }
    },
    offer(projection, of) {
      if (!writes || isWriting || performance.now() < nextAt) return;
      const saved = projection.save();
      if (saved === null || saved.archive.rows === 0) {
        nextAt = performance.now() + TRY_EVERY;
        return;
      }
      isWriting = true;
      void write({ ...of, projection: saved });
    },
  };
}
