import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, it } from "vitest";
import { EVENT_DESCRIPTORS } from "../../src/fold/event-kinds.ts";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { ALICE, ESCROW, placeAt } from "../../test/harness/book.ts";
import { tablesOfEvents } from "../../test/harness/memory-book.ts";
import { type BookEvent, eventMembers, listingMembers } from "./book-leaves.ts";

/** The columns in another order, as a database may return them. */
const shuffled = <Row extends object>(row: Row, turn: number): Row => {
  const entries = Object.entries(row);
  const at = turn % entries.length;
  return Object.fromEntries([...entries.slice(at), ...entries.slice(0, at)].toReversed()) as Row;
};

it("has members in canonical order: their JSON is the canonical one (RFC 8785)", () => {
  const property = fc.property(
    arbitraryHistory({ escrowAddress: ESCROW, onchainId: 1n }),
    fc.nat(60),
    (history, turn) => {
      const { ledger, listings } = tablesOfEvents(
        history.map((event, index) => {
          const block = BigInt(index + 1);
          const { txHash, ...at } = placeAt(index + 1, block, event.at);
          const args = shuffled(toLedgerArgs(event.args), turn);
          return {
            ...at,
            txHash,
            blockNumber: block,
            blockHash: txHash,
            logIndex: 0,
            kind: event.kind,
            args,
          };
        }),
      );
      const all = [
        ...ledger.map((row) => eventMembers(shuffled(row, turn))),
        ...listings.map((row) => listingMembers(shuffled(row, turn))),
      ];
      for (const members of all) expect(JSON.stringify(members)).toBe(canonicalize(members));
    },
  );
  fc.assert(property, { numRuns: 50 });
});

it("orders the members of nested arguments, texts with every kind of character, and arguments that are missing", () => {
  const args = fc.dictionary(
    fc.string({ unit: "grapheme", minLength: 1 }).filter((name) => !/^\d/.test(name) && name !== "__proto__"),
    fc.jsonValue({ stringUnit: "grapheme" }).filter((value) => !hasNumberedName(value)),
  );
  const row = { args: { zebra: { b: [{ d: 1, c: "\u2028" }], a: null }, backer: ALICE }, kind: "subscribed" };
  const property = fc.property(args, (more) => {
    const members = eventMembers({ ...row, args: { ...more, ...row.args } } as unknown as BookEvent);
    expect(JSON.stringify(members)).toBe(canonicalize(members));
  });
  fc.assert(property, { numRuns: 200 });
});

it("has no argument whose name begins with a digit, which an object would have before all others", () => {
  const names = Object.values(EVENT_DESCRIPTORS).flatMap(({ args }) => Object.keys(args));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => /^\d/.test(name))).toEqual([]);
});

it("hides a person as the hash of the address in lowercase", () => {
  const backer = `0x${"aB".repeat(20)}`;
  const { args } = eventMembers({
    args: { backer, amount: "1" },
    kind: "subscribed",
  } as unknown as BookEvent);
  const sum = createHash("sha256").update(backer.toLowerCase()).digest("hex");
  expect(args).toEqual({ amount: "1", backer: `0x${sum}` });
});

function hasNumberedName(value: unknown): boolean {
  if (value === null || typeof value !== "object") return false;
  const isNumbered = !Array.isArray(value) && Object.keys(value).some((name) => /^\d|^__proto__$/.test(name));
  return isNumbered || Object.values(value).some(hasNumberedName);
}
