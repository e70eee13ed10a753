/** @module Seeds worth playing again, each with its reason: `npm run simulate -- --seed N`. */
export const NOTABLE: readonly { seed: number; minutes?: number; why: string }[] = [
  {
    seed: 1,
    why: "a page of events named a block whose new listing's first events it did not have; the daemon killed while it starts",
  },
  {
    seed: 2,
    why: "reorganisations that can be seen, PostgreSQL silent, its disk full, and two upstreams that disagree",
  },
  { seed: 5, why: "a new schema while every node fails, and a log that both upstreams keep back" },
  { seed: 6, why: "a daemon killed while its reader was loading: the reader stayed, on the daemon's port" },
  {
    seed: 9,
    why: "PostgreSQL starts again between the two readers' first moments: one took the other for a newer release, and left",
  },
  {
    seed: 13,
    why: "a WebSocket that is silent when the service starts again after a lie: it refused to start until it would answer",
  },
  {
    seed: 23,
    minutes: 1,
    why: "the short one of the tests: reader and indexer killed, a reorganisation, answers cut short, logs twice",
  },
  {
    seed: 24,
    why: "PostgreSQL starts again while its disk is full: Ponder's live indexing hangs, and only the watch for a stall ends that",
  },
  {
    seed: 27,
    why: "27 final blocks to catch up with: Ponder named the last of them before it had its events",
  },
  {
    seed: 33,
    why: "a fork of which an endpoint lacks a block: Ponder indexed blocks twice, and ended over a key",
  },
  {
    seed: 74,
    why: "started over after a lie, beside an earlier schema: the escrows that the factory had announced were forgotten",
  },
  {
    seed: 103,
    why: "an endpoint 60 blocks behind while the history is fetched: what it did not have yet had no events (not every time)",
  },
  {
    seed: 114,
    why: "the same fork with tokens in it: one wei of a holder was missing, which the audit found",
  },
  {
    seed: 165,
    why: "a head without events is replaced by one with: a page had the new events under the old block's time",
  },
];
