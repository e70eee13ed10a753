import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type AsOf,
  createHistory,
  type HistoryParameters,
  type MomentUnavailable,
} from "../../api/history/as-of.ts";
import type { BlockTimes } from "../../api/history/block-times.ts";
import type { Market } from "../../api/market/market.ts";
import type { Snapshot } from "../../api/market/snapshot.ts";
import { indexed } from "../../api/registry/schema.ts";
import type { Block } from "../../src/fold/events.ts";
import { type PastLedger, startPastLedger, subscribedIn } from "../harness/past-ledger.ts";
import { PATIENCE } from "../harness/patience.ts";
import { DAY, entryDraft, HEAD, listingRow, NOW, registryOf } from "../harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../harness/snapshot.ts";

const FIRST = HEAD.number - 1000n;

/** A block a second, up to the made-up head. */
const timeOf = (block: bigint) => NOW - (HEAD.number - block);
const blockAt = (number: bigint): Block => ({ number, timestamp: timeOf(number) });
/** Created in the first block and subscribed to in every tenth from there on, the last being the head. */
const EVENTS = Array.from({ length: 101 }, (_, index) => blockAt(FIRST + 10n * BigInt(index)));
const FINALIZED = blockAt(HEAD.number - 30n);

let ledger: PastLedger;
let live: Snapshot;

beforeAll(async () => {
  ledger = await startPastLedger();
  live = await snapshotOf(tablesOf({ listings: [listingRow()] }), registryOf([entryDraft()]));
});
afterAll(() => ledger.close());
beforeEach(async () => {
  await ledger.tell(subscribedIn(EVENTS));
  await ledger.stand({ head: HEAD, finalized: FINALIZED });
});

/** A history over the ledger, and what it asks of whom. */
function remembering(overrides: Partial<HistoryParameters> & { of?: BlockTimes["of"] } = {}) {
  const { of: tellTime = async (block) => timeOf(block), reader = ledger.reader, ...rest } = overrides;
  const of = vi.fn(tellTime);
  const read = vi.fn(reader.read);
  const locate = vi.fn(reader.locate);
  const history = createHistory({
    reader: { ...reader, locate, read },
    blockTimes: { of },
    firstBlock: FIRST,
    publicSettings: SITE,
    ...rest,
  });
  return { history, read, locate, of };
}

type Batch = ReturnType<PastLedger["reader"]["read"]>;

/** The ledger's reader, which reads in another way. */
function readingBy(way: (read: () => Batch) => Batch): PastLedger["reader"] {
  const { reader } = ledger;
  return { ...reader, read: (...asked) => way(() => reader.read(...asked)) };
}

function marketOf(past: Market | MomentUnavailable): Market {
  if ("reason" in past) throw new Error(past.detail);
  return past;
}

async function refused(
  asOf: AsOf,
  snapshot: Snapshot = live,
  { history } = remembering(),
): Promise<MomentUnavailable> {
  const past = await history.at(snapshot, asOf);
  if (!("reason" in past)) throw new Error("there is a past");
  return past;
}

