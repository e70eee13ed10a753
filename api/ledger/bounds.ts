/**
 * The bounds of a read of final events only, or of pending events only.
 * @module
 */
import type { BlockOrTime } from "../../config/format/time.ts";
import type { Block } from "../../src/fold/events.ts";
import type { Finality } from "../market/schema.ts";
import type { Snapshot } from "../market/snapshot.ts";

/** Both inclusive; null for none. */
export type Bounds = { since: BlockOrTime | null; until: BlockOrTime | null };

/** The bounds, narrowed to the events of that finality; all events where it is undefined. */
export function withinFinality(
  { since, until }: Bounds,
  finality: Finality | undefined,
  { finalized }: Pick<Snapshot, "finalized">,
): Bounds {
  // Block times never decrease, so one of a block and a time is always the narrower bound.
  const isAfter = (bound: BlockOrTime) =>
    "block" in bound ? bound.block > finalized.number : bound.time > finalized.timestamp;
  return {
    since:
      finality !== "pending" || (since !== null && isAfter(since)) ? since : { block: finalized.number + 1n },
    until: finality === "final" ? upTo(finalized, until) : until,
  };
}

/** The bound, or this block where that is narrower. */
export function upTo({ number, timestamp }: Block, until: BlockOrTime | null): BlockOrTime {
  const isBefore = until !== null && ("block" in until ? until.block < number : until.time < timestamp);
  return isBefore ? until : { block: number };
}
