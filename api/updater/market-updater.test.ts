import { describe, expect, it, vi } from "vitest";
import {
  at,
  dollars,
  follow,
  INTERVAL,
  pass,
  showing,
  useFakeTime,
} from "../../test/harness/market-updater.ts";
import { DOLLAR, DRAWN, entryDraft, HEAD, listingRow, registryOf } from "../../test/harness/rows.ts";
import { indexed } from "../registry/schema.ts";
import type { MarketKeeper } from "./market-keeper.ts";
import type { TableSnapshot } from "./tables.ts";

const TITLE = "A second oven";

useFakeTime();

describe("startMarketUpdater", () => {
  it("has no snapshot until there is an indexed block", async () => {
    const { updater, show, raised } = follow(null);
    await pass(10 * INTERVAL);
    expect(updater.current()).toBeNull();
    await show(at(0n, 1n));
    expect(raised()).toBe(dollars(1n));
  });

  it("follows the head, and hands the reader what it returned last", async () => {
    const { updater, tables, rows, raised, show } = await showing(at(0n, 1n));
    expect(raised()).toBe(dollars(1n));
    const first = tables.now;
    await show(at(1n, 2n));
    expect(raised()).toBe(dollars(2n));
    expect(updater.current()?.market.head).toMatchObject({
      number: HEAD.number + 1n,
      timestamp: HEAD.timestamp + 1n,
    });
    expect(rows.mock.calls[0]?.[0]).toBeNull();
    expect(rows.mock.calls[1]?.[0]).toBe(first);
  });

  it("projects again when only the head moves: the status can change with time", async () => {
    const { updater, show } = await showing(
      at(0n, 1n, { listings: [listingRow({ closeAt: HEAD.timestamp + 1n })] }),
    );
    expect(updater.current()?.market.listings.at(0)?.status).toBe("listed");
    await show(at(1n, 1n, { listings: [listingRow({ closeAt: HEAD.timestamp + 1n })] }));
    expect(updater.current()?.market.listings.at(0)?.status).toBe("refunding");
  });

  it("keeps the snapshot, by which answers are kept, while nothing changes", async () => {
    const { updater, show } = await showing(at(0n, 1n));
    const before = updater.current();
    await show(at(0n, 1n), 5 * INTERVAL);
    expect(updater.current()).toBe(before);
  });

  it("reads no rows while only the head moves", async () => {
    const { updater, show, rows } = await showing(at(0n, 1n));
    await show(at(1n, 1n), 5 * INTERVAL);
    expect(updater.current()?.market.head.number).toBe(HEAD.number + 1n);
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it("takes rows that have changed into the market that it has", async () => {
    const all = [1n, 2n].map((onchainId) => listingRow({ onchainId }));
    const { updater, show, registry } = follow(at(0n, 1n, { listings: all }));
    registry.use(registryOf([entryDraft(), entryDraft({ onchainId: "2" })]));
    await pass(INTERVAL);
    const before = updater.current()?.market.listings;
    const changed = [listingRow({ onchainId: 2n, raisedAmount: 5n * DOLLAR })];
    await show(at(1n, 5n, { listings: changed, isWhole: false }));
    const after = updater.current()?.market.listings;
    expect(after?.map(({ raisedAmount }) => raisedAmount)).toEqual(["0", dollars(5n)]);
    expect(after?.at(0)).toBe(before?.at(0));
  });

  it("starts over if a reorg has taken the head to an earlier time", async () => {
    const closing = { listings: [listingRow({ closeAt: HEAD.timestamp + 5n })] };
    const { updater, show, rows } = await showing(at(9n, 1n, closing));
    expect(updater.current()?.market.listings.at(0)?.status).toBe("refunding");
    await show(at(3n, 1n, { ...closing, reverts: 1 }));
    expect(updater.current()?.market.listings.at(0)?.status).toBe("listed");
    expect(rows.mock.lastCall?.[0]).toBeNull();
  });

  it("calls nothing final any more that the indexer does not, as of a second endpoint that is still compared", async () => {
    const rows = { listings: [listingRow({ updatedBlock: HEAD.number })] };
    const finalityAt = (finalized: bigint) => ({ ...rows, finalized: { ...HEAD, number: finalized } });
    const { updater, show } = follow(at(3n, 1n, finalityAt(HEAD.number)));
    const finality = () => updater.current()?.market.listings.at(0)?.finality;
    await pass(0);
    expect(finality()).toBe("final");
    await show(at(4n, 1n, finalityAt(0n)));
    expect(finality()).toBe("pending");
    await show(at(5n, 1n, finalityAt(HEAD.number)));
    expect(finality()).toBe("final");
  });

  it("shows no rows of a moment before the position that it has seen, as of an indexer that has just started again", async () => {
    const { show, rows, raised } = await showing(at(5n, 1n));
    for (const earlier of [at(3n, 9n), at(6n, 9n, { backfilled: false })]) {
      rows.mockResolvedValueOnce(earlier);
      await show(at(6n, 2n));
      expect(raised()).toBe(dollars(1n));
    }
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(2n));
    const first = follow(at(6n, 2n));
    first.rows.mockResolvedValueOnce(at(3n, 9n));
    await pass(0);
    expect(first.updater.current()).toBeNull();
    await pass(INTERVAL);
    expect(first.raised()).toBe(dollars(2n));
  });

  it("projects again when the registry changes", async () => {
    const { updater, registry } = await showing(at(0n, 1n));
    registry.use(registryOf([entryDraft({ title: TITLE })]));
    await pass(INTERVAL);
    expect(updater.current()?.market.listings.at(0)?.title).toBe(TITLE);
  });

  it("reads no rows for a change of titles alone", async () => {
    const { updater, registry, rows } = await showing(at(0n, 1n));
    const before = registry.current();
    const listings = before.listings.map((entry) => ({ ...entry, title: TITLE }));
    registry.use(indexed({ originators: [...before.originators], listings }, "0x01"));
    await pass(INTERVAL);
    expect(updater.current()?.market.listings.at(0)?.title).toBe(TITLE);
    expect(updater.current()?.registry).toBe(registry.current());
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it("knows since which block it has the registry's facts, whatever becomes of its pictures and of the chain", async () => {
    const { updater, show, registry } = follow(at(0n, 1n));
    const since = () => (updater.current()?.registrySince.number ?? 0n) - HEAD.number;
    await pass(0);
    await show(at(7n, 1n));
    registry.use({ ...registry.current(), images: new Map() });
    await pass(INTERVAL);
    await show(at(3n, 2n, { reverts: 1 }));
    expect([updater.current()?.market.head.number, since()]).toEqual([HEAD.number + 3n, 0n]);
    registry.use(registryOf([entryDraft({ title: TITLE })]));
    await pass(INTERVAL);
    expect(since()).toBe(3n);
  });

  it("does not count what it had in the backfill, whose blocks are of long ago", async () => {
    const { updater, show } = await showing(at(0n, 1n, { backfilled: false }));
    await show(at(5n, 1n));
    expect(updater.current()?.registrySince.number).toBe(HEAD.number + 5n);
  });

  it("projects again when the backfill ends", async () => {
    const { updater, show } = await showing(at(0n, 1n, { backfilled: false, flows: null }));
    expect(updater.current()).toMatchObject({ backfilled: false, market: { overTime: null } });
    // No row has changed, but what is read now has the flows.
    await show(at(0n, 1n));
    expect(updater.current()?.backfilled).toBe(true);
    expect(updater.current()?.market.overTime).not.toBeNull();
  });

  it("reads the rows of a history that was written at once before their indexes are there, and not again", async () => {
    const { updater, show, rows } = await showing(at(0n, 1n, { backfilled: false, filled: true }));
    expect(updater.current()?.backfilled).toBe(false);
    expect(updater.current()?.market.overTime).not.toBeNull();
    await show(at(0n, 1n));
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
    const { show, registry } = follow(null, { saved });
    registry.use(registryOf(ids.map((id) => entryDraft({ onchainId: `${id}` }))));
    await show(at(0n, 1n, { ...filled, backfilled: false }));
    expect(offer).not.toHaveBeenCalled();
    await show(at(0n, 1n, filled));
    const [projection] = offer.mock.lastCall ?? [];
    expect(projection?.save()?.loans).toMatchObject({ counted: ids.length });
  });

  it("takes the count of anomalies along", async () => {
    const { updater } = await showing(at(0n, 1n, { anomalies: { bad_refnum: 3 } }));
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
      const { updater, show, rows } = follow(slow);
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
      await show(at(1n, 2n, { backfilled: false }), 18_000);
      expect(rows).toHaveBeenCalledTimes(1);
      await show(at(1n, 2n), 2 * INTERVAL);
      expect(updater.current()?.backfilled).toBe(true);
      expect(rows).toHaveBeenCalledTimes(2);
      vi.restoreAllMocks();
    },
  );

  it("stops polling once stopped", async () => {
    const { updater, show, read, raised } = await showing(at(0n, 1n));
    updater.stop();
    await show(at(1n, 2n), 10 * INTERVAL);
    expect(read).toHaveBeenCalledTimes(1);
    expect(raised()).toBe(dollars(1n));
  });
});

describe("while an indexer that was started again catches up", () => {
  const behind = (backfilled: boolean) => ({ ...at(2n, 1n), backfilled });

  it("keeps the market until the block that it is at", async () => {
    const { updater, show, raised } = await showing(at(9n, 9n));
    expect(updater.isRestarting()).toBe(false);
    const before = updater.current();
    for (const backfilled of [false, true]) {
      await show(behind(backfilled), 5 * INTERVAL);
      expect([updater.current(), updater.isRestarting()]).toEqual([before, true]);
    }
    await show(at(9n, 10n));
    expect([raised(), updater.isRestarting()]).toEqual([dollars(10n), false]);
  });

  it("keeps it when the indexer has started between two looks, and its reverts look like a reorg", async () => {
    const { updater, show, raised } = await showing(at(9n, 9n, { indexer: "first" }));
    await show(at(2n, 1n, { indexer: "second", reverts: 1 }), 50_000);
    expect([raised(), updater.isRestarting()]).toEqual([dollars(9n), true]);
    await show(at(9n, 10n, { indexer: "second", reverts: 1 }));
    expect([raised(), updater.isRestarting()]).toEqual([dollars(10n), false]);
    // A reorg of the same indexer is not waited for.
    await show(at(2n, 1n, { indexer: "second", reverts: 2 }));
    expect([raised(), updater.isRestarting()]).toEqual([dollars(1n), false]);
  });

  it("keeps it over earlier blocks of the same time", async () => {
    const timestamp = HEAD.timestamp;
    const { show, raised } = await showing(at(9n, 9n, { head: { number: HEAD.number + 9n, timestamp } }));
    await show(at(2n, 1n, { head: { number: HEAD.number + 2n, timestamp } }), 50_000);
    expect(raised()).toBe(dollars(9n));
    await show(at(9n, 10n, { head: { number: HEAD.number + 9n, timestamp } }));
    expect(raised()).toBe(dollars(10n));
  });

  it("keeps it for a minute at most once the indexer follows the chain: the blocks may be gone", async () => {
    const { updater, show, raised } = await showing(at(9n, 9n));
    await show(behind(false), 600_000);
    expect(raised()).toBe(dollars(9n));
    await show(behind(true), 59_000);
    expect(raised()).toBe(dollars(9n));
    await pass(2_000);
    expect([raised(), updater.isRestarting()]).toEqual([dollars(1n), false]);
  });
});
