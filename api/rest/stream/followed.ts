/**
 * The end of the ledger as followers have been told of it, and how it goes on: pure. Blocks that are final are forgotten, as they
 * are in the tables for good.
 * @module
 */
import type { Continuation, KnownBlock, OnwardRow } from "../../ledger/read-onward.ts";
import { BEFORE_ALL, encodeRowId } from "../../ledger/row-id.ts";
import type { Head } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { type Entry, entryOf, finalFrame, headFrame, reorgFrame } from "./frames.ts";

/** A block with rows that is not final yet. `entries` are those of its rows that are visible. */
type PendingBlock = KnownBlock & { rows: readonly OnwardRow[]; entries: readonly Entry[] };

export type Followed = {
  snapshot: Snapshot;
  /** rows of blocks up to this one are final */
  base: bigint;
  /** the last final block with rows, and the id of its last row; null before the first */
  anchor: KnownBlock | null;
  finalRow: string;
  blocks: readonly PendingBlock[];
};

/** What followers are told. Those of final rows alone get `settled` in place of `ledger`, and no `reorg`. */
export type Item =
  | { kind: "ledger" | "settled"; entry: Entry; bytes: Uint8Array }
  | { kind: "final" | "beat"; bytes: Uint8Array }
  | { kind: "reorg"; from: bigint; bytes: Uint8Array }
  | { kind: "head"; bytes: Uint8Array; ofFinal: Uint8Array }
  /**
   * The rows from this block on are sent again, as listings of theirs are shown otherwise than before; `isFinal` when one of those
   * that are final may be among them.
   */
  | { kind: "again"; from: bigint; pairs: ReadonlySet<string>; isFinal: boolean; bytes: Uint8Array };

export type Again = { from: bigint; pairs: ReadonlySet<string>; lastRow: string };

/**
 * Takes what came after the blocks that were known.
 * @param again where rows that were sent, or passed over, are shown otherwise now
 */
export function advance(
  before: Followed,
  { lost, rows }: Pick<Continuation, "lost" | "rows">,
  snapshot: Snapshot,
  exposeAccounts: boolean,
  again: Again | null = null,
): { followed: Followed; items: Item[] } {
  const { market, finalized } = snapshot;
  const items: Item[] = [];
  const rest = remaining(before, lost);
  const left = rest.blocks;
  // It is lower for a moment where endpoints begin to be compared: what was told is final all the same.
  const base = finalized.number > before.base ? finalized.number : before.base;
  // It comes first: whoever is cut off behind a row of the block by which a raise opened comes back with the id of that row, and is
  // taken for somebody who has the raise's earlier rows.
  if (again !== null) {
    const { from, pairs, lastRow } = again;
    items.push({ kind: "again", from, pairs, isFinal: from <= base, bytes: reorgFrame(from, lastRow) });
  }
  if (lost !== null) items.push({ kind: "reorg", from: lost, bytes: reorgFrame(lost, lastRowOf(rest)) });
  const entriesOf = (some: readonly OnwardRow[]) =>
    some.flatMap((row) => entryOf(row, market, exposeAccounts) ?? []);
  const added = blocksOf(rows).map((block) => ({ ...block, entries: entriesOf(block.rows) }));
  const shown = again === null ? left : left.map((block) => ({ ...block, entries: entriesOf(block.rows) }));
  for (const entry of added.flatMap(({ entries }) => entries)) {
    const bytes = entry.frame(entry.blockNumber <= finalized.number ? "final" : "pending");
    items.push({ kind: "ledger", entry, bytes });
  }

  const blocks = [...shown, ...added];
  const settled = blocks.filter(({ number }) => number <= base);
  for (const entry of settled.flatMap(({ entries }) => entries)) {
    items.push({ kind: "settled", entry, bytes: entry.frame("final") });
  }
  if (settled.some(({ entries }) => entries.length > 0))
    items.push({ kind: "final", bytes: finalFrame(base) });

  const last = settled.at(-1);
  const followed: Followed = {
    snapshot,
    base,
    anchor: last === undefined ? before.anchor : { number: last.number, hash: last.hash },
    finalRow: last === undefined ? before.finalRow : idOfLast(last),
    blocks: blocks.filter(({ number }) => number > base),
  };
  // A head of another fork can have the number and the time of the one before.
  if (lost !== null || !isSameHead(market.head, before.snapshot.market.head)) items.push(headItem(followed));
  return { followed, items };
}

/** What is left of it without the blocks from `lost` on. */
export function remaining(followed: Followed, lost: bigint | null): Followed {
  if (lost === null) return followed;
  return { ...followed, blocks: followed.blocks.filter(({ number }) => number < lost) };
}

export function headItem(followed: Followed): Item & { kind: "head" } {
  const { head } = followed.snapshot.market;
  return {
    kind: "head",
    bytes: headFrame(head, lastRowOf(followed)),
    ofFinal: headFrame(head, followed.finalRow),
  };
}

/** The id of the last row up to which followers have been told. */
export function lastRowOf({ blocks, finalRow }: Pick<Followed, "blocks" | "finalRow">): string {
  const last = blocks.at(-1);
  return last === undefined ? finalRow : idOfLast(last);
}

function idOfLast({ rows, hash }: Pick<PendingBlock, "rows" | "hash">): string {
  const last = rows.at(-1);
  return last === undefined ? BEFORE_ALL : encodeRowId(last, hash);
}

/** Rows in the order of the chain, by block. */
function blocksOf(rows: readonly OnwardRow[]): Omit<PendingBlock, "entries">[] {
  const blocks: (KnownBlock & { rows: OnwardRow[] })[] = [];
  for (const row of rows) {
    const last = blocks.at(-1);
    if (last?.number === row.blockNumber) last.rows.push(row);
    else blocks.push({ number: row.blockNumber, hash: row.blockHash, rows: [row] });
  }
  return blocks;
}

function isSameHead(a: Head, b: Head): boolean {
  return a.number === b.number && a.timestamp === b.timestamp;
}
