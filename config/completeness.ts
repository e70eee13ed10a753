/** @module The indexer's knowledge of the completeness of its logs, which readers get as JSON in a column of `_ponder_checkpoint`. */

/** The column of `_ponder_checkpoint`; null before anything is known. */
export const COMPLETENESS_COLUMN = "completeness";

/** Which blocks are proven: those with events of ours, also those that may have some by their headers, or none. */
export const LOGS_PROVEN = ["events", "possible", "none"] as const;

export type LogsProven = (typeof LOGS_PROVEN)[number];

/** Numbers of blocks are decimal strings. */
export type Completeness = {
  readonly mode: LogsProven;
  /** Ponder's checkpoint of the block up to which every block with events was looked at; null before the first */
  readonly upTo: string | null;
  /** blocks with events, up to there, of which it is proven that no log is missing */
  readonly proven: string;
  /** blocks with events, up to there, of which no endpoint gives what a proof needs */
  readonly unproven: string;
  /** hosts of endpoints that left logs out in the last minutes */
  readonly omitting: readonly string[];
};

export function sameCompleteness(a: Completeness | null, b: Completeness | null): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export const NOTHING_PROVEN = { upTo: null, proven: "0", unproven: "0", omitting: [] } as const;
