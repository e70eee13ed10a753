/**
 * A local copy of all listings that keeps up with the service. Rows trigger requests, and the id of an answer's newest event tells
 * its chain: a copy is yielded only if it matches the followed rows, so it is never from a fork that the stream has left,
 * whichever server answered.
 * @module
 */
import type { Client } from "openapi-fetch";
import { type FollowOptions, type StreamMessage } from "./follow.js";
import type { paths } from "./schema.js";
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
type Book = {
    readonly raw: Client<paths, "application/json" | "application/problem+json">;
};
/**
 * Yields copies of the listings for heads of the chain: the first at once, then one per head, as far as requests keep up.
 * Changes by time alone are included, as each head causes a request; an unchanged answer costs a 304.
 *
 * @throws like `follow`
 * @example
 * const book = createRaisebookClient({ baseUrl });
 * for await (const { block, listings } of createReplica(book, { baseUrl })) console.log(block, listings.length);
 */
export declare function createReplica(book: Book, options: ReplicaOptions): Replica;
export {};
