/** @module Blocks with all their receipts, fetched from the nodes on demand, checked against the block's hash and kept. */
import { LRUCache } from "lru-cache";
import { BaseError, type Hex, HttpRequestError, numberToHex, TimeoutError } from "viem";
import { encodeHeader, HeaderError } from "../../chain/header.ts";
import type { RpcBlock, RpcReceipt } from "../../chain/raw-blocks.ts";
import { createReceiptTrie, encodeReceipt, type ReceiptTrie } from "../../chain/receipts.ts";
import { refusalKindOf } from "../../chain/refusals.ts";
import { counted } from "../../config/format/counted.ts";
import { type Budget, createCallBudget, type Nodes, rpcClientOf } from "../health/counted-http.ts";

/** Limit for cached blocks, by the bytes of their receipts. */
const MOST_BYTES = 32 * 1024 * 1024;
/** A trie holds each receipt, and its nodes by their hash as text. */
const BYTES_IN_MEMORY = 4;
/** Receipts requested at once when a node does not return them together. */
const AT_ONCE = 8;
/** Milliseconds before a node that fell silent or refused a method is asked again. */
const SILENCE = 5_000;
const REFUSAL = 600_000;
const KEPT_HASHES = 1_000;

/** The reason that there is no proof. The detail is for the caller; `retryAfter` in seconds. */
export type NoProof = {
  reason: "chain_silent" | "proof_unavailable" | "too_many_requests";
  detail: string;
  retryAfter: number;
};

type ProvableBlock = {
  number: bigint;
  hash: Hex;
  /** unix seconds */
  timestamp: bigint;
  /** in RLP */
  header: Hex;
  receipts: readonly RpcReceipt[];
  pathTo: ReceiptTrie["pathTo"];
};

export type ProvableBlocks = {
  /** A final block by its number. @param hash that it must have */
  of(number: bigint, hash: Hex): Promise<ProvableBlock | NoProof>;
  /** The hash of a final block, whose header was checked against it. */
  hashOf(number: bigint): Promise<Hex | NoProof>;
};

/** Thrown inside, and turned into an answer. */
class NoProofError extends Error {
  readonly noProof: NoProof;
  constructor(noProof: NoProof) {
    super(noProof.detail);
    this.noProof = noProof;
  }
}

const unavailable = (detail: string) =>
  new NoProofError({ reason: "proof_unavailable", detail, retryAfter: 60 });

/**
 * Concurrent questions about one block share one fetch.
 * @param budget the operator's requests that clients may spend on proofs; a block takes two
 */
