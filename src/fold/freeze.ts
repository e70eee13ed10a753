/** @module The freeze of a raise: from here on its amount, net principals and subscriber count stand still. */
import type { ListingRow } from "./state.ts";

/** Latches the freeze at `time` (unix seconds); a second call changes nothing. */
export function freeze(draft: ListingRow, time: bigint): void {
  draft.frozenAt ??= time;
  draft.decidedAt ??= time;
}
