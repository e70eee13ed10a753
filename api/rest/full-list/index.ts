/** @module Full lists of a market that is too large to be joined in memory: they are streamed. */
import { setImmediate as pause } from "node:timers/promises";
import type { Context } from "hono";
import { addBody, addSum, type ContentSum, listTag, noContent } from "../../http/content-sum.ts";
import type { Body } from "../../http/etagged-body.ts";
import type { Headers, Validity } from "../../http/respond.ts";
import { createStreams, type StreamedBody } from "../../http/streamed-body.ts";
import { isRow } from "../../market/archive/facts.ts";
import type { Head, Market } from "../../market/market.ts";
import type { Originator } from "../../market/originator.ts";
import type { Listing } from "../../market/schema.ts";
import { CSV_TYPE, listingsCsvPart } from "../csv.ts";
import { createChunks } from "./chunks.ts";
import { createPiece, inParts, inPieces } from "./merged.ts";
import { createPartStore } from "./part-file.ts";

const FULL_LISTS = {
  /** listings of a market up to which lists are joined in memory: some 6 MB, and as much again for the parts */
  mostJoined: 4_096,
  /** listings of a part that is made at once, on average: some 128 kB */
  chunk: 128,
  /** lists that are sent at a time, each with less than a megabyte in memory */
  streams: 64,
  /** those whose text is made again for each client */
  madeStreams: 8,
} as const;

/** Milliseconds of work after which other answers go on. */
const SLICE = 2;
/** Listings of a file that are written without a rest. */
const ROWS_AT_ONCE = 16;
const JSON_TYPE = "application/json";

export type FullLists = {
  /** Whether a market's lists are streamed. */
  isLong(market: Market): boolean;
  /** All listings, and the desk. @param head the last indexed block */
  json(c: Context, market: Market, head: Head, lasting: Validity | undefined): Promise<Response>;
  /** The listings as a file. @param isExcel for spreadsheets */
  csv(c: Context, market: Market, head: Head, isExcel: boolean, headers: Headers): Promise<Response>;
  originators(c: Context, market: Market, head: Head): Response;
};

export type FullListsParameters = {
  /** the JSON of a value that never changes, encoded once */
  encode(value: object): Body;
  /** of the temporary file */
  folder: string;
  warn(error: unknown): void;
  /** ends the use of the file */
  closing: AbortSignal;
  limits?: Partial<Record<keyof typeof FULL_LISTS, number>> | undefined;
};

export function createFullLists({ encode, folder, warn, closing, limits }: FullListsParameters): FullLists {
  const { mostJoined, chunk, streams: most, madeStreams } = { ...FULL_LISTS, ...limits };
  const store = createPartStore(folder);
  closing.addEventListener("abort", () => void store.close().catch(() => {}), { once: true });
  const chunks = createChunks(store, warn, chunk);
  const list = chunks.list();
  const streams = createStreams(most);
  const made = createStreams(madeStreams);
  const fulls = new WeakMap<readonly Listing[], { length: number; sum: ContentSum }>();

  const measuredFull = (full: readonly Listing[]) => {
    const known = fulls.get(full);
    if (known !== undefined) return known;
    const all = { length: 0, sum: noContent() };
    for (const listing of full) {
      const body = encode(listing);
      addBody(all.sum, body);
      all.length += 1 + body.length;
    }
    fulls.set(full, all);
    return all;
  };

  /** The listings, to be read until they are over. */
  const begin = async ({ listings: { full, archived } }: Market) => {
    if (archived === null) throw new Error("A market without an archive has no chunks");
    const over = store.beginReading();
    try {
      const all = await list.of(archived);
      await chunks.prepare(all);
      const own = { full, chunks: all, view: archived.view, encode };
      return { over, own, measured: chunks.measured(all) };
    } catch (error) {
      over();
      throw error;
    }
  };

  return {
    isLong: ({ listings }) => listings.archived !== null && listings.length > mostJoined,
    async json(c, market, head, lasting) {
      const { over, own, measured } = await begin(market);
      const trading = encode(market.trading);
      const [start, middle, end] = ['{"listings":[', '],"trading":', "}"].map((text) =>
        Buffer.from(text),
      ) as [Buffer<ArrayBuffer>, Buffer<ArrayBuffer>, Buffer<ArrayBuffer>];
      let known: StreamedBody["known"] = null;
      if (measured !== null) {
        const inFull = measuredFull(market.listings.full);
        const sum = noContent();
        addSum(sum, measured.sum);
        addSum(sum, inFull.sum);
        const around = start.length + middle.length + trading.length + end.length;
        // The first listing has no comma.
        const length = around + measured.length + inFull.length - 1;
        known = { etag: listTag(sum, trading.etag), length };
      }
      const after = Buffer.concat([middle, trading.bytes, end]);
      const text = () => inPieces(own, chunks, { start, end: after });
      return streams.answer(c, { type: JSON_TYPE, known, pieces: text, over }, head, { lasting });
    },
    async csv(c, market, head, isExcel, headers) {
      const { over, own } = await begin(market);
      async function* text() {
        yield listingsCsvPart([], isExcel, true);
        for await (const piece of inParts(own, chunks.load)) {
          const listings: Listing[] = JSON.parse(`[${piece.toString("utf8", 1)}]`);
          const parts: Buffer[] = [];
          for (let start = 0; start < listings.length; start += ROWS_AT_ONCE) {
            parts.push(listingsCsvPart(listings.slice(start, start + ROWS_AT_ONCE), isExcel, false));
            await pause();
          }
          yield Buffer.concat(parts);
        }
      }
      return made.answer(c, { type: CSV_TYPE, known: null, pieces: text, over }, head, { headers });
    },
    originators(c, { originators }, head) {
      const pieces = () => originatorPieces(originators, encode);
      return made.answer(c, { type: JSON_TYPE, known: null, pieces }, head);
    },
  };
}

async function* originatorPieces(originators: readonly Originator[], encode: FullListsParameters["encode"]) {
  const piece = createPiece();
  const add = (text: string) => piece.add(Buffer.from(text));
  add('{"originators":[');
  let since = performance.now();
  for (const [index, { listings, ...facts }] of originators.entries()) {
    add(`${index === 0 ? "" : ","}${JSON.stringify(facts).slice(0, -1)},"listings":[`);
    let comma = "";
    for (const one of listings.walk("newest")) {
      add(comma);
      if (isRow(one)) add(JSON.stringify(listings.toRead(one)));
      else piece.add(encode(one).bytes);
      comma = ",";
      if (piece.isFull()) yield piece.take();
      if (performance.now() - since < SLICE) continue;
      await pause();
      since = performance.now();
    }
    add("]}");
  }
  add("]}");
  yield piece.take();
}
