/**
 * A local copy of all listings that keeps up with the service. Rows say when to ask again, and the id of the newest event that an
 * answer was made with says of which chain it is: a copy is handed out only where it is of the very rows that were followed, so it
 * is never of a fork that the stream has left, whichever server has answered.
 * @module
 */
import type { Client } from "openapi-fetch";
import { type FollowOptions, follow, type StreamMessage } from "./follow.ts";
import type { paths } from "./schema.ts";

type Listings = paths["/listings"]["get"]["responses"]["200"]["content"]["application/json"];

/** All listings as of a block, and of all events up to `id`. */
export type ReplicaCopy = Listings & {
  /** as the answer names them: number, and time in ISO 8601 */
  block: bigint;
  blockTime: string;
  /** of the newest event, as the stream has it */
  id: string;
};

export type ReplicaOptions = Pick<FollowOptions, "baseUrl" | "signal" | "userAgent" | "fetch"> & {
  /** takes everything that the stream says, in order; the copies are in step with it */
  onMessage?: (message: StreamMessage) => void;
  /** the id to go on after; undefined from now on */
  after?: string | undefined;
};

export type Replica = AsyncIterable<ReplicaCopy>;

/** The part of a client that is used. */
type Book = { readonly raw: Client<paths, "application/json" | "application/problem+json"> };
type Known = { copy: ReplicaCopy; etag: string | null };

/** Milliseconds until an answer that is behind the stream is asked for again. */
const BEHIND = 200;
/** Most attempts before the stream is read on: it may be the one that is behind. */
const ATTEMPTS = 5;
/** Milliseconds for an answer: of a server that has fallen silent none comes, and no error either. */
const LONGEST_ANSWER = 15_000;

/**
 * Yields a copy of the listings for heads of the chain: the first at once, then one for each head that it could be fetched for.
 * What time alone changes is in it too, as each head is asked for; an unchanged answer costs a 304.
 *
 * @throws {RaisebookProblem} as `follow` does
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
          known = asked ?? known;
          if (asked?.copy.id === message.id && asked.copy.block >= message.blockNumber) {
            yield asked.copy;
            break;
          }
          // It is ahead: the rows are on their way.
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
