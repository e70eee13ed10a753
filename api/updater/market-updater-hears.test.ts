import { describe, expect, it } from "vitest";
import {
  at,
  dollars,
  follow,
  INTERVAL,
  pass,
  showing,
  useFakeTime,
} from "../../test/harness/market-updater.ts";
import { entryDraft, HEAD, registryOf } from "../../test/harness/rows.ts";

useFakeTime();

describe("an updater that hears of each block", () => {
  it("looks when it hears of one, and else twice a second", async () => {
    const { tables, read, raised, announce } = await showing(at(0n, 1n), { hears: true });
    await pass(400);
    expect(read).toHaveBeenCalledTimes(1);
    tables.now = at(1n, 2n);
    announce();
    await pass(INTERVAL);
    expect(raised()).toBe(dollars(2n));
    expect(read).toHaveBeenCalledTimes(2);
    await pass(10_000);
    expect(read.mock.calls.length).toBeLessThanOrEqual(22);
  });

  it("makes one market of blocks that are announced in quick succession, and the first one at once", async () => {
    const { tables, raised, rows, announce } = follow(at(0n, 1n), { hears: true });
    await pass(1_000);
    const heights: (string | undefined)[] = [];
    for (let block = 1n; block <= 10n; block++) {
      tables.now = at(block, block + 1n);
      announce();
      await pass(20);
      heights.push(raised());
    }
    await pass(4 * INTERVAL);
    expect(heights[0]).toBe(dollars(2n));
    expect(raised()).toBe(dollars(11n));
    expect(rows.mock.calls.length).toBeLessThanOrEqual(4);
  });

  it("looks all the time while it would hear of none, as over a standby", async () => {
    const { show, raised, notices } = await showing(at(0n, 1n), { hears: true });
    notices.areHeard = false;
    await show(at(1n, 2n), 2 * INTERVAL);
    expect(raised()).toBe(dollars(2n));
  });

  it("sees after a second what it did not hear of", async () => {
    const { show, raised } = await showing(at(0n, 1n), { hears: true });
    await show(at(1n, 2n), 1_000 + INTERVAL);
    expect(raised()).toBe(dollars(2n));
  });

  it("looks all the time while it backfills, when nothing is announced", async () => {
    const { show, raised } = await showing(at(0n, 1n, { backfilled: false }), { hears: true });
    await show(at(1n, 2n));
    expect(raised()).toBe(dollars(2n));
  });

  it("misses no block that is announced in the middle of a look", async () => {
    const { updater, read, announce, show } = await showing(at(0n, 1n), { hears: true });
    read.mockImplementationOnce(async () => {
      announce();
      return at(1n, 2n);
    });
    announce();
    await show(at(2n, 3n), 4 * INTERVAL);
    expect(updater.current()?.market.head.number).toBe(HEAD.number + 2n);
  });

  it("shows a change of the registry at once", async () => {
    const { updater, registry } = await showing(at(0n, 1n), { hears: true });
    registry.use(registryOf([entryDraft({ title: "A second oven" })]));
    await pass(INTERVAL);
    expect(updater.current()?.market.listings.at(0)?.title).toBe("A second oven");
  });
});
