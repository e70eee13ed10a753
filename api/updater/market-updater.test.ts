import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  at,
  dollars,
  follow,
  INTERVAL,
  pass,
  useFakeTime,
  useRealTime,
} from "../../test/harness/market-updater.ts";
import { DOLLAR, DRAWN, entryDraft, HEAD, listingRow, registryOf } from "../../test/harness/rows.ts";
import { indexed } from "../registry/schema.ts";
import type { MarketKeeper } from "./market-keeper.ts";
import type { TableSnapshot } from "./tables.ts";

const TITLE = "A second oven";

beforeEach(useFakeTime);
afterEach(useRealTime);

describe("startMarketUpdater", () => {
  it("has no snapshot until there is an indexed block", async () => {
    const { updater, tables, raised } = follow(null);
    await pass(10 * INTERVAL);
    expect(updater.current()).toBeNull();
    tables.now = at(0n, 1n);
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(1n));
  });

  it("follows the head, and hands the reader what it returned last", async () => {
    const { updater, tables, rows, raised } = follow(at(0n, 1n));
    await pass(0);
    expect(raised()).toBe(dollars(1n));
    const first = tables.now;
    tables.now = at(1n, 2n);
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(2n));
    expect(updater.current()?.market.head).toMatchObject({
      number: HEAD.number + 1n,
      timestamp: HEAD.timestamp + 1n,
    });
    expect(rows.mock.calls[0]?.[0]).toBeNull();
    expect(rows.mock.calls[1]?.[0]).toBe(first);
  });

  it("projects again when only the head moves: the status can change with time", async () => {
    const { updater, tables } = follow(
      at(0n, 1n, { listings: [listingRow({ closeAt: HEAD.timestamp + 1n })] }),
    );
    await pass(0);
    expect(updater.current()?.market.listings.at(0)?.status).toBe("listed");
    tables.now = at(1n, 1n, { listings: [listingRow({ closeAt: HEAD.timestamp + 1n })] });
    await pass(INTERVAL);
    expect(updater.current()?.market.listings.at(0)?.status).toBe("refunding");
  });

  it("keeps the snapshot, by which answers are kept, while nothing changes", async () => {
    const { updater, tables } = follow(at(0n, 1n));
    await pass(0);
    const before = updater.current();
    tables.now = at(0n, 1n);
    await pass(5 * INTERVAL);
    expect(updater.current()).toBe(before);
  });

  it("reads no rows while only the head moves", async () => {
    const { updater, tables, rows } = follow(at(0n, 1n));
    await pass(0);
    tables.now = at(1n, 1n);
    await pass(5 * INTERVAL);
    expect(updater.current()?.market.head.number).toBe(HEAD.number + 1n);
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it("takes rows that have changed into the market that it has", async () => {
    const all = [1n, 2n].map((onchainId) => listingRow({ onchainId }));
    const { updater, tables, registry } = follow(at(0n, 1n, { listings: all }));
    registry.use(registryOf([entryDraft(), entryDraft({ onchainId: "2" })]));
    await pass(INTERVAL);
    const before = updater.current()?.market.listings;
    const changed = [listingRow({ onchainId: 2n, raisedAmount: 5n * DOLLAR })];
    tables.now = at(1n, 5n, { listings: changed, isWhole: false });
    await pass(INTERVAL);
    const after = updater.current()?.market.listings;
    expect(after?.map(({ raisedAmount }) => raisedAmount)).toEqual(["0", dollars(5n)]);
    expect(after?.at(0)).toBe(before?.at(0));
  });

  it("starts over if a reorg has taken the head to an earlier time", async () => {
    const closing = { listings: [listingRow({ closeAt: HEAD.timestamp + 5n })] };
    const { updater, tables, rows } = follow(at(9n, 1n, closing));
    await pass(0);
    expect(updater.current()?.market.listings.at(0)?.status).toBe("refunding");
    tables.now = at(3n, 1n, { ...closing, reverts: 1 });
    await pass(INTERVAL);
    expect(updater.current()?.market.listings.at(0)?.status).toBe("listed");
    expect(rows.mock.lastCall?.[0]).toBeNull();
  });

  it("calls nothing final any more that the indexer does not, as of a second endpoint that is still compared", async () => {
    const rows = { listings: [listingRow({ updatedBlock: HEAD.number })] };
    const finalityAt = (finalized: bigint) => ({ ...rows, finalized: { ...HEAD, number: finalized } });
    const { updater, tables } = follow(at(3n, 1n, finalityAt(HEAD.number)));
    const finality = () => updater.current()?.market.listings.at(0)?.finality;
    await pass(0);
    expect(finality()).toBe("final");
    tables.now = at(4n, 1n, finalityAt(0n));
    await pass(INTERVAL);
    expect(finality()).toBe("pending");
    tables.now = at(5n, 1n, finalityAt(HEAD.number));
    await pass(INTERVAL);
    expect(finality()).toBe("final");
  });

  it("shows no rows of a moment before the position that it has seen, as of an indexer that has just started again", async () => {
    const { tables, rows, raised } = follow(at(5n, 1n));
    await pass(0);
    for (const earlier of [at(3n, 9n), at(6n, 9n, { backfilled: false })]) {
      rows.mockResolvedValueOnce(earlier);
      tables.now = at(6n, 2n);
      await pass(INTERVAL);
      expect(raised()).toBe(dollars(1n));
    }
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(2n));
  });

  it("projects again when the registry changes", async () => {
    const { updater, registry } = follow(at(0n, 1n));
    await pass(0);
    registry.use(registryOf([entryDraft({ title: TITLE })]));
    await pass(INTERVAL);
    expect(updater.current()?.market.listings.at(0)?.title).toBe(TITLE);
  });

  it("reads no rows for a change of titles alone", async () => {
    const { updater, registry, rows } = follow(at(0n, 1n));
    await pass(0);
    const before = registry.current();
    const listings = before.listings.map((entry) => ({ ...entry, title: TITLE }));
    registry.use(indexed({ originators: [...before.originators], listings }, "0x01"));
    await pass(INTERVAL);
    expect(updater.current()?.market.listings.at(0)?.title).toBe(TITLE);
    expect(updater.current()?.registry).toBe(registry.current());
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it("knows since which block it has the registry's facts, whatever becomes of its pictures and of the chain", async () => {
    const { updater, tables, registry } = follow(at(0n, 1n));
    const since = () => (updater.current()?.registrySince.number ?? 0n) - HEAD.number;
    await pass(0);
    tables.now = at(7n, 1n);
    await pass(INTERVAL);
    registry.use({ ...registry.current(), images: new Map() });
    await pass(INTERVAL);
    tables.now = at(3n, 2n, { reverts: 1 });
    await pass(INTERVAL);
    expect([updater.current()?.market.head.number, since()]).toEqual([HEAD.number + 3n, 0n]);
    registry.use(registryOf([entryDraft({ title: TITLE })]));
    await pass(INTERVAL);
    expect(since()).toBe(3n);
  });

  it("does not count what it had in the backfill, whose blocks are of long ago", async () => {
    const { updater, tables } = follow(at(0n, 1n, { backfilled: false }));
    await pass(0);
    tables.now = at(5n, 1n);
    await pass(INTERVAL);
    expect(updater.current()?.registrySince.number).toBe(HEAD.number + 5n);
  });

  it("projects again when the backfill ends", async () => {
    const { updater, tables } = follow(at(0n, 1n, { backfilled: false, flows: null }));
    await pass(0);
    expect(updater.current()).toMatchObject({ backfilled: false, market: { overTime: null } });
    // No row has changed, but what is read now has the flows.
    tables.now = at(0n, 1n);
    await pass(INTERVAL);
    expect(updater.current()?.backfilled).toBe(true);
    expect(updater.current()?.market.overTime).not.toBeNull();
  });

  it("reads the rows of a history that was written at once before their indexes are there, and not again", async () => {
    const { updater, tables, rows } = follow(at(0n, 1n, { backfilled: false, filled: true }));
    await pass(0);
    expect(updater.current()?.backfilled).toBe(false);
    expect(updater.current()?.market.overTime).not.toBeNull();
    tables.now = at(0n, 1n);
    await pass(INTERVAL);
    expect(updater.current()?.backfilled).toBe(true);
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it("saves such a market once the backfill is over and the loans of its archive are counted", async () => {
    const ids = Array.from({ length: 16 }, (_, index) => index + 1);
    const repaid = { terminalKind: "settled", terminalAt: HEAD.timestamp, outcome: "repaid" } as const;
    const listings = ids.map((id) =>
      listingRow({ ...DRAWN, ...repaid, onchainId: BigInt(id), outstandingPrincipal: 0n, updatedBlock: 1n }),
    );
    const offer = vi.fn<MarketKeeper["offer"]>();
    const saved = { prepare: () => {}, forget: () => {}, offer, newFile: () => null, take: async () => null };
    const filled = { listings, filled: true };
    const { tables, registry } = follow(null, { saved });
    registry.use(registryOf(ids.map((id) => entryDraft({ onchainId: `${id}` }))));
    tables.now = at(0n, 1n, { ...filled, backfilled: false });
    await pass(INTERVAL);
    expect(offer).not.toHaveBeenCalled();
    tables.now = at(0n, 1n, filled);
    await pass(INTERVAL);
    const [projection] = offer.mock.lastCall ?? [];
    expect(projection?.save()?.loans).toMatchObject({ counted: ids.length });
  });

  it("takes the count of anomalies along", async () => {
    const { updater } = follow(at(0n, 1n, { anomalies: { bad_refnum: 3 } }));
    await pass(0);
    expect(updater.current()?.anomalies).toEqual({ bad_refnum: 3 });
  });

  it("stops polling if stopped in the middle of a look", async () => {
    const { updater, read } = follow(at(0n, 1n));
    updater.stop();
    await pass(10 * INTERVAL);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      "to make",
      ({ rows: { listings } }: TableSnapshot) => ({ of: listings[0] as object, name: "raisedAmount" }),
    ],
    ["to read", (of: TableSnapshot) => ({ of, name: "rows" })],
  ])(
    "makes a market that took long %s rarely while it backfills, and at once when the backfill ends",
    async (_, slowIn) => {
      const slow = at(0n, 1n, { backfilled: false, listings: [listingRow({ raisedAmount: DOLLAR })] });
      const { updater, tables, rows } = follow(slow);
      // It takes a second, twenty of which are waited for.
      const now = performance.now.bind(performance);
      let slept = 0;
      vi.spyOn(performance, "now").mockImplementation(() => now() + slept);
      const { of, name } = slowIn(slow);
      const value = Reflect.get(of, name);
      Object.defineProperty(of, name, {
        get: () => {
          slept = 1_000;
          return value;
        },
      });
      await pass(0);
      tables.now = at(1n, 2n, { backfilled: false });
      await pass(18_000);
      expect(rows).toHaveBeenCalledTimes(1);
      tables.now = at(1n, 2n);
      await pass(2 * INTERVAL);
      expect(updater.current()?.backfilled).toBe(true);
      expect(rows).toHaveBeenCalledTimes(2);
      vi.restoreAllMocks();
    },
  );

  it("stops polling once stopped", async () => {
    const { updater, tables, read, raised } = follow(at(0n, 1n));
    await pass(0);
    updater.stop();
    tables.now = at(1n, 2n);
    await pass(10 * INTERVAL);
    expect(read).toHaveBeenCalledTimes(1);
    expect(raised()).toBe(dollars(1n));
  });
});

describe("while an indexer that was started again catches up", () => {
  const behind = (backfilled: boolean) => ({ ...at(2n, 1n), backfilled });

  it("keeps the market until the block that it is at", async () => {
    const { updater, tables, raised } = follow(at(9n, 9n));
    await pass(0);
    expect(updater.isRestarting()).toBe(false);
    const before = updater.current();
    for (const backfilled of [false, true]) {
      tables.now = behind(backfilled);
      await pass(5 * INTERVAL);
      expect([updater.current(), updater.isRestarting()]).toEqual([before, true]);
    }
    tables.now = at(9n, 10n);
    await pass(INTERVAL);
    expect([raised(), updater.isRestarting()]).toEqual([dollars(10n), false]);
  });

  it("keeps it when the indexer has started between two looks, and its reverts look like a reorg", async () => {
    const { updater, tables, raised } = follow(at(9n, 9n, { indexer: "first" }));
    await pass(0);
    tables.now = at(2n, 1n, { indexer: "second", reverts: 1 });
    await pass(50_000);
    expect([raised(), updater.isRestarting()]).toEqual([dollars(9n), true]);
    tables.now = at(9n, 10n, { indexer: "second", reverts: 1 });
    await pass(INTERVAL);
    expect([raised(), updater.isRestarting()]).toEqual([dollars(10n), false]);
    // A reorg of the same indexer is not waited for.
    tables.now = at(2n, 1n, { indexer: "second", reverts: 2 });
    await pass(INTERVAL);
    expect([raised(), updater.isRestarting()]).toEqual([dollars(1n), false]);
  });

  it("keeps it over earlier blocks of the same time", async () => {
    const timestamp = HEAD.timestamp;
    const { tables, raised } = follow(at(9n, 9n, { head: { number: HEAD.number + 9n, timestamp } }));
    await pass(0);
    tables.now = at(2n, 1n, { head: { number: HEAD.number + 2n, timestamp } });
    await pass(50_000);
    expect(raised()).toBe(dollars(9n));
    tables.now = at(9n, 10n, { head: { number: HEAD.number + 9n, timestamp } });
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(10n));
  });

  it("keeps it for a minute at most once the indexer follows the chain: the blocks may be gone", async () => {
    const { updater, tables, raised } = follow(at(9n, 9n));
    await pass(0);
    tables.now = behind(false);
    await pass(600_000);
    expect(raised()).toBe(dollars(9n));
    tables.now = behind(true);
    await pass(59_000);
    expect(raised()).toBe(dollars(9n));
    await pass(2_000);
    expect([raised(), updater.isRestarting()]).toEqual([dollars(1n), false]);
  });
});
