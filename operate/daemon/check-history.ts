/**
 * Checks that endpoints have the first blocks and logs of the history. Some endpoints that have deleted old logs return an empty
 * list instead of an error.
 * @module
 */
import { blockRequest, callRpc, logsRequest, nodeName, RpcError } from "../../chain/call.ts";
import type { Settings } from "../../config/environment.ts";
import type { Warning } from "../../config/problems.ts";
import { firstBlock } from "../../config/sources.ts";
import { type ChainEndpoint, configuredContracts } from "./check-chain.ts";

/** Number of blocks in which to look for logs. */
const SAMPLE = 5;

/** Only warnings: a running index may no longer need the history. */
export async function warnOfHistory(
  settings: Settings,
  nodes: readonly ChainEndpoint[],
): Promise<readonly Warning[]> {
  const warnings = nodes.map(async (node): Promise<Warning[]> => {
    const reason = await lacksHistory(settings, node);
    if (reason === null) return [];
    const warning = `at ${nodeName(node.url)} does not have the history: ${reason}; a first indexing needs it`;
    return [{ variable: "RPC_URLS", warning, remedy: ARCHIVE }];
  });
  return (await Promise.all(warnings)).flat();
}

export const ARCHIVE = "Name an endpoint that keeps all blocks and logs (an archive node).";

/** What is missing; null if nothing is, or the endpoint limits its rate. */
export async function lacksHistory(
  settings: Settings,
  { url, head, timeout }: ChainEndpoint,
): Promise<string | null> {
  const first = Math.min(Number(firstBlock(settings)), head);
  const logsOf = (block: number, address?: string) =>
    callRpc({ url, timeout, ...logsRequest({ from: block, to: block, address }) });
  try {
    for (let block = first; block <= Math.min(head, first + SAMPLE - 1); block++) {
      const found = await callRpc({ url, timeout, ...blockRequest(block) });
      if (typeof found !== "object" || found === null || !("timestamp" in found))
        return `it has no block ${block}`;
      if (block === first) await logsOf(block, configuredContracts(settings)[0]?.address);
      if (!("logsBloom" in found) || !hasBits(found.logsBloom)) continue;
      const logs = await logsOf(block).catch((error) => {
        // Some endpoints return no logs without an address.
        if (error instanceof RpcError) return null;
        throw error;
      });
      return Array.isArray(logs) && logs.length === 0
        ? `it has no logs of block ${block}, which has some`
        : null;
    }
    return null;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return error.kind === "rate" ? null : `for block ${first} it ${error.message}`;
  }
}

function hasBits(bloom: unknown): boolean {
  return typeof bloom === "string" && /[1-9a-f]/i.test(bloom.slice(2));
}
