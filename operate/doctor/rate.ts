/** @module How many requests a second an endpoint answers. */
import { setTimeout as sleep } from "node:timers/promises";
import { blockRequest, callRpc, RpcError } from "../../chain/call.ts";
import { type ChainEndpoint, SETTLED_BLOCKS } from "../daemon/check-chain.ts";

/** Requests with which the rate of an endpoint is tried, and the milliseconds for them. */
const BURST = 100;
const BURST_TIME = 2_000;
const AT_A_TIME = 8;
/** Milliseconds after which requests no longer count towards a limit per second. */
const RECOVERY = 1_100;

export type Burst = {
  /** requests a second that were answered */
  readonly rate: number;
  /** milliseconds; null: nothing was answered */
  readonly latency: number | null;
  /** what the endpoint said to a request that came too soon; null: none did */
  readonly limit: string | null;
};

/**
 * A limit is met too early in the first burst, as requests before it count too, and too late in one that begins shortly before the
 * endpoint starts counting again. So two more follow, each after a pause.
 */
export async function measureRate(node: ChainEndpoint): Promise<Burst> {
  const first = await burst(node);
  if (first.limit === null) return first;
  const rates: number[] = [];
  while (rates.length < 2) {
    await sleep(RECOVERY);
    rates.push((await burst(node)).rate);
  }
  return { ...first, rate: Math.min(...rates) };
}

/** Requests up to the first one that comes too soon. */
async function burst({ url, head, timeout }: ChainEndpoint): Promise<Burst> {
  const request = blockRequest(Math.max(0, head - SETTLED_BLOCKS));
  const latencies: number[] = [];
  const startedAt = performance.now();
  let asked = 0;
  let limit: string | null = null;
  let isOver = false;
  const askOn = async () => {
    while (asked++ < BURST && !isOver) {
      const askedAt = performance.now();
      if (askedAt - startedAt > BURST_TIME) return;
      try {
        await callRpc({ url, timeout, ...request, isPatient: false });
        latencies.push(performance.now() - askedAt);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        isOver = true;
        if (error.kind === "rate") limit = error.message;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, askOn));
  const seconds = (performance.now() - startedAt) / 1000;
  const median = latencies.toSorted((a, b) => a - b)[latencies.length >> 1];
  return {
    // Providers limit requests per second, and a burst is mostly shorter.
    rate: Math.round(latencies.length / Math.max(1, seconds)),
    latency: median === undefined ? null : Math.round(median),
    limit,
  };
}
