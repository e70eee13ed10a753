/** @module The chunks of an archive and the listings in full, in one order and in pieces for a socket. */
import type { Body } from "../../http/etagged-body.ts";
import type { ArchiveView } from "../../market/archive/archived-rows.ts";
import { firstFrom } from "../../market/archive/sorted-rows.ts";
import { compareSortKeys, type SortKey, sortKeyOf } from "../../market/listings-order.ts";
import type { Listing } from "../../market/schema.ts";
import type { Chunk, Chunks } from "./chunks.ts";
import { slice } from "./cuts.ts";

/** Bytes of a piece, unless a chunk has more. */
const PIECE = 128 * 1024;
/** Chunks that are read before they are asked for: to wait for a thread takes as long as to send some of them. */
const AHEAD = Number(process.env.AHEAD ?? 4);
const COMMA = Buffer.from(",");

type Bytes = Buffer<ArrayBuffer>;

/** Joins small buffers. */
export function createPiece() {
  let parts: Bytes[] = [];
  let length = 0;
  return {
    add(...more: readonly Bytes[]): void {
      for (const one of more) {
        if (one.length > 0) parts.push(one);
        length += one.length;
      }
    },
    isFull: () => length >= PIECE,
    isEmpty: () => length === 0,
    /** What has been added since; one large buffer is not copied. */
    take(): Bytes {
      const [first] = parts;
      const taken = parts.length === 1 && first !== undefined ? first : Buffer.concat(parts, length);
      [parts, length] = [[], 0];
      return taken;
    },
  };
}

type MergedParameters = {
  /** newest first */
  full: readonly Listing[];
  chunks: readonly Chunk[];
  view: ArchiveView;
  encode(listing: Listing): Body;
};

/** JSON of all listings, newest first, a comma before each. One chunk is read ahead. */
export async function* merged(
  { full, chunks, view, encode }: MergedParameters,
  load: Chunks["load"],
): AsyncGenerator<Bytes, undefined> {
  const facts = view.archive.facts(view.gradeOf);
  const keyOf = (row: number): SortKey => {
    facts.row = row;
    return sortKeyOf(facts, "newest");
  };
  const piece = createPiece();
  const ahead = (chunk: Chunk) => {
    const made = load(chunk);
    // It is awaited later, and not at all once the client has left.
    made.catch(() => {});
    return made;
  };
  let at = 0;
  const loading = chunks.slice(0, AHEAD).map(ahead);
  for (const [index, { rows }] of chunks.entries()) {
    const made = await loading.shift();
    const next = chunks[index + AHEAD];
    if (next !== undefined) loading.push(ahead(next));
    if (made === undefined) continue;
    let from = 0;
    for (; at < full.length; at++) {
      const listing = full[at] as Listing;
      const key = sortKeyOf(listing, "newest");
      const isPast = (row: number) => compareSortKeys(keyOf(row), key) > 0;
      if (!isPast(rows.at(-1) as number)) break;
      const place = firstFrom(rows, from, isPast);
      piece.add(slice(made, from, place), COMMA, encode(listing).bytes);
      from = place;
      if (piece.isFull()) yield piece.take();
    }
    piece.add(slice(made, from, rows.length));
    if (piece.isFull()) yield piece.take();
  }
  for (; at < full.length; at++) {
    piece.add(COMMA, encode(full[at] as Listing).bytes);
    if (piece.isFull()) yield piece.take();
  }
  if (!piece.isEmpty()) yield piece.take();
}
