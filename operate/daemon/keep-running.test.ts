import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { type Child, keepRunning, type RestartDelays, YOUNG_HEAP } from "./keep-running.ts";

const DELAYS = { shortest: 1, longest: 4 };

/** Runs children that end with these codes; the last one is not started again. */
async function delaysOf(codes: readonly number[], delays: RestartDelays = DELAYS): Promise<number[]> {
  const seen: number[] = [];
  let started = 0;
  await keepRunning({
    start: () => ({ stop() {}, exited: Promise.resolve(codes[started++] ?? 0) }),
    onEnd(_code, { delayMs }) {
      seen.push(delayMs);
      return started < codes.length;
    },
    delays,
    signal: new AbortController().signal,
  });
  return seen;
}

/** A child that ends when it is asked to. */
function lasting(): Child<string> & { stop: ReturnType<typeof vi.fn> } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { exited: promise, stop: vi.fn(() => resolve("stopped")) };
}

describe("keepRunning", () => {
  it("doubles the delay up to the longest", async () => {
    expect(await delaysOf([1, 1, 1, 1, 1])).toEqual([1, 2, 4, 4, 4]);
  });

  it("starts again at once the first time, where that is wanted", async () => {
    expect(await delaysOf([1, 1, 1, 1], { ...DELAYS, first: 0 })).toEqual([0, 1, 2, 4]);
  });

  it("takes the first delay again after a steady run", async () => {
    expect(await delaysOf([1, 1, 1], { ...DELAYS, steadyAfter: 0 })).toEqual([1, 1, 1]);
  });

  it("stops the child on request, and does not start it again", async () => {
    const stopping = new AbortController();
    const child = lasting();
    const start = vi.fn(() => child);
    const ended = keepRunning({ start, onEnd: () => true, delays: DELAYS, signal: stopping.signal });
    await vi.waitFor(() => expect(start).toHaveBeenCalled());
    stopping.abort();
    expect(await ended).toBe("stopped");
    expect(start).toHaveBeenCalledTimes(1);
  });

  it("stops a child that was starting when the request came", async () => {
    const stopping = new AbortController();
    const child = lasting();
    const start = async () => {
      stopping.abort();
      return child;
    };
    expect(await keepRunning({ start, onEnd: () => true, delays: DELAYS, signal: stopping.signal })).toBe(
      "stopped",
    );
    expect(child.stop).toHaveBeenCalledTimes(1);
  });

  it("ends without a child when the request comes between two runs", async () => {
    const stopping = new AbortController();
    const ended = keepRunning({
      start: () => ({ stop() {}, exited: Promise.resolve(1) }),
      onEnd() {
        stopping.abort();
        return true;
      },
      delays: { shortest: 60_000, longest: 60_000 },
      signal: stopping.signal,
    });
    expect(await ended).toBeNull();
  });
});

it("every command that keeps running has the young generation of its children", () => {
  const { deliver, demo, serve, start } = packageJson.scripts;
  for (const script of [deliver, demo, serve, start]) expect(script).toContain(`exec node ${YOUNG_HEAP} `);
  expect(readFileSync(new URL("../cli/raisebook.mjs", import.meta.url), "utf8")).toContain(`"${YOUNG_HEAP}"`);
});
