/** @module The costs of indexing at the configured endpoints: the duration of a first indexing, and the calls per day after it. */

import { isHex } from "viem";
import { LONGEST_SILENCE, PACE } from "../../api/health/upstream.ts";
import { mayHold } from "../../chain/bloom.ts";
import { blockRequest, callRpc, nullIfRefused } from "../../chain/call.ts";
import { followContracts } from "../../chain/contracts.ts";
import { COMPARED_AT_ONCE, FINAL_EVERY, WAITING_EVERY } from "../../chain/finality.ts";
import { inTurns } from "../../chain/in-turns.ts";
import type { Settings } from "../../config/environment.ts";
import { SECONDS_A_DAY } from "../../config/format/time.ts";
import type { Problem, Warning } from "../../config/problems.ts";
import {
  ADDRESSES_PER_REQUEST,
  configuredSources,
  firstBlock,
  REQUESTS_PER_BATCH,
} from "../../config/sources.ts";
import { TRANSFER } from "../../src/contracts/contracts.ts";
import { type ChainEndpoint, SETTLED_BLOCKS } from "./check-chain.ts";
import { probeRange, type Range } from "./check-range.ts";

/** Endpoints whose range is looked for at the same time: each answer is in memory. */
const ENDPOINTS_AT_ONCE = 10;
/** Requests a second of ordinary indexing: Ponder's initial rate for each URL, which grows slowly. */
export const ORDINARY_RATE = 20;
/** Hours of a first indexing above which there is a warning. */
const LONGEST_INDEXING = 24;
/** Number of blocks over which the block time is averaged, and how many of them are looked at. */
const BLOCK_TIME_SAMPLE = 1_000;
const BLOCKS_OF_SAMPLE = 10;
/** Milliseconds until a row is final, on a chain that is final quickly (docs/decisions/0045-finality.md). */
const UNTIL_FINAL = 2_000;

export type Costs = {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
  /** Null when no endpoint's range is known. */
  readonly firstIndexing: FirstIndexing | null;
  readonly callsPerDay: number | null;
  /** what each block with events adds to that */
  readonly callsPerEventBlock: number;
  /** By URL, of the nodes that accept a range. */
  readonly ranges: ReadonlyMap<string, Range>;
  /** Null when the chain has too few blocks, or its time stands still. */
  readonly secondsPerBlock: number | null;
  /** shares of the blocks, 0 to 1: without any log, and with a filter that may have one of an event of the contracts */
  readonly emptyShare: number;
  readonly possibleShare: number;
};

type FirstIndexing = { blocks: number; blocksPerCall: number; calls: number; hours: number };

export async function checkCosts(settings: Settings, nodes: readonly ChainEndpoint[]): Promise<Costs> {
  const problems: Problem[] = [];
  const ranges = new Map<string, Range>();
  await inTurns(nodes, ENDPOINTS_AT_ONCE, async (node) => {
    const range = await probeRange(settings, node, problems);
    if (range !== null) ranges.set(node.url, range);
  });
  const [node] = nodes;
  const chain = node === undefined ? null : await measureBlocks(settings, node);
  const { secondsPerBlock = null, emptyShare = 0, possibleShare = 0 } = chain ?? {};
  const found = {
    ...{ problems, ranges, secondsPerBlock, emptyShare, possibleShare },
    callsPerEventBlock: callsPerEventBlock(settings),
  };
  if (node === undefined || problems.length > 0)
    return { ...found, warnings: [], firstIndexing: null, callsPerDay: null };
  const blocks = Math.max(0, node.head - Number(firstBlock(settings)) + 1);
  const all = [...ranges.values()];
  // A range that one of them refuses is halved for all; the quickest of them answers most.
  const blocksPerCall = Math.min(...all.map((range) => range.blocksPerCall));
  const secondsPerCall = Math.min(...all.map((range) => range.secondsPerCall));
  const firstIndexing =
    all.length === 0
      ? null
      : estimateIndexing(settings, { blocks, blocksPerCall, secondsPerCall, possibleShare });
  return {
    ...found,
    warnings: firstIndexing === null ? [] : warnOfLength(firstIndexing),
    firstIndexing,
    callsPerDay: chain === null ? null : callsPerDay(settings, chain),
  };
}

type Indexed = Pick<
  Settings,
  | "escrows"
  | "escrowFactory"
  | "desk"
  | "holders"
  | "rpcUrls"
  | "rpcConcurrency"
  | "fastForward"
  | "logsProven"
