import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { ESCROW, OTHER_ESCROW } from "../../test/harness/book.ts";
import { createBookPairs } from "./book-pairs.ts";

const keyOf = (escrow: string, id: bigint) => createHash("sha256").update(`${escrow}:${id}`).digest("hex");

it("finds each listing by its key, also with ids of more than 64 bits, and none by another", () => {
  const pairs = createBookPairs();
  const large = [2n ** 64n - 2n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 256n - 1n];
  const ids = [...Array.from({ length: 5_000 }, (_, index) => BigInt(index + 1)), ...large];
  for (const escrowAddress of [ESCROW, OTHER_ESCROW])
    for (const onchainId of ids) {
      const key = keyOf(escrowAddress, onchainId);
      expect(pairs.of(key)).toBeUndefined();
      pairs.add(key, { escrowAddress, onchainId });
      pairs.add(key, { escrowAddress, onchainId });
    }
  for (const escrowAddress of [ESCROW, OTHER_ESCROW])
    for (const onchainId of ids)
      expect(pairs.of(keyOf(escrowAddress, onchainId))).toEqual({ escrowAddress, onchainId });
  expect(pairs.of(keyOf(ESCROW, 5_001n))).toBeUndefined();
  // The digits that are kept are the same, others are not.
  const key = keyOf(ESCROW, 1n);
  expect(pairs.of(key.slice(0, 8) + "0".repeat(56))).toBeUndefined();
});
