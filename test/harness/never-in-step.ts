/** @module A ledger whose rows are never those of the market. */
import { onTestFinished, vi } from "vitest";
import { fixedLedger } from "./fixed-ledger.ts";
import { snapshotOf, tablesOf } from "./snapshot.ts";

/** The updater and the ledger of an app or an answer. Each look at the market takes two seconds by the fake clock, and none in truth. */
export async function neverInStep() {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const snapshot = await snapshotOf(tablesOf());
  const found = { progress: tablesOf({ revisions: { listings: "2/b", anomalies: "1/a" }, reverts: 1 }) };
  return {
    updater: {
      current() {
        vi.advanceTimersByTime(2_000);
        // Another one each time, so that nothing waits for it.
        return { ...snapshot };
      },
    },
    ledger: fixedLedger({ events: found, anomalies: found, series: found, bids: found, sums: found }),
  };
}
