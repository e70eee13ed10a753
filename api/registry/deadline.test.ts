import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createDeadline } from "./deadline.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

it("passes after its time without a byte", () => {
  const { signal } = createDeadline(10_000);
  vi.advanceTimersByTime(9_999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(2);
  expect(signal.aborted).toBe(true);
});

it("is a second later for each megabyte, and then passes", () => {
  const { signal, extend } = createDeadline(10_000);
  vi.advanceTimersByTime(9_000);
  extend(5_000_000);
  vi.advanceTimersByTime(5_999);
  expect(signal.aborted).toBe(false);
  vi.advanceTimersByTime(2);
  expect(signal.aborted).toBe(true);
});

it("never passes once it is cleared", () => {
  const { signal, clear } = createDeadline(10);
  clear();
  vi.advanceTimersByTime(1_000);
  expect(signal.aborted).toBe(false);
});
