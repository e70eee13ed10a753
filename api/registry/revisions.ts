/**
 * The log of registry revisions: which registry was in use from which block on, with the titles, descriptions and terms that it
 * changed. It answers for those of a moment in the past. What is published, and by whom, is always today's.
 * @module
 */
import { appendFile, readFile, truncate } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import type { BlockOrTime } from "../../config/format/time.ts";
import type { Logger } from "../../config/log.ts";
import type { Block } from "../../src/fold/events.ts";
import { parseJson } from "./parse.ts";
import { changedListings, indexed, type Registry, type RegistryListing } from "./schema.ts";
import { readTerms, type WrittenTerms, writtenTerms } from "./terms.ts";

/** A registry as it came into use. */
type Revision = {
  /** As in `Registry`. */
  readonly hash: string;
  /** In lowercase; null when no signature was required. */
  readonly signer: string | null;
  /** The document's own number; null if it has none. */
  readonly revision: number | null;
  /** The last indexed block at that moment: time is the chain's. */
  readonly block: Block;
};

export type Texts = Pick<RegistryListing, "title" | "description"> & {
  /** As in the entry; null for nothing. Logs of before it could have any have nothing. */
  readonly facts: Facts | null;
};

/** The fields that an entry may give in place of the chain. */
type Facts = {
  readonly terms?: WrittenTerms | undefined;
  readonly refnum?: string | undefined;
  readonly tokenAddress?: `0x${string}` | undefined;
};

export type ListingTexts = readonly [publicId: string, texts: Texts];

export type RevisionLog = {
  /**
   * Adds a revision unless it has the hash of the last one. Of the texts, only those that differ from the last ones are stored.
   * @param texts at least those that may differ from the last revision's, given its hash
   */
  append(revision: Revision, texts: (last: string | null) => Iterable<ListingTexts>): Promise<void>;
  /**
   * By public id, the texts of that moment of every listing whose texts have changed since. For a moment before a listing's first
   * revision, these are its earliest.
   */
  textsAt(moment: BlockOrTime): Promise<ReadonlyMap<string, Texts>>;
};

type Used = { readonly registry: Registry; readonly registrySince: Block; readonly backfilled: boolean };

export type Revisions = {
  /** Logs the registry in use, once. Not during a backfill, whose blocks are of long ago. Never rejects. */
  record(used: Used): Promise<void>;
  /** The registry in use with the titles, descriptions and terms of that moment. */
  registryAt(used: Used, moment: BlockOrTime): Promise<Registry>;
};

export function createRevisions(
  revisionLog: RevisionLog | undefined,
  { signer, log }: { readonly signer: string | null; readonly log: Pick<Logger, "warn"> },
): Revisions {
  let recorded: Registry | null = null;
  let hasFailed = false;
  let queue = Promise.resolve();

  const append = async ({ registry, registrySince: block }: Used) => {
    const before = recorded;
    if (registry === before) return;
    const { hash, revision } = registry;
    // Another process may have logged one since that was not in use here.
    const changedSince = (last: string | null) =>
      before !== null && last === before.hash ? changedListings(before, registry) : registry.listings;
    try {
      if (hash !== before?.hash)
        await revisionLog?.append({ hash, signer, revision, block }, (last) => textsOf(changedSince(last)));
      recorded = registry;
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) log.warn({ msg: "A revision of the registry could not be logged yet", error });
      hasFailed = true;
    }
  };

  const record = (used: Used): Promise<void> => {
    if (used.backfilled) queue = queue.then(() => append(used));
    return queue;
  };

  return {
    record,
    async registryAt(used, moment) {
      if (revisionLog === undefined) return used.registry;
      // Otherwise a change of just now would count for the past.
      await record(used);
      return withTexts(used.registry, await revisionLog.textsAt(moment));
    },
  };
}

function* textsOf(listings: Iterable<RegistryListing>): Generator<ListingTexts> {
  for (const entry of listings) {
    const { publicId, title, description } = entry;
    yield [publicId, { title, description, facts: factsOf(entry) }];
  }
}

