import { expect, it } from "vitest";
import type { LedgerQueries } from "./read.ts";
import type { LedgerQuery } from "./read-events.ts";
import { readNewest } from "./read-newest.ts";

const NONE = { size: 0, has: () => false, pairs: () => [] };
const place = (blockNumber: bigint) => ({ blockNumber, logIndex: 0 });

/** What is read of these pages, each with the numbers of its rows; the last one comes again and again. */
async function readOf(pages: readonly { rows: number[]; next: bigint | null }[], limit: number) {
  const asked: (bigint | null)[] = [];
  const ofListings = (async (_: unknown, { before }: LedgerQuery) => {
    asked.push(before?.blockNumber ?? null);
    const page = pages[Math.min(asked.length, pages.length) - 1];
    return page && { rows: page.rows, next: page.next && place(page.next) };
  }) as unknown as LedgerQueries["ofListings"];
  const query = { kinds: null, since: null, until: null, before: null, limit };
  const found = await readNewest({ ofListings }, NONE, query);
  if (typeof found === "string") throw new Error(found);
  return { rows: found.rows, next: found.next?.blockNumber ?? null, asked };
}

it.each([
  ["the first page has enough", 2, [1, 2], null, [null]],
  ["a later page has more than enough", 4, [1, 2, 3, 4], null, [null, 90n, 80n]],
  ["all have too few", 9, [1, 2, 3, 4, 5], null, [null, 90n, 80n]],
])("reads as many pages as it takes where %s", async (_, limit, rows, next, asked) => {
  const pages = [
    { rows: [1, 2], next: 90n },
    { rows: [3], next: 80n },
    { rows: [4, 5], next: null },
  ];
  expect(await readOf(pages, limit)).toEqual({ rows, next, asked });
});

it("has a next page after five that were too few", async () => {
  const asked = [null, 70n, 70n, 70n, 70n];
  expect(await readOf([{ rows: [], next: 70n }], 3)).toEqual({ rows: [], next: 70n, asked });
});
