import { expect, it } from "vitest";
import { finalBlocks } from "./completeness.ts";
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
