/**
 * A local copy of all listings that keeps up with the service. Rows say when to ask again, and the id of the newest event that an
 * answer was made with says of which chain it is: a copy is handed out only where it is of the very rows that were followed, so it
 * is never of a fork that the stream has left, whichever server has answered.
 * @module
 */
import type { Client } from "openapi-fetch";
import { type FollowOptions, type StreamMessage } from "./follow.js";
import type { paths } from "./schema.js";
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
type Book = {
    readonly raw: Client<paths, "application/json" | "application/problem+json">;
};
/**
 * Yields a copy of the listings for heads of the chain: the first at once, then one for each head that it could be fetched for.
 * What time alone changes is in it too, as each head is asked for; an unchanged answer costs a 304.
 *
 * @throws {RaisebookProblem} as `follow` does
 * @example
 * const book = createRaisebookClient({ baseUrl });
 * for await (const { block, listings } of createReplica(book, { baseUrl })) console.log(block, listings.length);
 */
export declare function createReplica(book: Book, options: ReplicaOptions): Replica;
export {};
