/** @module Which blocks are final: what an endpoint says, and how deep a reorganisation is followed where it does not. */
import type { Settings } from "../config/environment.ts";
import { blockRequest, callRpc } from "./call.ts";
import { isBlock, type RawBlock } from "./pages.ts";

/** Blocks: 180 s of BNB Smart Chain. */
const LEAST_WINDOW = 400;
/** With several endpoints, this many blocks are compared at once, fewer while a row waits. */
export const COMPARED_AT_ONCE = 30;
/** Milliseconds between two questions to an endpoint for its final block while no row waits to become final, and while one does. */
export const FINAL_EVERY = 4_000;
export const WAITING_EVERY = 400;

/** How many blocks below the head can still be taken back where the endpoints name no final block. */
export function reorgWindow({ finalityDepth }: Pick<Settings, "finalityDepth">): number {
  return Math.max(LEAST_WINDOW, finalityDepth);
}

/**
 * The endpoint's final block; null where it does not know the tag `finalized`.
 * @throws {RpcError} when it does not answer, or refuses
 */
export async function finalBlockOf(destination: { url: string; timeout: number }): Promise<RawBlock | null> {
  const block = await callRpc({ ...destination, isPatient: false, ...blockRequest("finalized") });
  return isBlock(block) ? block : null;
}
