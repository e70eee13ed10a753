/** @module The listings on the chain, from the events of the followed escrows; works before the first start. */
import type { Hex } from "viem";
import { pairKey } from "../../../api/registry/schema.ts";
import { RpcError } from "../../../chain/call.ts";
import { createChainClient } from "../../../chain/client.ts";
import { followContracts } from "../../../chain/contracts.ts";
import { createRanges } from "../../../chain/limits.ts";
import { InconsistentChainError, type Log } from "../../../chain/logs.ts";
import { type Page, readPages } from "../../../chain/pages.ts";
import type { Settings } from "../../../config/environment.ts";
import { firstBlock } from "../../../config/sources.ts";
import { contractsOf, mapRawLog, placeIn, topicsNamed } from "../../../src/contracts/contracts.ts";
import type { ArgsOf } from "../../../src/fold/event-kinds.ts";

/** A listing as created, or one of contracts that announce none, by its first event; the address in lowercase. */
export type Created = Pick<ArgsOf<"listing_created">, "originator" | "refnum" | "terms"> & {
  escrowAddress: Hex;
  onchainId: bigint;
  block: number;
  isAnnounced: boolean;
};

export type OnChain = {
  /** in the order of the chain, each pair once */
  created: readonly Created[];
  escrows: ReadonlySet<string>;
};

/** `to`: the last block to read */
type Parameters = { settings: Settings; to: number; onProgress(done: number, total: number): void };

/** The chain cannot be read. The message contains no part of a URL except its host. */
export class UnreadableChainError extends Error {
  override readonly name = "UnreadableChainError";
}

/** Milliseconds after which a request that keeps failing is given up, as a person is waiting. */
const PATIENCE = 30_000;

/** @throws {UnreadableChainError} if the endpoints are silent, contradict one another, or refuse the logs of a single block */
export async function readOnChain(parameters: Parameters): Promise<OnChain> {
  try {
    return await read(parameters);
  } catch (error) {
    if (!(error instanceof RpcError || error instanceof InconsistentChainError)) throw error;
    throw new UnreadableChainError(error.message);
  }
}

async function read({ settings, to, onProgress }: Parameters): Promise<OnChain> {
  const { rpcUrls, rpcConcurrency, logsRange } = settings;
  const from = Number(firstBlock(settings));
  const followed = followContracts({ ...settings, desk: null, holders: false });
  const pages = readPages({
    client: createChainClient({ urls: rpcUrls, concurrency: rpcConcurrency, patience: PATIENCE }),
    ranges: createRanges(logsRange),
    topics: topicsNamed(settings, ["ListingCreated"]),
    ahead: rpcConcurrency,
    ...{ followed, from, to },
  });
  const byPair = new Map<string, Created>();
  for await (const page of pages) {
    for (const log of page.logs) {
      for (const one of createdBy(log, page, settings)) {
        const pair = pairKey(one);
        // Only the first creation counts.
        if (!byPair.has(pair)) byPair.set(pair, one);
      }
    }
    onProgress(page.to - from + 1, to - from + 1);
  }
  return { created: [...byPair.values()], escrows: new Set(followed.escrows()) };
}

/** None for another event, or one with malformed data, which the indexer ignores too. */
function createdBy(log: Log, { blocks }: Page, settings: Settings): Created[] {
  const { raw, address, block } = log;
  const contracts = contractsOf(settings);
  const mapped = mapRawLog(contracts, raw, placeIn(log, blocks.get(block)));
  return mapped.flatMap(({ content, problem }): Created[] => {
    if (content.source !== "escrow" || problem !== null) return [];
    const { event, onchainId } = content;
    const place = { escrowAddress: address, onchainId, block };
    if (event.kind === "listing_created") {
      const { originator, refnum, terms } = event.args;
      return [{ ...place, originator, refnum, terms, isAnnounced: true }];
    }
    if (!contracts.lifecycle.derivesCreation) return [];
    return [{ ...place, originator: null, refnum: null, terms: {}, isAnnounced: false }];
  });
}
