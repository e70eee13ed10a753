import { type Fetch } from "./fetch.js";
import type { components, operations } from "./schema.js";
type LedgerEvent = components["schemas"]["LedgerEvent"];
type Query = NonNullable<operations["followEvents"]["parameters"]["query"]>;
/** What the stream says. `id` is the place to come back to: after everything up to it. */
export type StreamMessage = 
/** a row of the ledger, after all rows before it */
{
    type: "ledger";
    id: string;
    event: LedgerEvent;
}
/** rows of blocks from this one on are withdrawn; those that are in their place follow */
 | {
    type: "reorg";
    id: string;
    from: bigint;
}
/** rows of blocks up to this one are final */
 | {
    type: "final";
    through: bigint;
}
/** an indexed block, all rows up to which have been said; `blockTime` ISO 8601 */
 | {
    type: "head";
    id: string;
    blockNumber: bigint;
    blockTime: string;
};
export type FollowOptions = {
    /** ends in `/v1` */
    baseUrl: string;
    /** the id to go on after; `0` from the beginning, undefined from now on */
    after?: string | undefined;
    listing?: string;
    originator?: string;
    kind?: Query["kind"];
    /** `final`: rows when they are final, none of which is withdrawn */
    finality?: "final";
    /** ends the iteration */
    signal?: AbortSignal;
    userAgent?: string;
    fetch?: Fetch;
};
/**
 * Yields what happens until it is left or aborted. Each row comes once, unless a `reorg` has withdrawn it before.
 *
 * @throws {RaisebookProblem} for a refusal that will not change: a wrong parameter, an id that no row ever had
 * @example
 * for await (const message of follow({ baseUrl: "https://raises.example/v1", after: "0" })) {
 *   if (message.type === "ledger") console.log(message.event.kind, message.event.publicId);
 *   if (message.type === "reorg") console.log("withdrawn from block", message.from);
 * }
 */
export declare function follow(options: FollowOptions): AsyncGenerator<StreamMessage, void>;
export {};