>;

/**
 * The calls of a first indexing, and the shortest time in which the endpoints can answer them; an endpoint that limits its rate is
 * asked more slowly. With each range of logs its last block is asked for, in the same request. With `LOGS_PROVEN=possible` each header
 * is asked for, and the receipts of each block whose filter may have an event. The block and, unless nothing is proven, the receipts of
 * each block with events come on top.
 *
 * @example
 * // 1,000,000 blocks at 1,000 a call, 32 calls of 0.2 s at the same time: 2,000 calls in 6.25 s
 * estimateIndexing(settings, { blocks: 1_000_000, blocksPerCall: 1_000, secondsPerCall: 0.2 });
 */
export function estimateIndexing(
  settings: Indexed,
  { blocks, blocksPerCall, secondsPerCall, possibleShare = 0 }: IndexedRange,
): FirstIndexing {
  const { fastForward, rpcConcurrency, rpcUrls, logsProven } = settings;
  const ranges =
    Math.ceil(blocks / blocksPerCall) * (fastForward ? bulkCalls(settings) : ordinaryCalls(settings));
  const proofs = logsProven === "possible" ? Math.round(blocks * (1 + possibleShare)) : 0;
  // Event by event they are proven behind what is indexed.
  const seconds = fastForward
    ? ((ranges + proofs / REQUESTS_PER_BATCH) * secondsPerCall) / rpcConcurrency
    : ranges / (ORDINARY_RATE * rpcUrls.length);
  return { blocks, blocksPerCall, calls: 2 * ranges + proofs, hours: Math.round(seconds / 36) / 100 };
}

type IndexedRange = Range & { blocks: number; possibleShare?: number };

/** Calls for the logs of a range: all contracts together, and then their tokens. */
function bulkCalls({ escrows, escrowFactory, desk, holders }: Indexed): number {
  const contracts = [...escrows, escrowFactory, desk].filter((contract) => contract !== null);
  return Math.ceil(contracts.length / ADDRESSES_PER_REQUEST) + (holders ? 1 : 0);
}

/** The same event by event. A factory's announcements need their own calls in addition to those for its children's events. */
function ordinaryCalls(settings: Indexed): number {
  const sources = configuredSources(settings);
  const factories = sources.filter((one) => one === "ListingEscrowFromFactory" || one === "ListingToken");
  return sources.length + factories.length;
}

function warnOfLength({ blocks, blocksPerCall, hours }: FirstIndexing): Warning[] {
  if (hours <= LONGEST_INDEXING) return [];
  const warning =
    `answer eth_getLogs for ${blocksPerCall} blocks at a time, so a first indexing of ${blocks} blocks takes ` +
    `${Math.round(hours)} hours or more: use a provider with a wider range, a ledger file (LEDGER), or later start blocks`;
  const remedy =
    "Take a provider whose eth_getLogs has a wider range, start from another service's ledger file (LEDGER), or begin at the blocks of the deployments.";
  return [{ variable: "RPC_URLS", warning, remedy }];
}

/** Null when the chain has too few blocks or its time stands still. */
async function measureBlocks(
  settings: Settings,
  { url, head, timeout }: ChainEndpoint,
): Promise<ChainPace | null> {
  const topics = [...followContracts(settings).topics, settings.holders ? TRANSFER : undefined];
  const wanted = topics.filter((topic) => topic !== undefined);
  const last = head - SETTLED_BLOCKS;
  const first = Math.max(1, last - BLOCK_TIME_SAMPLE);
  if (first >= last) return null;
  const blockAt = async (block: number) => {
    const answer = await callRpc({ url, timeout, ...blockRequest(block) });
    const { timestamp, logsBloom } = Object(answer) as { timestamp?: unknown; logsBloom?: unknown };
    return {
      time: Number(timestamp ?? Number.NaN),
      isEmpty: /^0x0+$/.test(String(logsBloom)),
      isPossible: !isHex(logsBloom) || mayHold(logsBloom, wanted),
    };
  };
  const step = (last - first) / (BLOCKS_OF_SAMPLE - 1);
  const numbers = Array.from({ length: BLOCKS_OF_SAMPLE }, (_, index) => Math.round(first + index * step));
  const blocks = (await Promise.all(numbers.map(blockAt)).catch(nullIfRefused)) ?? [];
  const seconds = (blocks.at(-1)?.time ?? Number.NaN) - (blocks[0]?.time ?? Number.NaN);
  if (!(seconds > 0)) return null;
  const shareOf = (some: readonly unknown[]) => some.length / blocks.length;
  return {
    secondsPerBlock: seconds / (last - first),
    emptyShare: shareOf(blocks.filter(({ isEmpty }) => isEmpty)),
    possibleShare: shareOf(blocks.filter(({ isPossible }) => isPossible)),
  };
}

