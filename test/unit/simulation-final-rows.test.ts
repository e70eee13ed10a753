import { expect, it } from "vitest";
import { createFinalRows } from "../simulation/final-rows.ts";

/** A row of a block, with its finality by the block up to which all are final. */
const row = (block: number, final = 10) => ({
  ...{ kind: "subscribed", blockNumber: `${block}`, logIndex: 0, txHash: `0x${block}` },
  finality: block <= final ? "final" : "pending",
});
const rowsWith = (most: bigint) => createFinalRows({ most: () => most });

it("misses a row that was final, in a page that reaches down to it and is of its block or a later one", () => {
  const rows = rowsWith(10n);
  expect(rows.wrongIn([row(12), row(10), row(9)], 12n, true)).toEqual([]);
  expect(rows.wrongIn([row(13), row(10)], 13n, false)).toEqual([]);
  expect(rows.wrongIn([row(9)], 9n, true)).toEqual([]);
  expect(rows.wrongIn([row(13), row(9)], 13n, false)).toEqual([expect.stringContaining("10/0")]);
  expect(rows.wrongIn([row(13), row(10)], 13n, true)).toEqual([expect.stringContaining("9/0")]);
});

it("takes no row for final that is above what the chain calls final", () => {
  expect(rowsWith(9n).wrongIn([row(10), row(9)], 12n, true)).toEqual([expect.stringContaining("10/0")]);
});

it("finds what is not final yet", () => {
  const rows = [row(11), row(10, 9), row(9)];
  expect(rowsWith(10n).missingIn(rows, 10n)).toEqual([expect.stringContaining("10/0")]);
});
