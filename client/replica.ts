/**
 * A local copy of all listings that keeps up with the service. Rows trigger requests, and the id of an answer's newest event tells
 * its chain: a copy is yielded only if it matches the followed rows, so it is never from a fork that the stream has left,
 * whichever server answered.
 * @module
 */
import type { Client } from "openapi-fetch";
import { type FollowOptions, follow, type StreamMessage } from "./follow.ts";
import type { paths } from "./schema.ts";

type Listings = paths["/listings"]["get"]["responses"]["200"]["content"]["application/json"];

/** All listings as of a block, including all events up to `id`. */
export type ReplicaCopy = Listings & {
  /** from the answer: number, and time in ISO 8601 */
  block: bigint;
  blockTime: string;
  /** id of the newest event, as in the stream */
  id: string;
};

export type ReplicaOptions = Pick<FollowOptions, "baseUrl" | "signal" | "userAgent" | "fetch"> & {
  /** receives every message of the stream, in order and in step with the copies */
  onMessage?: (message: StreamMessage) => void;
  /** the id to resume after; undefined from now on */
  after?: string | undefined;
};

export type Replica = AsyncIterable<ReplicaCopy>;

/** The part of a client that is needed. */
type Book = { readonly raw: Client<paths, "application/json" | "application/problem+json"> };
type Known = { copy: ReplicaCopy; etag: string | null };

/** Milliseconds before retrying an answer that is behind the stream. */
const BEHIND = 200;
/** Maximum number of attempts before reading on: the stream may be the one that is behind. */
const ATTEMPTS = 5;
/** Milliseconds until a request times out: a server that has fallen silent sends neither an answer nor an error. */
const LONGEST_ANSWER = 15_000;

/**
 * Yields copies of the listings for heads of the chain: the first at once, then one per head, as far as requests keep up.
 * Changes by time alone are included, as each head causes a request; an unchanged answer costs a 304.
 *
 * @throws like `follow`
 * @example
 * const book = createRaisebookClient({ baseUrl });
 * for await (const { block, listings } of createReplica(book, { baseUrl })) console.log(block, listings.length);
 */
export function createReplica(book: Book, options: ReplicaOptions): Replica {
  return {
    async *[Symbol.asyncIterator]() {
      let known: Known | null = null;
      for await (const message of follow(options)) {
        options.onMessage?.(message);
        if (message.type !== "head") continue;
        for (let attempt = 0; attempt < ATTEMPTS && !options.signal?.aborted; attempt++) {
          const asked: Known | null = await ask(book, known, options.signal).catch(() => null);
          if (options.signal?.aborted) return;
          known = asked ?? known;
          if (asked?.copy.id === message.id && asked.copy.block >= message.blockNumber) {
            yield asked.copy;
            break;
          }
          // The answer is ahead: its rows are on their way.
          if (asked !== null && asked.copy.block > message.blockNumber) break;
          await new Promise((resolve) => setTimeout(resolve, BEHIND));
        }
      }
    },
  };
}

async function ask(
  { raw }: Book,
  known: Known | null,
  signal: AbortSignal | undefined,
): Promise<Known | null> {
  const headers = known?.etag ? { "If-None-Match": known.etag } : {};
  const over = new AbortController();
  const abort = () => over.abort();
  const timer = setTimeout(abort, LONGEST_ANSWER);
  signal?.addEventListener("abort", abort);
  const { response, data } = await raw
    .GET("/listings", { headers, cache: "no-store", signal: over.signal })
    .finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    });
  const body = response.status === 304 ? known?.copy : data;
  const id = response.headers.get("X-Indexed-Event");
  const block = response.headers.get("X-Indexed-Block");
  const blockTime = response.headers.get("X-Indexed-At");
  if (body === undefined || id === null || block === null || blockTime === null) return null;
  const { listings, trading, ...rest } = body;
  const copy: ReplicaCopy = { ...rest, listings, trading, block: BigInt(block), blockTime, id };
  return { copy, etag: response.headers.get("ETag") };
}
