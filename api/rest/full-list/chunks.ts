/**
 * The listings of the archive as JSON, in the order of the market and in chunks that are made once. A chunk begins at rows that are
 * chosen by their numbers, so that rows that come or go change only the chunks that they fall into; and a chunk that is made again
 * takes what has not changed from the ones before.
 * @module
 */
import { createTurns } from "../../../config/in-turn.ts";
import { addBytes, addSum, type ContentSum, noContent } from "../../http/content-sum.ts";
import type { ArchivedRows, ArchiveView } from "../../market/archive/archived-rows.ts";
import { type Cut, copied, cut, isSame, type Made } from "./cuts.ts";
import type { PartStore, Place } from "./part-file.ts";
import { createRests } from "./pieces.ts";

/** The share of chunks that a request waits for; with more to make it is answered while they are made. */
const AWAITED = 0.25;
const NO_CHUNKS: ReadonlySet<Chunk> = new Set();

type Stored = { place: Place; ends: Uint32Array; sum: ContentSum };

export type Chunk = Cut & {
  /** of the newest list that it is in: another would keep its market */
  view: ArchiveView;
  stored: Stored | null;
  making: Promise<Made> | null;
  /** stored chunks that may have some of the rows */
  sources: ReadonlySet<Chunk>;
  /** chunks of which this one is a source */
  users: number;
  /** whether it is in the newest list */
  isCurrent: boolean;
  /** whether only those who began to read before may find it in the store */
  isDropped: boolean;
};

export type Chunks = {
  /** Those of a version of the archive, made or not. */
  of(archived: ArchivedRows): Promise<readonly Chunk[]>;
  /** The JSON of a chunk, which is made if it has to be. */
  load(chunk: Chunk): Promise<Made>;
  /** Fills the target with bytes of a chunk's JSON. @param from where they begin in it */
  readInto(chunk: Chunk, from: number, target: Uint8Array): Promise<void>;
  /** Makes what is missing if that is little. */
  prepare(chunks: readonly Chunk[]): Promise<void>;
  /** The bytes and the sum of chunks that can be read by those who began before; null if one is missing. */
  measured(chunks: readonly Chunk[]): Measured | null;
};

type Measured = { length: number; sum: ContentSum };

