import fc from "fast-check";
import { expect, it } from "vitest";
import { snapshotOf, tablesOf } from "../../../test/harness/app.ts";
import { listingRow } from "../../../test/harness/rows.ts";
import type { OnwardRow } from "../../ledger/read-onward.ts";
import { decodeRowId } from "../../ledger/row-id.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import { advance, type Followed, type Item, lastRowOf } from "./followed.ts";
import { createJournal, type Filter } from "./journal.ts";

const { market, ...rest } = await snapshotOf(tablesOf());
const [listing] = market.listings;

type TestBlock = { number: bigint; fork: number; rows: number };
const hashOf = ({ number, fork }: TestBlock) =>
  `0x${number.toString(16).padStart(4, "0")}${fork.toString(16).padStart(4, "0")}${"0".repeat(56)}` as const;

function rowsOf(block: TestBlock): OnwardRow[] {
  return Array.from({ length: block.rows }, (_, logIndex) => ({
    escrowAddress: listingRow().escrowAddress,
    onchainId: BigInt(listing?.onchainId ?? 0),
    eventId: `${block.number}`.padStart(75, "0"),
    kind: "repaid" as const,
    blockNumber: block.number,
    blockTime: 1_700_000_000n + block.number,
    txHash: hashOf(block),
    logIndex,
    args: {},
    blockHash: hashOf(block),
  }));
}

function snapshotAt(head: bigint, finalized: bigint): Snapshot {
  const block = { number: head, timestamp: 1_700_000_000n + head };
  return { ...rest, market: { ...market, head: block }, finalized: { number: finalized, timestamp: 0n } };
}

const NO_FILTER: Filter = { pair: null, originator: null, kinds: null, finalOnly: false };

/** What a reader has who does what the frames say. */
function read(frames: string, before: readonly string[]): string[] {
  let rows = [...before];
  for (const frame of frames.split("\n\n").filter((text) => text.includes("event:"))) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1] ?? "";
    const said = JSON.parse(field("data"));
    if (field("event") === "reorg")
      rows = rows.filter((id) => BigInt(id.split("-")[0] ?? 0) < BigInt(said.from));
    if (field("event") === "ledger") rows.push(field("id"));
  }
  return rows;
}

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
        let followed: Followed = {
          ...{ snapshot: snapshotAt(0n, 0n), base: 0n, anchor: null, finalRow: "0", blocks: [] },
        };
        let chain: TestBlock[] = [];
        const readers = [false, true].map((finalOnly) => ({
          filter: { ...NO_FILTER, finalOnly },
          place: 0,
          rows: [] as string[],
        }));
        const catchUp = (reader: (typeof readers)[number]) => {
          for (;;) {
            const taken = journal.take(reader.place, reader.filter);
            if (taken === null) throw new Error("it was cut off");
            if (taken.next === reader.place) return;
            reader.place = taken.next;
            reader.rows = read(Buffer.from(taken.bytes).toString(), reader.rows);
          }
        };
        for (const [fork, { depth, rows }] of steps.entries()) {
          const head = BigInt(chain.length);
          const finalized = head > 30n ? head - 30n : 0n;
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
          const next = newest > 30n ? newest - 30n : 0n;
          const read = { lost, rows: added.flatMap(rowsOf) };
          const result = advance(
            followed,
            read,
            snapshotAt(newest, next > finalized ? next : finalized),
            false,
          );
          followed = result.followed;
          journal.add(result.items satisfies readonly Item[]);
          for (const [index, reader] of readers.entries()) if (isReading[fork + index]) catchUp(reader);
        }
        for (const reader of readers) catchUp(reader);
        const all = chain
          .flatMap(rowsOf)
          .map((row) => `${row.blockNumber}-${row.logIndex}-${row.blockHash.slice(2, 10)}`);
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

it("forgets the oldest of what nobody may be waiting for, and says so to who does", () => {
  const journal = createJournal(100);
  const bytes = new Uint8Array(60);
  journal.add([{ kind: "final", bytes }]);
  expect(journal.take(0, NO_FILTER)?.bytes).toHaveLength(60);
  journal.add([{ kind: "final", bytes }]);
  expect(journal.take(0, NO_FILTER)).toBeNull();
  expect(journal.take(1, NO_FILTER)?.bytes).toHaveLength(60);
  expect(journal.take(2, NO_FILTER)).toMatchObject({ next: 2, again: null });
});
