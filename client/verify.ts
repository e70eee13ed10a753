/**
 * Verifies proofs of the read interface, in Node and in browsers. Nothing from the service is trusted; the reader's own node
 * supplies only hashes of blocks and, with `complete`, the contract's totals.
 * @module
 */
import type { Fetch } from "./fetch.ts";
import { type Node, nodeAt } from "./node.ts";
import { check, refused, Unanswered } from "./refusal.ts";
import type { Check, ContractAbi, EventProof, ListingProof, Verdict } from "./verdict.ts";
import { verifyEvent } from "./verify-event.ts";
import { verifyListing } from "./verify-listing.ts";

export type { Check, ContractAbi, EventProof, ListingProof, Verdict } from "./verdict.ts";

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
export async function verify(proof: EventProof | ListingProof, options: VerifyOptions): Promise<Verdict> {
  const node: Node = nodeAt(options.rpc, options.fetch);
  const { complete = false, abi = null } = options;
  const proofOf = options.proofOf === undefined ? null : asking(options.proofOf);
  const checks: Check[] = [];
  const verdict = await check(checks, "the proof", async () =>
    "totals" in proof
      ? verifyListing(proof, node, { complete, proofOf, own: abi })
      : verifyEvent(proof, node, abi),
  ).catch((error) => {
    throw error instanceof Unanswered ? error.cause : error;
  });
  return visible(verdict ?? refused("The proof cannot be read", checks));
}

/** The same question, whose errors are no faults of a proof. */
function asking(proofOf: NonNullable<VerifyOptions["proofOf"]>): typeof proofOf {
  return async (event) => {
    try {
      return await proofOf(event);
    } catch (cause) {
      throw new Unanswered("", { cause });
    }
  };
}

/** Control and format characters, and separators of lines: in the service's text they could paint another verdict. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function visible(verdict: Verdict): Verdict {
  const strip = (_: string, value: unknown) =>
    typeof value === "string" ? value.replace(UNSEEN, "") : value;
  return JSON.parse(JSON.stringify(verdict), strip);
}

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
export function proofAddressOf(url: string): ProofAddress | null {
  const { origin, pathname } = new URL(url);
  const found =
    /^(?<root>.*?)(?:\/v1|\/md)?\/(?<kind>listings|events)\/(?<id>[^/]+?)(?:\.md|\/[a-z]+)?\/?$/.exec(
      pathname,
    );
  const { root = "", kind, id = "" } = found?.groups ?? {};
  if (kind === undefined) return null;
  const path = kind === "events" ? "/events/{event}/proof" : "/listings/{id}/proof";
  try {
    return { baseUrl: `${origin}${root}/v1`, path, id: decodeURIComponent(id) };
  } catch {
    return null;
  }
}
