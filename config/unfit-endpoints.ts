/**
 * Endpoints that lack what the indexer asks of them. It tells the daemon, and the daemon the processes that answer: while a first
 * indexing runs there are no tables yet in which it could say so.
 * @module
 */

/**
 * - `pruned`: it has dropped blocks or logs that old
 * - `unusable_logs`: it gives logs without a place in their block, or of a block that is gone
 */
export const UNFIT_REASONS = ["pruned", "unusable_logs"] as const;

export type UnfitReason = (typeof UNFIT_REASONS)[number];

export type UnfitEndpoint = {
  /** its host, without credentials, path and query */
  readonly endpoint: string;
  readonly reason: UnfitReason;
};