describe("a moment of the past", () => {
  it("is the live market at the head, without a query", async () => {
    const { history, locate } = remembering();
    expect(await history.at(live, "head")).toBe(live.market);
    expect(locate).not.toHaveBeenCalled();
  });

  it("is a block with its own time, and everything up to it", async () => {
    const { history, of } = remembering();
    const block = HEAD.number - 105n;
    const market = marketOf(await history.at(live, { block }));
    expect(of.mock.calls.map(([asked]) => asked)).toEqual([block]);
    expect(market.head).toEqual({ number: block, timestamp: timeOf(block) });
    expect(market.listings.all()).toMatchObject([{ raisedAmount: "89" }]);
  });

  it("is a time as `now`, between two blocks too, and asks the chain for nothing", async () => {
    const { history, of } = remembering();
    // The made-up listing goes live a day before the head.
    const before = marketOf(await history.at(live, { time: NOW - 895n }));
    expect(before.head.timestamp).toBe(NOW - 895n);
    expect(before.listings.all()).toMatchObject([{ raisedAmount: "10" }]);
    expect(of).not.toHaveBeenCalled();
  });

  it("has its time from the ledger where that knows it: the head, an event, between two of one second", async () => {
    const later = blockAt(FIRST + 40n);
    const twice = [blockAt(FIRST), { ...later, number: FIRST + 37n }, later];
    await ledger.tell(subscribedIn(twice));
    const { history, of } = remembering();
    for (const number of [FIRST, FIRST + 37n, FIRST + 38n, FIRST + 40n, HEAD.number]) {
      const { head } = marketOf(await history.at(live, { block: number }));
      const isLater = number !== FIRST && number !== HEAD.number;
      expect(head).toEqual({ number, timestamp: isLater ? later.timestamp : timeOf(number) });
    }
    expect(of).not.toHaveBeenCalled();
  });

  it("uses today's registry, also for what it keeps", async () => {
    const { history, read } = remembering();
    const renamed = registryOf([entryDraft({ title: "Another oven" })]);
    const block = FINALIZED.number - 1n;
    expect(marketOf(await history.at(live, { block })).listings.all()).toMatchObject([{ title: "Raise 1" }]);
    expect(
      marketOf(await history.at({ ...live, registry: renamed }, { block })).listings.all(),
    ).toMatchObject([{ title: "Another oven" }]);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("has the titles of the time where they are known, and today's listings", async () => {
    const asked: unknown[] = [];
    const { history } = remembering({
      registryAt: async ({ registry }, moment) => {
        asked.push(moment);
        const listings = registry.listings.map((entry) => ({ ...entry, title: "As it was" }));
        return indexed({ originators: [...registry.originators], listings }, registry.hash);
      },
    });
    const block = FINALIZED.number - 1n;
    for (const moment of [{ block }, { time: timeOf(block) }, { block }])
      expect(marketOf(await history.at(live, moment)).listings.all()).toMatchObject([{ title: "As it was" }]);
    // The second answer about the block is kept.
    expect(asked).toEqual([{ block }, { time: timeOf(block) }]);
    expect(marketOf(await history.at(live, "head")).listings.all()).toMatchObject([{ title: "Raise 1" }]);
  });

  it.each([
    ["a reorg has changed it", undefined],
    ["it was called final by depth, and a reorg has changed it", blockAt(HEAD.number - 3n)],
  ])("is what the chain says now where %s", async (_, byDepth) => {
    await ledger.stand({ head: HEAD, finalized: FINALIZED, ...(byDepth && { byDepth }) });
    const { history } = remembering();
    const asOf = { block: HEAD.number - 5n };
    expect(marketOf(await history.at(live, asOf)).listings.all()).toMatchObject([{ raisedAmount: "99" }]);
    await ledger.tell(subscribedIn([...EVENTS.slice(0, -3), blockAt(HEAD.number - 6n)]));
    expect(marketOf(await history.at(live, asOf)).listings.all()).toMatchObject([{ raisedAmount: "98" }]);
  });
});

it("does not show a raise that was withdrawn while an earlier question is answered", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { history } = remembering({
    reader: readingBy(async (read) => {
      await promise;
      return read();
    }),
  });
  const asOf = { block: HEAD.number - 5n };
  const before = history.at(live, asOf);
  const after = history.at({ ...live, registry: registryOf([]) }, asOf);
  resolve();
  const [shown, withdrawn] = [marketOf(await before), marketOf(await after)];
  expect([shown.listings.length, withdrawn.listings.length]).toEqual([1, 0]);
});

it("does not show rows that were reverted while an earlier question is answered", async () => {
  const [hasRead, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { history } = remembering({
    reader: readingBy(async (read) => {
      const batch = await read();
      hasRead.resolve();
      await mayAnswer.promise;
      return batch;
    }),
  });
  const asOf = { block: HEAD.number - 5n };
  const before = history.at({ ...live, reverts: 0 }, asOf);
  await hasRead.promise;
  await ledger.tell(subscribedIn([...EVENTS.slice(0, -3), blockAt(HEAD.number - 6n)]));
  const after = history.at({ ...live, reverts: 1 }, asOf);
  mayAnswer.resolve();
  const raised = (past: Market | MomentUnavailable) =>
    marketOf(past)
      .listings.all()
      .map(({ raisedAmount }) => raisedAmount);
  expect([raised(await before), raised(await after)]).toEqual([["99"], ["98"]]);
});

describe("the head as a moment", () => {
  it("has the time of the block that the ledger has in its place by now", async () => {
    const { history } = remembering();
    const other = { ...HEAD, timestamp: NOW - 3n };
    await ledger.tell(subscribedIn([...EVENTS.slice(0, -1), other]));
    const market = marketOf(await history.at(live, { block: HEAD.number }));
    expect(market.head).toEqual(other);
    expect(market.listings.all()).toMatchObject([{ raisedAmount: "100" }]);
  });
});

describe("what is kept", () => {
  it.each([
    ["a final block", { block: FINALIZED.number }, 1],
    ["a pending block", { block: FINALIZED.number + 10n }, 2],
    ["a time before the last final block", { time: FINALIZED.timestamp - 1n }, 1],
  ])("%s", async (_, asOf, reads) => {
    const { history, read } = remembering();
    const first = await history.at(live, asOf);
    const second = await history.at(live, asOf);
    expect(read).toHaveBeenCalledTimes(reads);
    expect(second === first).toBe(reads === 1);
  });

  it.each([
    ["a pending block", { block: FINALIZED.number + 1n }],
    ["the second of the last final block, in which another block may come", { time: FINALIZED.timestamp }],
  ])("not %s, but the rows of the last final event", async (_, asOf) => {
    const { history, read } = remembering();
    const first = await history.at(live, asOf);
    expect(await history.at(live, asOf)).not.toBe(first);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("is one fold for all moments between two events, each with its own time", async () => {
    const { history, read } = remembering();
    const pasts = [];
    for (let ago = 1n; ago <= 9n; ago += 1n) {
      pasts.push(marketOf(await history.at(live, { block: FINALIZED.number - ago })));
      pasts.push(marketOf(await history.at(live, { time: FINALIZED.timestamp - ago })));
    }
    expect(read).toHaveBeenCalledTimes(1);
    expect(new Set(pasts.map(({ head }) => head.timestamp)).size).toBe(9);
    expect(new Set(pasts.flatMap(({ listings }) => listings.map((one) => one.raisedAmount)))).toEqual(
      new Set(["96"]),
    );
  });

  it("is folded once for all who ask at the same time, and one moment after the other", async () => {
    let running = 0;
    let most = 0;
    const { history, read, locate } = remembering({
      reader: readingBy(async (read) => {
        running += 1;
        most = Math.max(most, running);
        const batch = await read();
        running -= 1;
        return batch;
      }),
    });
    const moments = [0n, 10n, 20n].map((ago) => ({ block: FINALIZED.number - ago }));
    await Promise.all([...moments, ...moments].map((asOf) => history.at(live, asOf)));
    expect(locate).toHaveBeenCalledTimes(3);
    expect(read).toHaveBeenCalledTimes(3);
    expect(most).toBe(1);
  });

  it("is folded again after a read that failed", async () => {
    let fails = true;
    const { history } = remembering({
      reader: readingBy(async (read) => {
        if (fails) throw new Error("the database is gone");
        return read();
      }),
    });
    const asOf = { block: FINALIZED.number };
    await expect(history.at(live, asOf)).rejects.toThrow("the database is gone");
    fails = false;
    expect(marketOf(await history.at(live, asOf)).listings).toHaveLength(1);
  });
});

describe("there is no past", () => {
  it("beyond the head or before the first block, and says what there is", async () => {
    const before = blockAt(FIRST + 10n);
    await ledger.tell(subscribedIn([before, ...EVENTS.slice(2)]));
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
      expect(detail).toContain(`Blocks ${FIRST} to ${HEAD.number} are indexed.`);
    }
    const { history } = remembering();
    const nothing = marketOf(await history.at(live, { block: FIRST }));
    expect(nothing).toMatchObject({ head: { number: FIRST }, listings: { length: 0 } });
  });

  it("while the ledger is still being indexed", async () => {
    const snapshot = { ...live, backfilled: false };
    expect(await refused({ block: HEAD.number - 1n }, snapshot)).toMatchObject({ reason: "backfilling" });
    expect(await remembering().history.at(snapshot, "head")).toBe(snapshot.market);
    await ledger.stand({ head: HEAD, finalized: FINALIZED, backfilled: false });
    expect(await refused({ block: HEAD.number })).toMatchObject({ reason: "backfilling" });
  });

  it("when the chain does not tell the time of the block", async () => {
    await ledger.tell(subscribedIn([HEAD]));
    const of: BlockTimes["of"] = async () => {
      throw new Error("no node answers");
    };
    const silent = remembering({ of });
    expect(await refused({ block: HEAD.number - 1n }, live, silent)).toMatchObject({
      reason: "chain_silent",
    });
    expect(await refused({ time: NOW - DAY }, live, silent)).toMatchObject({ reason: "chain_silent" });
  });

  it("when the chain was asked enough, but for what the ledger knows", async () => {
    const spent = remembering({ of: async () => null });
    const refusal = await refused({ block: HEAD.number - 15n }, live, spent);
    expect(refusal).toMatchObject({ reason: "too_many_requests" });
    expect(refusal.detail).toContain("a block with an event");
    for (const asOf of [{ block: HEAD.number - 20n }, { time: NOW - 15n }]) {
      expect(marketOf(await spent.history.at(live, asOf)).listings.all()).toMatchObject([
        { raisedAmount: "98" },
      ]);
    }
  });

  it("for a request while too many wait, without a call to the chain, but again after them", async () => {
    const { history, locate, of } = remembering();
    const moments = Array.from({ length: 40 }, (_, ago) => ({ block: FINALIZED.number - BigInt(ago) }));
    const answers = await Promise.all(moments.map((asOf) => history.at(live, asOf)));
    const turnedAway = answers.filter((past) => "reason" in past);
    expect(turnedAway).toHaveLength(40 - 16);
    for (const past of turnedAway) expect(past).toMatchObject({ reason: "too_many_requests" });
    expect(locate).toHaveBeenCalledTimes(16);
    // Blocks with an event: the last final one and the one ten before.
    expect(of).toHaveBeenCalledTimes(14);
    expect(await history.at(live, { block: FINALIZED.number - 39n })).toHaveProperty("listings");
  });

  it("yet while it is read for longer than a caller waits, and there is one afterwards", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = remembering({
      timeout: 10,
      reader: readingBy(async (read) => {
        await promise;
        return read();
      }),
    });
    const asOf = { block: FINALIZED.number };
    expect(await refused(asOf, live, slow)).toMatchObject({ reason: "backfilling" });
    resolve();
    await vi.waitFor(async () => marketOf(await slow.history.at(live, asOf)), PATIENCE);
    expect(slow.read).toHaveBeenCalledTimes(1);
  });
});
