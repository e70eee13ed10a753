import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Audit, Finding } from "../../api/health/audit.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { createAuditor, failed } from "./audit.ts";

const OK: Audit = { ...failed(""), status: "ok", problem: null, block: "7", at: "2026-03-01T12:00:00Z" };
const FINDING: Finding = {
  check: "views",
  escrowAddress: `0x${"e5".repeat(20)}`,
  onchainId: "1",
  refnum: "RB00001",
  field: "raisedAmount",
  expected: "2",
  found: "1",
  block: "7",
};
const RED: Audit = { ...OK, status: "red", findings: [FINDING] };

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => void vi.useRealTimers());

const settled = () => new Promise(setImmediate);

/** An auditor whose audits end when the test says so. */
function auditing(every: number | null = null) {
  const ends: ((result: Audit) => void)[] = [];
  const onChange = vi.fn();
  let progress = (_done: number, _total: number) => {};
  const audit = vi.fn((onProgress: typeof progress) => {
    progress = onProgress;
    onProgress(3, 10);
    return new Promise<Audit>((resolve) => ends.push(resolve));
  });
  const { log, lines } = recordedLog();
  const auditor = createAuditor({ audit, every, log, onChange });
  const end = async (result: Audit) => {
    ends.shift()?.(result);
    await settled();
  };
  return { auditor, audit, end, lines, onChange, progress: (done: number) => progress(done, 10) };
}

describe("createAuditor", () => {
  it("audits when it is asked, once for all who ask, and tells how far it is", async () => {
    const { auditor, audit, end } = auditing();
    expect(auditor.state()).toEqual({ running: null, last: null });
    auditor.start();
    auditor.start();
    expect(audit).toHaveBeenCalledTimes(1);
    expect(auditor.state()).toEqual({ running: { done: 3, total: 10 }, last: null });
    await end(OK);
    expect(auditor.state()).toEqual({ running: null, last: OK });
  });

  it("says that it began and ended, and once a second how far it is", async () => {
    const { auditor, end, onChange, progress } = auditing();
    auditor.start();
    for (let done = 4; done < 10; done++) {
      vi.advanceTimersByTime(500);
      progress(done);
    }
    await end(OK);
    const said = onChange.mock.calls.map(([{ running }]) => running?.done ?? null);
    expect(said).toEqual([0, 5, 7, 9, null]);
  });

  it("does not audit again within ten seconds", async () => {
    const { auditor, audit, end } = auditing();
    auditor.start();
    await end(OK);
    vi.advanceTimersByTime(9_999);
    auditor.start();
    expect(audit).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1);
    auditor.start();
    expect(audit).toHaveBeenCalledTimes(2);
  });

  it("audits by itself every so often, never two at once, until it is stopped", async () => {
    const { auditor, audit, end } = auditing(60);
    vi.advanceTimersByTime(59_999);
    expect(audit).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(audit).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(120_000);
    expect(audit).toHaveBeenCalledTimes(1);
    await end(OK);
    vi.advanceTimersByTime(60_000);
    expect(audit).toHaveBeenCalledTimes(2);
    await end(OK);
    auditor.stop();
    vi.advanceTimersByTime(600_000);
    expect(audit).toHaveBeenCalledTimes(2);
  });

  it("logs each difference with its figures, and when there is none", async () => {
    const { auditor, end, lines } = auditing(60);
    vi.advanceTimersByTime(60_000);
    await end(RED);
    expect(lines).toMatchObject([
      { level: "error", msg: "The audit found differences", findings: 1 },
      {
        level: "error",
        msg: "A figure is wrong",
        field: "raisedAmount",
        expected: "2",
        found: "1",
      },
    ]);
    lines.length = 0;
    vi.advanceTimersByTime(60_000);
    await end(failed("no node answers"));
    vi.advanceTimersByTime(60_000);
    await end(failed("no node answers"));
    expect(lines).toMatchObject([{ level: "warn", problem: "no node answers" }]);
    lines.length = 0;
    vi.advanceTimersByTime(60_000);
    await end(OK);
    expect(lines).toMatchObject([{ level: "info", msg: "The audit finds no differences" }]);
    auditor.stop();
  });

  it.each(["Nothing is indexed yet.", "The backfill is not over: audit when /v1/ready answers 200."])(
    "is silent on its own while there is nothing to audit: %s",
    async (problem) => {
      const { auditor, end, lines } = auditing(60);
      vi.advanceTimersByTime(60_000);
      await end(failed(problem));
      expect(auditor.state()).toEqual({ running: null, last: null });
      vi.advanceTimersByTime(60_000);
      await end(OK);
      expect(lines).toEqual([]);
      expect(auditor.state().last).toEqual(OK);
      auditor.start();
      vi.advanceTimersByTime(10_000);
      auditor.start();
      await end(failed(problem));
      expect(auditor.state().last).toMatchObject({ status: "failed", problem });
      auditor.stop();
    },
  );
});
