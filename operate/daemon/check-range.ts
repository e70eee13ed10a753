/** @module How many blocks an endpoint answers `eth_getLogs` for. */
import { callRpc, logsRequest, nodeName, RpcError, refusalIn } from "../../chain/call.ts";
import type { Settings } from "../../config/environment.ts";
import { type Problem, problemWith } from "../../config/problems.ts";
import { firstBlock } from "../../config/sources.ts";
import { type ChainEndpoint, SETTLED_BLOCKS } from "./check-chain.ts";

/** Blocks per eth_getLogs call, tried in this order until an endpoint refuses; then parts of what it has refused. */
const RANGES = [10, 100, 1_000, 10_000];
const PARTS = [0.5, 0.2];
/** A range with this many logs is asked for without any: the indexer takes no more at once. */
const MANY_LOGS = 2_000;
/** The topic of no event. */
const NO_TOPIC = `0x${"0".repeat(64)}`;

/** A range of blocks that an endpoint answers eth_getLogs for, and the seconds that it takes. */
export type Range = { blocksPerCall: number; secondsPerCall: number };

/** The widest range that the node accepts; null when there are too few blocks to tell. */
export async function probeRange(
  settings: Settings,
  node: ChainEndpoint,
  problems: Problem[],
): Promise<Range | null> {
  const { logsRange, escrows, escrowFactory } = settings;
  const { url, timeout } = node;
  const address = escrowFactory?.address ?? escrows[0]?.address;
  const last = node.head - SETTLED_BLOCKS;
  const blocks = last - Number(firstBlock(settings)) + 1;
  let logsPerBlock = 0;
  const attempt = async (blocksPerCall: number): Promise<Range | RpcError> => {
    const startedAt = performance.now();
    const range = { from: last - blocksPerCall + 1, to: last, address };
    const hasMany = logsPerBlock * blocksPerCall >= MANY_LOGS;
    const request = logsRequest(hasMany ? { ...range, topics: [NO_TOPIC] } : range);
    const asked = callRpc({ url, timeout, ...request });
    const refusal = await refusalIn(asked);
    if (refusal === null && !hasMany) logsPerBlock = Object(await asked).length / blocksPerCall;
    return refusal ?? { blocksPerCall, secondsPerCall: (performance.now() - startedAt) / 1000 };
  };
  if (logsRange !== null && logsRange <= blocks) {
    const chosen = await attempt(logsRange);
    if (!(chosen instanceof RpcError)) return chosen;
    // The chosen range may be a good one.
    if (chosen.kind === "rate") return null;
    const widest = await widestRange(attempt, logsRange - 1);
    if (widest === null) return null;
    const remedy = `Set it to ${widest.blocksPerCall} at most, or leave it out: the indexer finds out by itself.`;
    const problem = `is ${logsRange} blocks, and ${nodeName(url)} ${chosen.message}`;
    problems.push(problemWith("ETH_GET_LOGS_RANGE", problem, remedy));
    return widest;
  }
  if (logsRange !== null) return blocks > 0 ? { blocksPerCall: logsRange, secondsPerCall: 0 } : null;
  return blocks > 0 ? widestRange(attempt, blocks) : null;
}

/** The largest accepted range up to this many blocks; null if a rate limit ends the search. */
async function widestRange(
  attempt: (blocksPerCall: number) => Promise<Range | RpcError>,
  most: number,
): Promise<Range | null> {
  let widest: Range | null = null;
  const startedAt = performance.now();
  for (const blocksPerCall of RANGES) {
    const range = blocksPerCall <= most ? await attempt(blocksPerCall) : null;
    if (range instanceof RpcError && range.kind === "rate") return widest;
    if (range !== null && !(range instanceof RpcError)) {
      widest = range;
      continue;
    }
    for (const smaller of PARTS.map((part) => blocksPerCall * part).filter((blocks) => blocks <= most)) {
      const part = await attempt(smaller);
      if (!(part instanceof RpcError)) return part;
      if (part.kind === "rate") return widest;
    }
    break;
  }
  return widest ?? { blocksPerCall: 1, secondsPerCall: (performance.now() - startedAt) / 1000 };
}
