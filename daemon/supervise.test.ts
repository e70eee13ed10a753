import { describe, expect, it, vi } from "vitest";
import { EXIT_BY_SIGINT } from "./indexer.ts";
import { EXIT_RETRYABLE, supervise } from "./supervise.ts";

/** A child that ends with the given code, or, given none, on `stop` with `codeOnStop`. */
function child(code: number | null, codeOnStop = 0) {
  const { promise, resolve } = Promise.withResolvers<number>();
  if (code !== null) resolve(code);
  const stop = vi.fn(() => {
    resolve(codeOnStop);
    return promise;
  });
  return { exited: promise, stop };
}

function run(children: readonly ReturnType<typeof child>[], options: { steadyAfter?: number } = {}) {
  const stopping = new AbortController();
  const delays: unknown[] = [];
  let started = 0;
  const result = supervise({
    start: () => children[started++] ?? child(99),
    log: { warn: ({ delayMs }) => void delays.push(delayMs) },
    signal: stopping.signal,
    firstDelay: 1,
    longestDelay: 4,
    ...options,
  });
  return { result, delays, stopping, started: () => started };
}

describe("supervise", () => {
  it("ends with the indexer's own code", async () => {
    for (const code of [0, 1, 137]) {
      const { result, started } = run([child(code)]);
      expect([await result, started()]).toEqual([code, 1]);
    }
  });

  it("starts again after code 75, later and later up to a limit", async () => {
    const failing = Array.from({ length: 5 }, () => child(EXIT_RETRYABLE));
    const { result, delays, started } = run([...failing, child(3)]);
    expect(await result).toBe(3);
    expect(started()).toBe(6);
    expect(delays).toEqual([1, 2, 4, 4, 4]);
  });

  it("begins with the first delay again after a long run", async () => {
    const failing = Array.from({ length: 3 }, () => child(EXIT_RETRYABLE));
    const { result, delays } = run([...failing, child(0)], { steadyAfter: 0 });
    await result;
    expect(delays).toEqual([1, 1, 1]);
  });

  it("stops the indexer once when asked to, and ends with 0", async () => {
    for (const code of [0, EXIT_BY_SIGINT]) {
      const running = child(null, code);
      const { result, stopping, started } = run([running]);
      stopping.abort();
      expect(await result).toBe(0);
      expect(running.stop).toHaveBeenCalledTimes(1);
      expect(started()).toBe(1);
    }
  });

  it("says so when the indexer had to be killed", async () => {
    const { result, stopping } = run([child(null, 137)]);
    stopping.abort();
    expect(await result).toBe(137);
  });

  it("does not start again when asked to stop between two starts", async () => {
    const stopping = new AbortController();
    const start = vi.fn(() => child(EXIT_RETRYABLE));
    const result = supervise({
      start,
      log: { warn: () => stopping.abort() },
      signal: stopping.signal,
      firstDelay: 60_000,
    });
    expect(await result).toBe(0);
    expect(start).toHaveBeenCalledTimes(1);
  });
});
