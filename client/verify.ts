/**
 * Verifies proofs of the read interface, in Node and in browsers. Of the service nothing is believed; of the reader's own node
 * nothing is asked but hashes of blocks, and with `complete` the contract's totals.
 * @module
 */
import type { Fetch } from "./fetch.ts";
import { type Node, nodeAt } from "./node.ts";
import type { EventProof, ListingProof, Verdict } from "./verdict.ts";
import { verifyEvent } from "./verify-event.ts";
import { verifyListing } from "./verify-listing.ts";

export type { Check, EventProof, ListingProof, Verdict } from "./verdict.ts";

export type VerifyOptions = {
  /** of a node that the reader trusts: JSON-RPC over HTTP */
  rpc: string;
  /** asks the node for the contract's own totals as well, so that a left-out event shows; only of a listing */
  complete?: boolean;
  /** The proof of another event, `<blockNumber>-<logIndex>`, for figures that are sums. Without it they are not proven. */
  proofOf?: (event: string) => Promise<EventProof>;
  /** another `fetch`, for tests and proxies */
  fetch?: Fetch;
};

/**
 * Verifies the proof of an event or of a listing's totals. What is wrong with a proof is in the verdict, never thrown.
 *
 * @example
 * const proof = await book.get("/listings/{id}/proof", { path: { id: "lst_bakery" } });
 * const { proven, sentence } = await verify(proof, { rpc: "https://node.example" });
 */
export async function verify(proof: EventProof | ListingProof, options: VerifyOptions): Promise<Verdict> {
  const node: Node = nodeAt(options.rpc, options.fetch);
  return "totals" in proof
    ? verifyListing(proof, node, { complete: options.complete ?? false, proofOf: options.proofOf ?? null })
    : verifyEvent(proof, node);
}

/** A service, and what of it is to be proven. */
export type ProofAddress = {
  baseUrl: string;
  path: "/listings/{id}/proof" | "/events/{event}/proof";
  id: string;
};

/**
 * Where the proof of a listing or of an event is, by any address of it: of its page, of its data, of the proof itself.
 * Null when the address is of neither.
 */
export function proofAddressOf(url: string): ProofAddress | null {
  const { origin, pathname } = new URL(url);
  const found =
    /^(?<root>.*?)(?:\/v1|\/md)?\/(?<kind>listings|events)\/(?<id>[^/]+?)(?:\.md|\/[a-z]+)?\/?$/.exec(
      pathname,
    );
  const { root = "", kind, id = "" } = found?.groups ?? {};
  if (kind === undefined) return null;
  const path = kind === "events" ? "/events/{event}/proof" : "/listings/{id}/proof";
  return { baseUrl: `${origin}${root}/v1`, path, id: decodeURIComponent(id) };
}
