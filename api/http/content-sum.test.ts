import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { addBody, addBytes, addSum, listTag, noContent } from "./content-sum.ts";
import { jsonBody } from "./etagged-body.ts";

/** The first 128 bits of the hash, lowest first. */
function hashOf(text: string): bigint {
  const bytes = createHash("sha256").update(text).digest().subarray(0, 16);
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

const numberOf = (sum: Uint32Array) =>
  sum.reduce((number, lane, index) => number + (BigInt(lane) << BigInt(32 * index)), 0n);

it("is the sum of the hashes of all items modulo 2^128, from bodies and from bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (texts) => {
      const [ofBodies, ofBytes] = [noContent(), noContent()];
      for (const text of texts) {
        addBody(ofBodies, jsonBody(text));
        addBytes(ofBytes, Buffer.from(JSON.stringify(text)));
      }
      const expected = texts.reduce((sum, text) => sum + hashOf(JSON.stringify(text)), 0n) % 2n ** 128n;
      expect(numberOf(ofBodies)).toBe(expected);
      expect(numberOf(ofBytes)).toBe(expected);
    }),
  );
});

it("carries from lane to lane, and over the last one", () => {
  const sum = new Uint32Array([0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff]);
  addSum(sum, new Uint32Array([2, 0, 0, 0]));
  expect([...sum]).toEqual([1, 0, 0, 0]);
  addSum(sum, new Uint32Array([0xffffffff, 0xffffffff, 5, 0]));
  expect([...sum]).toEqual([0, 0, 6, 0]);
});

it("makes another tag for another sum, and for other tags beside it", () => {
  const sum = noContent();
  const tags = [listTag(sum, "a"), listTag(sum, "b")];
  addBody(sum, jsonBody("one"));
  tags.push(listTag(sum, "a"));
  expect(new Set(tags).size).toBe(3);
  for (const tag of tags) expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
});
