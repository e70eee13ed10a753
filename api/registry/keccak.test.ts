import { randomBytes } from "node:crypto";
import { keccak256, stringToBytes } from "viem";
import { describe, expect, it } from "vitest";
import { createKeccak } from "./keccak.ts";

function hashOf(parts: readonly Uint8Array[]): string {
  const sum = createKeccak();
  for (const part of parts) sum.update(part);
  return sum.digest();
}

describe("keccak256", () => {
  it("has the published values", () => {
    expect(hashOf([])).toBe("0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    expect(hashOf([stringToBytes("abc")])).toBe(
      "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
    );
  });

  it("is viem's for every length around a block", () => {
    for (let length = 0; length <= 300; length++) {
      const bytes = randomBytes(length);
      expect(hashOf([bytes])).toBe(keccak256(bytes));
    }
  });

  it("is the same however a long input is cut", () => {
    const bytes = randomBytes(300_000);
    const expected = keccak256(bytes);
    for (const size of [1_000, 65_000, 136 * 478, 299_999, 300_000]) {
      const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(hashOf(parts)).toBe(expected);
    }
  });
});
