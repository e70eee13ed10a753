import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOfText } from "../../config/hash-text.ts";
import { createPackedRows } from "./packed-rows.ts";

const hexOf = (most: number) =>
  fc.uint8Array({ maxLength: most }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
const value = fc.oneof(
  fc.constantFrom(null, true, false, 0n, 255n, 256n, 2n ** 48n - 1n, 2n ** 48n, 2n ** 64n - 1n, 2n ** 64n),
  fc.bigInt({ min: 0n, max: 2n ** 256n }),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: -(2n ** 255n), max: -1n }),
  fc.integer(),
  fc.double({ noNaN: true }),
  hexOf(600),
  fc.constantFrom(
    "0xABCDEF",
    "0xabc",
    "0x",
    "",
    "0",
    "007",
    "1".repeat(75),
    "9".repeat(600),
    "1".repeat(601),
  ),
  fc.string({ unit: "grapheme", maxLength: 300 }),
);
const row = fc.record({ key: fc.integer({ min: 0, max: 40 }).map(String), a: value, b: value, c: value });
type Row = typeof row extends fc.Arbitrary<infer One> ? One : never;

test("rows are found and listed as in a map, whatever is in them and however often they are written", () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 400 }), fc.integer({ min: 1, max: 8 }), (written, kept) => {
      const rows = createPackedRows<Row>(({ key }) => key, kept);
      const expected = new Map<string, Row>();
      for (const one of written) {
        rows.set(one.key, one);
        expected.set(one.key, one);
        const { key } = written[expected.size % written.length] as Row;
        expect(rows.get(key)).toEqual(expected.get(key));
      }
      const byKey = (a: Row, b: Row) => Number(a.key) - Number(b.key);
      expect([...rows.values()].sort(byKey)).toEqual([...expected.values()].sort(byKey));
    }),
  );
});

test("a row that was read may be changed in place while a few others are read and written", () => {
  const rows = createPackedRows<{ key: string; value: bigint }>(({ key }) => key, 1);
  for (let index = 0; index < 100; index += 1) rows.set(`${index}`, { key: `${index}`, value: 0n });
  for (let index = 0; index < 100; index += 1) {
    const row = rows.get(`${index}`);
    rows.get(`${(index + 50) % 100}`);
    rows.set(`${index + 100}`, { key: `${index + 100}`, value: 0n });
    if (row !== undefined) row.value = BigInt(index + 1);
  }
  for (let index = 0; index < 100; index += 1) expect(rows.get(`${index}`)?.value).toBe(BigInt(index + 1));
});

test("many rows, and one that is larger than a buffer", () => {
  const rows = createPackedRows<{ key: string; text: string }>(({ key }) => key, 10);
  const textOf = (index: number) => (index === 7 ? "x".repeat(5_000_000) : `${index} of many`);
  for (let index = 0; index < 20_000; index += 1)
    rows.set(`${index}`, { key: `${index}`, text: textOf(index) });
  for (let index = 0; index < 20_000; index += 1) expect(rows.get(`${index}`)?.text).toBe(textOf(index));
  expect(rows.get("20000")).toBeUndefined();
  expect([...rows.values()]).toHaveLength(20_000);
});

test("a row that its table cannot have is refused", () => {
  const packed = (one: object) => {
    const rows = createPackedRows<object>((of) => (of as { key: string }).key, 1);
    rows.set("a", { key: "a", value: 1n });
    // As many as stay objects, twice.
    for (let key = 0; key < 9; key += 1) rows.set(`${key}`, one);
    return rows.get("a");
  };
  expect(packed({ key: "b", value: 2n })).toEqual({ key: "a", value: 1n });
  expect(() => packed({ key: "b", other: 2n })).toThrow("a row has a undefined");
  expect(() => packed({ key: "b", value: 2n, other: 2n })).toThrow(
    "a row has key,value,other, not key,value",
  );
});

test("rows whose keys have one hash are told apart, as objects and as bytes", () => {
  const [one, other, third] = ["key 122789", "key 339192", "key 5"];
  expect(hashOfText(one)).toBe(hashOfText(other));
  const rows = createPackedRows<{ key: string }>(({ key }) => key, 1);
  rows.set(one, { key: one });
  expect(rows.get(other)).toBeUndefined();
  for (let number = 0; number < 20; number++) rows.set(`${number}`, { key: `${number}` });
  expect(rows.get(other)).toBeUndefined();
  rows.set(other, { key: other });
  expect([rows.get(one), rows.get(other), rows.get(third)]).toEqual([
    { key: one },
    { key: other },
    undefined,
  ]);
});
