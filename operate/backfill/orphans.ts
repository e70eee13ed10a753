/**
 * Blocks that are reorged away while Ponder fetches them: it keeps asking for the logs of such a block for more than a minute, and
 * follows no other meanwhile (observed). So a request about a block fails once no endpoint has the block any more.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import type { PonderApp, PonderRpc } from "./ponder.ts";

/** Milliseconds: an endpoint may learn of a block later than the one that announced it. */
const PATIENCE = 1_000;

/** @param patience milliseconds between checks for the block; it is gone after two that fail */
export function leaveOrphans({ indexingBuild }: Pick<PonderApp, "indexingBuild">, patience = PATIENCE): void {
  for (const rpc of indexingBuild.rpcs) {
    const request = rpc.request.bind(rpc);
    rpc.request = async (body, context) => {
      const hash = blockIn(body);
      if (hash === undefined) return request(body, context);
      const answered = new AbortController();
      return new Promise((resolve, reject) => {
        const answer = request(body, context).then(resolve, reject);
        void answer.finally(() => answered.abort());
        untilGone(request, hash, { patience, signal: answered.signal }).catch(reject);
      });
    };
  }
}

function blockIn({ method, params }: Parameters<PonderRpc["request"]>[0]): Hex | undefined {
  return method === "eth_getLogs" ? (params[0] as { blockHash?: Hex }).blockHash : undefined;
}

/** Rejects if the block was not found twice; resolves at the signal. */
async function untilGone(
  request: PonderRpc["request"],
  hash: Hex,
  { patience, signal }: { patience: number; signal: AbortSignal },
): Promise<void> {
  for (let missing = 0; missing < 2 && !signal.aborted; ) {
    await sleep(patience, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const asked = request({ method: "eth_getBlockByHash", params: [hash, false] });
    const block = await asked.catch(() => undefined);
    missing = block === null ? missing + 1 : 0;
  }
  if (!signal.aborted) throw new Error(`block ${hash} is gone: it was reorganised away`);
}
