import fc from "fast-check";
import { expect, it } from "vitest";
import { NOW } from "../../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import {
  framesOf,
  hashOf,
  heldAfter,
  idOf,
  rowsOf,
  type StreamedBlock,
} from "../../../test/harness/streamed-chain.ts";
import { decodeRowId } from "../../ledger/row-id.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Filter } from "./filter.ts";
import { advance, type Item, lastRowOf, type StreamState } from "./followed.ts";
import { createJournal } from "./journal.ts";

const { market, ...rest } = await snapshotOf(tablesOf());
const [listing] = market.listings;
if (listing === undefined) throw new Error("there is no listing");

function snapshotAt(head: bigint, finalized: bigint): Snapshot {
  const block = { number: head, timestamp: NOW + head };
  return { ...rest, market: { ...market, head: block }, finalized: { number: finalized, timestamp: 0n } };
}

const NO_FILTER: Filter = { pair: null, accepts: null, kinds: null, finalOnly: false, everyHead: true };

const step = fc.record({
  depth: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(25) }),
  rows: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
});

it("tells every row once, whatever is reorganised, to readers at any pace", () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (steps, isReading) => {
        const journal = createJournal();
        let followed: StreamState = {
          ...{ snapshot: snapshotAt(0n, 0n), base: 0n, root: null, anchor: null, finalRow: "0", blocks: [] },
        };
        let chain: StreamedBlock[] = [];
        // A final block stays final, though the chain may become shorter.
        let finalized = 0n;
        const readers = [false, true].map((finalOnly) => ({
          filter: { ...NO_FILTER, finalOnly },
          place: 0,
          rows: [] as string[],
        }));
        const catchUp = (reader: (typeof readers)[number]) => {
          for (;;) {
            const taken = journal.take(reader.place, journal.end(), reader.filter);
            if (taken === null) throw new Error("it was cut off");
            if (taken.next === reader.place) return;
            reader.place = taken.next;
            reader.rows = heldAfter(framesOf(Buffer.from(taken.piece?.bytes ?? []).toString()), reader.rows);
          }
        };
        for (const [fork, { depth, rows }] of steps.entries()) {
          const left = chain.slice(0, Math.max(Number(finalized), chain.length - depth));
          const added = rows.map((count, index) => ({
            ...{ number: BigInt(left.length + index + 1), fork: fork + 1, rows: count },
          }));
          const gone = new Set<string>(
            chain
              .slice(left.length)
              .filter((block) => block.rows > 0)
              .map(hashOf),
          );
          chain = [...left, ...added];
          // As the reader of the tables finds it.
          const lost = followed.blocks.find(({ hash }) => gone.has(hash))?.number ?? null;
          const newest = BigInt(chain.length);
          if (newest - 30n > finalized) finalized = newest - 30n;
          const read = { lost, rows: added.flatMap((block) => rowsOf(block, listing)) };
          const result = advance(followed, read, snapshotAt(newest, finalized), false);
          followed = result.followed;
          journal.add(result.items satisfies readonly Item[]);
          for (const [index, reader] of readers.entries()) if (isReading[fork + index]) catchUp(reader);
        }
        for (const reader of readers) catchUp(reader);
        const all = chain.flatMap((block) => rowsOf(block, listing)).map(idOf);
        const [everything, onlyFinal] = readers;
        expect(everything?.rows).toEqual(all);
        expect(onlyFinal?.rows).toEqual(all.filter((id) => BigInt(id.split("-")[0] ?? 0) <= followed.base));
        expect(lastRowOf(followed)).toBe(all.at(-1) ?? "0");
        for (const id of all) expect(decodeRowId(id)).not.toBeNull();
      },
    ),
    { numRuns: 200 },
  );
});

it("tells the root of the book with what became final, and keeps it while nothing does", () => {
  const before = {
    snapshot: snapshotAt(0n, 0n),
    base: 0n,
    root: null,
    anchor: null,
    finalRow: "0",
    blocks: [],
  };
  const read = { lost: null, rows: rowsOf({ number: 1n, fork: 1, rows: 1 }, listing) };
  const pending = advance(before, read, snapshotAt(2n, 0n), false, null, "0xaa").followed;
  const nothing = { lost: null, rows: [] };
  const { items, followed } = advance(pending, nothing, snapshotAt(3n, 1n), false, null, "0xbb");
  const [final] = items.filter(({ kind }) => kind === "final");
  const [frame] = framesOf(Buffer.from(final?.bytes ?? []).toString());
  expect(frame?.data).toEqual({ through: "1", root: "0xbb" });
  // The endpoints are compared again: what was sent as final stays final.
  expect(advance(followed, nothing, snapshotAt(4n, 0n), false, null, "0xcc").followed.root).toBe("0xbb");
});

it("the journal forgets its oldest items, and says so to a follower that still needs them", () => {
  const journal = createJournal(100);
  const bytes = new Uint8Array(60);
  const reorg = { kind: "reorg", from: 1n, bytes } as const;
  const take = (place: number) => journal.take(place, journal.end(), NO_FILTER);
  journal.add([reorg]);
  expect(take(0)?.piece?.bytes).toHaveLength(60);
  journal.add([reorg]);
  expect(take(0)).toBeNull();
  expect(take(1)?.piece?.bytes).toHaveLength(60);
  expect(take(2)).toMatchObject({ piece: null, next: 2, resend: null });
});
