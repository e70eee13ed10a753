import { expect, it } from "vitest";
import { createRowCodec } from "./row-codec.ts";

const ROWS = [
  { address: `0x${"ab".repeat(20)}`, amount: 10n ** 21n, reason: "cancelled", isMet: null, count: 7 },
  { address: `0x${"cd".repeat(20)}`, amount: -1n, reason: "cancelled", isMet: true, count: 0.5 },
  { address: "0x", amount: 0n, reason: "", isMet: false, count: -3 },
];

it("writes equal rows as equal bytes whatever came before, without known texts", () => {
  const [one, other] = [createRowCodec({ mostKnown: 0 }), createRowCodec({ mostKnown: 0 })];
  const bytes = ROWS.map((row) => Buffer.from(one.pack(row)));
  const later = ROWS.toReversed().map((row) => Buffer.from(other.pack(row)));
  expect(later.toReversed()).toEqual(bytes);
});

it("reads rows that follow each other, of a codec with the same columns", () => {
  const writer = createRowCodec({ mostKnown: 0 });
  const all = Buffer.concat(ROWS.map((row) => Buffer.from(writer.pack(row))));
  const reader = createRowCodec({ names: writer.columns(), mostKnown: 0 });
  let at = 0;
  const found = ROWS.map(() => {
    const row = reader.unpack(all, at);
    at = reader.end();
    return row;
  });
  expect(found).toEqual(ROWS);
  expect(at).toBe(all.length);
});
