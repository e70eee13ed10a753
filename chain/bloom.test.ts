import { bytesToHex, pad } from "viem";
import { describe, expect, it } from "vitest";
import { BLOCK, LOGS } from "../test/harness/block-vector.ts";
import { bloomOf, mayHold, omissionIn } from "./bloom.ts";
import { parseLogs } from "./logs.ts";

const logs = parseLogs(LOGS);
const without = (index: number) => logs.filter((_, place) => place !== index);
const EMPTY = `0x${"0".repeat(512)}` as const;

describe("bloomOf", () => {
  it("is the filter in the block's header", () => {
    expect(bytesToHex(bloomOf(logs))).toBe(BLOCK.logsBloom);
  });
});

describe("mayHold", () => {
  it("is true for every address and topic of the logs, and false for others", () => {
    for (const { address, raw } of logs)
      for (const value of [address, ...raw.topics]) expect(mayHold(BLOCK.logsBloom, [value])).toBe(true);
    expect(mayHold(BLOCK.logsBloom, [pad("0x1"), pad("0x2")])).toBe(false);
    expect(mayHold(BLOCK.logsBloom, [])).toBe(false);
  });
});

describe("omissionIn", () => {
  it("is null for all logs of the block, in any order, with and without its filter", () => {
    expect(omissionIn(logs, BLOCK.logsBloom)).toBeNull();
    expect(omissionIn(logs.toReversed(), BLOCK.logsBloom)).toBeNull();
    expect(omissionIn(logs, null)).toBeNull();
    expect(omissionIn([], EMPTY)).toBeNull();
  });

  it("is a sentence for logs of which any but the last is missing, by their numbers", () => {
    for (let index = 0; index < logs.length - 1; index++)
      expect(omissionIn(without(index), null), `log ${index}`).toBe(`log ${index} is missing`);
  });

  it("is a sentence for logs without the last, which alone has its address, or without any, by the filter", () => {
    expect(omissionIn(without(logs.length - 1), null)).toBeNull();
    expect(omissionIn(without(logs.length - 1), BLOCK.logsBloom)).toMatch(/bloom filter/);
    expect(omissionIn([], BLOCK.logsBloom)).toMatch(/bloom filter/);
  });
});
