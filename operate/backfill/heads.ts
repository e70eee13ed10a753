/**
 * Heads from endpoints that are behind. Ponder takes a head older than its own for a reorg: it reverts all blocks above it, and if
 * that goes below its final block, it gives up for good. Endpoints behind a load balancer are regularly some seconds apart, which
 * are dozens of blocks. So an older head of the chain that is already known is replaced with the newest where Ponder polls, and is
 * dropped where a WebSocket announces it.
 * @module
 */
import { LRUCache } from "lru-cache";
import type { PonderApp } from "./ponder.ts";

/** Milliseconds: if older heads come for so long, and the newest does not, the chain is taken to have become shorter. */
const PATIENCE = 10_000;
/** Number of blocks whose hashes are remembered. */
const REMEMBERED = 1_000;

/** Milliseconds for which later requests for the head share a pending one. */
const SHARED = 5_000;

/**
 * Sends one request for the head at a time. Ponder sends one at every interval even if the previous one is pending, and retries each
 * up to ten times: a dozen calls a second to an endpoint that is down or limits its rate.
 */
export function shareHeads({ indexingBuild }: Pick<PonderApp, "indexingBuild">, shared = SHARED): void {
  for (const rpc of indexingBuild.rpcs) {
    const request = rpc.request.bind(rpc);
    let asked: { answer: Promise<unknown>; at: number } | null = null;
    rpc.request = (body, context) => {
      const [place, isWhole] = body.params;
      const isPoll = body.method === "eth_getBlockByNumber" && place === "latest" && isWhole === true;
      if (!isPoll) return request(body, context);
      if (asked !== null && performance.now() - asked.at < shared) return asked.answer;
      const own = { answer: request(body, context), at: performance.now() };
      asked = own;
      const forget = () => {
        if (asked === own) asked = null;
      };
      own.answer.then(forget, forget);
      return own.answer;
    };
  }
}

type Block = { readonly number: string; readonly hash: string; readonly transactions?: readonly unknown[] };

/**
 * Call it after `requireCompleteLogs`, which also judges announced headers, and once it is known where Ponder begins to follow.
 * @param patience milliseconds
 */
export function keepHeads({ indexingBuild }: Pick<PonderApp, "indexingBuild">, patience = PATIENCE): void {
  const { rpcs, chains, finalizedBlocks } = indexingBuild;
  for (const [index, rpc] of rpcs.entries()) {
    const first = finalizedBlocks[index];
    if (first === undefined) continue;
    const request = rpc.request.bind(rpc);
    const newestOf = createHeads(polled(first), () => chains[index]?.finality?.floor() ?? 0, patience);
    rpc.request = async (body, context) => {
      const answer = await request(body, context);
      if (body.method !== "eth_getBlockByNumber" || !isBlock(answer)) return answer;
      // A copy: Ponder modifies the object that it receives.
      return { ...newestOf({ ...answer }, body.params[0] === "latest") };
    };
    const isSound = rpc.isAnnounced;
    rpc.isAnnounced = (header) => {
      if (isSound?.(header) === false) return false;
      return !isBlock(header) || newestOf(polled(header), true).hash === header.hash;
    };
  }
}

/** A header as an answer to a poll, which must have transactions. Ponder mostly has the block, and else asks again. */
function polled(header: Block): Block {
  return { ...header, transactions: [] };
}

/**
 * @param first the newest block that is known at first
 * @param floor the block that cannot be taken back any more
 */
function createHeads(first: Block, floor: () => number, patience: number) {
  const hashes = new LRUCache<number, string>({ max: REMEMBERED }).set(Number(first.number), first.hash);
  let newest = first;
  /** `performance.now()` at the first older head since the newest one was named */
  let olderSince: number | null = null;

  /** Records a block. @returns it, or the newest one in place of an older head */
  return (block: Block, isHead: boolean): Block => {
    const number = Number(block.number);
    const known = hashes.peek(number);
    if (isHead && number < Number(newest.number) && (known === undefined || known === block.hash)) {
      olderSince ??= performance.now();
      const isLost = performance.now() - olderSince > patience;
      if (!isLost || number <= floor()) return newest;
    }
    hashes.set(number, block.hash);
    if (isHead) [newest, olderSince] = [block, null];
    return block;
  };
}

function isBlock(answer: unknown): answer is Block {
  const { number, hash } = (answer ?? {}) as Partial<Block>;
  return typeof number === "string" && typeof hash === "string";
}