function factsOf({ terms, refnum, tokenAddress }: RegistryListing): Facts | null {
  const facts = {
    ...(terms && { terms: writtenTerms(terms) }),
    ...(refnum !== undefined && { refnum }),
    ...(tokenAddress !== undefined && { tokenAddress }),
  };
  return Object.keys(facts).length === 0 ? null : facts;
}

function withTexts(registry: Registry, texts: ReadonlyMap<string, Texts>): Registry {
  if (texts.size === 0) return registry;
  const { originators, hash, revision, signature, images } = registry;
  const listings = registry.listings.map((entry) => {
    const then = texts.get(entry.publicId);
    return then === undefined ? entry : withText(entry, then);
  });
  return { ...indexed({ originators, listings }, hash), revision, signature, images };
}

function withText(entry: RegistryListing, { title, description, facts }: Texts): RegistryListing {
  const { terms, refnum, tokenAddress } = facts ?? {};
  return {
    ...entry,
    ...{ title, description, refnum, tokenAddress },
    terms: terms && readTerms(terms),
  };
}

/** A line of the file. */
type Line = Omit<Revision, "block"> & {
  /** The block's number and time as decimal strings. */
  readonly block: string;
  readonly time: string;
  readonly texts: Readonly<Record<string, Omit<Texts, "facts"> & Partial<Pick<Texts, "facts">>>>;
};

/** Texts of a listing, each with the index of the revision that had them first. */
type TextsSince = Texts & { readonly since: number };

/** A log in a file, a line of JSON per revision. One process writes it, and it is read once. */
export function revisionLogFile(path: string): RevisionLog {
  const blocks: Block[] = [];
  const texts = new Map<string, TextsSince[]>();
  let lastHash: string | null = null;
  let loading: Promise<void> | null = null;

  const forget = () => {
    blocks.length = 0;
    texts.clear();
    [lastHash, loading] = [null, null];
  };
  const take = ({ hash, block, time, texts: changed }: Line) => {
    for (const [publicId, one] of Object.entries(changed))
      texts.set(publicId, [...(texts.get(publicId) ?? []), { facts: null, ...one, since: blocks.length }]);
    blocks.push({ number: BigInt(block), timestamp: BigInt(time) });
    lastHash = hash;
  };
  const load = async () => {
    const text = await readFile(path, "utf8").catch((error) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    // The last line is incomplete if the process was killed while it wrote, or the disk was full.
    const complete = text.slice(0, text.lastIndexOf("\n") + 1);
    if (complete !== text) await truncate(path, Buffer.byteLength(complete));
    for (const line of complete.split("\n")) {
      const read = parseJson(Buffer.from(line));
      // Earlier releases may have written behind an incomplete line.
      if (typeof read !== "string") take(read.value as Line);
    }
  };
  const loaded = () => {
    loading ??= load().catch((error) => {
      forget();
      throw error;
    });
    return loading;
  };

  return {
    async append({ block, ...revision }, textsOfAll) {
      await loaded();
      if (revision.hash === lastHash) return;
      const changed = [...textsOfAll(lastHash)].filter(([publicId, { title, description, facts }]) => {
        const last = texts.get(publicId)?.at(-1);
        const isSame = last?.title === title && last.description === description;
        return !isSame || !isDeepStrictEqual(last.facts, facts);
      });
      const line: Line = {
        ...{ ...revision, block: `${block.number}`, time: `${block.timestamp}` },
        texts: Object.fromEntries(changed),
      };
      await appendFile(path, `${JSON.stringify(line)}\n`, { flush: true }).catch((error) => {
        // Read again: a part of the line may be there.
        forget();
        throw error;
      });
      take(line);
    },
    async textsAt(moment) {
      await loaded();
      const isBy = (one: Block) =>
        "block" in moment ? one.number <= moment.block : one.timestamp <= moment.time;
      const last = blocks.findLastIndex(isBy);
      const past = [...texts].flatMap(([publicId, all]): [string, Texts][] => {
        const newest = all.at(-1);
        const then = all.findLast(({ since }) => since <= last) ?? all[0];
        if (then === undefined || then === newest) return [];
        const { title, description, facts } = then;
        return [[publicId, { title, description, facts }]];
      });
      return new Map(past);
    },
  };
}
