/** @module Whether an indexer that was started again is still behind the market: blocks that it had are then not lost, only to come. */
import type { Checkpoint } from "../database/checkpoint.ts";

/** Longest milliseconds to keep the old market once a restarted indexer follows the chain: blocks that it had may be gone. */
const PATIENCE = 60_000;

export type Restarts = {
  /** @param market where the market is; null before the first */
  isBehind(position: Checkpoint | null, market: Checkpoint | null): boolean;
  isRestarting(): boolean;
  /** the indexer at the last look; null before it is known */
  indexer(): string | null;
};

export function createRestarts(): Restarts {
  /** `since`: when a restarted indexer began to follow the chain again; null before */
  let restart: { since: number | null } | null = null;
  let indexer: string | null = null;
  /** Whether an indexer is starting, or has started between two looks. */
  const isStarting = (position: Checkpoint): boolean => {
    const before = indexer;
    indexer = position.indexer ?? before;
    return !position.backfilled || (before !== null && indexer !== before);
  };
  const isBehindNow = (position: Checkpoint, market: Checkpoint): boolean => {
    if (!position.backfilled) return true;
    if (restart === null) return false;
    restart.since ??= performance.now();
    const isPatient = performance.now() - restart.since < PATIENCE;
    return isPatient && position.head.number < market.head.number;
  };
  return {
    isBehind(position, market) {
      if (position !== null && isStarting(position)) restart = { since: null };
      const isBehind = position !== null && market?.backfilled === true && isBehindNow(position, market);
      if (!isBehind) restart = null;
      return isBehind;
    },
    isRestarting: () => restart !== null,
    indexer: () => indexer,
  };
}
