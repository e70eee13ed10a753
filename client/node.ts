/**
 * The reader's own node: supplies hashes of blocks, and a contract's totals on request.
 * @module
 */
import { type Hex, hexToBigInt, isHash, numberToHex } from "viem";
import { abortable, type Fetch } from "./fetch.ts";
import { must } from "./refusal.ts";

/** Milliseconds until a request times out. */
const TIMEOUT = 15_000;

export type Node = {
  /** The hash of a block; null if the node does not know it. @throws if the node does not answer */
  blockHash(number: bigint): Promise<Hex | null>;
  /** The number that a contract's view returns at a block; null if there is no such view, or the node has no such state. */
  view(contract: Hex, data: Hex, block: bigint): Promise<bigint | null>;
};

/** @param url of JSON-RPC over HTTP; it may contain a key, and is never part of a message */
export function nodeAt(url: string, fetch?: Fetch): Node {
  const send = abortable(fetch);
  const ask = async (method: string, params: readonly unknown[]): Promise<{ result?: unknown }> => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(TIMEOUT);
    // `Request` repeats a URL that is invalid, or has a password in it, in the message that it throws.
    const answer = await Promise.resolve()
      .then(() => send(new Request(url, { method: "POST", headers, body, signal })))
      .then((response) => response.json())
      .catch(() => null);
    must(typeof answer === "object" && answer !== null, `your node does not answer ${method}`);
    return answer as { result?: unknown };
  };
  return {
    async blockHash(number) {
      const { result } = await ask("eth_getBlockByNumber", [numberToHex(number), false]);
      const hash = (result as { hash?: unknown } | null | undefined)?.hash;
      return typeof hash === "string" && isHash(hash) ? (hash.toLowerCase() as Hex) : null;
    },
    async view(contract, data, block) {
      const { result } = await ask("eth_call", [{ to: contract, data }, numberToHex(block)]);
      return typeof result === "string" && isHash(result) ? hexToBigInt(result) : null;
    },
  };
}
