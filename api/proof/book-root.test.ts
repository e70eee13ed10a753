import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { ALICE, ESCROW, OTHER_ESCROW, placeAt } from "../../test/harness/book.ts";
import {
  type MemoryTables,
  memoryBookQueries,
  tablesOfEvents,
  type UnfoldedEvent,
} from "../../test/harness/memory-book.ts";
import { recordedLog, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { type BookEvent, rootOf } from "./book-leaves.ts";
import { createBookRoots } from "./book-root.ts";
import { leavesOf } from "./book-tree.ts";

const MADE_UP = await snapshotOf(tablesOf());
const pause = async () => {};
const FORKS = ["0xaa", "0xbb", "0xcc"] as const;

function snapshotAt(finalized: bigint, events: readonly UnfoldedEvent[]): Snapshot {
  const lastChanged = { number: events.at(-1)?.blockNumber ?? 0n, timestamp: 0n };
  return { ...MADE_UP, backfilled: true, finalized: { number: finalized, timestamp: 0n }, lastChanged };
}

/** Three listings in one ledger, an event after another; up to two events in a block. */
const chains = fc
  .tuple(
    arbitraryHistory({ escrowAddress: ESCROW, onchainId: 1n }),
    arbitraryHistory({ escrowAddress: ESCROW, onchainId: 2n }),
    arbitraryHistory({ escrowAddress: OTHER_ESCROW, onchainId: 1n }),
    fc.infiniteStream(fc.nat(3)),
  )
  .map(([one, two, three, turns]) => {
    const waiting = [[...one], [...two], [...three]];
    const events: ((fork: number) => UnfoldedEvent)[] = [];
    while (waiting.some((rest) => rest.length > 0)) {
      const event = waiting[turns.next().value ?? 0]?.shift();
      if (event === undefined) continue;
      const index = events.length;
      events.push((fork) => {
        const block = BigInt(Math.floor(index / 2) + 1);
        const at = placeAt(index + 1, block, event.at);
        const blockHash = `${FORKS[fork % 3]}${block.toString(16).padStart(62, "0")}` as Hex;
        const logIndex = 10 * (index % 2);
        return {
          ...at,
          blockNumber: block,
          logIndex,
          kind: event.kind,
          args: toLedgerArgs(event.args),
          blockHash,
        };
      });
    }
    return events;
  });

const sha256 = (...pieces: (string | Buffer)[]) => {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest();
};

/** The root by its definition in docs/book-root.md, over leaves by key. */
function hashOfLeaves(leaves: ReadonlyMap<string, object>): Buffer {
  const [[key = "", only] = [], second] = [...leaves];
  if (only === undefined) return sha256();
  if (second === undefined) return sha256("\0", canonicalize(only) ?? "");
  const keys = [...leaves.keys()];
  let length = 0;
  while (keys.every((other) => other.startsWith(key.slice(0, length + 1)))) length += 1;
  const groups = Map.groupBy([...leaves].toSorted(), ([other]) => other.charAt(length));
  const pieces = [...groups].flatMap(([digit, group]) => [digit, hashOfLeaves(new Map(group))]);
  return sha256("\u0001", ...pieces);
}

const hex = (value: bigint | number, digits: number) => value.toString(16).padStart(digits, "0");
const strings = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === "bigint" ? `${value}` : value]),
  );
const PERSONS = ["backer", "payer", "account", "to", "holder", "seller", "buyer"];

/** Columns that the document leaves out. */
const NOT_COVERED = ["termsUpdates", "termsUpdatedAt"];
const covered = (row: ListingRow) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !NOT_COVERED.includes(name)));

function expectedRoot({ ledger, listings }: MemoryTables): Hex {
  const events = ledger.map(({ eventId: _, ...row }): [string, object] => {
    const args = Object.entries(row.args).map(([name, value]) => [
      name,
      PERSONS.includes(name) && typeof value === "string" ? `0x${sha256(value).toString("hex")}` : value,
    ]);
    const key = hex(row.blockNumber, 10) + hex(row.logIndex, 8) + hex(row.part, 2);
    return [key, { ...strings(row), args: Object.fromEntries(args) }];
  });
  const rows = listings.map((row): [string, object] => [
    sha256(`${row.escrowAddress}:${row.onchainId}`).toString("hex"),
    strings(covered(row)),
  ]);
  const trees = [rows, events].map((leaves) => hashOfLeaves(new Map(leaves)));
  return `0x${sha256("raisebook book 1\n", ...trees).toString("hex")}`;
}

const upTo = (block: bigint, events: readonly UnfoldedEvent[]) =>
  tablesOfEvents(events.filter(({ blockNumber }) => blockNumber <= block));

/** A subscription a block, of the listings in turn. */
function subscriptions(count: number, listings: number, first = 0): UnfoldedEvent[] {
  return Array.from({ length: count }, (_, index): UnfoldedEvent => {
    const number = first + index + 1;
    const { eventId, txHash, blockTime } = placeAt(number, BigInt(number));
    const pair = { escrowAddress: ESCROW, onchainId: BigInt((index % listings) + 1), logIndex: 0, part: 0 };
    const args = { backer: ALICE, payer: ALICE, amount: "5", bidRateBps: 0, totalRaised: "5" };
    const block = { blockNumber: BigInt(number), blockHash: txHash, blockTime };
    return { ...pair, ...block, eventId, txHash, kind: "subscribed", args };
  });
}

