import { describe, expect, it, vi } from "vitest";
import { problemWith } from "../../config/problems.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { createProgress, type Run, type SuperviseParameters, supervise } from "./supervise.ts";

// Ponder's own codes, written out: what the code under test takes for them is what is tested.
const EXIT_REFUSED = 1;
const EXIT_RETRYABLE = 75;

/** A child that ends with the given code, or, given none, on `stop` with `codeOnStop`. */
function child(code: number | null, codeOnStop = 0, failure: string | null = null) {
  const { promise, resolve } = Promise.withResolvers<number>();
  if (code !== null) resolve(code);
  const stop = vi.fn(() => {
    resolve(codeOnStop);
    return promise;
  });
  return { exited: promise, stop, lastFailure: () => failure };
}

type Entry = { msg: string; [field: string]: unknown };

function run(children: readonly ReturnType<typeof child>[], options: Partial<SuperviseParameters> = {}) {
  const stopping = new AbortController();
  const lines: Entry[] = [];
  const runs: Run[] = [];
  const result = supervise({
    start: async (next) => {
      runs.push(next);
      return children[runs.length - 1] ?? child(EXIT_REFUSED);
    },
    obstacles: async () => [],
    usesWebSocket: true,
    log: {
      info: (entry) => lines.push(entry),
      warn: (entry) => lines.push(entry),
      error: (entry) => lines.push(entry),
    },
    signal: stopping.signal,
    firstDelay: 1,
    longestDelay: 4,
    obstacleInterval: 1,
    mostFailures: 100,
    ...options,
  });
  const delays = () => lines.flatMap(({ delayMs }) => (delayMs === undefined ? [] : [delayMs]));
  return { result, lines, runs, delays, stopping };
}

describe("supervise", () => {
  it("ends when a restart would not help, and says so", async () => {
    const { result, runs, lines } = run([child(EXIT_REFUSED)]);
    expect([await result, runs.length]).toEqual([EXIT_REFUSED, 1]);
    expect(lines).toEqual([{ msg: expect.stringContaining("a restart does not fix"), code: 1 }]);
  });

  it.each([
    [0, "as if asked to"],
    // Ponder's own code for what may pass: the number itself, of which the constant is a copy.
    [75, "may pass"],
    [13, "ended with code 13"],
    [126, "could not be started"],
    [134, "SIGABRT: most likely its heap was full"],
    [137, "SIGKILL: most likely the system was out of memory"],
    [143, "was ended by SIGTERM"],
  ])("starts again after code %i, and says why in the log and to the new run", async (code, cause) => {
    const { result, runs, lines } = run([child(code)]);
    expect(await result).toBe(EXIT_REFUSED);
    expect(lines[0]).toMatchObject({ code, cause: expect.stringContaining(cause) });
    expect(runs.map(({ restarts }) => restarts)).toEqual([
      { count: 0, reason: null },
      { count: 1, reason: lines[0]?.cause },
    ]);
  });

  it("starts again later and later up to a limit", async () => {
    const { result, runs, delays } = run(Array.from({ length: 5 }, () => child(EXIT_RETRYABLE)));
    await result;
    expect(runs).toHaveLength(6);
    expect(delays()).toEqual([1, 2, 4, 4, 4]);
  });

  it("begins with the first delay again after a long run", async () => {
    const failing = Array.from({ length: 3 }, () => child(EXIT_RETRYABLE));
    const { result, delays } = run(failing, { steadyAfter: 0 });
    await result;
    expect(delays()).toEqual([1, 1, 1]);
  });

  it("gives up after so many failures in a row, unless the indexer was live in between", async () => {
    const failing = Array.from({ length: 9 }, () => child(137));
    const given = run(failing, { mostFailures: 3 });
    expect([await given.result, given.runs.length]).toEqual([137, 3]);
    expect(given.lines.at(-1)).toMatchObject({ msg: expect.stringContaining("3 times in a row"), code: 137 });

    const live = run([], {
      mostFailures: 3,
      start: async ({ restarts, onMessage }) => {
        if (restarts.count % 2 === 0) onMessage({ kind: "live" });
        return child(restarts.count === 9 ? EXIT_REFUSED : 137);
      },
    });
    expect(await live.result).toBe(EXIT_REFUSED);
  });

  it("gives up although readers were live before the first run, as of a machine that has taken over", async () => {
    const progress = createProgress();
    progress.onMessage({ kind: "live" });
    let started = 0;
    const { result } = run([], {
      mostFailures: 3,
      async start(next) {
        started += 1;
        progress.begin(next);
        return child(started < 20 ? 137 : EXIT_REFUSED);
      },
    });
    expect([await result, started]).toEqual([137, 4]);
  });

  it("waits for as long as something stands in the way", async () => {
    const taken = [problemWith("PORT", "cannot be used")];
    const answers = [taken, taken, []];
    const { result, runs, lines, delays } = run([child(137), child(137)], {
      mostFailures: 3,
      obstacles: async () => answers.shift() ?? [],
    });
    expect(await result).toBe(EXIT_REFUSED);
    expect(runs).toHaveLength(3);
    expect(lines.slice(1, 3)).toEqual([
      { msg: "PORT cannot be used" },
      { msg: "The indexer can start again", seconds: 0 },
    ]);
    // The obstacle was the reason that it ended.
    expect(delays()).toEqual([1, 1]);
  });

  it("polls for good once the WebSocket was silent, and gives other stalls some minutes", async () => {
    const failure = "Failed to fetch latest block: blockHash is not supported";
    const children = [child(null), child(null, 0, failure), child(EXIT_REFUSED)];
    const { result, runs, lines } = run(children);
    await vi.waitFor(() => expect(runs).toHaveLength(1), PATIENCE);
    runs[0]?.onMessage({ kind: "stalled", isLong: false, indexed: "214", head: "274" });
    await vi.waitFor(() => expect(runs).toHaveLength(2), PATIENCE);
    expect(runs[1]).toMatchObject({ webSocketFailed: true, restarts: { count: 1 } });
    expect(lines[0]?.cause).toMatch(/214 of 274: the WebSocket is silent/);
    runs[1]?.onMessage({ kind: "stalled", isLong: false, indexed: "300", head: "360" });
    expect(children[1]?.stop).not.toHaveBeenCalled();
    runs[1]?.onMessage({ kind: "stalled", isLong: true, indexed: "300", head: "660" });
    expect(children[1]?.stop).toHaveBeenCalledOnce();
    await result;
    expect(lines[1]?.cause).toMatch(`300 of 660: it had stalled for minutes; its last failure: ${failure}`);
    expect(runs[2]?.webSocketFailed).toBe(true);
  });

  it("stops the indexer once when asked to, and ends with 0, also when a signal to the group was faster", async () => {
    for (const code of [0, 129, 130, 143]) {
      const running = child(null, code);
      const { result, stopping, runs } = run([running]);
      stopping.abort();
      expect(await result).toBe(0);
      expect(running.stop).toHaveBeenCalledTimes(1);
      expect(runs).toHaveLength(1);
    }
  });

  it("says so when the indexer had to be killed", async () => {
    const { result, stopping } = run([child(null, 137)]);
    stopping.abort();
    expect(await result).toBe(137);
  });

  it("does not start again when asked to stop between two starts", async () => {
    const stopping = new AbortController();
    const start = vi.fn(async () => child(EXIT_RETRYABLE));
    const log = { info: () => {}, warn: () => stopping.abort(), error: () => {} };
    const { result } = run([], { start, log, signal: stopping.signal, firstDelay: 60_000 });
    expect(await result).toBe(0);
    expect(start).toHaveBeenCalledTimes(1);
  });
});
