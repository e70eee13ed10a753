import { describe, expect, it, vi } from "vitest";
import { SITE, snapshotOf, tablesOf } from "../../test/harness/app.ts";
import { DAY, entryDraft, HEAD, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import type { Snapshot } from "../feed/feed.ts";
import type { BlockTimes } from "./block-times.ts";
import { type AsOf, createHistory, type NoPast, type Past } from "./history.ts";
import type { PastRows, Until } from "./read-ledger.ts";

const FINALIZED = tablesOf().finalized;
const FIRST = HEAD.number - 1000n;

/** A block a second, up to the made-up head. */
const timeOf = (block: bigint) => NOW - (HEAD.number - block);

function rowsWith(raisedAmount: bigint): PastRows {
  const listings = [listingRow({ raisedAmount })];
  const rows = { listings, repayments: [], offers: [], trades: [], holders: new Map() };
  return { rows, finalized: FINALIZED };
}

/** A history whose ledger says that as much was raised as the moment's time, and that counts how often it is read. */
function remembering(
  overrides: Partial<{ blockTimes: BlockTimes; read(until: Until): Promise<PastRows | null> }> = {},
) {
  const read = vi.fn(overrides.read ?? (async ({ time }: Until) => rowsWith(time)));
  const blockTimes = overrides.blockTimes ?? { of: async (block) => timeOf(block) };
  return { history: createHistory({ read, blockTimes, firstBlock: FIRST, site: SITE }), read };
}

const live = await snapshotOf(tablesOf({ listings: [listingRow()] }), registryOf([entryDraft()]));

function marketOf(past: Past | NoPast) {
  if ("reason" in past) throw new Error(past.detail);
  return past.market;
}

async function refused(asOf: AsOf, snapshot: Snapshot = live, { history } = remembering()): Promise<NoPast> {
  const past = await history.at(snapshot, asOf);
  if (!("reason" in past)) throw new Error("there is a past");
  return past;
}

describe("a moment of the past", () => {
  it("is the live market itself at head, and asks nobody", async () => {
    const { history, read } = remembering();
    expect(await history.at(live, "head")).toBe(live);
    expect(read).not.toHaveBeenCalled();
  });

  it("is a block with its own time, and everything up to it", async () => {
    const { history, read } = remembering();
    const block = HEAD.number - 100n;
    const market = marketOf(await history.at(live, { block }));
    expect(read).toHaveBeenCalledWith({ time: timeOf(block), block });
    expect(market.head).toEqual({ number: block, timestamp: timeOf(block) });
    expect(market.listings).toMatchObject([{ raisedAmount: timeOf(block).toString() }]);
  });

  it("is a time as `now`, between two blocks too", async () => {
    const { history, read } = remembering();
    // The made-up listing goes live a day before the head.
    const before = marketOf(await history.at(live, { time: NOW - 900n }));
    expect(read).toHaveBeenCalledWith({ time: NOW - 900n, block: null });
    expect(before.head.timestamp).toBe(NOW - 900n);
  });

  it("does not ask the chain for the time of the head", async () => {
    const of = vi.fn(async () => 0n);
    const { history } = remembering({ blockTimes: { of } });
    expect(marketOf(await history.at(live, { block: HEAD.number })).head).toEqual(HEAD);
    expect(of).not.toHaveBeenCalled();
  });

  it("uses today's registry, also for what it keeps", async () => {
    const { history, read } = remembering();
    const renamed = registryOf([entryDraft({ title: "Another oven" })]);
    const block = FINALIZED.number - 1n;
    expect(marketOf(await history.at(live, { block })).listings).toMatchObject([{ title: "Raise 1" }]);
    expect(marketOf(await history.at({ ...live, registry: renamed }, { block })).listings).toMatchObject([
      { title: "Another oven" },
    ]);
    expect(read).toHaveBeenCalledTimes(1);
  });
});

describe("what is kept", () => {
  it.each([
    ["a final block", { block: FINALIZED.number }, 1],
    ["a pending block", { block: FINALIZED.number + 1n }, 2],
    ["a time before the last final block", { time: FINALIZED.timestamp - 1n }, 1],
    ["the second of the last final block, in which another block may come", { time: FINALIZED.timestamp }, 2],
  ])("%s", async (_, asOf, reads) => {
    const { history, read } = remembering();
    const first = await history.at(live, asOf);
    const second = await history.at(live, asOf);
    expect(read).toHaveBeenCalledTimes(reads);
    expect(second === first).toBe(reads === 1);
  });

  it("is folded once for all who ask at the same time, and one moment after the other", async () => {
    const running: Until[] = [];
    let most = 0;
    const { history, read } = remembering({
      read: async (until) => {
        running.push(until);
        most = Math.max(most, running.length);
        await new Promise(setImmediate);
        running.pop();
        return rowsWith(1n);
      },
    });
    const moments = [1n, 2n, 3n].map((ago) => ({ block: FINALIZED.number - ago }));
    await Promise.all([...moments, ...moments].map((asOf) => history.at(live, asOf)));
    expect(read).toHaveBeenCalledTimes(3);
    expect(most).toBe(1);
  });

  it("is folded again after a read that failed", async () => {
    let fails = true;
    const { history } = remembering({
      read: async () => {
        if (fails) throw new Error("the database is gone");
        return rowsWith(1n);
      },
    });
    const asOf = { block: FINALIZED.number };
    await expect(history.at(live, asOf)).rejects.toThrow("the database is gone");
    fails = false;
    expect(marketOf(await history.at(live, asOf)).listings).toHaveLength(1);
  });
});

describe("there is no past", () => {
  it("beyond the head or before the first block, and says what there is", async () => {
    for (const asOf of [
      { block: HEAD.number + 1n },
      { block: FIRST - 1n },
      { block: 2n ** 200n },
      { time: NOW + 1n },
      { time: timeOf(FIRST) - 1n },
      { time: -5n },
    ]) {
      const { reason, detail } = await refused(asOf);
      expect(reason).toBe("out_of_range");
      expect(detail).toContain(`Indexed are the blocks ${FIRST} to ${HEAD.number}.`);
    }
    const { history } = remembering();
    expect(marketOf(await history.at(live, { block: FIRST })).head.number).toBe(FIRST);
  });

  it("while the ledger is still being indexed", async () => {
    const snapshot = { ...live, backfilled: false };
    expect(await refused({ block: HEAD.number - 1n }, snapshot)).toMatchObject({ reason: "backfilling" });
    expect(await remembering().history.at(snapshot, "head")).toBe(snapshot);
    const empty = remembering({ read: async () => null });
    expect(await refused({ block: HEAD.number }, live, empty)).toMatchObject({ reason: "backfilling" });
  });

  it("when the chain does not tell the time of the block", async () => {
    const silent: BlockTimes = {
      of: async () => {
        throw new Error("no node answers");
      },
    };
    const asked = remembering({ blockTimes: silent });
    expect(await refused({ block: HEAD.number - 1n }, live, asked)).toMatchObject({ reason: "chain_silent" });
    expect(await refused({ time: NOW - DAY }, live, asked)).toMatchObject({ reason: "chain_silent" });
  });

  it("for the one who asks when too many wait, and for nobody after them", async () => {
    const { history } = remembering();
    const moments = Array.from({ length: 40 }, (_, ago) => ({ block: FINALIZED.number - BigInt(ago) }));
    const answers = await Promise.all(moments.map((asOf) => history.at(live, asOf)));
    const turnedAway = answers.filter((past) => "reason" in past);
    expect(turnedAway).toHaveLength(40 - 16);
    for (const past of turnedAway) expect(past).toMatchObject({ reason: "too_many_requests" });
    expect(await history.at(live, { block: FINALIZED.number - 39n })).toHaveProperty("market");
  });
});
