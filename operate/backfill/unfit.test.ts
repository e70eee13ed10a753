import { expect, it, vi } from "vitest";
import { rememberUnfit } from "../../api/health/unfit.ts";
import type { UnfitEndpoint } from "../../config/unfit-endpoints.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { createUnfitNotes } from "./unfit.ts";

it("tells of an unfit endpoint again while it is, for as long as health remembers it, and logs it once", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const { log, lines } = recordedLog();
    const remembered = rememberUnfit();
    const told: UnfitEndpoint[] = [];
    const note = createUnfitNotes(log, (unfit) => {
      told.push(unfit);
      remembered.note(unfit);
    });
    const pruned = { endpoint: "two.example", reason: "pruned" } as const;
    const unusable = { endpoint: "one.example", reason: "unusable_logs" } as const;
    for (const { endpoint, reason } of [pruned, pruned, unusable]) note(endpoint, reason);
    expect(told).toEqual([pruned, unusable]);
    expect(remembered.current()).toEqual([unusable, pruned]);
    for (let minute = 1; minute <= 15; minute++) {
      vi.advanceTimersByTime(60_000);
      note(pruned.endpoint, pruned.reason);
    }
    expect(told).toHaveLength(17);
    expect(remembered.current()).toEqual([pruned]);
    vi.advanceTimersByTime(600_001);
    expect(remembered.current()).toEqual([]);
    expect(lines).toMatchObject([{ endpoint: "two.example" }, { endpoint: "one.example" }]);
  } finally {
    vi.useRealTimers();
  }
});
