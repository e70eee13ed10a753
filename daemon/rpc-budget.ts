/**
 * What following the chain costs at an RPC provider.
 * @module
 */
import { LONGEST_SILENCE, PACE } from "../api/health/upstream.ts";
import type { Settings } from "../config/environment.ts";

const SECONDS_A_DAY = 86_400;

type Followed = Pick<Settings, "holders" | "wsUrl" | "pollingInterval">;

/**
 * JSON-RPC calls a day at the head of a chain whose blocks come every `secondsPerBlock`. Not in it: the notices of
 * the WebSocket, the few blocks with events of the followed contracts, the backfill, audits, and `asOf`.
 *
 * @example
 * callsPerDay(settings, { secondsPerBlock: 0.45 }); // 194880: polling, no holders
 */
export function callsPerDay(settings: Followed, { secondsPerBlock }: { secondsPerBlock: number }): number {
  const announced = settings.wsUrl !== null;
  const secondsPerPoll = settings.pollingInterval / 1000;
  const blocks = SECONDS_A_DAY / secondsPerBlock;
  // A poll asks for the newest block; those that came in between are asked for one by one.
  const heads = announced ? 0 : Math.max(blocks, SECONDS_A_DAY / secondsPerPoll);
  // Nearly every block has a transfer of some token, and then all its logs are fetched. A header that the WebSocket
  // announces has no transactions: such a block is fetched too.
  const logs = settings.holders ? blocks * (announced ? 2 : 1) : 0;
  const indexedEvery = Math.max(secondsPerBlock, announced ? 0 : secondsPerPoll);
  const own = SECONDS_A_DAY / (indexedEvery < PACE ? LONGEST_SILENCE : PACE);
  return Math.round(heads + logs + own);
}
