import { expect, it } from "vitest";
import { createChainFinality } from "../simulation/chain-finality.ts";
import { createFinalRows } from "../simulation/final-rows.ts";
import type { RecordedBlock } from "../simulation/record.ts";

/** A row of a block, with its finality by the block up to which all are final. */
const row = (block: number, final = 10) => ({
  ...{
    kind: "subscribed",
    blockNumber: `${block}`,
    logIndex: 0,
    txHash: `0x${block}`,
    publicId: `lst_${block}`,
  },
  finality: block <= final ? "final" : "pending",
});
const rowsWith = (most: bigint) => createFinalRows({ most: () => most });
const of = (asOf: bigint, isWhole: boolean, isShown = (_: unknown) => true) => ({ asOf, isWhole, isShown });

it("misses a row that was final, in a page that reaches down to it and is of its block or a later one", () => {
  const rows = rowsWith(10n);
  expect(rows.wrongIn([row(12), row(10), row(9)], of(12n, true))).toEqual([]);
  expect(rows.wrongIn([row(13), row(10)], of(13n, false))).toEqual([]);
  expect(rows.wrongIn([row(9)], of(9n, true))).toEqual([]);
  expect(rows.wrongIn([row(13), row(9)], of(13n, false))).toEqual([expect.stringContaining("10/0")]);
  expect(rows.wrongIn([row(13), row(10)], of(13n, true))).toEqual([expect.stringContaining("9/0")]);
});

it("does not miss rows of a raise that is not shown", () => {
  const rows = rowsWith(10n);
  rows.wrongIn([row(10), row(9)], of(10n, true));
  const without = (id: string) => of(13n, true, (one) => one !== id);
  expect(rows.wrongIn([row(10)], without("lst_9"))).toEqual([]);
  expect(rows.wrongIn([row(10)], without("lst_10"))).toEqual([expect.stringContaining("9/0")]);
});

it("takes no row for final that is above what the chain calls final", () => {
  expect(rowsWith(9n).wrongIn([row(10), row(9)], of(12n, true))).toEqual([expect.stringContaining("10/0")]);
});

it("finds what is not final yet", () => {
  const rows = [row(11), row(10, 9), row(9)];
  expect(rowsWith(10n).missingIn(rows, 10n)).toEqual([expect.stringContaining("10/0")]);
});

it("knows what is final as soon as the final block moves again or the forks are joined", () => {
  const blocks: RecordedBlock[] = [];
  for (let number = 0n; number <= 100n; number++)
    blocks.push({ number, hash: `0x${number}`, parent: blocks.at(-1) ?? null } as RecordedBlock);
  const at = (number: number) => blocks[number] as RecordedBlock;
  const finality = createChainFinality(30);
  finality.follow(at(50));
  finality.stand(at(50));
  finality.follow(at(80));
  expect(finality.most()).toBe(20n);
  finality.move();
  expect(finality.most()).toBe(50n);
  finality.part(at(70));
  finality.follow(at(100));
  expect(finality.most()).toBe(50n);
  finality.join();
  expect(finality.most()).toBe(70n);
});
