import { describe, expect, it } from "vitest";
import { type BookEvent, eventKey, listingKey } from "../../../api/proof/book-leaves.ts";
import { pairKey } from "../../../api/registry/schema.ts";
import type { ListingRow } from "../../../src/fold/state.ts";
import { asking } from "../../../test/harness/asking.ts";
import { ESCROW } from "../../../test/harness/book.ts";
import { serviceWith, tablesWith } from "../../../test/harness/compared-books.ts";
import type { MemoryTables } from "../../../test/harness/memory-book.ts";
import { type Book, compare } from "./compare.ts";

async function bookOf(tables: MemoryTables, options?: Parameters<typeof serviceWith>[1]) {
  const ask = asking(await serviceWith(tables, options));
  let requests = 0;
  const read = async (path: string) => {
    requests += 1;
    const { status, text } = await ask(path);
    expect([status, text]).toEqual([200, text]);
    return JSON.parse(text);
  };
  const book: Book = {
    chainId: async () => (await read("/v1/health")).chainId,
    root: (at) => read(at === undefined ? "/v1/root" : `/v1/root?at=${at}`),
    nodes: async (tree, prefixes, at) =>
      (await read(`/v1/root/nodes?tree=${tree}&prefix=${prefixes.join(",")}&at=${at}`)).nodes,
  };
  return { book, requests: () => requests };
}

/** The change of one difference, and the line that the comparison must have for it. */
type Seeded = { a: MemoryTables; b: MemoryTables; expected: object };

const other = (value: unknown) => (typeof value === "bigint" ? value + 1n : `0x${"77".repeat(20)}`);
const without = <Item>(items: readonly Item[], item: Item) => items.filter((one) => one !== item);
const replaced = <Item>(items: readonly Item[], item: Item, by: Item) =>
  items.map((one) => (one === item ? by : one));

/** The n-th difference: of the n-th part of the listings or events, so that no two meet. */
function seedDifference(n: number, { a, b }: Omit<Seeded, "expected">, seed: number): Seeded {
  const rolled = (n * 7_919 + seed * 104_729) % 7;
  const row = b.listings[n * 7 + rolled];
  const event = b.ledger[n * 20 + rolled];
  if (row === undefined || event === undefined) throw new Error("the books are too small");
  const ofListing = (name: keyof ListingRow) => ({
    a,
    b: { ...b, listings: replaced(b.listings, row, { ...row, [name]: other(row[name]) } as ListingRow) },
    expected: { tree: "listings", key: listingKey(row), onlyIn: null, members: [name] },
  });
  const ofEvent = (name: string, changed: BookEvent) => ({
    a,
    b: { ...b, ledger: replaced(b.ledger, event, changed) },
    expected: { tree: "ledger", key: eventKey(event), onlyIn: null, members: [name] },
  });
  const only = (tree: string, key: string, onlyIn: string) => ({ tree, key, onlyIn, members: [] });
  switch (n % 8) {
    case 0:
      return ofListing("raisedAmount");
    case 1:
      return ofListing("closeReason");
    case 2:
      return ofEvent("txHash", { ...event, txHash: `0x${"77".repeat(32)}` });
    case 3:
      return ofEvent("args.made", { ...event, args: { ...event.args, made: "up" } });
    case 4:
      return ofEvent("outstanding", { ...event, outstanding: 7n });
    case 5:
      return {
        a,
        b: { ...b, ledger: without(b.ledger, event) },
        expected: only("ledger", eventKey(event), "A"),
      };
    case 6: {
      const twin = a.ledger.find(({ eventId }) => eventId === event.eventId);
      if (twin === undefined) throw new Error("the event is in both");
      return {
        a: { ...a, ledger: without(a.ledger, twin) },
        b,
        expected: only("ledger", eventKey(event), "B"),
      };
    }
    default:
      return {
        a,
        b: { ...b, listings: without(b.listings, row) },
        expected: only("listings", listingKey(row), "A"),
      };
  }
}

const found = ({ differences }: Awaited<ReturnType<typeof compare>>) =>
  differences.map(({ tree, key, onlyIn, members }) => ({
    ...{ tree, key, onlyIn },
    members: members.map(({ name }) => name),
  }));
const sorted = (differences: readonly object[]) => differences.map((one) => JSON.stringify(one)).toSorted();

describe("two books", () => {
  const whole = tablesWith(400);

  it.each([1, 2, 3])("with 50 seeded differences are compared without missing any, seed %i", async (seed) => {
    let books = { a: whole, b: whole };
    const expected: object[] = [];
    for (let n = 0; n < 50; n++) {
      const { expected: one, ...next } = seedDifference(n, books, seed);
      books = next;
      expected.push(one);
    }
    const [a, b] = [await bookOf(books.a), await bookOf(books.b)];
    const comparison = await compare(a.book, b.book);
    expect(sorted(found(comparison))).toEqual(sorted(expected));
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    "with one difference cost requests by the depth of the trees, not by their size: kind %i",
    async (n) => {
      for (const tables of [whole, tablesWith(100)]) {
        const { a, b, expected } = seedDifference(n, { a: tables, b: tables }, 1);
        const [one, two] = [await bookOf(a), await bookOf(b)];
        expect(found(await compare(one.book, two.book))).toEqual([expected]);
        // The chain, the root, and a level of 16 branches a request.
        const levels = Math.ceil(Math.log(tables.ledger.length) / Math.log(16)) + 1;
        expect(one.requests() + two.requests()).toBeLessThanOrEqual(2 * (2 + levels));
      }
    },
  );

  it("are compared as of the last block that is final in both, and of any before", async () => {
    const event = whole.ledger[600];
    if (event === undefined) throw new Error("there are events");
    const { blockNumber } = event;
    const b = await bookOf({ ...whole, ledger: without(whole.ledger, event) }, { final: blockNumber + 5n });
    const a = await bookOf(whole);
    // Its listing changed later, so as of then it is folded from the events.
    expect(found(await compare(a.book, b.book))).toMatchObject([
      { key: listingKey(event), onlyIn: null },
      { key: eventKey(event), onlyIn: "A" },
    ]);
    expect(await compare(a.book, b.book, { at: blockNumber - 1n })).toMatchObject({
      at: blockNumber - 1n,
      differences: [],
    });
  });

  it("say of a listing that is not shown only that it differs", async () => {
    const { a, b } = seedDifference(0, { a: whole, b: whole }, 1);
    const hidden = whole.listings.map(pairKey);
    const [one, two] = [await bookOf(a, { hidden }), await bookOf(b, { hidden })];
    const [difference] = (await compare(one.book, two.book)).differences;
    expect(difference).toMatchObject({ members: [], name: expect.stringContaining("which is not shown") });
    expect(JSON.stringify(difference)).not.toContain(ESCROW);
  });
});
