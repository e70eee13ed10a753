import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fixedRegistry, recordedLog, SITE, type TableDraft, tablesOf } from "../../test/harness/app.ts";
import { DOLLAR, entryDraft, HEAD, listingRow, registryOf } from "../../test/harness/rows.ts";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import { type Feed, startFeed } from "./feed.ts";
import type { TableSnapshot } from "./tables.ts";

const INTERVAL = 100;
const TITLE = "A second oven";
const feeds: Feed[] = [];

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => {
  for (const feed of feeds.splice(0)) feed.stop();
  vi.useRealTimers();
});

/** Passes so many milliseconds, with whatever was due in them. */
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

/** A feed over tables that the test can change, with one listing. */
function follow(first: TableSnapshot | null, { hears = false } = {}) {
  const tables: { now: TableSnapshot | null | Error } = { now: first };
  const look = async () => {
    if (tables.now instanceof Error) throw tables.now;
    return tables.now;
  };
  const read = vi.fn(look);
  const rows = vi.fn((_since: unknown) => look());
  const registry = fixedRegistry(registryOf([entryDraft()]));
  const { log, lines } = recordedLog();
  let notice = () => {};
  const onBlock = (indexed: () => void) => {
    notice = indexed;
  };
  const parameters = {
    tables: { position: read, read: rows },
    registry,
    publicSettings: SITE,
    log,
    interval: INTERVAL,
  };
  const feed = startFeed(hears ? { ...parameters, onBlock } : parameters);
  feeds.push(feed);
  const raised = () => feed.current()?.market.listings[0]?.raisedAmount;
  return { feed, tables, read, rows, registry, lines, raised, announce: () => notice() };
}

const at = (blocks: bigint, raised: bigint, overrides: TableDraft = {}): TableSnapshot =>
  tablesOf({
    head: { number: HEAD.number + blocks, timestamp: HEAD.timestamp + blocks },
    revisions: { listings: `${raised}` },
    listings: [listingRow({ raisedAmount: raised * DOLLAR })],
    ...overrides,
  });
const dollars = (amount: bigint) => (amount * DOLLAR).toString();

describe("startFeed", () => {
  it("has no snapshot until there is an indexed block", async () => {
    const { feed, tables, raised } = follow(null);
    await pass(10 * INTERVAL);
    expect(feed.current()).toBeNull();
    tables.now = at(0n, 1n);
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(1n));
  });

  it("follows the head, and hands the reader what it returned last", async () => {
    const { feed, tables, rows, raised } = follow(at(0n, 1n));
    await pass(0);
    expect(raised()).toBe(dollars(1n));
    const first = tables.now;
    tables.now = at(1n, 2n);
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(2n));
    expect(feed.current()?.market.head).toEqual({ number: HEAD.number + 1n, timestamp: HEAD.timestamp + 1n });
    expect(rows.mock.calls[0]).toEqual([null]);
    expect(rows.mock.calls[1]?.[0]).toBe(first);
  });

  it("projects again when only the head moves: the status can change with time", async () => {
    const { feed, tables } = follow(at(0n, 1n, { listings: [listingRow({ closeAt: HEAD.timestamp + 1n })] }));
    await pass(0);
    expect(feed.current()?.market.listings[0]?.status).toBe("listed");
    tables.now = at(1n, 1n, { listings: [listingRow({ closeAt: HEAD.timestamp + 1n })] });
    await pass(INTERVAL);
    expect(feed.current()?.market.listings[0]?.status).toBe("refunding");
  });

  it("keeps the snapshot, by which answers are kept, while nothing changes", async () => {
    const { feed, tables } = follow(at(0n, 1n));
    await pass(0);
    const before = feed.current();
    tables.now = at(0n, 1n);
    await pass(5 * INTERVAL);
    expect(feed.current()).toBe(before);
  });

  it("reads no rows while only the head moves", async () => {
    const { feed, tables, rows } = follow(at(0n, 1n));
    await pass(0);
    tables.now = at(1n, 1n);
    await pass(5 * INTERVAL);
    expect(feed.current()?.market.head.number).toBe(HEAD.number + 1n);
    expect(rows).toHaveBeenCalledTimes(1);
  });

  it("takes rows that have changed into the market that it has", async () => {
    const all = [1n, 2n].map((onchainId) => listingRow({ onchainId }));
    const { feed, tables, registry } = follow(at(0n, 1n, { listings: all }));
    registry.use(registryOf([entryDraft(), entryDraft({ onchainId: "2" })]));
    await pass(INTERVAL);
    const before = feed.current()?.market.listings;
    const changed = [listingRow({ onchainId: 2n, raisedAmount: 5n * DOLLAR })];
    tables.now = at(1n, 5n, { listings: changed, isWhole: false });
    await pass(INTERVAL);
    const after = feed.current()?.market.listings;
    expect(after?.map(({ raisedAmount }) => raisedAmount)).toEqual(["0", dollars(5n)]);
    expect(after?.[0]).toBe(before?.[0]);
  });

  it("begins anew where a reorg has taken the head to an earlier time", async () => {
    const closing = { listings: [listingRow({ closeAt: HEAD.timestamp + 5n })] };
    const { feed, tables, rows } = follow(at(9n, 1n, closing));
    await pass(0);
    expect(feed.current()?.market.listings[0]?.status).toBe("refunding");
    tables.now = at(3n, 1n, closing);
    await pass(INTERVAL);
    expect(feed.current()?.market.listings[0]?.status).toBe("listed");
    expect(rows.mock.lastCall).toEqual([null]);
  });

  it("projects again when the registry changes", async () => {
    const { feed, registry } = follow(at(0n, 1n));
    await pass(0);
    registry.use(registryOf([entryDraft({ title: TITLE })]));
    await pass(INTERVAL);
    expect(feed.current()?.market.listings[0]?.title).toBe(TITLE);
  });

  it("projects again when the backfill ends", async () => {
    const { feed, tables } = follow(at(0n, 1n, { backfilled: false }));
    await pass(0);
    expect(feed.current()?.backfilled).toBe(false);
    tables.now = at(0n, 1n);
    await pass(INTERVAL);
    expect(feed.current()?.backfilled).toBe(true);
  });

  it("takes the count of anomalies along", async () => {
    const { feed } = follow(at(0n, 1n, { anomalies: { bad_refnum: 3 } }));
    await pass(0);
    expect(feed.current()?.anomalies).toEqual({ bad_refnum: 3 });
  });

  it("looks no more when it is stopped in the middle of a look", async () => {
    const { feed, read } = follow(at(0n, 1n));
    feed.stop();
    await pass(10 * INTERVAL);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it("looks no more once stopped", async () => {
    const { feed, tables, read, raised } = follow(at(0n, 1n));
    await pass(0);
    feed.stop();
    tables.now = at(1n, 2n);
    await pass(10 * INTERVAL);
    expect(read).toHaveBeenCalledTimes(1);
    expect(raised()).toBe(dollars(1n));
  });
});

