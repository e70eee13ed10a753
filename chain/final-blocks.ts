/** @module Reads blocks that the chain has from endpoints that may be behind. */
import { blockRequest } from "./call.ts";
import type { ChainClient } from "./client.ts";

/**
 * Blocks by their numbers, in that order: null for one that an endpoint does not have although it has a later one.
 * @param upTo the last block that the chain certainly has
 */
export async function blocksUpTo(
  client: Pick<ChainClient, "requestAll" | "requestUpTo">,
  { numbers, upTo, signal }: { numbers: readonly number[]; upTo: number; signal?: AbortSignal | undefined },
): Promise<unknown[]> {
  const blocks = await client.requestAll(numbers.map(blockRequest), signal);
  const missing = [...numbers.keys()].filter((place) => blocks[place] === null);
  if (missing.length === 0) return blocks;
  const wanted = missing.map((place) => blockRequest(numbers[place] as number));
  const found = await client.requestUpTo(upTo, wanted, signal);
  for (const [index, place] of missing.entries()) blocks[place] = found[index];
  return blocks;
}
