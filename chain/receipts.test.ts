import fc from "fast-check";
import { bytesToHex, type Hex, numberToHex } from "viem";
import { describe, expect, it } from "vitest";
import { RECEIPTS } from "../test/harness/block-vector.ts";
import vectors from "../test/vectors/blocks.json" with { type: "json" };
import type { RpcLog, RpcReceipt } from "./raw-blocks.ts";
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
    const receipts = fc.array(
      fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => bytesToHex(bytes)),
      { maxLength: 300 },
    );
    await fc.assert(
      fc.asyncProperty(receipts, async (some) => {
        expect(receiptsRoot(some)).toBe((await createReceiptTrie(some)).root);
      }),
      { numRuns: 30 },
    );
  });

  it("changes with every receipt that is left out", async () => {
    const receipts = Array.from({ length: 20 }, (_, index) => numberToHex(index + 1, { size: 40 }));
    const roots = receipts.map((_, left) => receiptsRoot(receipts.filter((__, index) => index !== left)));
    expect(new Set([receiptsRoot(receipts), ...roots]).size).toBe(21);
  });
});

describe("encodeReceipt", () => {
  const receipt = RECEIPTS.find(({ logs }) => logs.length > 0) as RpcReceipt;
  const [log] = receipt.logs;

  it.each<[string, unknown]>([
    ["has no gas", { ...receipt, cumulativeGasUsed: undefined }],
    ["has a number for its status", { ...receipt, status: 1 }],
    ["has no filter", { ...receipt, logsBloom: null }],
    ["has no logs", { ...receipt, logs: undefined }],
    ["has text for logs", { ...receipt, logs: "0x" }],
    ["has a log without topics", { ...receipt, logs: [{ ...log, topics: undefined }] }],
    ["has half a byte", { ...receipt, logs: [{ ...log, data: "0x123" }] }],
    ["has another character than a digit", { ...receipt, logs: [{ ...log, data: `${log?.data}zz` }] }],
    ["has no prefix", { ...receipt, logs: [{ ...log, address: log?.address.replace("0x", "00") }] }],
    ["has a list for its data", { ...receipt, logs: [{ ...log, data: [18, null] }] }],
    ["has a type above the last one", { ...receipt, type: "0x80" }],
    ["is null", null],
  ])("has no root with a receipt that %s", (_what, given) => {
    expect(() => receiptsRoot([encodeReceipt(given as RpcReceipt)])).toThrow(TypeError);
  });

  it("refuses most of a receipt as its type, with the data of its last log as the rest", () => {
    const forged = encodeReceipt({ ...receipt, type: null, logs: [] });
    const whole = encodeReceipt({ ...receipt, logs: [{ ...log, data: forged } as RpcLog] });
    const type = whole.slice(0, 2 - forged.length) as Hex;
    expect(`${type}${forged.slice(2)}`).toBe(whole);
    expect(() => encodeReceipt({ ...receipt, type, logs: [] })).toThrow(TypeError);
  });
});
