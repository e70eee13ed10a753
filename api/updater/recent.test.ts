import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import type { StoredRow } from "../../src/fold/state.ts";
import { listingRow } from "../../test/harness/rows.ts";
import { type RecentEvents, splitBy, withLater } from "./recent.ts";

const { escrowAddress } = listingRow();

/** An event of a block, with the hash of its version of the chain. */
function later(number: number, blockHash: Hex = `0x${number}`) {
  const eventId = `1772366400${"0".repeat(16)}${`${number}`.padStart(16, "0")}`.padEnd(75, "0");
  return { event: { eventId, escrowAddress, onchainId: BigInt(number) } as StoredRow, blockHash };
}
const recentOf = (...numbers: number[]) =>
  numbers.map((number) => {
    const { event, blockHash } = later(number);
    return { ...event, blockHash };
  });
const numbersIn = (events: RecentEvents) => events?.map(({ onchainId }) => Number(onchainId)) ?? null;

describe("the events that a reorg may take back", () => {
  it.each([
    ["the final block of an event", 4n, [3, 5], [6, 7], [3, 5, 6, 7]],
    ["a final block with an event", 5n, [3, 5], [6, 7], [5, 6, 7]],
    ["a final block among the new ones", 6n, [3, 5], [6, 7], [6, 7]],
    ["all of them final", 9n, [3, 5], [], [5]],
    ["none final", 2n, [3, 5], [6], [3, 5, 6]],
    ["none", 9n, [], [], []],
  ])("are those after %s, with the last that is final", (_, finalized, recent, added, kept) => {
    const found = withLater(
      recentOf(...recent),
      added.map((number) => later(number)),
      finalized,
    );
    expect(found).toEqual(recentOf(...kept));
  });

  it("are not kept beyond 2,000", () => {
    const numbers = Array.from({ length: 2_000 }, (_, index) => index + 1);
    expect(withLater(recentOf(...numbers), [], 0n)).toHaveLength(2_000);
    expect(withLater(recentOf(...numbers), [later(2_001)], 0n)).toBeNull();
    expect(withLater(recentOf(...numbers), [later(2_001)], 2n)).toHaveLength(2_000);
  });
});

it.each([
  [
    "a block in the middle",
    [3, 5, 5, 8],
    [
      [3, "0x3"],
      [5, "0x5"],
      [8, "0xbad"],
    ],
    [3, 5, 5],
    [8],
  ],
  [
    "the last block's number",
    [3, 5, 8],
    [
      [3, "0x3"],
      [5, "0x5"],
    ],
    [3, 5],
    [8],
  ],
  [
    "nothing",
    [3, 5],
    [
      [3, "0x3"],
      [5, "0x5"],
    ],
    [3, 5],
    [],
  ],
  ["all", [3, 5], [[3, "0xbad"]], null, null],
] as const)(
  "a reorg of %s leaves the events of the blocks that are still there",
  (_, recent, blocks, kept, lost) => {
    const rows = blocks.map(([number, hash]) => ({ number: BigInt(number), hash }));
    const found = splitBy(rows, recentOf(...recent));
    expect([numbersIn(found?.kept ?? null), numbersIn(found?.lost ?? null)]).toEqual([kept, lost]);
    expect(found?.lastKept).toEqual(found?.kept.at(-1));
  },
);
