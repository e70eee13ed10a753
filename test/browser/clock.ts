/** @module The clock of a page. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { PATIENCE } from "../harness/patience.ts";

/** Lets time pass on a page with a clock of its own until something holds. */
export const untilPassing =
  (page: Page) =>
  (holds: () => Promise<unknown> | unknown, what: unknown): Promise<void> =>
    expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return holds();
      }, PATIENCE)
      .toEqual(what);
