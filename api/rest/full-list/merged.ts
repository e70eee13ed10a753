/** @module The chunks of an archive and the listings in full, in one order and in pieces for a socket. */
import type { Body } from "../../http/etagged-body.ts";
import type { ArchiveView } from "../../market/archive/archived-rows.ts";
import { firstFrom } from "../../market/archive/sorted-rows.ts";
import { compareSortKeys, type SortKey, sortKeyOf } from "../../market/listings-order.ts";
import type { Listing } from "../../market/schema.ts";
import type { Chunk, Chunks } from "./chunks.ts";
import { type Made, slice, startOf } from "./cuts.ts";
import { PIECE } from "./pieces.ts";

/** Pieces that the server may hold at the beginning before it has sent the first. */
const FRESH = 6;
const COMMA = Buffer.from(",");

type Bytes = Buffer<ArrayBuffer>;

type ListParameters = {
  /** newest first */
  full: readonly Listing[];
  chunks: readonly Chunk[];
  view: ArchiveView;
  encode(listing: Listing): Body;
};

/** Some rows of a chunk. */
type Run = { chunk: Chunk; from: number; to: number };

const orders = new WeakMap<readonly Chunk[], { full: readonly Listing[]; order: (Listing | Run)[] }>();

/** All listings, newest first. To find the places takes longer than to send the bytes: they are kept. */
function* inOrder(list: ListParameters): Generator<Listing | Run, undefined> {
  const known = orders.get(list.chunks);
  if (known?.full === list.full) {
    yield* known.order;
    return;
  }
  const order: (Listing | Run)[] = [];
  for (const one of placed(list)) {
    order.push(one);
    yield one;
  }
  orders.set(list.chunks, { full: list.full, order });
}

function* placed({ full, chunks, view }: ListParameters): Generator<Listing | Run, undefined> {
  const facts = view.archive.facts(view.gradeOf);
  const keyOf = (row: number): SortKey => {
    facts.row = row;
    return sortKeyOf(facts, "newest");
  };
  let at = 0;
  for (const chunk of chunks) {
    const { rows } = chunk;
    let from = 0;
    for (; at < full.length; at++) {
      const listing = full[at] as Listing;
      const key = sortKeyOf(listing, "newest");
      const isPast = (row: number) => compareSortKeys(keyOf(row), key) > 0;
      if (!isPast(rows.at(-1) as number)) break;
      const to = firstFrom(rows, from, isPast);
      if (to > from) yield { chunk, from, to };
      from = to;
      yield listing;
    }
    if (rows.length > from) yield { chunk, from, to: rows.length };
  }
  for (; at < full.length; at++) yield full[at] as Listing;
}

/** JSON of all listings, a comma before each, in parts that end with a listing. */
export async function* inParts(list: ListParameters, load: Chunks["load"]): AsyncGenerator<Bytes, undefined> {
  let known = null as { chunk: Chunk; made: Made } | null;
  for (const one of inOrder(list)) {
    if (!("chunk" in one)) {
      yield Buffer.concat([COMMA, list.encode(one).bytes]);
      continue;
    }
    const { chunk, from, to } = one;
    if (known?.chunk !== chunk) known = { chunk, made: await load(chunk) };
    yield slice(known.made, from, to);
  }
}

/** The text before and after a list. */
type Around = { start: Bytes; end: Bytes };

/**
 * JSON of all listings in pieces of one length, from the file without a copy. A piece is written to again once the next but
 * one is asked for, except the first ones: with new memory for each, V8 would collect all garbage every few dozen megabytes.
 */
export async function* inPieces(list: ListParameters, chunks: Chunks, around: Around) {
  const filling = filled(list, chunks, around);
  // One is filled while another is sent.
  let next = filling.next();
  for (;;) {
    const { done, value } = await next;
    if (done) return;
    next = filling.next();
    // It is awaited later, and not at all once the client has left.
    next.catch(() => {});
    yield value;
  }
}

async function* filled(
  list: ListParameters,
  chunks: Chunks,
  around: Around,
): AsyncGenerator<Bytes, undefined> {
  const ring: Bytes[] = [];
  let pieces = 0;
  let used = 0;
  const nextPiece = () => {
    if (pieces < FRESH) ring[pieces % 2] = Buffer.allocUnsafeSlow(PIECE);
    used = 0;
    return ring[pieces++ % 2] as Bytes;
  };
  let piece = nextPiece();
  const open = createOpener(chunks);
  for (const one of sourcesOf(list, around)) {
    const { bytes, from: start, to, chunk } = "chunk" in one ? await open(one) : whole(one);
    for (let from = start; from < to; ) {
      const target = piece.subarray(used, used + Math.min(to - from, PIECE - used));
      if (chunk === null) bytes.copy(target, 0, from);
      else await chunks.readInto(chunk, from, target);
      from += target.length;
      used += target.length;
      if (used < PIECE) continue;
      yield piece;
      piece = nextPiece();
    }
  }
  if (used > 0) yield piece.subarray(0, used);
}

function* sourcesOf(list: ListParameters, { start, end }: Around): Generator<Bytes | FirstRun, undefined> {
  yield start;
  let isFirst = true;
  for (const one of inOrder(list)) {
    if ("chunk" in one) yield { ...one, isFirst };
    else {
      if (!isFirst) yield COMMA;
      yield list.encode(one).bytes;
    }
    isFirst = false;
  }
  yield end;
}

/** The first listing has no comma. */
type FirstRun = Run & { isFirst: boolean };

/** Bytes from memory, or of a chunk that is read from the file. */
type Source = { bytes: Bytes; from: number; to: number; chunk: Chunk | null };

const NONE = Buffer.alloc(0);

function whole(bytes: Bytes): Source {
  return { bytes, from: 0, to: bytes.length, chunk: null };
}

/** Reads a chunk of which only some rows follow each other once, and not for each of them. */
function createOpener({ load, readInto }: Chunks): (run: FirstRun) => Promise<Source> {
  let memory: Bytes = NONE;
  let known: Chunk | null = null;
  return async ({ chunk, from, to, isFirst }) => {
    const comma = isFirst ? 1 : 0;
    if (chunk.stored === null) return whole(slice(await load(chunk), from, to).subarray(comma));
    const { ends, place } = chunk.stored;
    const range = { from: comma + startOf(ends, from), to: startOf(ends, to) };
    if (to - from === chunk.rows.length) return { ...range, bytes: NONE, chunk };
    if (known !== chunk) {
      if (memory.length < place.length) memory = Buffer.allocUnsafeSlow(place.length);
      await readInto(chunk, 0, memory.subarray(0, place.length));
      known = chunk;
    }
    return { ...range, bytes: memory, chunk: null };
  };
}
