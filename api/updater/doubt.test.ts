/** The updater over tables that cannot be trusted, cannot be read, or differ from the market. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  at,
  dollars,
  follow,
  INTERVAL,
  pass,
  showing,
  useFakeTime,
} from "../../test/harness/market-updater.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { DOLLAR, entryDraft, HEAD, listingRow, registryOf } from "../../test/harness/rows.ts";
import { fixedRegistry, recordedLog, SITE } from "../../test/harness/snapshot.ts";
import { DatabaseSilentError } from "../database/checkpoint.ts";
import { NO_ROWS } from "../market/chain-rows.ts";
import { startMarketUpdater } from "./market-updater.ts";

useFakeTime();

/** The tables after a reorg has reverted rows. */
const reverted = (blocks: bigint, raised: bigint) => at(blocks, raised, { isReverted: true });

describe("rows that a reorg has taken back", () => {
  it("are not shown until the next block", async () => {
    const { show, raised } = await showing(at(0n, 5n));
    await show(reverted(-3n, 3n), 900);
    expect(raised()).toBe(dollars(5n));
    await show(at(1n, 4n));
    expect(raised()).toBe(dollars(4n));
  });

  it("are shown after a minute all the same, for a chain that brings no block", async () => {
    const { show, raised } = await showing(at(0n, 5n));
    await show(reverted(-3n, 3n), 60_000);
    expect(raised()).toBe(dollars(5n));
    await pass(1_000);
    expect(raised()).toBe(dollars(3n));
  });

  it("are not shown to begin with either", async () => {
    const { show, updater, raised } = follow(reverted(-3n, 3n));
    await pass(900);
    expect(updater.current()).toBeNull();
    await show(at(1n, 4n));
    expect(raised()).toBe(dollars(4n));
  });

  it("have a whole minute each time", async () => {
    const { show, raised } = await showing(at(0n, 5n));
    await show(reverted(-3n, 3n), 59_000);
    await show(at(1n, 4n));
    await show(reverted(-3n, 2n), 59_000);
    expect(raised()).toBe(dollars(4n));
    await pass(2_000);
    expect(raised()).toBe(dollars(2n));
  });

  it("a block replaced by one of the same number and another time is followed", async () => {
    const { updater, show } = await showing(at(0n, 5n));
    await show(at(0n, 5n, { head: { number: HEAD.number, timestamp: HEAD.timestamp + 9n } }));
    expect(updater.current()?.market.head.timestamp).toBe(HEAD.timestamp + 9n);
  });

  it("a reorg to a lower head is shown at once", async () => {
    const { show, raised } = await showing(at(9n, 5n));
    await show(at(7n, 3n, { reverts: 1 }));
    expect(raised()).toBe(dollars(3n));
  });
});

describe("an older copy of the tables, as a replica that is behind", () => {
  it.each([0, 1])("is waited for, %i reorgs back", async (since) => {
    const { updater, show, raised } = await showing(at(9n, 5n, { reverts: 1 }));
    const before = updater.current();
    await show(at(7n, 3n, { reverts: 1 - since }), 30_000);
    expect(updater.current()).toBe(before);
    await show(at(10n, 6n, { reverts: 1 }));
    expect(raised()).toBe(dollars(6n));
  });

  it("is shown after a minute all the same, as it may be all that is left", async () => {
    const { show, raised } = await showing(at(9n, 5n));
    await show(at(7n, 3n), 60_000);
    expect(raised()).toBe(dollars(5n));
    await pass(1_000);
    expect(raised()).toBe(dollars(3n));
  });
});

describe("tables that cannot be read", () => {
  it("leave the last market standing; said once, and once more when it is over", async () => {
    const { show, said, raised } = await showing(at(0n, 1n));
    await show(new Error("connection refused"), 10 * INTERVAL);
    expect(raised()).toBe(dollars(1n));
    expect(said().filter(({ level }) => level === "warn")).toHaveLength(1);
    expect(JSON.stringify(said())).toContain("connection refused");
    await show(at(1n, 2n), 10 * INTERVAL);
    expect(raised()).toBe(dollars(2n));
    expect(said()).toHaveLength(2);
    await show(new DatabaseSilentError("read ECONNRESET"), 3_000);
    await show(new DatabaseSilentError("Connection terminated unexpectedly"), 3_000);
    expect(said()).toHaveLength(3);
  });

  it("are known to be silent: by failing, and by not coming back", async () => {
    const { updater, show, read } = follow(at(0n, 1n));
    await pass(5_000);
    expect(updater.secondsSinceRead()).toBeLessThan(1);
    await show(new Error("connection refused"), 20_000);
    expect(updater.secondsSinceRead()).toBeGreaterThan(19);
    await show(at(1n, 2n), 2_000);
    expect(updater.secondsSinceRead()).toBeLessThan(1);
    read.mockImplementationOnce(() => new Promise(() => {}));
    await pass(20_000);
    expect(updater.secondsSinceRead()).toBeGreaterThan(19);
  });

  it("are not silent while all rows are read for minutes, part by part", async () => {
    const { updater, show, rows } = follow(null);
    const all = at(0n, 1n);
    rows.mockImplementationOnce(async (_since, _restarted, take) => {
      for (let part = 0; part < 20; part++) {
        await new Promise((resolve) => setTimeout(resolve, 9_000));
        take(all, NO_ROWS);
      }
      return all;
    });
    await show(all, 175_000);
    expect(updater.secondsSinceRead()).toBeLessThan(10);
    // Nothing is known of the indexer meanwhile.
    expect(updater.secondsSinceLook()).toBeGreaterThan(170);
    await pass(10_000);
    expect(updater.secondsSinceLook()).toBeLessThan(1);
  });

  it("leave the last market standing when they are empty for a while, as after a restart", async () => {
    const { show, raised } = await showing(at(0n, 1n));
    await show(null, 10 * INTERVAL);
    expect(raised()).toBe(dollars(1n));
    await show(at(0n, 2n));
    expect(raised()).toBe(dollars(2n));
  });
});

