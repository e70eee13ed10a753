/**
 * Compares the logs of a block that Ponder follows with the filter in the block's header: Ponder asks for all logs of such a block, so that
 * what an endpoint leaves out shows without another request. Another endpoint is then asked first, and where logs cannot be used. The
 * header is checked too, since Ponder asks for no logs where the filter has none of ours: docs/decisions/0046-complete-logs.md.
 * @module
 */
import { LRUCache } from "lru-cache";
import type { Hex } from "viem";
import { omissionIn } from "../../chain/bloom.ts";
import { inOrder, type Log, parseLogs } from "../../chain/logs.ts";
import { isHeader } from "../../chain/prover.ts";
import { refusalKindOf } from "../../chain/refusals.ts";
import type { Settings } from "../../config/environment.ts";
import type { Lately } from "../../config/lately.ts";
import type { Logger } from "../../config/log.ts";
import type { PonderApp, PonderBucket, PonderRpc } from "./ponder.ts";
import type { NoteUnfit } from "./unfit.ts";

/** Headers whose filters are remembered. */
const REMEMBERED = 1_000;

type Body = Parameters<PonderRpc["request"]>[0];
/** A fault of an answer: something is left out, or it cannot be used. */
type Fault = { readonly why: string; readonly isUnusable?: boolean };
/** Null if nothing is known to be wrong. */
type Judge = (body: Body, answer: unknown) => Fault | null;

/** Checks all later answers of the endpoints. */
export function requireCompleteLogs(
  { indexingBuild }: Pick<PonderApp, "indexingBuild">,
  { wsUrl }: Pick<Settings, "wsUrl">,
  {
    omissions,
    noteUnfit,
    log,
  }: { omissions: Lately<string>; noteUnfit: NoteUnfit; log: Pick<Logger, "warn"> },
): void {
  for (const [index, rpc] of indexingBuild.rpcs.entries()) {
    const urls = [indexingBuild.chains[index]?.rpc ?? []].flat();
    const { judge, judgeHeader } = createJudge();
    const note = (url: string, { why, isUnusable = false }: Fault, body: Body) => {
      const { host } = new URL(url);
      if (isUnusable) noteUnfit(host, "unusable_logs");
      else omissions.note(host);
      log.warn({
        msg: "The answer of an endpoint is not complete",
        endpoint: host,
        method: body.method,
        why,
      });
    };
    rpc.complete = async ({ body, answer, bucket, buckets }) => {
      const fault = judge(body, answer);
      if (fault === null) return answer;
      const asked = new Set([urls[bucket.index]]);
      note(urls[bucket.index] ?? "http://unknown", fault, body);
      for (const other of buckets) {
        const url = urls[other.index];
        if (asked.has(url) || url === undefined || !other.isActive) continue;
        asked.add(url);
        const second = await answerOf(other, body);
        if (second === undefined) continue;
        const again = judge(body, second);
        if (again === null) return second;
        note(url, again, body);
      }
      // Ponder then asks again, after a pause that grows.
      throw new Error(`no endpoint gives a complete answer to ${body.method}: ${fault.why}`);
    };
    rpc.refused = ({ error, bucket }) => {
      const url = urls[bucket.index];
      if (url !== undefined && refusalKindOf(error) === "pruned") noteUnfit(new URL(url).host, "pruned");
    };
    rpc.isAnnounced = (header) => {
      const fault = judgeHeader(header);
      if (fault !== null && wsUrl !== null)
        note(wsUrl, fault, { method: "eth_subscribe", params: ["newHeads"] });
      return fault === null;
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

function createJudge(): { judge: Judge; judgeHeader(block: unknown): Fault | null } {
  /** By the hashes of the blocks. */
  const blooms = new LRUCache<Hex, Hex>({ max: REMEMBERED });
  /** The names of the fields of headers that have hashed to their hash: one with others may be of a fork that is not known here. */
  const shapes = new Set<string>();

  const judgeHeader = (block: unknown): Fault | null => {
    const { hash, logsBloom } = (block ?? {}) as { hash?: Hex; logsBloom?: Hex };
    if (typeof hash !== "string" || typeof logsBloom !== "string" || blooms.get(hash) === logsBloom)
      return null;
    const shape = Object.keys(block as object)
      .sort()
      .join();
    if (isHeader(block)) shapes.add(shape);
    else if (shapes.has(shape)) return { why: "the header does not hash to the block's hash" };
    blooms.set(hash, logsBloom);
    return null;
  };
  return {
    judgeHeader,
    judge({ method, params }, answer) {
      if (method === "eth_getBlockByNumber" || method === "eth_getBlockByHash") return judgeHeader(answer);
      if (method !== "eth_getLogs") return null;
      let logs: Log[];
      try {
        logs = inOrder(parseLogs(answer));
      } catch (error) {
        return { why: (error as Error).message, isUnusable: true };
      }
      const { blockHash } = params[0] as { blockHash?: Hex };
      const why = blockHash === undefined ? null : omissionIn(logs, blooms.get(blockHash) ?? null);
      return why === null ? null : { why };
    },
  };
}
