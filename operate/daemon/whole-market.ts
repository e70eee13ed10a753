/** @module Whether a reader that starts has a market like that of the readers which serve already. */
import type { ReleaseBook } from "./service.ts";

/** Longest milliseconds to wait for an indexer that has taken blocks back and reads them again: the others keep theirs meanwhile. */
const PATIENCE = 60_000;

/** To be asked again and again: whether there is a market of a whole backfill, or has long been one of a part. */
export function watchForMarket({ current }: Pick<ReleaseBook, "current">): () => boolean {
  let since: number | null = null;
  return () => {
    const snapshot = current();
    if (snapshot === null) return false;
    since ??= performance.now();
    return snapshot.backfilled || performance.now() - since >= PATIENCE;
  };
}