describe("a check of the market", () => {
  it("finds nothing where all rows say the same", async () => {
    const { updater } = await showing(at(0n, 1n));
    expect(await updater.check()).toEqual({ block: `${HEAD.number}`, listings: 1, differences: [] });
  });

  it("names and logs the differences, and rebuilds the market", async () => {
    const { updater, tables, said, raised } = await showing(at(0n, 1n));
    tables.now = at(0n, 1n, { listings: [listingRow({ raisedAmount: 7n * DOLLAR })] });
    expect((await updater.check())?.differences).toEqual(["lst_1", "stats"]);
    expect(raised()).toBe(dollars(7n));
    expect(said().map(({ level }) => level)).toEqual(["error"]);
  });

  it("replaces it as of the newest block when blocks come during the comparison", async () => {
    vi.useRealTimers();
    const ids = Array.from({ length: 2_000 }, (_, index) => BigInt(index + 1));
    const others = ids.slice(1).map((onchainId) => listingRow({ onchainId }));
    let [blocks, inFull] = [0n, 1n];
    const read = async (since: unknown) =>
      since === null
        ? at(blocks, 1n, { listings: [listingRow({ raisedAmount: inFull * DOLLAR }), ...others] })
        : at(blocks, 1n, { isWhole: false });
    const updater = startMarketUpdater({
      tables: { position: async () => at(blocks, 1n), read },
      registry: fixedRegistry(registryOf(ids.map((id) => entryDraft({ onchainId: `${id}` })))),
      ...{ publicSettings: SITE, log: recordedLog().log, interval: 5 },
    });
    await vi.waitFor(() => expect(updater.current()).not.toBeNull(), PATIENCE);
    const market = () => updater.current()?.market;
    inFull = 7n;
    const timer = setInterval(() => {
      blocks += 1n;
    }, 20);
    onTestFinished(() => {
      clearInterval(timer);
      updater.stop();
    });
    const ended = updater.check();
    await vi.waitFor(() => expect(market()?.head.number).toBeGreaterThan(HEAD.number + 2n), {
      ...PATIENCE,
      interval: 1,
    });
    const known = market()?.head.number ?? 0n;
    expect((await ended)?.differences).toEqual(["lst_1", "stats"]);
    expect(market()?.head.number).toBeGreaterThanOrEqual(known);
    await vi.waitFor(() => expect(market()?.listings.at(0)?.raisedAmount).toBe(dollars(7n)), PATIENCE);
    expect(market()?.head.number).toBeGreaterThanOrEqual(known);
  });

  it("counts what has come while all rows were read, which takes longer than a block", async () => {
    const { updater, tables, rows } = await showing(at(0n, 1n));
    rows.mockImplementationOnce(async () => {
      tables.now = at(3n, 2n, { isWhole: false });
      await new Promise((resolve) => setTimeout(resolve, 3 * INTERVAL));
      return at(0n, 1n);
    });
    const ended = updater.check();
    await pass(6 * INTERVAL);
    expect(await ended).toEqual({ block: `${HEAD.number + 3n}`, listings: 1, differences: [] });
    expect(rows.mock.calls.filter(([since]) => since === null)).toHaveLength(2);
  });

  it("takes what became final meanwhile for no difference", async () => {
    const final = { finalized: HEAD, listings: [listingRow({ updatedBlock: HEAD.number })] };
    const { updater, tables, rows, said } = await showing(at(0n, 1n, { listings: final.listings }));
    rows.mockImplementationOnce(async () => {
      const read = tables.now;
      tables.now = at(0n, 1n, { ...final, isWhole: false });
      await new Promise((resolve) => setTimeout(resolve, 3 * INTERVAL));
      return read as ReturnType<typeof at>;
    });
    const ended = updater.check();
    await pass(6 * INTERVAL);
    expect((await ended)?.differences).toEqual([]);
    expect(updater.current()?.finalized).toEqual(HEAD);
    expect(said()).toEqual([]);
  });

  it("gives up where time goes back meanwhile, as after a reorg", async () => {
    const { updater, tables, rows } = await showing(at(5n, 1n));
    rows.mockImplementation(async (since) => at(3n, 2n, { reverts: 1, isWhole: since === null }));
    rows.mockImplementationOnce(async () => {
      tables.now = at(3n, 2n, { reverts: 1 });
      return at(6n, 2n);
    });
    const ended = updater.check();
    await pass(6 * INTERVAL);
    expect(updater.current()?.market.head.number).toBe(HEAD.number + 3n);
    expect(await ended).toBeNull();
  });

  it("names anomalies that were counted wrongly", async () => {
    const { updater, tables } = await showing(at(0n, 1n));
    tables.now = at(0n, 1n, { anomalies: { bad_refnum: 3 } });
    expect((await updater.check())?.differences).toEqual(["anomalies"]);
    expect(updater.current()?.anomalies).toEqual({ bad_refnum: 3 });
  });

  it("gives up if tables and market never reach the same block", async () => {
    const { updater, read, rows } = await showing(at(0n, 1n));
    let blocks = 0n;
    const next = async () => at(++blocks, 1n, { isWhole: false });
    read.mockImplementation(next);
    rows.mockImplementation(next);
    const ended = updater.check();
    await pass(60 * INTERVAL);
    expect(await ended).toBeNull();
  });
});
