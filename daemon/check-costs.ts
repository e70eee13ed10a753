/**
 * What the configured endpoints make of the work: how long a first indexing takes, and how many calls a day follow.
 * @module
 */
import { type Problem, problemWith, type Settings, type Warning } from "../config/environment.ts";
import { configuredSources, firstBlock } from "../config/sources.ts";
import { type ChainNode, SETTLED_BLOCKS } from "./check-chain.ts";
import { callRpc, nodeName, RpcError } from "./json-rpc.ts";
import { callsPerDay } from "./rpc-budget.ts";

/** Blocks in one eth_getLogs, each tried after the one before was answered. */
const RANGES = [10, 100, 1_000, 10_000];
/** Ponder sends so many to each URL at first, and grows slowly. */
const REQUESTS_PER_SECOND = 20;
const LONGEST_INDEXING = 24;
/** Blocks over which the time between two is measured. */
const PACE_OVER = 1_000;

export type Costs = {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Warning[];
  /** For the log; null when there is nothing to tell. */
  readonly firstIndexing: { blocks: number; blocksPerCall: number; calls: number; hours: number } | null;
  readonly callsPerDay: number | null;
};

export async function checkCosts(settings: Settings, nodes: readonly ChainNode[]): Promise<Costs> {
  const problems: Problem[] = [];
  const probed = await Promise.all(nodes.map((node) => probeRange(settings, node, problems)));
  const [node] = nodes;
  if (node === undefined || problems.length > 0)
    return { problems, warnings: [], firstIndexing: null, callsPerDay: null };
  const ranges = probed.filter((range) => range !== null);
  const firstIndexing = ranges.length === 0 ? null : estimate(settings, node.head, Math.min(...ranges));
  const pace = await secondsPerBlock(node);
  return {
    problems,
    warnings: firstIndexing === null ? [] : warnOfLength(firstIndexing),
    firstIndexing,
    callsPerDay: pace === null ? null : callsPerDay(settings, { secondsPerBlock: pace }),
  };
}

/** The widest range that the node answers; null when there are too few blocks to tell. */
async function probeRange(settings: Settings, node: ChainNode, problems: Problem[]): Promise<number | null> {
  const { logsRange } = settings;
  const last = node.head - SETTLED_BLOCKS;
  const blocks = last - Number(firstBlock(settings)) + 1;
  let widest: number | null = null;
  for (const range of logsRange === null ? RANGES : [logsRange]) {
    if (range > blocks) return widest ?? (blocks > 0 ? range : null);
    const reason = await refusal(settings, node, last - range + 1, last);
    if (reason === null) widest = range;
    else if (logsRange === null) return widest ?? 1;
    else {
      const problem = `is ${logsRange} blocks, and ${nodeName(node.url)} ${reason}`;
      problems.push(problemWith("ETH_GET_LOGS_RANGE", problem));
    }
  }
  return widest;
}

/** Why the node does not answer for these blocks; null when it does. */
async function refusal(
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

/** Of the calls for logs alone; blocks with events come on top. */
function estimate(
  settings: Settings,
  head: number,
  blocksPerCall: number,
): NonNullable<Costs["firstIndexing"]> {
  const blocks = Math.max(0, head - Number(firstBlock(settings)) + 1);
  const sources = configuredSources(settings);
  // What a factory announces is asked for besides what its children say.
  const factories = sources.filter(
    (source) => source === "ListingEscrowFromFactory" || source === "ListingToken",
  );
  const calls = Math.ceil(blocks / blocksPerCall) * (sources.length + factories.length);
  const hours = calls / (REQUESTS_PER_SECOND * settings.rpcUrls.length) / 3600;
  return { blocks, blocksPerCall, calls, hours: Math.round(hours * 100) / 100 };
}

function warnOfLength({ blocks, blocksPerCall, hours }: NonNullable<Costs["firstIndexing"]>): Warning[] {
  if (hours <= LONGEST_INDEXING) return [];
  const warning =
    `answer eth_getLogs for ${blocksPerCall} blocks at a time, so that a first indexing of ${blocks} blocks takes ` +
    `${Math.round(hours)} hours or more: use a provider with a wider range, or later start blocks`;
  return [{ variable: "RPC_URLS", warning }];
}

/** Measured on the last blocks; null where the chain has too few, or time stands still. */
async function secondsPerBlock({ url, head, timeout }: ChainNode): Promise<number | null> {
  const last = head - SETTLED_BLOCKS;
  const first = Math.max(1, last - PACE_OVER);
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