describe("a feed that hears of each block", () => {
  it("looks when it hears of one, and else once a second", async () => {
    const { tables, read, raised, announce } = follow(at(0n, 1n), { hears: true });
    await pass(0);
    await pass(900);
    expect(read).toHaveBeenCalledTimes(1);
    tables.now = at(1n, 2n);
    announce();
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(2n));
    expect(read).toHaveBeenCalledTimes(2);
    await pass(10_000);
    expect(read.mock.calls.length).toBeLessThanOrEqual(12);
  });

  it("sees after a second what it did not hear of", async () => {
    const { tables, raised } = follow(at(0n, 1n), { hears: true });
    await pass(0);
    tables.now = at(1n, 2n);
    await pass(1_000 + INTERVAL);
    expect(raised()).toBe(dollars(2n));
  });

  it("looks all the time while it backfills, when nothing is announced", async () => {
    const { tables, raised } = follow(at(0n, 1n, { backfilled: false }), { hears: true });
    await pass(0);
    tables.now = at(1n, 2n);
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(2n));
  });

  it("misses no block that is announced in the middle of a look", async () => {
    const { feed, read, announce, tables } = follow(at(0n, 1n), { hears: true });
    await pass(0);
    read.mockImplementationOnce(async () => {
      announce();
      return at(1n, 2n);
    });
    announce();
    tables.now = at(2n, 3n);
    await pass(2 * INTERVAL);
    expect(feed.current()?.market.head.number).toBe(HEAD.number + 2n);
  });

  it("shows a change of the registry at once", async () => {
    const { feed, registry } = follow(at(0n, 1n), { hears: true });
    await pass(0);
    registry.use(registryOf([entryDraft({ title: TITLE })]));
    await pass(INTERVAL);
    expect(feed.current()?.market.listings[0]?.title).toBe(TITLE);
  });
});

