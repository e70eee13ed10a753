import { describe, expect, it, vi } from "vitest";
import { FINALIZED, HEAD, registryOf } from "../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { type AsOf, createHistory, outOfRange } from "./as-of.ts";
import type { Neighbours } from "./read-ledger.ts";

const FIRST = 2n;
const tables = tablesOf({ listings: [] });
const snapshot = await snapshotOf(tables);
const otherRegistry = { ...snapshot, registry: registryOf([]) };
const event = (block: bigint, blockTime: bigint) => ({ eventId: `${block}`, blockNumber: block, blockTime });
const timeOf = (block: bigint) => HEAD.timestamp - (HEAD.number - block);

/** The past of a ledger without rows, and how often it and the chain were asked. */
function past({ last = null, next = null }: Partial<Pick<Neighbours, "last" | "next">> = {}) {
  const locate = vi.fn(async () => ({ progress: tables, last, next }));
  const ofBlock = vi.fn(async (block: bigint) => timeOf(block));
  const read = async () => ({ rows: [], settled: FINALIZED.number, isLast: true });
  const history = createHistory({
    reader: { locate, read, bids: async () => [] },
    ...{ blockTimes: { of: ofBlock }, firstBlock: FIRST, publicSettings: SITE },
  });
  const headAt = async (asOf: AsOf, seen = snapshot) => {
    const market = await history.at(seen, asOf);
    return "reason" in market ? market.reason : market.head;
  };
  return { headAt, locate, ofBlock };
}

it.each([
  [{ time: HEAD.timestamp }, false],
  [{ time: HEAD.timestamp + 1n }, true],
  [{ block: HEAD.number }, false],
  [{ block: HEAD.number + 1n }, true],
  [{ block: FIRST }, false],
  [{ block: FIRST - 1n }, true],
])("%o is in the index or not", (moment, isOut) => {
  expect(outOfRange(snapshot.market, moment, FIRST) !== null).toBe(isOut);
});

describe("a moment of the past", () => {
  it.each([
    ["up to the last settled block", { block: FINALIZED.number }, true],
    ["after it", { block: FINALIZED.number + 1n }, false],
    ["before its time", { time: FINALIZED.timestamp - 1n }, true],
    ["at its time, which a later block may have too", { time: FINALIZED.timestamp }, false],
  ])("is read once %s, for one registry", async (_, moment, isKept) => {
    const { headAt, locate } = past();
    const first = await headAt(moment);
    expect(await headAt(moment)).toEqual(first);
    expect(locate).toHaveBeenCalledTimes(isKept ? 1 : 2);
    await headAt(moment, otherRegistry);
    expect(locate).toHaveBeenCalledTimes(isKept ? 2 : 3);
  });

  it.each([
    ["the same market", snapshot, 1],
    ["another registry", otherRegistry, 2],
    ["a market after a reorg", { ...snapshot, reverts: 1 }, 2],
  ])("is read once for two who ask at once, the second with %s", async (_, seen, reads) => {
    const { headAt, locate } = past();
    const moment = { block: FINALIZED.number + 1n };
    await Promise.all([headAt(moment), headAt(moment, seen)]);
    expect(locate).toHaveBeenCalledTimes(reads);
  });

  const block = HEAD.number - 50n;
  it.each([
    ["the event in it", { last: event(block, 7n) }, block, 7n, 0],
    [
      "events around it of one time",
      { last: event(block - 5n, 7n), next: event(block + 5n, 7n) },
      block,
      7n,
      0,
    ],
    [
      "the chain between others",
      { last: event(block - 5n, 7n), next: event(block + 5n, 8n) },
      block,
      timeOf(block),
      1,
    ],
    ["the head", {}, HEAD.number, HEAD.timestamp, 0],
  ])("has its time from %s", async (_, neighbours, number, timestamp, asked) => {
    const { headAt, ofBlock } = past(neighbours);
    expect(await headAt({ block: number })).toMatchObject({ number, timestamp });
    expect(ofBlock).toHaveBeenCalledTimes(asked);
  });

  it("begins with the time of the first block", async () => {
    const { headAt } = past();
    expect(await headAt({ time: timeOf(FIRST) - 1n })).toBe("out_of_range");
    expect(await headAt({ time: timeOf(FIRST) })).toMatchObject({ timestamp: timeOf(FIRST) });
  });
});
