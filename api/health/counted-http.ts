/** @module Calls of the service itself to the chain: by host, as Ponder counts its own (`ponder_rpc_*`), and within a budget. */
import { Counter, type Registry } from "prom-client";
import { createPublicClient, fallback, type HttpTransportConfig, http, type Transport } from "viem";

export type HttpTransportOf = (url: string, config?: HttpTransportConfig) => Transport;

export type Nodes = {
  rpcUrls: readonly string[];
  /** milliseconds */
  timeout?: number;
  /** viem's, or one that counts */
  http?: HttpTransportOf | undefined;
};

/** Asks the nodes in order until one answers. */
export function rpcClientOf({ rpcUrls, timeout = 5000, http: transportOf = http }: Nodes) {
  const transports = rpcUrls.map((url) => transportOf(url, { timeout, retryCount: 0 }));
  return createPublicClient({ transport: fallback(transports, { retryCount: 0 }), cacheTime: 0 });
}

/** viem's `http`, with its calls counted. The label is the host alone: the rest of a URL may be a key. */
export function countingHttp(registry: Registry): HttpTransportOf {
  const shared = { labelNames: ["host"], registers: [registry] };
  const requests = new Counter({
    ...shared,
    name: "raisebook_rpc_requests_total",
    help: "JSON-RPC requests of the service itself (head, block times, audits), without the indexer's",
  });
  const errors = new Counter({
    ...shared,
    name: "raisebook_rpc_errors_total",
    help: "Those that failed or were refused",
  });
  return (url, config) => {
    const { host } = new URL(url);
    const transport = http(url, config);
    // From the beginning, so that a rate has a first value.
    requests.inc({ host }, 0);
    errors.inc({ host }, 0);
    return (options) => {
      const counted = transport(options);
      const request = async (args: Parameters<typeof counted.request>[0]) => {
        requests.inc({ host });
        try {
          return await counted.request(args);
        } catch (error) {
          errors.inc({ host });
          throw error;
        }
      };
      return { ...counted, request: request as typeof counted.request };
    };
  };
}

/** Burst, and requests per second after it. */
export type Budget = { burst: number; perSecond: number };

export function createCallBudget({ burst, perSecond }: Budget) {
  let available = burst;
  let counted = performance.now();
  return {
    /** Spends `calls` requests if all are available. @returns seconds to wait; 0 if granted, null if above the burst */
    take(calls = 1): number | null {
      const now = performance.now();
      available = Math.min(burst, available + ((now - counted) / 1000) * perSecond);
      counted = now;
      if (calls > burst) return null;
      if (available < calls) return Math.max(1, Math.ceil((calls - available) / perSecond));
      available -= calls;
      return 0;
    },
  };
}
