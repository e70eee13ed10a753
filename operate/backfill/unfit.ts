/** @module Tells the daemon of endpoints that lack what the indexer asks of them, for `/v1/health`. */
import type { Logger } from "../../config/log.ts";
import type { UnfitEndpoint, UnfitReason } from "../../config/unfit-endpoints.ts";

/** Milliseconds before the same is told again. */
const AGAIN = 30_000;

const WORDS: Record<UnfitReason, string> = {
  pruned:
    "An endpoint has dropped blocks or logs that are needed: another one is asked, if there is one that has them",
  unusable_logs: "An endpoint gives logs that cannot be used: another one is asked, if there is one",
};

/** @param host without credentials, path and query */
export type NoteUnfit = (host: string, reason: UnfitReason) => void;

export function createUnfitNotes(
  log: Pick<Logger, "warn">,
  tell: (unfit: UnfitEndpoint) => void = tellDaemon,
): NoteUnfit {
  const toldAt = new Map<string, number>();
  return (endpoint, reason) => {
    const key = `${endpoint} ${reason}`;
    const last = toldAt.get(key);
    if (last === undefined) log.warn({ msg: WORDS[reason], endpoint });
    else if (performance.now() - last < AGAIN) return;
    toldAt.set(key, performance.now());
    tell({ endpoint, reason });
  };
}

function tellDaemon(unfit: UnfitEndpoint): void {
  // An error means that the daemon is gone, and this process will end too.
  process.send?.({ kind: "unfit", unfit }, undefined, {}, () => {});
}
