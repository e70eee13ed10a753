/** @module The text of lists that are made for one client: in pieces, with rests for other answers. */
import { setImmediate as pause } from "node:timers/promises";
import type { Body } from "../../http/etagged-body.ts";
import { isRow, type ListingFacts } from "../../market/archive/facts.ts";
import type { Listings } from "../../market/listings.ts";
import type { Originator } from "../../market/originator.ts";
import type { Listing } from "../../market/schema.ts";
import { listingsCsvPart } from "../csv.ts";

/** Bytes of a piece: more than a socket takes without being asked to wait. */
export const PIECE = 256 * 1024;
/** Milliseconds of work after which other answers go on. */
const SLICE = 2;
/** Listings of a file that are written without a rest. */
const ROWS_AT_ONCE = 16;

type Bytes = Buffer<ArrayBuffer>;
export type Pieces = AsyncGenerator<Bytes, undefined>;

/** Joins small buffers. */
function createPiece() {
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
    take(): Bytes {
      const taken = Buffer.concat(parts, length);
      [parts, length] = [[], 0];
      return taken;
    },
  };
}

/** To be awaited after each small step: it rests when it is time to. */
export function createRests(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE) return;
    await pause();
    since = performance.now();
  };
}

/** The JSON of a value that never changes, encoded once. */
type Encode = (value: object) => Body;

/** Some of the listings, by their facts. */
export type Found = { listings: Listings; found: Iterable<ListingFacts>; encode: Encode };

/** @param end what follows the listings */
export async function* listPieces(some: Found, end: string): Pieces {
  const piece = createPiece();
  piece.add(Buffer.from('{"listings":['));
  yield* jsonOf(some, piece, createRests());
  piece.add(Buffer.from(end));
  yield piece.take();
}

/** @param end what follows the last one */
export async function* originatorPieces(
  originators: readonly Originator[],
  encode: Encode,
  end: string,
): Pieces {
  const piece = createPiece();
  const rest = createRests();
  const add = (text: string) => piece.add(Buffer.from(text));
  add('{"originators":[');
  for (const [index, { listings, ...facts }] of originators.entries()) {
    add(`${index === 0 ? "" : ","}${JSON.stringify(facts).slice(0, -1)},"listings":[`);
    yield* jsonOf({ listings, found: listings.walk("newest"), encode }, piece, rest);
    add("]}");
  }
  add(end);
  yield piece.take();
}

/** Adds listings to a piece, and yields each that is full. */
async function* jsonOf(
  { listings, found, encode }: Found,
  piece: ReturnType<typeof createPiece>,
  rest: () => Promise<void>,
): Pieces {
  let comma = "";
  for (const one of found) {
    if (isRow(one)) piece.add(Buffer.from(`${comma}${JSON.stringify(listings.toRead(one))}`));
    else piece.add(Buffer.from(comma), encode(one).bytes);
    comma = ",";
    if (piece.isFull()) yield piece.take();
    await rest();
  }
}

export async function* csvPieces(
  listings: Iterable<Listing> | AsyncIterable<Listing>,
  isExcel: boolean,
): Pieces {
  const piece = createPiece();
  const rest = createRests();
  let some: Listing[] = [];
  const write = (isFirst = false) => {
    piece.add(listingsCsvPart(some, isExcel, isFirst));
    some = [];
  };
  write(true);
  for await (const listing of listings) {
    some.push(listing);
    if (some.length === ROWS_AT_ONCE) write();
    if (piece.isFull()) yield piece.take();
    await rest();
  }
  if (some.length > 0) write();
  yield piece.take();
}

/** Reads the listings of facts, one by one. */
export function* read({ listings, found }: Pick<Found, "listings" | "found">): Generator<Listing> {
  for (const facts of found) yield listings.toRead(facts);
}
