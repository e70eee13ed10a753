/** @module The events that a reorg may take back: of their raises everything is read again then, and of all others nothing. */
import { and, asc, eq, gte, lte, type ReadonlyDrizzle, sql } from "ponder";
import type { Hex } from "viem";
import { blockOf } from "../../src/fold/event-id.ts";
import type { StoredRow } from "../../src/fold/state.ts";
import type { Tables } from "./whole.ts";

type RecentEvent = Pick<StoredRow, "eventId" | "escrowAddress" | "onchainId"> & { blockHash: Hex };

/**
 * In the order of the chain: those after the final block, and before them at least the last one that is final. Where its block is
 * still there, so is everything before it. Null for more than are kept.
 */
export type RecentEvents = readonly RecentEvent[] | null;

const MOST = 2_000;

export async function readRecent(
  tx: ReadonlyDrizzle,
  { ledger, eventBlock }: Pick<Tables, "ledger" | "eventBlock">,
  finalized: bigint,
): Promise<RecentEvents> {
  const [lastFinal] = await tx
    .select({ number: sql<string | null>`max(${eventBlock.number})` })
    .from(eventBlock)
    .where(lte(eventBlock.number, finalized));
  const from = BigInt(lastFinal?.number ?? 0);
  const { eventId, escrowAddress, onchainId, blockNumber, logIndex, part } = ledger;
  const found = await tx
    .select({ eventId, escrowAddress, onchainId, blockHash: eventBlock.hash })
    .from(ledger)
    .innerJoin(eventBlock, eq(eventBlock.number, blockNumber))
    .where(and(gte(blockNumber, from), gte(eventBlock.number, from)))
    .orderBy(asc(blockNumber), asc(logIndex), asc(part))
    .limit(MOST + 1);
  return found.length > MOST ? null : found;
}

/** With later events, and without those that are no longer needed. */
export function withLater(
  recent: readonly RecentEvent[],
  later: readonly { event: StoredRow; blockHash: Hex }[],
  finalized: bigint,
): RecentEvents {
  const all = [
    ...recent,
    ...later.map(({ event: { eventId, escrowAddress, onchainId }, blockHash }) => ({
      ...{ eventId, escrowAddress, onchainId, blockHash },
    })),
  ];
  const lastFinal = all.findLastIndex(({ eventId }) => blockOf(eventId).number <= finalized);
  const kept = all.slice(Math.max(0, lastFinal));
  return kept.length > MOST ? null : kept;
}

type AfterReorg = { kept: readonly RecentEvent[]; lastKept: RecentEvent; lost: readonly RecentEvent[] };

/** The recent rows that a reorg has left, and those that it reverted; null if none are left, or too many were recent. */
export async function afterReorg(
  tx: ReadonlyDrizzle,
  eventBlock: Tables["eventBlock"],
  recent: RecentEvents,
): Promise<AfterReorg | null> {
  const [first, last] = [recent?.at(0), recent?.at(-1)];
  if (recent === null || first === undefined || last === undefined) return null;
  const { number } = eventBlock;
  const blocks = await tx
    .select()
    .from(eventBlock)
    .where(and(gte(number, blockOf(first.eventId).number), lte(number, blockOf(last.eventId).number)));
  return splitBy(blocks, recent);
}

/** @param blocks with events that are there now, at least from the first recent event to the last */
export function splitBy(
  blocks: readonly { number: bigint; hash: Hex }[],
  recent: readonly RecentEvent[],
): AfterReorg | null {
  const hashes = new Map(blocks.map((block) => [block.number, block.hash]));
  const at = recent.findLastIndex(
    ({ eventId, blockHash }) => hashes.get(blockOf(eventId).number) === blockHash,
  );
  const lastKept = recent[at];
  if (lastKept === undefined) return null;
  return { kept: recent.slice(0, at + 1), lastKept, lost: recent.slice(at + 1) };
}
