/**
 * The logs of a block that Ponder follows, against the filter in the block's header: Ponder asks for all logs of such a block, so that
 * what an endpoint leaves out shows without another request. Another endpoint is then asked first. The header is checked too, since
 * Ponder asks for no logs where the filter has none of ours: docs/decisions/0046-complete-logs.md.
 * @module
 */
import type { Hex } from "viem";
import { omissionIn } from "../../chain/bloom.ts";
import { type Log, parseLogs } from "../../chain/logs.ts";
import { isHeader } from "../../chain/prover.ts";
import type { Settings } from "../../config/environment.ts";
import type { Logger } from "../../config/log.ts";
import type { Omissions } from "./omissions.ts";
import type { PonderApp, PonderBucket, PonderRpc } from "./ponder.ts";

/** Headers whose filters are remembered. */
const REMEMBERED = 1_000;

type Body = Parameters<PonderRpc["request"]>[0];
/** What is wrong with an answer; null if nothing is known to be. */
type Judge = (body: Body, answer: unknown) => string | null;

/** Checks all later answers of the endpoints. */
export function requireCompleteLogs(
  { indexingBuild }: Pick<PonderApp, "indexingBuild">,
  { wsUrl }: Pick<Settings, "wsUrl">,
  { omissions, log }: { omissions: Omissions; log: Pick<Logger, "warn"> },
): void {
  for (const [index, rpc] of indexingBuild.rpcs.entries()) {
    const urls = [indexingBuild.chains[index]?.rpc ?? []].flat();
    const { judge, judgeHeader } = createJudge();
    const note = (url: string, why: string, body: Body) => {
      const { host } = new URL(url);
      omissions.note(host);
      log.warn({
        msg: "The answer of an endpoint is not complete",
        endpoint: host,
        method: body.method,
        why,
      });
    };
    rpc.complete = async ({ body, answer, bucket, buckets }) => {
      const why = judge(body, answer);
      if (why === null) return answer;
      const asked = new Set([urls[bucket.index]]);
      note(urls[bucket.index] ?? "http://unknown", why, body);
      for (const other of buckets) {
        const url = urls[other.index];
        if (asked.has(url) || url === undefined || !other.isActive) continue;
        asked.add(url);
        const second = await answerOf(other, body);
        if (second === undefined) continue;
        const whyAgain = judge(body, second);
        if (whyAgain === null) return second;
        note(url, whyAgain, body);
      }
      // Ponder then asks again, after a pause that grows.
      throw new Error(`no endpoint gives a complete answer to ${body.method}: ${why}`);
    };
    rpc.isAnnounced = (header) => {
      const why = judgeHeader(header);
      if (why !== null && wsUrl !== null) note(wsUrl, why, { method: "eth_subscribe", params: ["newHeads"] });
      return why === null;
    };
  }
}

/** Undefined where it fails. */
async function answerOf(bucket: PonderBucket, body: Body): Promise<unknown> {
  try {
    return await bucket.request(body);
  } catch {
    return undefined;
  }
}

function createJudge(): { judge: Judge; judgeHeader(block: unknown): string | null } {
  /** By the hashes of the blocks. */
  const blooms = new Map<Hex, Hex>();
  /** The names of the fields of headers that have hashed to their hash: one with others may be of a fork that is not known here. */
  const shapes = new Set<string>();

  const judgeHeader = (block: unknown): string | null => {
    const { hash, logsBloom } = (block ?? {}) as { hash?: Hex; logsBloom?: Hex };
    if (typeof hash !== "string" || typeof logsBloom !== "string" || blooms.get(hash) === logsBloom)
      return null;
    const shape = Object.keys(block as object)
      .sort()
      .join();
    if (isHeader(block)) shapes.add(shape);
    else if (shapes.has(shape)) return "the header does not hash to the block's hash";
    blooms.set(hash, logsBloom);
    for (const oldest of blooms.keys()) {
      if (blooms.size <= REMEMBERED) break;
      blooms.delete(oldest);
    }
    return null;
  };
  return {
    judgeHeader,
    judge({ method, params }, answer) {
      if (method === "eth_getBlockByNumber" || method === "eth_getBlockByHash") return judgeHeader(answer);
      const { blockHash } = (method === "eth_getLogs" ? params[0] : {}) as { blockHash?: Hex };
      if (blockHash === undefined) return null;
      const logs = soundLogs(answer);
      return logs === null ? null : omissionIn(logs, blooms.get(blockHash) ?? null);
    },
  };
}

/** Null for logs that cannot be used, which are refused later (`sound-logs.ts`). */
function soundLogs(answer: unknown): Log[] | null {
  try {
    return parseLogs(answer);
  } catch {
    return null;
  }
}
