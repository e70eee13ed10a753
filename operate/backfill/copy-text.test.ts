import { getTableColumns } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import fc from "fast-check";
import { onchainTable } from "ponder";
import { expect, test } from "vitest";
import * as schema from "../../ponder.schema.ts";
import { createCopyText } from "./copy-text.ts";
import { loadCopy, type TableName, type Tables } from "./ponder.ts";

/** Ponder's own encoder, which puts no newline after the last row. */
const { getCopyText } = (await loadCopy()) as unknown as {
  getCopyText(table: object, rows: readonly object[]): string;
};

/** Byte for byte. */
function expectSame(tables: object, rows: readonly object[], name: string) {
  const copyText = createCopyText(tables as Tables);
  for (const row of rows) copyText.add(name as TableName, row);
  const table = (tables as Readonly<Record<string, object>>)[name] ?? {};
  const expected = Buffer.from(`${getCopyText(table, rows)}\n`);
  expect(Buffer.from(copyText.take()).toString("latin1")).toBe(expected.toString("latin1"));
}

const text = fc.oneof(
  fc.string({ unit: "grapheme-ascii", maxLength: 100 }),
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.string({
    unit: fc.constantFrom(...["\\", "\t", "\n", "\r", "\b", "\f", "\v", "\0", '"', "N", "é", "🏗", "\ud800"]),
  }),
  fc.constantFrom("", "\\N", "\\.", "\\\\", "\x7f"),
);
const bigint = fc.oneof(
  fc.bigInt({ min: -(2n ** 255n), max: 2n ** 256n }),
  fc.constantFrom(0n, -1n, 10n ** 18n, 2n ** 53n, 2n ** 64n, -(10n ** 77n)),
);
const hex = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`),
  fc.constantFrom("0x", "0xabc", "0xABCDEF", "0XAB", "0xÀB", "0x\\n", "0x\t0", ""),
);
const integer = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double());
/** Values of each kind of column in the schema; any other kind fails. */
const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  ...{ PgText: text, PgHex: hex, PgEvmBigint: bigint, PgInteger: integer, PgBigInt53: integer },
  ...{ PgBoolean: fc.boolean(), PgJson: fc.oneof(fc.jsonValue(), fc.dictionary(text, text)) },
};

/** Null and missing columns in any place, whatever the schema says. */
function rowsOf(table: object): fc.Arbitrary<object[]> {
  const columns = Object.entries<PgColumn>(getTableColumns(table as PgTable));
  const row = columns.map(([key, { columnType }]) => {
    const value = VALUES[columnType];
    if (value === undefined) throw new Error(`no values for ${columnType}`);
    return [key, fc.oneof({ weight: 6, arbitrary: value }, fc.constantFrom(null, undefined))] as const;
  });
  return fc.array(fc.record(Object.fromEntries(row), { requiredKeys: [] }), { minLength: 1, maxLength: 6 });
}

test.each(Object.entries(schema))("rows of %s are written as Ponder writes them", (name, table) => {
  fc.assert(
    fc.property(rowsOf(table), (rows) => {
      expectSame(schema, rows, name);
    }),
  );
});

test("texts longer than the first buffer", () => {
  const rows = ["語", "\n", "x", "\\"].map((one, index) => ({ refnum: one.repeat(22_000 * 3 ** index) }));
  expectSame(schema, rows, "listing");
});

test.each([0, 1, 2, 3, 4, 5])("any value can be the one that fills the buffer (%i)", (digits) => {
  const rows = Array.from({ length: 12_000 }, (_, index) => (index % 2 === 0 ? {} : { number: 12345n }));
  expectSame(schema, [{ number: 10n ** BigInt(digits) }, ...rows], "eventBlock");
});

test("kinds of columns that no table has yet are left to Ponder's mapping", () => {
  const other = onchainTable("other", (t) => ({
    bytes: t.bytes(),
    many: t.text().array(),
    amounts: t.bigint().array(),
    at: t.timestamp(),
    wide: t.int8({ mode: "bigint" }),
    real: t.doublePrecision(),
    jsonb: t.jsonb(),
    last: t.varchar(),
  }));
  const rows = [
    { bytes: new Uint8Array([0, 255, 92]), many: ['a"\\', "\t", "{é}"], amounts: [1n, -(2n ** 200n)] },
    { at: new Date(0), wide: -(2n ** 63n), real: 1e300, jsonb: { a: "\\\n" }, last: "a\0\tb" },
    { bytes: new Uint8Array(), many: [], last: "" },
  ];
  expectSame({ other }, rows, "other");
});

test("values that are not of their column's type are written as Ponder writes them", () => {
  const values = [1, 1n, true, "a\tb", "7", ["a", "\n"], { toString: () => "\\N" }];
  const rows = values.map((value) => ({
    number: value,
    kind: value,
    onchainId: value,
    logIndex: value,
    part: value,
  }));
  expectSame(schema, rows, "eventBlock");
  expectSame(schema, rows, "ledger");
});

test("bytes that were taken are not written to again", () => {
  const copyText = createCopyText(schema);
  const rows = [1n, 2n, 3n].map((number) => ({ number, hash: `0x0${number}` }));
  const taken = rows.map((row) => {
    expect(copyText.add("eventBlock", row)).toBe("1\t0x01\n".length);
    return copyText.take();
  });
  expect(taken.map((bytes) => Buffer.from(bytes).toString())).toEqual([
    "1\t0x01\n",
    "2\t0x02\n",
    "3\t0x03\n",
  ]);
  expect(taken.every((bytes) => bytes.length === bytes.buffer.byteLength)).toBe(true);
  expect(copyText.take()).toHaveLength(0);
});
