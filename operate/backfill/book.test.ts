import fc from "fast-check";
import { expect, test } from "vitest";
import { createTables, keyText, runStep } from "../../src/fold/memory.ts";
import { recordEvent, recordRow, type Step } from "../../src/fold/step.ts";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { ALICE, BOB, createBook as createReference, ESCROW } from "../../test/harness/book.ts";
import { createBook } from "./book.ts";

const KEYED = ["listing", "backerPosition", "listingToken", "tokenHolder", "tally"] as const;
const PAIRS = [1n, 2n, 3n].map((onchainId) => ({ escrowAddress: ESCROW, onchainId }));
const HASH = `0x${"5".repeat(64)}` as const;

test("packed rows are those of plain tables after any history", () => {
  const histories = fc.tuple(...PAIRS.map(arbitraryHistory));
  const turns = fc.array(fc.nat(PAIRS.length), { minLength: 60, maxLength: 60 });
  const property = fc.property(histories, turns, fc.integer({ min: 1, max: 3 }), (told, order, kept) => {
    const ledger = createReference();
    for (const history of told) for (const { log: _, ...event } of history) ledger.record(event);
    const waiting = Map.groupBy(ledger.ledger, ({ onchainId }) => onchainId);
    const [book, tables] = [createBook(undefined, kept), createTables({})];
    let counted = 0;
    const run = (step: Step) => {
      if (runStep(tables, step).length > 0) counted += 1;
    };
    for (const [place, turn] of order.entries()) {
      const row = waiting.get(BigInt(turn + 1))?.shift();
      if (row !== undefined) {
        book.addRow(row, HASH);
        run(recordRow(row, HASH));
        continue;
      }
      const [token] = tables.listingToken.keys();
      const at = { eventId: `${place}`, blockNumber: 1n, blockTime: 1n, blockHash: HASH, txHash: HASH };
      const transfer = { from: place % 3 === 0 ? ALICE : BOB, to: place % 2 === 0 ? ALICE : BOB, value: 3n };
      const event = {
        ...({ ...at, logIndex: place, part: 0, source: "token", transfer } as const),
        address: (token ?? HASH) as typeof HASH,
      };
      book.add(event);
      run(recordEvent(event));
    }
    expect(book.count()).toBe(counted);
    const blocks = [...(book.take().eventBlock ?? [])].map(({ number }) => number);
    expect(blocks.filter((number, index) => number === blocks[index - 1])).toEqual([]);
    const rest = book.rest();
    for (const table of KEYED) {
      const rows = [...(rest[table] ?? [])];
      expect(rows, table).toHaveLength(tables[table].size);
      expect(new Map(rows.map((row) => [keyText(table, row), row])), table).toEqual(tables[table]);
    }
  });
  fc.assert(property, { numRuns: 100 });
});