describe("the root of the book", () => {
  it("is that of the final rows alone, however the head moves and is reorganised, now and as of earlier blocks", async () => {
    const steps = fc.array(fc.record({ on: fc.nat(6), depth: fc.nat(4), trail: fc.nat(5) }), {
      maxLength: 12,
    });
    const property = fc.asyncProperty(chains, steps, fc.nat(40), async (chain, moves, earlier) => {
      let events: UnfoldedEvent[] = [];
      let tables = tablesOfEvents([]);
      let head = 0;
      let final = 0n;
      const past: bigint[] = [];
      const roots = createBookRoots({
        queries: memoryBookQueries(() => tables),
        pastListings: async () => [],
        ...{ pause, log: recordedLog().log },
      });
      for (const [fork, { on, depth, trail }] of moves.entries()) {
        const left = Math.max(head - depth, Number(final));
        head = left + on;
        const kept = events.filter(({ blockNumber }) => blockNumber <= left);
        const added = chain.slice(kept.length).map((event) => event(fork));
        events = [...kept, ...added.filter(({ blockNumber }) => blockNumber <= head)];
        tables = tablesOfEvents(events);
        if (BigInt(head - trail) > final) final = BigInt(head - trail);
        past.push(final);
        const snapshot = snapshotAt(final, events);
        await roots.follow(snapshot);
        const root = expectedRoot(upTo(final, events));
        expect(await roots.finalRoot(snapshot)).toBe(root);
        const last = events.findLast(({ blockNumber }) => blockNumber <= final);
        expect(roots.lastRoot()).toEqual(last ? { blockNumber: `${last.blockNumber}`, hash: root } : null);
      }
      const block = past[earlier % Math.max(past.length, 1)] ?? 0n;
      const book = await roots.at(snapshotAt(final, events), block);
      if ("reason" in book) throw new Error(book.detail);
      expect(rootOf(book)).toBe(expectedRoot(upTo(block, events)));
    });
    await fc.assert(property, { numRuns: 60, endOnFailure: true });
  });

  it("is rebuilt when a final block was replaced, without making callers wait", async () => {
    const [chain = []] = fc.sample(chains, { numRuns: 1, seed: 3 });
    const fork = (number: number) => chain.map((event) => event(number));
    let tables = tablesOfEvents(fork(0));
    const queries = memoryBookQueries(() => tables);
    const { events: read } = queries;
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const { log, lines } = recordedLog();
    const roots = createBookRoots({ queries, pastListings: async () => [], pause, log, patience: 50 });
    await roots.follow(snapshotAt(1n, fork(0)));
    tables = tablesOfEvents(fork(1));
    const later = snapshotAt(1_000n, fork(1));
    Object.assign(queries, { events: (...args: Parameters<typeof read>) => gate.then(() => read(...args)) });
    expect([await roots.finalRoot(later), roots.lastRoot()]).toEqual([null, null]);
    expect(JSON.stringify(lines)).toContain("a final block was replaced");
    expect(await roots.at(later, 1_000n)).toMatchObject({ reason: "backfilling" });
    expect(await roots.finalRoot(later)).toBeNull();
    open();
    await roots.follow(later);
    expect(await roots.finalRoot(later)).toBe(expectedRoot(tables));
  });

  it("is not carried on after a reorg of what was final by depth, though no event came since", async () => {
    const kept = subscriptions(8, 2);
    const replaced = kept.map((event) => {
      const args = { ...event.args, totalRaised: "7" };
      return { ...event, blockHash: `${event.blockHash.slice(0, -2)}bb` as Hex, args };
    });
    let tables = tablesOfEvents(kept);
    const queries = memoryBookQueries(() => tables);
    const roots = createBookRoots({ queries, pastListings: async () => [], pause, log: recordedLog().log });
    await roots.follow(snapshotAt(4n, kept));
    tables = tablesOfEvents(replaced);
    const later = { ...snapshotAt(5n, replaced), reverts: (MADE_UP.reverts ?? 0) + 1 };
    // A caller that comes while the reorg is being detected does not wait either.
    await Promise.all([roots.follow(later), roots.at(later, 5n)]);
    expect(roots.lastRoot()).toBeNull();
    await roots.follow(later);
    expect(await roots.finalRoot(later)).toBe(expectedRoot(upTo(5n, replaced)));
  });

  it("stays right where the final block goes back and every event stays", async () => {
    const events = subscriptions(20, 5);
    const queries = memoryBookQueries(() => tablesOfEvents(events));
    const roots = createBookRoots({ queries, pastListings: async () => [], pause, log: recordedLog().log });
    await roots.follow(snapshotAt(15n, events));
    const back = { ...snapshotAt(10n, events), reverts: (MADE_UP.reverts ?? 0) + 1 };
    await roots.follow(back);
    expect(await roots.finalRoot(back)).toBe(expectedRoot(upTo(10n, events)));
  });

  it("changes with every single member of a listing and of an event", async () => {
    const [chain = []] = fc.sample(chains, { numRuns: 1, seed: 3 });
    const tables = tablesOfEvents(chain.map((event) => event(0)));
    const rootFor = async (changed: MemoryTables) => {
      const queries = memoryBookQueries(() => changed);
      const roots = createBookRoots({ queries, pastListings: async () => [], pause, log: recordedLog().log });
      const book = await roots.at(snapshotAt(1_000n, changed.ledger), 1_000n);
      return "reason" in book ? book.reason : rootOf(book);
    };
    const seen = new Set([await rootFor(tables)]);
    let changes = 1;
    const other = (value: unknown) =>
      typeof value === "bigint"
        ? value + 500n
        : typeof value === "number"
          ? value + 1
          : `0x${"77".repeat(20)}`;
    const expectOther = async (changed: Partial<MemoryTables>) => {
      changes += 1;
      seen.add(await rootFor({ ...tables, ...changed }));
      expect(seen.size).toBe(changes);
    };
    const [row, ...rows] = tables.listings;
    if (row === undefined) throw new Error("there is no listing");
    for (const name of Object.keys(covered(row)) as (keyof ListingRow)[])
      await expectOther({ listings: [{ ...row, [name]: other(row[name]) } as ListingRow, ...rows] });
    const updated = { ...row, termsUpdates: 7, termsUpdatedAt: 7n };
    expect(seen).toContain(await rootFor({ ...tables, listings: [updated, ...rows] }));
    const place = tables.ledger.findIndex(({ kind }) => kind === "subscribed");
    const event = tables.ledger[place];
    if (event === undefined) throw new Error("there is no subscription");
    const changedEvents = [
      ...(Object.keys(event) as (keyof BookEvent)[])
        .filter((name) => name !== "eventId" && name !== "args")
        .map((name) => ({ ...event, [name]: other(event[name]) })),
      ...Object.keys(event.args).map((name) => ({ ...event, args: { ...event.args, [name]: "7" } })),
    ] as BookEvent[];
    for (const changed of changedEvents) await expectOther({ ledger: tables.ledger.with(place, changed) });
    await expectOther({ ledger: tables.ledger.toSpliced(place, 1) });
    await expectOther({ listings: rows });
    expect(changes).toBeGreaterThan(60);
  });

  it("reads a book of many rows in parts, and keeps none of them", async () => {
    const events = subscriptions(700, 520);
    const tables = tablesOfEvents(events);
    const queries = memoryBookQueries(() => tables);
    const sizes: number[] = [];
    const measured = <Read extends (...args: never[]) => Promise<readonly unknown[]>>(read: Read) =>
      (async (...args: Parameters<Read>) => {
        const rows = await read(...args);
        sizes.push(rows.length);
        return rows;
      }) as Read;
    const { events: readEvents, listings, listingsAfter } = queries;
    Object.assign(queries, {
      ...{ events: measured(readEvents), listings: measured(listings) },
      listingsAfter: measured(listingsAfter),
    });
    const roots = createBookRoots({ queries, pastListings: async () => [], pause, log: recordedLog().log });
    const book = await roots.at(snapshotAt(700n, events), 700n);
    if ("reason" in book) throw new Error(book.detail);
    expect(rootOf(book)).toBe(expectedRoot(tables));
    expect(queries.rowsRead).toBe(700 + 520);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(250);

    // Every listing changes at once.
    const later = [...events, ...subscriptions(600, 520, 700)];
    const grown = tablesOfEvents(later);
    const follower = createBookRoots({
      queries: {
        ...memoryBookQueries(() => grown),
        listings: measured(memoryBookQueries(() => grown).listings),
      },
      ...{ pastListings: async () => [], pause, log: recordedLog().log },
    });
    await follower.follow(snapshotAt(700n, later));
    sizes.length = 0;
    await follower.follow(snapshotAt(1_300n, later));
    expect(await follower.finalRoot(snapshotAt(1_300n, later))).toBe(expectedRoot(grown));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(250);
    const listed = await follower.at(snapshotAt(1_300n, later), 1_300n);
    if ("reason" in listed) throw new Error(listed.detail);
    const leaves = [...leavesOf(listed.listings)].slice(0, 16);
    const rows = await follower.listingsOf(listed, leaves);
    expect(rows.map((row) => row && sha256(`${row.escrowAddress}:${row.onchainId}`).toString("hex"))).toEqual(
      leaves.map(({ key }) => key),
    );
  });

  it("costs a block what it changed", async () => {
    const blocks = 400;
    const events = subscriptions(blocks, 300);
    const tables = tablesOfEvents(events);
    const queries = memoryBookQueries(() => tables);
    const roots = createBookRoots({ queries, pastListings: async () => [], pause, log: recordedLog().log });
    await roots.follow(snapshotAt(BigInt(blocks - 10), events));
    queries.rowsRead = 0;
    await roots.follow(snapshotAt(BigInt(blocks - 8), events));
    // Two events, their two listings, and no more than the events of each.
    expect(queries.rowsRead).toBeLessThanOrEqual(8);
  });
});
