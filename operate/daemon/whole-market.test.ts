import { afterEach, expect, it, vi } from "vitest";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { watchForMarket } from "./whole-market.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("waits for the market of a whole backfill, but not for longer than a minute after the first", async () => {
  const whole = await snapshotOf(tablesOf());
  const part = { ...whole, backfilled: false };
  vi.useFakeTimers({ toFake: ["performance"] });
  let shown: typeof whole | null = null;
  const hasMarket = watchForMarket({ current: () => shown });
  const after = (milliseconds: number) => {
    vi.advanceTimersByTime(milliseconds);
    return hasMarket();
  };
  expect([after(0), after(600_000)]).toEqual([false, false]);
  shown = part;
  expect([after(0), after(59_000)]).toEqual([false, false]);
  shown = whole;
  expect(after(0)).toBe(true);
  shown = part;
  expect(after(1_000)).toBe(true);
});
