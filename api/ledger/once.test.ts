import { describe, expect, it, vi } from "vitest";
import { createOnce } from "./once.ts";

const MARKET = {};

describe("work that is under way", () => {
  it("is shared by those who ask for the same of the same market", async () => {
    const once = createOnce<number>();
    const { promise, resolve } = Promise.withResolvers<number>();
    const work = vi.fn(() => promise);
    const all = [once(MARKET, "a", work), once(MARKET, "a", work), once(MARKET, "a", work)];
    resolve(7);
    expect(await Promise.all(all)).toEqual([7, 7, 7]);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it("is not shared with those who ask for something else, or of another market", async () => {
    const once = createOnce<string>();
    const found = await Promise.all([
      once(MARKET, "a", async () => "one"),
      once(MARKET, "b", async () => "two"),
      once({}, "a", async () => "three"),
    ]);
    expect(found).toEqual(["one", "two", "three"]);
  });

  it.each([
    ["done", async () => 1],
    ["failed", () => Promise.reject(new Error("away"))],
  ])("is done again once it has %s", async (_name, first) => {
    const once = createOnce<number>();
    await once(MARKET, "a", first).catch(() => {});
    expect(await once(MARKET, "a", async () => 2)).toBe(2);
  });

  it("fails for all who share it", async () => {
    const once = createOnce<number>();
    const fail = () => Promise.reject(new Error("away"));
    const all = await Promise.allSettled([once(MARKET, "a", fail), once(MARKET, "a", async () => 1)]);
    expect(all.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
