import { expect, it, vi } from "vitest";
import { finalBlocks, tellDelays } from "./completeness.ts";
import type { PonderApp } from "./ponder.ts";

it("looks again as soon as Ponder has written a final block, also one of the time between two looks", async () => {
  const lines: object[] = [];
  const logger = { info: (line: object) => lines.push(line), warn: () => {} };
  const untilDue = finalBlocks({ common: { logger } } as unknown as Pick<PonderApp, "common">);
  const isDue = async (atMost: number) => {
    const startedAt = performance.now();
    await untilDue(atMost);
    return performance.now() - startedAt < atMost / 2;
  };
  logger.info({ msg: "Finalized block", number: 7 });
  expect(await isDue(60_000)).toBe(true);
  const due = isDue(60_000);
  logger.info({ msg: "Finalized block", number: 8 });
  expect(await due).toBe(true);
  // Nothing new, and something else: the pause is kept.
  logger.info({ msg: "Indexed block" });
  expect(await isDue(40)).toBe(false);
  expect(lines).toHaveLength(3);
});

it("says once that nothing could be proven for minutes, and when it goes on", () => {
  vi.useFakeTimers();
  try {
    const lines: object[] = [];
    const note = (level: string) => (line: object) => lines.push({ level, ...line });
    const delays = tellDelays({ debug: () => {}, info: note("info"), warn: note("warn") });
    const error = new Error("no answer in time");
    const failFor = (minutes: number) => {
      for (let minute = 0; minute <= minutes; minute += 1) {
        if (minute > 0) vi.advanceTimersByTime(60_000);
        delays.lasts(error);
      }
    };
    failFor(4);
    delays.ended();
    expect(lines).toEqual([]);
    failFor(7);
    vi.advanceTimersByTime(60_000);
    delays.ended();
    delays.ended();
    expect(lines).toEqual([
      { level: "warn", msg: expect.stringContaining("does not become final"), seconds: 300, error },
      { level: "info", msg: "The ledger is proven again", seconds: 480 },
    ]);
  } finally {
    vi.useRealTimers();
  }
});
