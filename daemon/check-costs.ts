/**
 * What indexing costs at the configured endpoints: the duration of a first indexing, and the calls per day after it.
 * @module
 */
import { LONGEST_SILENCE, PACE } from "../api/health/upstream.ts";
import { type Problem, problemWith, type Settings, type Warning } from "../config/environment.ts";
import { ADDRESSES_PER_REQUEST, configuredSources, firstBlock } from "../config/sources.ts";
import { type ChainNode, SETTLED_BLOCKS } from "./check-chain.ts";
import { callRpc, nodeName, RpcError } from "./json-rpc.ts";

/** Blocks per eth_getLogs call, tried in this order until an endpoint refuses. */
const RANGES = [10, 100, 1_000, 10_000];
/** Requests a second of ordinary indexing: Ponder's initial rate for each URL, which grows slowly. */
const ORDINARY_RATE = 20;
/** Hours of a first indexing above which there is a warning. */
const LONGEST_INDEXING = 24;
/** Number of blocks over which the block time is averaged. */
const BLOCK_TIME_SAMPLE = 1_000;
const SECONDS_A_DAY = 86_400;
/** Blocks that become final together, in which endpoints are compared (`backfill/agreement.ts`). */
const FINALITY = 30;

export type Costs = {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
  /** Null when no endpoint's range is known. */
  readonly firstIndexing: FirstIndexing | null;
  readonly callsPerDay: number | null;
};

type FirstIndexing = { blocks: number; blocksPerCall: number; calls: number; hours: number };

/** A range of blocks that an endpoint answers eth_getLogs for, and the seconds that it takes. */
type Range = { blocksPerCall: number; secondsPerCall: number };

export async function checkCosts(settings: Settings, nodes: readonly ChainNode[]): Promise<Costs> {
  const problems: Problem[] = [];
  const probed = await Promise.all(nodes.map((node) => probeRange(settings, node, problems)));
  const [node] = nodes;
  if (node === undefined || problems.length > 0)
    return { problems, warnings: [], firstIndexing: null, callsPerDay: null };
  const ranges = probed.filter((range) => range !== null);
  const blocks = Math.max(0, node.head - Number(firstBlock(settings)) + 1);
  // A range that one of them refuses is halved for all; the quickest of them answers most.
  const blocksPerCall = Math.min(...ranges.map((range) => range.blocksPerCall));
  const secondsPerCall = Math.min(...ranges.map((range) => range.secondsPerCall));
  const firstIndexing =
    ranges.length === 0 ? null : estimateIndexing(settings, { blocks, blocksPerCall, secondsPerCall });
  const blockTime = await measureBlockTime(node);
  return {
    problems,
    warnings: firstIndexing === null ? [] : warnOfLength(firstIndexing),
    firstIndexing,
    callsPerDay: blockTime === null ? null : callsPerDay(settings, { secondsPerBlock: blockTime }),
  };
}

/** The widest range that the node accepts; null when there are too few blocks to tell. */
async function probeRange(settings: Settings, node: ChainNode, problems: Problem[]): Promise<Range | null> {
  const { logsRange } = settings;
  const last = node.head - SETTLED_BLOCKS;
  const blocks = last - Number(firstBlock(settings)) + 1;
  let widest: Range | null = null;
  for (const blocksPerCall of logsRange === null ? RANGES : [logsRange]) {
    if (blocksPerCall > blocks) return widest ?? (blocks > 0 ? { blocksPerCall, secondsPerCall: 0 } : null);
    const startedAt = performance.now();
    const reason = await refusalReason(settings, node, last - blocksPerCall + 1, last);
    const secondsPerCall = (performance.now() - startedAt) / 1000;
    if (reason === null) widest = { blocksPerCall, secondsPerCall };
    else if (logsRange === null) return widest ?? { blocksPerCall: 1, secondsPerCall };
    else {
      const problem = `is ${logsRange} blocks, and ${nodeName(node.url)} ${reason}`;
      problems.push(problemWith("ETH_GET_LOGS_RANGE", problem));
    }
  }
  return widest;
}