describe("rows that change under an unchanged head", () => {
  it("are held back until the head moves", async () => {
    const { tables, raised } = follow(at(0n, 5n));
    await pass(0);
    tables.now = at(0n, 3n);
    await pass(900);
    expect(raised()).toBe(dollars(5n));
    tables.now = at(1n, 4n);
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(4n));
  });

  it("are shown after a minute all the same, for a chain that brings no block", async () => {
    const { tables, raised } = follow(at(0n, 5n));
    await pass(0);
    tables.now = at(0n, 3n);
    await pass(60_000);
    expect(raised()).toBe(dollars(5n));
    await pass(200);
    expect(raised()).toBe(dollars(3n));
  });

  it("are held back for a whole minute each time", async () => {
    const { tables, raised } = follow(at(0n, 5n));
    await pass(0);
    tables.now = at(0n, 3n);
    await pass(59_000);
    tables.now = at(1n, 4n);
    await pass(INTERVAL);
    tables.now = at(1n, 2n);
    await pass(59_000);
    expect(raised()).toBe(dollars(4n));
    await pass(2_000);
    expect(raised()).toBe(dollars(2n));
  });

  it("are shown at once while it backfills: no reorg is undone then", async () => {
    const { tables, raised } = follow(at(0n, 5n, { backfilled: false }));
    await pass(0);
    tables.now = at(0n, 6n, { backfilled: false });
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(6n));
  });

  it("a block replaced by one of the same number and another time is followed", async () => {
    const { feed, tables } = follow(at(0n, 5n));
    await pass(0);
    tables.now = at(0n, 5n, { head: { number: HEAD.number, timestamp: HEAD.timestamp + 9n } });
    await pass(INTERVAL);
    expect(feed.current()?.market.head.timestamp).toBe(HEAD.timestamp + 9n);
  });

  it("a reorg to a lower head is shown at once", async () => {
    const { tables, raised } = follow(at(9n, 5n));
    await pass(0);
    tables.now = at(7n, 3n);
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(3n));
  });
});

describe("tables that cannot be read", () => {
  it("leave the last market standing; said once, and once more when it is over", async () => {
    const { tables, lines, raised } = follow(at(0n, 1n));
    await pass(0);
    tables.now = new Error("connection refused");
    await pass(10 * INTERVAL);
    expect(raised()).toBe(dollars(1n));
    expect(lines.filter(({ level }) => level === "warn")).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain("connection refused");
    tables.now = at(1n, 2n);
    await pass(10 * INTERVAL);
    expect(raised()).toBe(dollars(2n));
    expect(lines).toHaveLength(2);
    tables.now = new DatabaseSilentError("read ECONNRESET");
    await pass(3_000);
    tables.now = new DatabaseSilentError("Connection terminated unexpectedly");
    await pass(3_000);
    expect(lines).toHaveLength(3);
  });

  it("are known to be silent: by failing, and by not coming back", async () => {
    const { feed, tables, read } = follow(at(0n, 1n));
    await pass(5_000);
    expect(feed.secondsSinceRead()).toBeLessThan(1);
    tables.now = new Error("connection refused");
    await pass(20_000);
    expect(feed.secondsSinceRead()).toBeGreaterThan(19);
    tables.now = at(1n, 2n);
    await pass(2_000);
    expect(feed.secondsSinceRead()).toBeLessThan(1);
    read.mockImplementationOnce(() => new Promise(() => {}));
    await pass(20_000);
    expect(feed.secondsSinceRead()).toBeGreaterThan(19);
  });

  it("leave the last market standing when they are empty for a while, as after a restart", async () => {
    const { tables, raised } = follow(at(0n, 1n));
    await pass(0);
    tables.now = null;
    await pass(10 * INTERVAL);
    expect(raised()).toBe(dollars(1n));
    tables.now = at(0n, 2n);
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(2n));
  });
});

describe("a check of the market", () => {
  it("finds nothing where all rows say the same", async () => {
    const { feed } = follow(at(0n, 1n));
    await pass(0);
    expect(await feed.check()).toEqual({ block: `${HEAD.number}`, listings: 1, differences: [] });
  });

  it("names what differs, logs it, and makes the market anew", async () => {
    const { feed, tables, lines, raised } = follow(at(0n, 1n));
    await pass(0);
    tables.now = at(0n, 1n, { listings: [listingRow({ raisedAmount: 7n * DOLLAR })] });
    expect((await feed.check())?.differences).toEqual(["lst_1", "originators", "stats"]);
    expect(raised()).toBe(dollars(7n));
    expect(lines.map(({ level }) => level)).toEqual(["error"]);
  });

  it("gives up where the tables never are where the market is", async () => {
    const { feed, tables } = follow(at(0n, 1n));
    await pass(0);
    tables.now = at(1n, 2n);
    expect(await feed.check()).toBeNull();
  });
});

it("logs a listing that cannot be shown once, however often it is projected", async () => {
  const broken = { listings: [listingRow({ token: null })] };
  const { tables, lines, feed } = follow(at(0n, 1n, broken));
  await pass(0);
  for (let block = 1n; block < 5n; block++) {
    tables.now = at(block, 1n, broken);
    await pass(INTERVAL);
  }
  expect(feed.current()?.market.unprojectable).toHaveLength(1);
  expect(lines.filter(({ level }) => level === "error")).toHaveLength(1);
  expect(lines[0]).toMatchObject({ onchainId: "1" });
});
