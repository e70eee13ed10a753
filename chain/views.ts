/** @module Calls of contracts' views, by viem: it encodes and batches them. */
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  createPublicClient,
  fallback,
  type Hex,
  http,
  type PublicClient,
} from "viem";

/** A client that asks the endpoints in order until one answers. @param timeout milliseconds for an answer */
export function createViewClient(urls: readonly string[], timeout: number): PublicClient {
  return createPublicClient({ transport: fallback(urls.map((url) => http(url, { timeout }))) });
}

/**
 * The bytes with which a contract refused a call, `0x` without a reason or where there is no such view; null if the node failed, of
 * which viem makes a revert too.
 */
export function refusalBytes(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null;
  if (error.walk((cause) => cause instanceof ContractFunctionZeroDataError) !== null) return "0x";
  const revert = error.walk((cause) => cause instanceof ContractFunctionRevertedError);
  if (!(revert instanceof ContractFunctionRevertedError)) return null;
  return revert.raw ?? (revert.reason === "execution reverted" ? "0x" : null);
}
