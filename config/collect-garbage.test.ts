import { expect, it } from "vitest";
import { collectGarbage } from "./collect-garbage.ts";

it("frees what is not used any more", () => {
  let lists: number[][] | null = Array.from({ length: 100 }, () => Array(50_000).fill(1));
  // 40 MB of numbers.
  const used = process.memoryUsage().heapUsed;
  expect(lists.length).toBe(100);
  lists = null;
  collectGarbage();
  expect(process.memoryUsage().heapUsed).toBeLessThan(used - 30_000_000);
});
