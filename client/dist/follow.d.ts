import { type Fetch } from "./fetch.js";
import type { components, operations } from "./schema.js";
type LedgerEvent = components["schemas"]["LedgerEvent"];
type Query = NonNullable<operations["followEvents"]["parameters"]["query"]>;
/** A message of the stream. `id` is the position to resume at: after everything up to it. */
export type StreamMessage = 
/** a row of the ledger, after all rows before it */
{
    type: "ledger";
    id: string;
    event: LedgerEvent;
}
/** rows of blocks from this one on are withdrawn; their replacements follow */
 | {
    type: "reorg";
    id: string;
    from: bigint;
}
/** rows of blocks up to this one are final; with the root of the book as of it, null while the service does not know it */
 | {
    type: "final";
    through: bigint;
    root: string | null;
}
/** an indexed block, all of whose rows and earlier rows have been sent; `blockTime` ISO 8601 */
 | {
    type: "head";
    id: string;
    blockNumber: bigint;
    blockTime: string;
};
/** With the filters of the stream, such as `listing`, `kind`, `status` or `grade`; `finality: "final"` has rows once they are final. */
export type FollowOptions = Omit<Query, "after"> & {
    /** ends in `/v1` */
    baseUrl: string;
    /** the id to resume after; `0` from the beginning, undefined from now on */
    after?: string | undefined;
    /** ends the iteration */
    signal?: AbortSignal;
    userAgent?: string;
    fetch?: Fetch;
};
/**
 * Yields messages until the loop ends or is aborted. Each row comes once, unless a `reorg` has withdrawn it before.
 *
 * @throws {RaisebookProblem} for a permanent error: an invalid parameter, or an id that never existed
 * @throws {TypeError} if no request can be made of `baseUrl` and `userAgent`
 * @throws {Error} if another server answers at `baseUrl` before the service's first answer; later, such answers are retried
 * @example
 * for await (const message of follow({ baseUrl: "https://raises.example/v1", after: "0" })) {
 *   if (message.type === "ledger") console.log(message.event.kind, message.event.publicId);
 *   if (message.type === "reorg") console.log("withdrawn from block", message.from);
 * }
 */
export declare function follow(options: FollowOptions): AsyncGenerator<StreamMessage, void>;
export {};
