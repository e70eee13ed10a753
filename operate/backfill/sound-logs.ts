/**
 * The logs that Ponder gets, checked as those that are fetched in bulk.
 * @module
 */
import { hash } from "node:crypto";
import { contentOf, inOrder, parseLogs, sharedIndex } from "../../chain/logs.ts";
import type { PonderApp } from "./ponder.ts";

/** Logs of earlier answers that are remembered: more than Ponder has of one range of blocks. */
const REMEMBERED = 50_000;

/**
 * Fails every answer with such logs that Ponder gets, where no other endpoint has better ones (`complete-logs.ts`). It checks each
 * answer itself, but no indices that are text or null, and not one answer against another, although it asks for the logs of each
 * contract by themselves and stores only the first with an index.
 */
export function requireSoundLogs({ indexingBuild }: Pick<PonderApp, "indexingBuild">): void {
  for (const rpc of indexingBuild.rpcs) {
    const request = rpc.request.bind(rpc);
    const remembered = new Map<string, string>();
    rpc.request = async (body, context) => {
      const answer = await request(body, context);
      if (body.method !== "eth_getLogs") return answer;
      for (const log of inOrder(parseLogs(answer))) {
        const place = `${log.raw.blockHash} ${log.logIndex}`;
        const content = hash("sha1", contentOf(log), "base64");
        if ((remembered.get(place) ?? content) !== content) throw sharedIndex(log);
        remembered.set(place, content);
      }
      for (const oldest of remembered.keys()) {
        if (remembered.size <= REMEMBERED) break;
        remembered.delete(oldest);
      }
      return answer;
    };
  }
}
