/** @module Lists and lookups of entries, as arrays and maps have them or over packed entries, which are read again each time. */
import { isDeepStrictEqual } from "node:util";
import { isSameText, type Packed } from "./packed.ts";

/**
 * The entries in the order of the document. The same entry need not be the same object: `changedSince` compares. An array is one as
 * well.
 */
export type Entries<Entry> = Iterable<Entry> & {
  readonly length: number;
  at(index: number): Entry | undefined;
  map<Result>(toResult: (entry: Entry, index: number) => Result): Result[];
  flatMap<Result>(toResults: (entry: Entry, index: number) => readonly Result[]): Result[];
  filter(isWanted: (entry: Entry, index: number) => boolean): Entry[];
  find(isWanted: (entry: Entry, index: number) => boolean): Entry | undefined;
  findIndex(isWanted: (entry: Entry, index: number) => boolean): number;
};

/** Like a map. */
export type EntryLookup<Entry> = {
  readonly size: number;
  get(key: string): Entry | undefined;
  has(key: string): boolean;
  keys(): Iterable<string>;
};

/** Entries that stay objects once read: all of a small registry, and of a large one those asked for last. */
const MOST_READ = 5_000;

type PackedEntries<Entry> = Entries<Entry> & { readonly packed: Packed };

/** @param read makes the entry of its canonical JSON, which is valid */
export function packedEntries<Entry>(packed: Packed, read: (canonical: string) => Entry) {
  const kept = new Map<number, Entry>();
  const readAt = (index: number) => read(packed.canonicalOf(index).toString());
  const at = (index: number): Entry | undefined => {
    if (index < 0 || index >= packed.length) return undefined;
    const found = kept.get(index);
    if (found !== undefined) return found;
    const entry = readAt(index);
    if (kept.size >= MOST_READ) kept.clear();
    kept.set(index, entry);
    return entry;
  };
  /** Passes over all would only drive out those that are asked for. */
  function* all(): Generator<Entry> {
    const isSmall = packed.length <= MOST_READ;
    for (let index = 0; index < packed.length; index++)
      yield isSmall ? (at(index) as Entry) : (kept.get(index) ?? readAt(index));
  }
  const flatMap: Entries<Entry>["flatMap"] = (toResults) => {
    const results: ReturnType<typeof toResults>[number][] = [];
    let index = 0;
    for (const entry of all()) results.push(...toResults(entry, index++));
    return results;
  };
  const findIndex: Entries<Entry>["findIndex"] = (isWanted) => {
    let index = 0;
    for (const entry of all()) {
      if (isWanted(entry, index)) return index;
      index += 1;
    }
    return -1;
  };
  const entries: PackedEntries<Entry> = {
    ...{ packed, length: packed.length, at, flatMap, findIndex },
    [Symbol.iterator]: all,
    map: (toResult) => Array.from(all(), toResult),
    filter: (isWanted) => flatMap((entry, index) => (isWanted(entry, index) ? [entry] : [])),
    find: (isWanted) => at(findIndex(isWanted)),
  };
  const lookup = ({ size, find }: Packed["ids"], keyOf: (index: number) => string): EntryLookup<Entry> => ({
    size,
    get: (key) => at(find(key)),
    has: (key) => find(key) >= 0,
    *keys() {
      for (let index = 0; index < packed.length; index++) yield keyOf(index);
    },
  });
  return {
    entries,
    byPublicId: lookup(packed.ids, packed.publicIdOf),
    byPair: lookup(packed.pairs, packed.pairOf),
  };
}

/** Entries with a public id that are new or different. Packed ones are compared without being read. */
export function changedSince<Entry extends { publicId: string }>(
  before: { entries: Entries<Entry>; byPublicId: EntryLookup<Entry> },
  after: Entries<Entry>,
): Entry[] {
  if (after === before.entries) return [];
  const [old, packed] = [packedOf(before.entries), packedOf(after)];
  if (old === null || packed === null)
    return after.filter((entry) => {
      const known = before.byPublicId.get(entry.publicId);
      return known !== entry && !isDeepStrictEqual(known, entry);
    });
  const changed: Entry[] = [];
  for (let index = 0; index < packed.length; index++) {
    if (index < old.length && isSameText(old, index, packed, index)) continue;
    const known = old.ids.find(packed.publicIdOf(index));
    if (known < 0 || !isSameText(old, known, packed, index)) changed.push(after.at(index) as Entry);
  }
  return changed;
}

/** The entries that name a picture, and maybe others, with their places in the list. */
export function withPicture<Entry>(entries: Entries<Entry>): [number, Entry][] {
  const indexes = packedOf(entries)?.pictures;
  if (indexes === undefined) return entries.map((entry, index) => [index, entry]);
  return [...indexes].map((index) => [index, entries.at(index) as Entry]);
}

function packedOf<Entry>(entries: Entries<Entry>): Packed | null {
  return "packed" in entries ? (entries as PackedEntries<Entry>).packed : null;
}

export function lookupOf<Entry>(
  entries: Entries<Entry>,
  keyOf: (entry: Entry) => string,
): EntryLookup<Entry> {
  return new Map([...entries].map((entry) => [keyOf(entry), entry]));
}
