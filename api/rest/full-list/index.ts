/** @module Full lists of a market that is too large to be joined in memory: they are streamed. */
import type { Context } from "hono";
import { addBody, addSum, type ContentSum, listTag, noContent } from "../../http/content-sum.ts";
import { type Body, createBody } from "../../http/etagged-body.ts";
import type { Headers, Validity } from "../../http/respond.ts";
import { SERVER_LIMITS } from "../../http/server.ts";
import { createStreams, type StreamedBody } from "../../http/streamed-body.ts";
import { type ListingsQuery, matching } from "../../market/listings-query.ts";
import type { Head, Market } from "../../market/market.ts";
import { listingsFor } from "../../market/market-query.ts";
import type { Originator } from "../../market/originator.ts";
import type { Listing } from "../../market/schema.ts";
import { CSV_TYPE } from "../csv.ts";
import { createChunks } from "./chunks.ts";
import { inParts, inPieces } from "./merged.ts";
import { createPartStore } from "./part-file.ts";
import { csvPieces, listPieces, originatorPieces, type Pieces, read } from "./pieces.ts";

const FULL_LISTS = {
  /** listings of a market up to which lists are joined in memory: some 16 MB */
  mostJoined: 16_384,
  /** listings of a part that is made at once, on average: some 128 kB */
  chunk: 128,
  /** lists that are sent at a time, each with less than a megabyte in memory */
  streams: 64,
  /** those whose text is made again for each client */
  madeStreams: 8,
  // Their clients may read as slowly as those of any other answer.
  readTimeout: SERVER_LIMITS.readTimeout,
  slowestPace: SERVER_LIMITS.slowestPace,
} as const;

const JSON_TYPE = "application/json";

export type FullLists = {
  /** Whether a market's lists are streamed. */
  isLong(market: Market): boolean;
  /** All listings, and the desk. @param head the last indexed block */
  json(c: Context, market: Market, head: Head, lasting: Validity | undefined): Promise<Response>;
  /** The listings as a file. @param isExcel for spreadsheets */
  csv(c: Context, market: Market, head: Head, isExcel: boolean, headers: Headers): Promise<Response>;
  /** Filtered or ordered: whole if it fits into a piece, else streamed. */
  matching(c: Context, market: Market, head: Head, asked: AskedList): Promise<Response | Body>;
  /** Businesses with their listings, in the same way. */
  originators(c: Context, head: Head, asked: AskedOriginators): Promise<Response | Body>;
};

export type AskedList = {
  query: ListingsQuery;
  /** null for JSON */
  file: { isExcel: boolean } | null;
  page: Page;
  headers: Headers;
};

export type AskedOriginators = { originators: readonly Originator[]; page: Page; headers: Headers };

/** A page of a list; undefined for the whole list. */
export type Page = { nextCursor: string | null } | undefined;

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
  const { mostJoined, chunk, streams: most, madeStreams, ...pace } = { ...FULL_LISTS, ...limits };
  const store = createPartStore(folder);
  closing.addEventListener("abort", () => void store.close().catch(() => {}), { once: true });
  const chunks = createChunks(store, warn, chunk);
  const streams = createStreams(most, pace);
  const made = createStreams(madeStreams, pace);
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
      const all = await chunks.of(archived);
      await chunks.prepare(all);
      const own = { full, chunks: all, view: archived.view, encode };
      return { over, own, measured: chunks.measured(all) };
    } catch (error) {
      over();
      throw error;
    }
  };

  /** A short answer is whole, with a tag; another is sent while it is made. */
  const sent = async (c: Context, type: string, pieces: Pieces, head: Head, headers: Headers) => {
    const first = await pieces.next();
    const second = await pieces.next();
    if (first.done || second.done) return createBody(type, first.value ?? Buffer.alloc(0));
    const known = [first.value, second.value];
    async function* all() {
      yield* known;
      yield* pieces;
    }
    const over = () => void pieces.return(undefined);
    return made.answer(c, { type, known: null, pieces: all, over }, head, { headers });
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
      async function* all(): AsyncGenerator<Listing> {
        for await (const part of inParts(own, chunks.load))
          yield* JSON.parse(`[${part.toString("utf8", 1)}]`);
      }
      const text = () => csvPieces(all(), isExcel);
      return made.answer(c, { type: CSV_TYPE, known: null, pieces: text, over }, head, { headers });
    },
    matching(c, market, head, { query, file, page, headers }) {
      const { originatorByPublicId, trading } = market;
      const listings = listingsFor(market, query);
      const found = { listings, found: matching(listings, query, originatorByPublicId), encode };
      if (file !== null) return sent(c, CSV_TYPE, csvPieces(read(found), file.isExcel), head, headers);
      const end = `],"trading":${encode(trading).bytes}${endOf(page)}`;
      return sent(c, JSON_TYPE, listPieces(found, end), head, headers);
    },
    originators: (c, head, { originators, page, headers }) =>
      sent(c, JSON_TYPE, originatorPieces(originators, encode, `]${endOf(page)}`), head, headers),
  };
}

/** The text that ends a list after its members. @param page the page, for a list in pages */
export function endOf(page: Page): string {
  return page === undefined ? "}" : `,"page":${JSON.stringify(page)}}`;
}
