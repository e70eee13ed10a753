/** @module The snapshot of the tables at one of their places. */
import { blockOf } from "../../src/fold/event-id.ts";
import { ledgerRevisionOf } from "../database/checkpoint.ts";
import type { Snapshot } from "../market/snapshot.ts";
import type { Since } from "./tables.ts";

/** @param made the market of the rows at this position, and the registry that it was made with */
export function snapshotAt(
  position: Since,
  made: Pick<Snapshot, "market" | "registry" | "registrySince">,
): Snapshot {
  const { backfilled, finalized, finality, disputed, completeness, reverts, anomalies } = position;
  return {
    ...made,
    ...{ backfilled, finalized, finality, disputed, completeness, reverts, anomalies },
    ledgerRevision: ledgerRevisionOf(position),
    anomalyRevision: position.revisions.anomalies,
    lastChanged: blockOf(position.lastEvent?.eventId ?? ""),
  };
}
