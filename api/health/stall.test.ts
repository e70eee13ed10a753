import { afterEach, describe, expect, it, vi } from "vitest";
import { recordedLog, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { watchForStall } from "./stall.ts";
import type { IndexerMessage } from "./supervisor.ts";

afterEach(() => {
  vi.useRealTimers();
});

const market = await snapshotOf(tablesOf());

/** A chain and an index that a test moves, a second at a time. */
function situation() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const now = {
    indexed: 100n as bigint | null,
    backfilled: true,
    head: 100n,
    secondsSinceSeen: 1,
    secondsSinceLook: 1,
    isRestarting: false,
    indexer: "first",
  };
  const told: IndexerMessage[] = [];
  const { log, lines } = recordedLog();
  const watch = watchForStall({
    updater: {
      secondsSinceLook: () => now.secondsSinceLook,
      reached: () => now.indexed,
      isRestarting: () => now.isRestarting,
      indexer: () => now.indexer,
      current: () =>
        now.indexed === null
          ? null
          : {
              ...market,
              backfilled: now.backfilled,
              market: { ...market.market, head: { number: now.indexed, timestamp: now.indexed } },
            },
    },
    upstream: {
      head: () => ({ number: now.head, timestamp: now.head }),
      secondsSinceSeen: () => now.secondsSinceSeen,
    },
    log,
    notify: (message) => told.push(message),
  });
  const seconds = (count: number, each = () => {}) => {
    for (let second = 0; second < count; second++) {
      each();
      vi.advanceTimersByTime(1000);
    }
  };
  return { now, told, lines, watch, seconds };
}

const headMoves = (now: { head: bigint }) => () => {
  now.head += 1n;
};

describe("watchForStall", () => {
  it("logs a stall once, and its end once", () => {
    const { now, told, lines, watch, seconds } = situation();
    seconds(60, headMoves(now));
    expect(watch.stalled()).toBe(false);
    seconds(100, headMoves(now));
    expect(watch.stalled()).toBe(true);
    const began = { kind: "stalled", isLong: false, indexed: "100", head: "161" };
    expect(told).toEqual([{ kind: "live" }, began]);
    seconds(200, headMoves(now));
    expect(told).toEqual([{ kind: "live" }, began, { ...began, isLong: true, head: "281" }]);
    now.indexed = 101n;
    seconds(1);
    expect(watch.stalled()).toBe(false);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ["warn", "The indexer has stalled while the chain advances"],
      ["info", "The indexer advances again"],
    ]);
    seconds(61, headMoves(now));
    expect(watch.stalled()).toBe(true);
  });

  it.each<[string, (now: ReturnType<typeof situation>["now"]) => void]>([
    ["a chain that stands still", () => {}],
    ["an index that follows far behind", headMovesAndIndex],
    ["a slow chain", slowly(90)],
  ])("is quiet about %s", (_what, each) => {
    const { now, told, watch, seconds } = situation();
    now.head = 500n;
    now.indexed = 500n;
    seconds(300, () => each(now));
    expect(watch.stalled()).toBe(false);
    expect(told).toEqual([{ kind: "live" }]);
  });

  it("is quiet about a backfill, and before the first block", () => {
    const { now, told, watch, seconds } = situation();
    now.backfilled = false;
    seconds(100, headMoves(now));
    now.indexed = null;
    seconds(100, headMoves(now));
    expect([watch.stalled(), told]).toEqual([false, []]);
  });

  it.each<[string, (now: ReturnType<typeof situation>["now"], isBefore: boolean) => void]>([
    ["a backfill", (now, isBefore) => Object.assign(now, { backfilled: !isBefore })],
    ["a restart", (now, isBefore) => Object.assign(now, { isRestarting: isBefore })],
  ])("notices %s that stands still, and asks for no restart", (_what, become) => {
    const { now, told, lines, watch, seconds } = situation();
    become(now, true);
    now.head = 10_000n;
    seconds(1_000, () => headMovesAndIndex(now));
    expect(watch.stalled()).toBe(false);
    seconds(179, headMoves(now));
    expect(watch.stalled()).toBe(false);
    seconds(600, headMoves(now));
    expect([watch.stalled(), told]).toEqual([true, []]);
    become(now, false);
    seconds(59, headMoves(now));
    expect([watch.stalled(), told]).toEqual([false, [{ kind: "live" }]]);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      ["warn", "The indexer has stalled before it follows the chain"],
      ["info", "The indexer advances again"],
    ]);
  });

  it("does not take an indexer that is started again for one that advances", () => {
    const { now, lines, watch, seconds } = situation();
    seconds(70, headMoves(now));
    now.isRestarting = true;
    for (now.indexed = 60n; now.indexed < 100n; now.indexed++) seconds(1, headMoves(now));
    seconds(30, headMoves(now));
    expect([watch.stalled(), lines.length]).toEqual([true, 1]);
    now.indexed = 101n;
    seconds(1, headMoves(now));
    expect([watch.stalled(), lines.at(-1)?.msg]).toEqual([false, "The indexer advances again"]);
  });

  it("notices an indexer that has started again between two checks", () => {
    const { now, told, watch, seconds } = situation();
    seconds(200, headMoves(now));
    const long = { kind: "stalled", isLong: true, indexed: "100" };
    expect(told).toMatchObject([{ kind: "live" }, { ...long, isLong: false }, long]);
    now.indexer = "second";
    seconds(2, headMoves(now));
    expect([watch.stalled(), told.slice(3)]).toEqual([false, [{ kind: "live" }]]);
    seconds(200, headMoves(now));
    expect(told.slice(4)).toMatchObject([{ ...long, isLong: false }, long]);
  });

  it.each(["secondsSinceSeen", "secondsSinceLook"] as const)(
    "leaves a silent RPC and a silent database to the troubles of those names (%s)",
    (silence) => {
      const { now, watch, seconds } = situation();
      now.head = 101n;
      now[silence] = 30;
      seconds(100);
      expect(watch.stalled()).toBe(false);
    },
  );
});

function headMovesAndIndex(now: { head: bigint; indexed: bigint | null }) {
  now.head += 3n;
  now.indexed = (now.indexed ?? 0n) + 1n;
}

/** A block every so many seconds, indexed a second later. */
function slowly(every: number) {
  let second = 0;
  return (now: { head: bigint; indexed: bigint | null }) => {
    second += 1;
    if (now.indexed !== now.head) now.indexed = now.head;
    if (second % every === 0) now.head += 1n;
  };
}
