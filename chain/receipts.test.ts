import fc from "fast-check";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import vectors from "../test/vectors/blocks.json" with { type: "json" };
import type { RpcReceipt } from "./raw-blocks.ts";
import { createReceiptTrie, encodeReceipt, receiptsRoot } from "./receipts.ts";

type Vector = { name: string; header: { receiptsRoot: Hex }; receipts: RpcReceipt[] | null };

describe("receiptsRoot", () => {
  it.each((vectors as unknown as Vector[]).filter(({ receipts }) => receipts !== null))(
    "$name: is the header's",
    ({ header, receipts }) => {
      expect(receiptsRoot((receipts ?? []).map(encodeReceipt))).toBe(header.receiptsRoot);
    },
  );

  it("is that of the trie of the library, for any number of receipts of any length", async () => {
    const receipts = fc.array(fc.uint8Array({ minLength: 1, maxLength: 80 }), { maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(receipts, async (some) => {
        expect(receiptsRoot(some)).toBe((await createReceiptTrie(some)).root);
      }),
      { numRuns: 30 },
    );
  });

  it("changes with every receipt that is left out", async () => {
    const receipts = Array.from({ length: 20 }, (_, index) => new Uint8Array(40).fill(index + 1));
    const roots = receipts.map((_, left) => receiptsRoot(receipts.filter((__, index) => index !== left)));
    expect(new Set([receiptsRoot(receipts), ...roots]).size).toBe(21);
  });
});
