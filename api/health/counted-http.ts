/**
 * Calls of the service itself to the chain, by host. Ponder counts its own (`ponder_rpc_*`).
 * @module
 */
import { Counter, type Registry } from "prom-client";
import { type HttpTransportConfig, http, type Transport } from "viem";

export type HttpTransportOf = (url: string, config?: HttpTransportConfig) => Transport;

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