export type ChainPace = {
  readonly secondsPerBlock: number;
  readonly emptyShare?: number;
  readonly possibleShare?: number;
};

type CallSettings = Indexed & Pick<Settings, "wsUrl" | "pollingInterval">;

/** Calls a day by kind, and notices over a WebSocket. */
export type DailyCalls = {
  /** eth_getBlockByNumber, and eth_getBlockByHash for announced blocks */
  readonly blocks: number;
  /** eth_getLogs */
  readonly logs: number;
  /** eth_getBlockReceipts, or eth_getTransactionReceipt for each transaction where an endpoint does not have that */
  readonly receipts: number;
  readonly notices: number;
};

/**
 * JSON-RPC calls per day at the head of a chain with this block time. Not included: the blocks with events of the followed contracts
 * (`callsPerEventBlock`), the first indexing, audits, and `asOf`. Every endpoint is asked for its final block, and of several each for
 * all that has become final. With `LOGS_PROVEN=possible` every header is asked for again once it is final.
 */
export function dailyCalls(
  settings: CallSettings,
  { secondsPerBlock, emptyShare = 0, possibleShare = 0 }: ChainPace,
): DailyCalls {
  const announced = settings.wsUrl !== null;
  const secondsPerPoll = settings.pollingInterval / 1000;
  const blocks = SECONDS_A_DAY / secondsPerBlock;
  // A poll fetches the newest block; those in between are fetched one by one.
  const heads = announced ? 0 : Math.max(blocks, SECONDS_A_DAY / secondsPerPoll);
  // Nearly every block has a transfer of some token, and then all its logs are fetched. An announced header carries no
  // transactions, so the block itself is fetched too.
  // Ponder distrusts the bloom filter of a block without any log, and fetches its logs as well.
  const withLogs = settings.holders ? blocks : emptyShare * blocks;
  const indexedEvery = Math.max(secondsPerBlock, announced ? 0 : secondsPerPoll);
  const own = SECONDS_A_DAY / (indexedEvery < PACE ? LONGEST_SILENCE : PACE);
  const endpoints = settings.rpcUrls.length;
  // The last block by itself, and with each range of logs.
  const compared = endpoints > 1 ? (blocks / COMPARED_AT_ONCE) * endpoints : 0;
  const ranges = compared * bulkCalls(settings);
  const finals = (SECONDS_A_DAY / (FINAL_EVERY / 1000)) * endpoints;
  const headers = settings.logsProven === "possible" ? blocks : 0;
  return {
    blocks: heads + (announced ? withLogs : 0) + own + finals + compared + ranges + headers,
    logs: withLogs + ranges,
    receipts: headers * possibleShare,
    notices: announced ? blocks : 0,
  };
}

/**
 * JSON-RPC calls for a block with events at the head of the chain, besides those for every block: its logs, its header and its receipts
 * for the proof, every endpoint's final block until the block is final, and of several what each says of it.
 */
export function callsPerEventBlock(settings: CallSettings): number {
  const { wsUrl, holders, logsProven } = settings;
  const endpoints = settings.rpcUrls.length;
  const logs = holders ? 0 : wsUrl === null ? 1 : 2;
  const proof = logsProven === "none" ? 0 : 2;
  const waiting = UNTIL_FINAL / WAITING_EVERY;
  const compared = endpoints > 1 ? 1 + 2 * bulkCalls(settings) : 0;
  return logs + proof + endpoints * (waiting + compared);
}

/**
 * All of them but the notices.
 *
 * @example
 * callsPerDay(settings, { secondsPerBlock: 0.45 }); // 216480: polling, no holders, each block with a log of some contract
 */
export function callsPerDay(settings: CallSettings, chain: ChainPace): number {
  const { blocks, logs, receipts } = dailyCalls(settings, chain);
  return Math.round(blocks + logs + receipts);
}
