import fc from "fast-check";
import { bytesToHex, keccak256 } from "viem";
import { expect, it } from "vitest";
import { createKeccak, keccak } from "./keccak.ts";

it.each([
  ["", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
  ["abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"],
])("hashes %j as published", (text, hash) => {
  expect(bytesToHex(keccak(new TextEncoder().encode(text)))).toBe(`0x${hash}`);
});

it("hashes anything as another implementation does", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
      expect(bytesToHex(keccak(bytes))).toBe(keccak256(bytes));
    }),
  );
});

it.each([135, 136, 137, 271, 272, 65_007, 65_008, 65_009, 130_016, 200_000])("hashes %i bytes", (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index * 7);
  expect(bytesToHex(keccak(bytes))).toBe(keccak256(bytes));
});

it("is the same however an input is cut, and whatever is hashed in between", () => {
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => index * 11);
  for (const size of [1_000, 65_000, 65_008, 199_999, 200_000]) {
    const sum = createKeccak();
    for (let start = 0; start < bytes.length; start += size) {
      sum.update(bytes.subarray(start, start + size));
      keccak(bytes.subarray(0, 7));
    }
    expect(bytesToHex(sum.digest())).toBe(keccak256(bytes));
    expect(bytesToHex(sum.digest())).toBe(keccak256(new Uint8Array()));
  }
});
