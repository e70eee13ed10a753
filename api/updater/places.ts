/** @module Compares places of the tables. */
import { sameCompleteness } from "../../config/completeness.ts";
import { type Block, sameBlock } from "../../src/fold/events.ts";
import type { Checkpoint } from "../database/checkpoint.ts";
import { lastRowOf } from "../ledger/row-id.ts";
import type { Head } from "../market/market.ts";

export function headOf(position: Checkpoint): Head {
  return { ...position.head, lastRow: lastRowOf(position) };
}

/** Whether markets made of the same rows are equal: listings show whether they are final. */
export function sameBlocks(a: Checkpoint, b: Checkpoint): boolean {
  return (
    sameBlock(a.head, b.head) && a.backfilled === b.backfilled && a.finalized.number === b.finalized.number
  );
}

export function samePlace(a: Checkpoint, b: Checkpoint): boolean {
  return (
    sameBlocks(a, b) &&
    a.finality === b.finality &&
    a.disputed === b.disputed &&
    sameCompleteness(a.completeness, b.completeness)
  );
}

/** Whether time does not go back, on which parts of the market depend. Several blocks can have the same time. */
export function isAhead(head: Block, before: Block): boolean {
  if (head.timestamp === before.timestamp) return head.number >= before.number;
  return head.timestamp > before.timestamp;
}

/** Whether these rows are of a moment before that position, as after a restart of the indexer that has taken rows back. */
export function isBefore(rows: Checkpoint, position: Checkpoint): boolean {
  return (
    !isAhead(rows.head, position.head) ||
    (rows.isReverted && !position.isReverted) ||
    (position.backfilled && !rows.backfilled)
  );
}

/** Whether rows were reverted between two reads; if not, an earlier head comes from an older copy of the tables. */
export function isReorgSince(before: Checkpoint, position: Checkpoint): boolean {
  if (before.reverts === null || position.reverts === null) return true;
  return position.reverts > before.reverts;
}

/** Raises that are in full while they are not final, of about 10 kB each. */
const MOST_REOPENED = 100_000;

/** Whether raises that were final are not any more, as while a second endpoint is compared. Of more raises these stay what they were. */
export function isToReopen(before: Checkpoint, position: Checkpoint, raises: number): boolean {
  // An earlier head is that of an older copy of the tables.
  const isLater = position.head.number >= before.head.number;
  return isLater && position.finalized.number < before.finalized.number && raises <= MOST_REOPENED;
}
