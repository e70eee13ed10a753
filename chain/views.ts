/**
 * Calls of contracts' views, by viem: it encodes and batches them.
 * @module
 */
import { createPublicClient, fallback, http, type PublicClient } from "viem";

/** A client that asks the endpoints in order until one answers. @param timeout milliseconds for an answer */
export function createViewClient(urls: readonly string[], timeout: number): PublicClient {
  return createPublicClient({ transport: fallback(urls.map((url) => http(url, { timeout }))) });
}