/** Why the node refuses this range; null when it does not. */
async function refusalReason(
  settings: Settings,
  { url, timeout }: ChainNode,
  from: number,
  to: number,
): Promise<string | null> {
  const { escrows, escrowFactory } = settings;
  const address = escrowFactory?.address ?? escrows[0]?.address;
  const params = [{ fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}`, address }];
  try {
    await callRpc({ url, method: "eth_getLogs", params, timeout });
    return null;
  } catch (error) {
    if (error instanceof RpcError) return error.message;
    throw error;
  }
}

type Indexed = Pick<
  Settings,
  "escrows" | "escrowFactory" | "desk" | "holders" | "rpcUrls" | "rpcConcurrency" | "fastForward"
>;

/**
 * The shortest time in which the endpoints can answer the calls for logs; those for blocks with events come on top, and an
 * endpoint that limits its rate is asked more slowly.
 *
 * @example
 * // 1,000,000 blocks at 1,000 a call, 32 calls of 0.2 s at the same time: 6.25 s
 * estimateIndexing(settings, { blocks: 1_000_000, blocksPerCall: 1_000, secondsPerCall: 0.2 });
 */
export function estimateIndexing(
  settings: Indexed,
  { blocks, blocksPerCall, secondsPerCall }: { blocks: number } & Range,
): FirstIndexing {
  const { fastForward, rpcConcurrency, rpcUrls } = settings;
  const calls =
    Math.ceil(blocks / blocksPerCall) * (fastForward ? bulkCalls(settings) : ordinaryCalls(settings));
  const seconds = fastForward
    ? (calls * secondsPerCall) / rpcConcurrency
    : calls / (ORDINARY_RATE * rpcUrls.length);
  return { blocks, blocksPerCall, calls, hours: Math.round(seconds / 36) / 100 };
}

/** Calls for the logs of a range: all contracts together, and then their tokens. */
function bulkCalls({ escrows, escrowFactory, desk, holders }: Indexed): number {
  const contracts = [...escrows, escrowFactory, desk].filter((contract) => contract !== null);
  return Math.ceil(contracts.length / ADDRESSES_PER_REQUEST) + (holders ? 1 : 0);
}

/** The same event by event. A factory's announcements need calls of their own beside its children's events. */
function ordinaryCalls(settings: Indexed): number {
  const sources = configuredSources(settings);
  const factories = sources.filter(
    (source) => source === "ListingEscrowFromFactory" || source === "ListingToken",
  );
  return sources.length + factories.length;
}

function warnOfLength({ blocks, blocksPerCall, hours }: FirstIndexing): Warning[] {
  if (hours <= LONGEST_INDEXING) return [];
  const warning =
    `answer eth_getLogs for ${blocksPerCall} blocks at a time, so a first indexing of ${blocks} blocks takes ` +
    `${Math.round(hours)} hours or more: use a provider with a wider range, or later start blocks`;
  return [{ variable: "RPC_URLS", warning }];
}

/** Average seconds per block; null when the chain has too few blocks or its time stands still. */
async function measureBlockTime({ url, head, timeout }: ChainNode): Promise<number | null> {
  const last = head - SETTLED_BLOCKS;
  const first = Math.max(1, last - BLOCK_TIME_SAMPLE);
  if (first >= last) return null;
  const timeOf = async (block: number): Promise<number> => {
    const params = [`0x${block.toString(16)}`, false];
    const answer = await callRpc({ url, method: "eth_getBlockByNumber", params, timeout });
    return typeof answer === "object" && answer !== null && "timestamp" in answer
      ? Number(answer.timestamp)
      : Number.NaN;
  };
  try {
    const [from, to] = await Promise.all([timeOf(first), timeOf(last)]);
    return to > from ? (to - from) / (last - first) : null;
  } catch (error) {
    if (error instanceof RpcError) return null;
    throw error;
  }
}

type Followed = Indexed & Pick<Settings, "wsUrl" | "pollingInterval">;

/**
 * JSON-RPC calls per day at the head of a chain with this block time. Not included: WebSocket notices, the few blocks with
 * events of the followed contracts, the backfill, audits, and `asOf`. Of several endpoints each is
 * asked for all that has become final.
 *
 * @example
 * callsPerDay(settings, { secondsPerBlock: 0.45 }); // 194880: polling, no holders
 */
export function callsPerDay(settings: Followed, { secondsPerBlock }: { secondsPerBlock: number }): number {
  const announced = settings.wsUrl !== null;
  const secondsPerPoll = settings.pollingInterval / 1000;
  const blocks = SECONDS_A_DAY / secondsPerBlock;
  // A poll fetches the newest block; those in between are fetched one by one.
  const heads = announced ? 0 : Math.max(blocks, SECONDS_A_DAY / secondsPerPoll);
  // Nearly every block has a transfer of some token, and then all its logs are fetched. An announced header carries no
  // transactions, so the block itself is fetched too.
  const logs = settings.holders ? blocks * (announced ? 2 : 1) : 0;
  const indexedEvery = Math.max(secondsPerBlock, announced ? 0 : secondsPerPoll);
  const own = SECONDS_A_DAY / (indexedEvery < PACE ? LONGEST_SILENCE : PACE);
  const endpoints = new Set(settings.rpcUrls).size;
  const compared = endpoints > 1 ? endpoints * (1 + bulkCalls(settings)) : 0;
  return Math.round(heads + logs + own + (blocks / FINALITY) * compared);
}
