/**
 * The number of blocks to ask for at once: as many as the endpoints allow, and as hold a page of logs.
 * @module
 */

export type Ranges = {
  /** the blocks of the next request */
  span(): number;
  /** A request for so many blocks was answered with so many logs. */
  took(blocks: number, logs: number): void;
  /** A request for so many blocks was refused. */
  refused(blocks: number): void;
};

const FIRST_SPAN = 50;
const LARGEST_SPAN = 100_000;
const LOGS_PER_PAGE = 2_000;
/** A limit is tested again a little later: it may be one of logs, and the next blocks may hold fewer. */
const LIMIT_GROWTH = 1.05;

/** `fixed` is the operator's own choice; null: found by trying. */
export function createRanges(fixed: number | null): Ranges {
  let wanted = FIRST_SPAN;
  let limit = LARGEST_SPAN;
  return {
    span: () => fixed ?? Math.max(1, Math.floor(Math.min(wanted, limit))),
    took(blocks, logs) {
      if (blocks >= Math.floor(limit)) limit = Math.min(LARGEST_SPAN, limit * LIMIT_GROWTH + 1);
      // The remainder of a split range says nothing about a whole one.
      if (blocks < wanted / 2 && logs < LOGS_PER_PAGE / 2) return;
      const fitting = (blocks * LOGS_PER_PAGE) / Math.max(logs, 1);
      wanted = Math.min(2 * wanted, LARGEST_SPAN, Math.max(1, wanted / 2, fitting));
    },
    refused(blocks) {
      limit = Math.max(1, Math.min(limit, Math.floor(blocks / 2)));
    },
  };
}
