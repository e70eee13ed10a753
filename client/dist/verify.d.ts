/**
 * Verifies proofs of the read interface, in Node and in browsers. Nothing from the service is trusted; the reader's own node
 * supplies only hashes of blocks and, with `complete`, the contract's totals.
 * @module
 */
import type { Fetch } from "./fetch.js";
import type { ContractAbi, EventProof, ListingProof, Verdict } from "./verdict.js";
export type { Check, ContractAbi, EventProof, ListingProof, Verdict } from "./verdict.js";
export type VerifyOptions = {
    /** a node that the reader trusts: JSON-RPC over HTTP */
    rpc: string;
    /** also requests the contract's totals from the node, so that an omitted event shows; only for a listing */
    complete?: boolean;
    /**
     * The proof of another event, `<blockNumber>-<logIndex>`, for figures that are sums; without it these are not proven. What it throws,
     * `verify` throws: without an answer nothing is known of the proof.
     */
    proofOf?: (event: string) => Promise<EventProof>;
    /** The contract's ABI from a source that the reader trusts: names of arguments that the service gives must be those in it. */
    abi?: ContractAbi;
    /** another `fetch`, for tests and proxies */
    fetch?: Fetch;
};
/**
 * Verifies the proof of an event or of a listing's totals. Faults of a proof are in the verdict, never thrown; errors of `proofOf` are
 * thrown as they are, as after a rate limit.
 *
 * @example
 * const proof = await book.get("/listings/{id}/proof", { path: { id: "lst_bakery" } });
 * const { proven, sentence } = await verify(proof, { rpc: "https://node.example" });
 */
export declare function verify(proof: EventProof | ListingProof, options: VerifyOptions): Promise<Verdict>;
/** A service, and what it should prove. */
export type ProofAddress = {
    baseUrl: string;
    path: "/listings/{id}/proof" | "/events/{event}/proof";
    id: string;
};
/**
 * Where to get the proof of a listing or of an event, given the address of its page, its data or the proof itself.
 * Null for any other address.
 */
export declare function proofAddressOf(url: string): ProofAddress | null;
