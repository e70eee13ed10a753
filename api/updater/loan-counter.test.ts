import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { Listings } from "../market/listings.ts";
import type { Market } from "../market/market.ts";
import { createLoanCounter } from "./loan-counter.ts";

/** A market with so many portions of loans, each of which takes 3 ms. */
function marketOf(portions: number) {
  const countOn = vi.fn(() => {
    const end = performance.now() + 3;
    while (performance.now() < end);
    return --portions > 0;
  });
  const listings = new Listings([]);
  return { countOn, newest: () => ({ listings, overTime: { countOn } }) as unknown as Market };
}

it("counts to the end with pauses, and says so once", async () => {
  const { countOn, newest } = marketOf(6);
  const onCounted = vi.fn();
  const counter = createLoanCounter(newest, onCounted);
  counter.start();
  expect([countOn.mock.calls.length < 6, counter.isCounting]).toEqual([true, true]);
  expect(onCounted).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(onCounted).toHaveBeenCalled());
  expect(counter.isCounting).toBe(false);
  expect(countOn).toHaveBeenCalledTimes(6);
  await sleep(30);
  expect(onCounted).toHaveBeenCalledTimes(1);
});

it("ends without a word when it is stopped", async () => {
  const { countOn, newest } = marketOf(1_000);
  const onCounted = vi.fn();
  const counter = createLoanCounter(newest, onCounted);
  counter.start();
  counter.stop();
  const before = countOn.mock.calls.length;
  await sleep(30);
  expect([countOn.mock.calls.length, counter.isCounting]).toEqual([before, false]);
  expect(onCounted).not.toHaveBeenCalled();
});
