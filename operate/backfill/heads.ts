/**
 * Heads of endpoints that are behind. Ponder takes a head that is older than its own for a reorganisation: it takes back all
 * blocks above it, and where that is further than what it has as final, it gives up for good. Endpoints behind a load balancer
 * are some seconds behind each other every day, which are dozens of blocks. So an older head of the chain that is known already is
 * answered with the newest.
 * @module
 */
import type { PonderApp } from "./ponder.ts";

/** Milliseconds: if no endpoint has the newest head any more for so long, the chain is taken to have become shorter. */
const PATIENCE = 10_000;
/** Blocks whose hashes are remembered. */
const REMEMBERED = 1_000;

/** Milliseconds for which an unanswered question for the head stands for those after it. */
const SHARED = 5_000;

/**
 * Asks for the head once at a time. Ponder asks at every interval whether or not the question before is answered, and asks each one again
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

type Block = { number: string; hash: string };

/** @param patience milliseconds */
export function keepHeads({ indexingBuild }: Pick<PonderApp, "indexingBuild">, patience = PATIENCE): void {
  const { rpcs, chains } = indexingBuild;
  for (const [index, rpc] of rpcs.entries()) {
    const request = rpc.request.bind(rpc);
    const newestOf = createHeads(chains[index]?.finalityBlockCount ?? 0, patience);
    rpc.request = async (body, context) => {
      const answer = await request(body, context);
      if (body.method !== "eth_getBlockByNumber" || !isBlock(answer)) return answer;
      // A copy: Ponder changes what it is given.
      return { ...newestOf({ ...answer }, body.params[0] === "latest") };
    };
  }
}

function createHeads(finality: number, patience: number) {
  const hashes = new Map<number, string>();
  let newest: { block: Block; seenAt: number } | null = null;

  /** Takes note of a block. @returns it, or the newest in place of a head that is older */
  return (block: Block, isHead: boolean): Block => {
    const number = Number(block.number);
    const behind = newest === null ? 0 : Number(newest.block.number) - number;
    const known = hashes.get(number);
    if (isHead && newest !== null && behind > 0 && (known === undefined || known === block.hash)) {
      const isLost = performance.now() - newest.seenAt > patience;
      if (!isLost || behind >= finality) return newest.block;
    }
    hashes.delete(number);
    hashes.set(number, block.hash);
    for (const oldest of hashes.keys()) {
      if (hashes.size <= REMEMBERED) break;
      hashes.delete(oldest);
    }
    if (isHead) newest = { block, seenAt: performance.now() };
    return block;
  };
}

function isBlock(answer: unknown): answer is Block {
  const { number, hash } = (answer ?? {}) as Partial<Block>;
  return typeof number === "string" && typeof hash === "string";
}