export function createProvableBlocks({ budget, ...nodes }: Nodes & { budget: Budget }): ProvableBlocks {
  const client = rpcClientOf(nodes);
  const calls = createCallBudget(budget);
  const kept = new LRUCache<Hex, ProvableBlock>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ receipts }) => 1 + BYTES_IN_MEMORY * JSON.stringify(receipts).length,
  });
  const hashes = new LRUCache<bigint, Hex>({ max: KEPT_HASHES });
  const pending = new Map<bigint | Hex, Promise<unknown>>();
  let silentUntil = 0;
  let oneByOneUntil = 0;

  /** @throws {NoProofError} when the nodes do not answer; what a node answers instead of a result is thrown as it is */
  const ask = async <Result>(method: string, ...params: readonly unknown[]): Promise<Result | null> => {
    if (performance.now() < silentUntil) throw silence();
    const request = client.request as (asked: {
      method: string;
      params: readonly unknown[];
    }) => Promise<unknown>;
    try {
      return (await request({ method, params })) as Result | null;
    } catch (error) {
      if (!isSilence(error)) throw error;
      silentUntil = performance.now() + SILENCE;
      throw silence();
    }
  };
  /** @throws {NoProofError} when this many requests exceed the budget, for now or ever */
  const spend = (count: number, why = "") => {
    const wait = calls.take(count);
    if (wait === null)
      throw unavailable(
        `This takes ${counted(count, "requests")} to the chain, more than this service makes for a proof${why}.`,
      );
    if (wait === 0) return;
    const detail = "Proofs ask the chain too often at the moment, for all clients together.";
    throw new NoProofError({ reason: "too_many_requests", detail, retryAfter: wait });
  };

  const fetchHeader = async (number: bigint): Promise<{ block: RpcBlock; header: Hex }> => {
    const block = await ask<RpcBlock>("eth_getBlockByNumber", numberToHex(number), false);
    if (block === null) throw unavailable(`The chain's node does not know block ${number}.`);
    const header = encodeHeader(block);
    if (BigInt(block.number) !== number)
      throw unavailable(`The chain's node was asked for block ${number} and returned a different one.`);
    return { block, header };
  };

  const fetchReceipts = async (block: RpcBlock): Promise<readonly RpcReceipt[]> => {
    const { number, transactions } = block;
    if (performance.now() >= oneByOneUntil) {
      spend(1);
      try {
        const together = await ask<RpcReceipt[]>("eth_getBlockReceipts", number);
        if (together !== null) return together;
      } catch (error) {
        if (!(error instanceof BaseError)) throw error;
        oneByOneUntil = performance.now() + REFUSAL;
      }
    }
    spend(transactions.length, ": the node returns the receipts of its block one by one");
    const receipts: RpcReceipt[] = [];
    for (let first = 0; first < transactions.length; first += AT_ONCE) {
      const next = transactions.slice(first, first + AT_ONCE);
      const batch = await Promise.all(
        next.map((transaction) => ask<RpcReceipt>("eth_getTransactionReceipt", transaction)),
      );
      receipts.push(...batch.filter((receipt) => receipt !== null));
    }
    return receipts;
  };

  const fetchBlock = async (number: bigint, hash: Hex): Promise<ProvableBlock> => {
    spend(1);
    const { block, header } = await fetchHeader(number);
    if (block.hash !== hash)
      throw unavailable(`The chain's node has a different block ${number} than the one indexed.`);
    const receipts = await fetchReceipts(block);
    const { root, pathTo } = await createReceiptTrie(receipts.map(encodeReceipt));
    if (root !== block.receiptsRoot)
      throw unavailable(`The receipts that the chain's node returned are not those of block ${number}.`);
    const fetched = { number, hash, timestamp: BigInt(block.timestamp), header, receipts, pathTo };
    kept.set(hash, fetched);
    return fetched;
  };

  const shared = <Result>(key: bigint | Hex, work: () => Promise<Result>): Promise<Result | NoProof> => {
    const known = pending.get(key) as Promise<Result | NoProof> | undefined;
    if (known !== undefined) return known;
    const begun = work()
      .catch((error: unknown) => noProofOf(error))
      .finally(() => pending.delete(key));
    pending.set(key, begun);
    return begun;
  };

  return {
    of: async (number, hash) => kept.get(hash) ?? shared(hash, () => fetchBlock(number, hash)),
    hashOf: async (number) =>
      hashes.get(number) ??
      shared(number, async () => {
        spend(1);
        const { block } = await fetchHeader(number);
        hashes.set(number, block.hash);
        return block.hash;
      }),
  };
}

function silence(): NoProofError {
  const detail = "The chain's nodes do not answer; ask again later.";
  return new NoProofError({ reason: "chain_silent", detail, retryAfter: SILENCE / 1000 });
}

/** Whether no node answered at all, or none for now, in contrast to an answer that is an error. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  const refused = error.walk((cause) => cause instanceof HttpRequestError);
  if (refused instanceof HttpRequestError) {
    const { status = 0 } = refused;
    return status < 400 || status === 429 || status >= 500;
  }
  if (refusalKindOf(error) === "rate") return true;
  return error.walk((cause) => cause instanceof TimeoutError) !== null;
}

/** No answer of a node makes this fail: an unusable answer means no proof. */
function noProofOf(error: unknown): NoProof {
  if (error instanceof NoProofError) return error.noProof;
  const why = error instanceof HeaderError ? error.message : "it refused, or answered in another form";
  return unavailable(`The chain's node did not return what the proof needs: ${why}.`).noProof;
}