/** @param warn of a disk that takes nothing @param size listings of a chunk on average */
export function createChunks(store: PartStore, warn: (error: unknown) => void, size: number): Chunks {
  /** One thing at a time: several would take several times the time of other answers. */
  const inTurn = createTurns();
  const measures = new WeakMap<readonly Chunk[], Measured>();
  const isFirst = (row: number) => Math.imul(row + 1, 0x9e3779b1) >>> 0 < 2 ** 32 / size;

  const drop = (chunk: Chunk) => {
    if (chunk.isCurrent || chunk.users > 0 || chunk.stored === null) return;
    store.drop(chunk.stored.place);
    chunk.isDropped = true;
  };
  const forgetSources = (chunk: Chunk) => {
    const { sources } = chunk;
    chunk.sources = NO_CHUNKS;
    for (const source of sources) {
      source.users -= 1;
      drop(source);
    }
  };

  let current: readonly Chunk[] = [];
  const known = new WeakMap<ArchivedRows, Promise<readonly Chunk[]>>();
  const follow = async (archived: ArchivedRows): Promise<readonly Chunk[]> => {
    const isOther = current[0]?.view.archive !== archived.view.archive;
    const chunks = followed(isOther ? [] : current, await cut(archived, isFirst), archived.view);
    const kept = new Set(chunks);
    measures.delete(current);
    for (const chunk of current) {
      if (kept.has(chunk)) continue;
      chunk.isCurrent = false;
      if (chunk.making === null) forgetSources(chunk);
      drop(chunk);
    }
    current = chunks;
    return chunks;
  };

  const make = async (chunk: Chunk): Promise<Made> => {
    const { rows, view } = chunk;
    const copies = await copied(chunk, (source) => read(source).catch(() => null));
    const parts: Buffer<ArrayBuffer>[] = [];
    const ends = new Uint32Array(rows.length);
    const sum = noContent();
    let end = 0;
    const rest = createRests();
    for (const [index, row] of rows.entries()) {
      const part = copies.get(row) ?? Buffer.from(`,${JSON.stringify(view.listingToRead(row))}`);
      addBytes(sum, part.subarray(1));
      parts.push(part);
      end += part.length;
      ends[index] = end;
      await rest();
    }
    const made = { bytes: Buffer.concat(parts, end), ends };
    if (chunk.isCurrent) {
      try {
        const place = await store.write(made.bytes);
        // The stored chunk could not be read.
        if (chunk.stored !== null) store.drop(chunk.stored.place);
        chunk.stored = { place, ends, sum };
      } catch (error) {
        warn(error);
      }
    }
    forgetSources(chunk);
    // Another list may have come meanwhile.
    drop(chunk);
    return made;
  };
  const read = async ({ stored }: Chunk): Promise<Made | null> =>
    stored === null ? null : { bytes: await store.read(stored.place), ends: stored.ends };

  const load = async (chunk: Chunk): Promise<Made> => {
    // A dropped one may be there still, for those who began to read it before.
    const known = await read(chunk).catch(() => null);
    if (known !== null) return known;
    chunk.making ??= inTurn(() => make(chunk)).finally(() => {
      chunk.making = null;
    });
    return chunk.making;
  };

  return {
    load,
    async readInto(chunk, from, target) {
      const place = chunk.stored?.place;
      const isRead =
        place !== undefined &&
        (await store.readInto(place, from, target).then(
          () => true,
          () => false,
        ));
      if (!isRead) target.set((await load(chunk)).bytes.subarray(from, from + target.length));
    },
    async prepare(chunks) {
      const missing = chunks.filter(({ stored }) => stored === null);
      if (missing.length > AWAITED * chunks.length) return;
      for (const chunk of missing) await load(chunk);
    },
    measured(chunks) {
      const known = measures.get(chunks);
      if (known !== undefined) return known;
      const all = { length: 0, sum: noContent() };
      for (const { stored, isDropped } of chunks) {
        if (stored === null || isDropped) return null;
        addSum(all.sum, stored.sum);
        all.length += stored.ends.at(-1) ?? 0;
      }
      measures.set(chunks, all);
      return all;
    },
    of(archived) {
      const promised = known.get(archived) ?? inTurn(() => follow(archived));
      known.set(archived, promised);
      promised.catch(() => known.delete(archived));
      return promised;
    },
  };
}

/** The chunks of a version: those before that are the same, and others, which have sources. */
function followed(before: readonly Chunk[], cuts: readonly Cut[], view: ArchiveView): readonly Chunk[] {
  const places = new Map(before.map(({ rows }, index) => [rows[0], index]));
  let from = 0;
  const placed = cuts.map((one) => {
    const place = places.get(one.rows[0]);
    from = place ?? from;
    return { ...one, place, from };
  });
  // The rows of a chunk were after the last first row that was one before, and before the next.
  let until = before.length;
  const chunks = placed.toReversed().map(({ rows, grades, place, from }): Chunk => {
    const same = place === undefined ? undefined : before[place];
    const candidates = before.slice(from, until);
    if (place !== undefined) until = place;
    if (same !== undefined && isSame(same.rows, rows) && isSame(same.grades, grades)) {
      same.view = view;
      return same;
    }
    const sources = new Set(candidates.flatMap((one) => (one.stored === null ? [...one.sources] : [one])));
    for (const source of sources) source.users += 1;
    const state = { stored: null, making: null, users: 0, isCurrent: true, isDropped: false };
    return { rows, grades, view, sources, ...state };
  });
  return chunks.reverse();
}
