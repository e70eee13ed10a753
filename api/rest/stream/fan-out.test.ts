import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { rowsOf } from "../../../test/harness/streamed-chain.ts";
import type { Listing } from "../../market/schema.ts";
import { createFanOut, type Member } from "./fan-out.ts";
import { filterOf } from "./filter.ts";
import type { Item } from "./followed.ts";
import { rowFrameOf } from "./frames.ts";
import { createJournal } from "./journal.ts";

const { market } = await snapshotOf(tablesOf());
const [first, second] = market.listings.all() as [Listing, Listing];
const pairs = [first, second].map(({ escrowAddress, onchainId }) => ({ escrowAddress, onchainId }) as never);

/** A row of a listing, in a block of its own. */
function rowOf(listing: Listing, number: bigint): Item {
  const [row] = rowsOf({ number, fork: 1, rows: 1 }, listing);
  const entry = row && rowFrameOf(row, market, false);
  if (!entry) throw new Error("the listing is visible");
  return { kind: "ledger", entry, bytes: entry.frame("pending") };
}

function streams(journalBytes?: number) {
  const journal = createJournal(journalBytes);
  const fanOut = createFanOut(() => journal);
  const join = (query: Partial<Parameters<typeof filterOf>[0]> = {}) => {
    const written: string[] = [];
    const client = { isReady: true, looks: 0 };
    const member: Member = {
      filter: filterOf({ pair: null, listings: {}, ...query }, new Map()),
      channel: {
        isReady() {
          client.looks += 1;
          return client.isReady;
        },
        write: ({ bytes }) => void written.push(Buffer.from(bytes).toString()),
        end: vi.fn(),
      },
      ...{ heard: journal.end(), isBehind: false, toldAt: 0, ended: false },
      readAgain: vi.fn(),
    };
    fanOut.add(member);
    fanOut.attach(member);
    return { member, written, client };
  };
  const publish = (...items: Item[]) => {
    const place = journal.end();
    journal.add(items);
    fanOut.tellAll(place);
  };
  return { fanOut, join, publish };
}

/** The blocks of the rows that were written. */
const blocksIn = (written: readonly string[]) =>
  [...written.join("").matchAll(/"blockNumber":"(\d+)"/g)].map(([, number]) => Number(number));

it("asks nothing of followers whose filter no row has", async () => {
  const { join, publish } = streams();
  const all = join();
  const own = join({ pair: pairs[0] });
  const others = [
    join({ pair: pairs[1] }),
    join({ kind: ["subscribed"] }),
    join({ listings: { originator: "org_nobody" } }),
  ];
  for (let number = 1; number <= 3; number++) publish(rowOf(first, BigInt(number)));
  await vi.waitFor(() => expect(blocksIn(own.written)).toEqual([1, 2, 3]));
  expect(blocksIn(all.written)).toEqual([1, 2, 3]);
  for (const { client, written } of others) expect([client.looks, written]).toEqual([0, []]);
  publish(rowOf(second, 4n));
  await vi.waitFor(() => expect(blocksIn(others[0]?.written ?? [])).toEqual([4]));
  expect(blocksIn(own.written)).toEqual([1, 2, 3]);
});

it("finds a business's followers by its rows", async () => {
  const { join, publish } = streams();
  const { originator } = first;
  const mine = join({ listings: { originator } });
  publish(rowOf(first, 1n));
  await vi.waitFor(() => expect(blocksIn(mine.written)).toEqual([1]));
});

it("encodes a piece once for all who get the same one", async () => {
  const { join, publish } = streams();
  const pieces: unknown[] = [];
  for (const { member } of [join(), join(), join({ pair: pairs[0] }), join({ pair: pairs[0] })])
    (member.channel as { write: unknown }).write = (piece: unknown) => pieces.push(piece);
  publish(rowOf(first, 1n));
  await vi.waitFor(() => expect(pieces).toHaveLength(4));
  expect(new Set(pieces).size).toBe(2);
});

it("sends a slow follower what it missed, once, and serves others meanwhile", async () => {
  const { fanOut, join, publish } = streams();
  const [slow, quick] = [join(), join()];
  slow.client.isReady = false;
  for (let number = 1; number <= 2; number++) publish(rowOf(first, BigInt(number)));
  await vi.waitFor(() => expect(blocksIn(quick.written)).toEqual([1, 2]));
  expect(slow.written).toEqual([]);
  slow.client.isReady = true;
  fanOut.ready(slow.member);
  publish(rowOf(first, 3n));
  await vi.waitFor(() => expect(blocksIn(slow.written)).toEqual([1, 2, 3]));
});

it("ends all that follow when a block has more than the journal holds, so that they resume from the tables", async () => {
  const { fanOut, join, publish } = streams(5_000);
  const [all, own] = [join(), join({ pair: pairs[1] })];
  publish(rowOf(first, 1n));
  await vi.waitFor(() => expect(blocksIn(all.written)).toEqual([1]));
  publish(...Array.from({ length: 50 }, (_, index) => rowOf(first, BigInt(2 + index))));
  for (const { member } of [all, own]) expect(member.ended).toBe(true);
  expect(fanOut.size()).toBe(0);
  const next = join();
  publish(rowOf(first, 60n));
  await vi.waitFor(() => expect(blocksIn(next.written)).toEqual([60]));
  expect(blocksIn(all.written)).toEqual([1]);
});

it("writes to thousands in slices, so that other work goes on, and to no follower that has left", async () => {
  const { fanOut, join, publish } = streams();
  const all = Array.from({ length: 3_000 }, () => join());
  let slices = 0;
  let before = 0;
  let told = 0;
  for (const { member } of all) {
    const { write } = member.channel;
    member.channel.write = (piece) => {
      told += 1;
      // Some time, as a socket takes.
      const until = performance.now() + 0.005;
      while (performance.now() < until);
      write(piece);
    };
  }
  publish(rowOf(first, 1n));
  publish(rowOf(first, 2n));
  const left = all.at(-1);
  if (left === undefined) throw new Error("there are many");
  fanOut.remove(left.member);
  while (told < 2 * 2_999) {
    if (told > before) slices += 1;
    before = told;
    await sleep(0);
  }
  expect(slices).toBeGreaterThan(5);
  expect(left.written).toEqual([]);
  for (const { written } of all.slice(0, -1)) expect(blocksIn(written)).toEqual([1, 2]);
});

it("ends all at once", () => {
  const { fanOut, join } = streams();
  const all = Array.from({ length: 50 }, () => join().member);
  fanOut.endAll();
  expect([fanOut.size(), all.every(({ ended }) => ended)]).toEqual([0, true]);
  for (const { channel } of all) expect(channel.end).toHaveBeenCalledOnce();
});
