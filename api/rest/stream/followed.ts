/** @module The end of the ledger as it was sent to followers, and the items that bring it up to date. Final blocks are dropped. */
import type { Hex } from "viem";
import { sameBlock } from "../../../src/fold/events.ts";
import type { Continuation, KnownBlock, OnwardRow } from "../../ledger/read-onward.ts";
import { BEFORE_ALL, encodeRowId } from "../../ledger/row-id.ts";
import type { Market } from "../../market/market.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { finalFrame, headFrame, type RowFrame, reorgFrame, rowFrameOf } from "./frames.ts";

/** A block with rows that is not final yet. `entries` are those of its rows that are visible. */
type PendingBlock = KnownBlock & { rows: readonly OnwardRow[]; entries: readonly RowFrame[] };

export type StreamState = {
  snapshot: Snapshot;
  /** rows up to this block are final */
  base: bigint;
  /** of the book as of that block; null while it is not known */
  root: Hex | null;
  /** the last final block with rows, and the id of its last row; null before the first */
  anchor: KnownBlock | null;
  finalRow: string;
  blocks: readonly PendingBlock[];
};

/** An item of the journal. Followers of final rows get `settled` in place of `ledger`, and no `reorg`. */
export type Item =
  | { kind: "ledger" | "settled"; entry: RowFrame; bytes: Uint8Array }
  /** `settled`: the rows that became final with it */
  | { kind: "final"; settled: readonly RowFrame[]; bytes: Uint8Array }
  /** `from`: the first block that can have rows in place of others */
  | { kind: "reorg"; from: bigint; bytes: Uint8Array }
  /** comes after these rows, and after a reorg if there was one */
  | {
      kind: "head";
      added: readonly RowFrame[];
      settled: readonly RowFrame[];
      isReorg: boolean;
      bytes: Uint8Array;
      ofFinal: Uint8Array;
    }
  /** Rows from this block on are resent because their listings changed; `isFinal` for followers of final rows, `hides` as in `Resend`. */
  | (Pick<Resend, "from" | "pairs" | "hides"> & { kind: "resend"; isFinal: boolean; bytes: Uint8Array });

/** `hides`: whether a listing of these is hidden or renamed, which each follower of final rows must hear of (decision 0039). */
export type Resend = { from: bigint; pairs: ReadonlySet<string>; hides: boolean; lastRow: string };

/**
 * Adds the rows and blocks that came after the known ones.
 * @param resend set if rows that were sent, or skipped, are shown differently now
 * @param newRoot the root of the book as of the snapshot's last final block
 */
export function advance(
  before: StreamState,
  { lost, rows }: Pick<Continuation, "lost" | "rows">,
  snapshot: Snapshot,
  exposeAccounts: boolean,
  resend: Resend | null = null,
  newRoot: Hex | null = null,
): { followed: StreamState; items: Item[] } {
  const { market, finalized } = snapshot;
  const items: Item[] = [];
  const kept = remaining(before, lost);
  // The finalized block drops for a moment when the comparison of endpoints starts: what was sent as final stays final.
  const base = finalized.number > before.base ? finalized.number : before.base;
  const root = finalized.number === base ? newRoot : before.root;
  // Must be first: a follower disconnected mid-block would otherwise resume after it and miss the raise's earlier rows.
  if (resend !== null) {
    const { from, lastRow, ...of } = resend;
    const item = { kind: "resend", ...of } as const;
    items.push({ ...item, from, isFinal: false, bytes: reorgFrame(from, lastRow) });
    // Followers of final rows have no rows of later blocks: they are sent the ones that become final now.
    const [block, row] = from <= before.base ? [from, lastRow] : [before.base + 1n, before.finalRow];
    if (from <= base || of.hides)
      items.push({ ...item, from: block, isFinal: true, bytes: reorgFrame(block, row) });
  }
  if (lost !== null) {
    // The new fork may have rows in blocks before the first one that was lost.
    const from = (kept.blocks.at(-1)?.number ?? before.base) + 1n;
    items.push({ kind: "reorg", from, bytes: reorgFrame(lost, lastRowOf(kept)) });
  }
  const entriesOf = (someRows: readonly OnwardRow[], earlier?: Market) =>
    someRows.flatMap((row) => rowFrameOf(row, market, exposeAccounts, earlier) ?? []);
  const added = blocksOf(rows).map((block) => ({
    ...block,
    entries: entriesOf(block.rows, before.snapshot.market),
  }));
  const shown =
    resend === null
      ? kept.blocks
      : kept.blocks.map((block) => ({ ...block, entries: entriesOf(block.rows) }));
  const addedEntries = added.flatMap(({ entries }) => entries);
  for (const entry of addedEntries) {
    const bytes = entry.frame(entry.blockNumber <= finalized.number ? "final" : "pending");
    items.push({ kind: "ledger", entry, bytes });
  }

  const blocks = [...shown, ...added];
  const finalBlocks = blocks.filter(({ number }) => number <= base);
  const settled = finalBlocks.flatMap(({ entries }) => entries);
  for (const entry of settled) items.push({ kind: "settled", entry, bytes: entry.frame("final") });
  if (settled.length > 0) items.push({ kind: "final", settled, bytes: finalFrame(base, root) });

  const last = finalBlocks.at(-1);
  const followed: StreamState = {
    snapshot,
    base,
    root,
    anchor: last === undefined ? before.anchor : { number: last.number, hash: last.hash },
    finalRow: last === undefined ? before.finalRow : idOfLast(last),
    blocks: blocks.filter(({ number }) => number > base),
  };
  // The head of another fork can have the same number and time.
  if (lost !== null || !sameBlock(market.head, before.snapshot.market.head))
    items.push({ ...headItem(followed), added: addedEntries, settled, isReorg: lost !== null });
  return { followed, items };
}

/** The same without the blocks from `lost` on. */
export function remaining(followed: StreamState, lost: bigint | null): StreamState {
  if (lost === null) return followed;
  return { ...followed, blocks: followed.blocks.filter(({ number }) => number < lost) };
}

export function headItem(followed: StreamState): Item & { kind: "head" } {
  const { head } = followed.snapshot.market;
  return {
    ...{ kind: "head", added: [], settled: [], isReorg: false },
    bytes: headFrame(head, lastRowOf(followed)),
    ofFinal: headFrame(head, followed.finalRow),
  };
}

/** The id of the last row sent to followers. */
export function lastRowOf({ blocks, finalRow }: Pick<StreamState, "blocks" | "finalRow">): string {
  const last = blocks.at(-1);
  return last === undefined ? finalRow : idOfLast(last);
}

function idOfLast({ rows, hash }: Pick<PendingBlock, "rows" | "hash">): string {
  const last = rows.at(-1);
  return last === undefined ? BEFORE_ALL : encodeRowId(last, hash);
}

function blocksOf(rows: readonly OnwardRow[]): Omit<PendingBlock, "entries">[] {
  const blocks: (KnownBlock & { rows: OnwardRow[] })[] = [];
  for (const row of rows) {
    const last = blocks.at(-1);
    if (last?.number === row.blockNumber) last.rows.push(row);
    else blocks.push({ number: row.blockNumber, hash: row.blockHash, rows: [row] });
  }
  return blocks;
}
