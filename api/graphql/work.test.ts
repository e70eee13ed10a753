import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { everyState } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { marketPage } from "./market-pages.ts";
import { createWork } from "./work.ts";

const { rows, registry } = everyState();
const { market } = await snapshotOf(tablesOf({ listings: rows }), registry);
const { length } = market.listings;

describe("the work of a request", () => {
  it("lets others have a turn between long pieces, and keeps their order", async () => {
    const { inTurn } = createWork({ tests: 1, slice: 0 });
    const order: string[] = [];
    const piece = (name: string) => inTurn(() => void order.push(name));
    const pieces = [piece("first"), inTurn(() => Promise.reject(new Error("broken"))), piece("last")];
    const others = (async () => {
      for (let turn = 1; turn < 4; turn++) {
        await setImmediate();
        order.push(`other ${turn}`);
      }
    })();
    const ended = await Promise.allSettled([...pieces, others]);
    expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled", "fulfilled"]);
    expect(order.filter((name) => !name.startsWith("other"))).toEqual(["first", "last"]);
    expect(order.indexOf("last")).toBeGreaterThan(order.indexOf("other 2"));
  });

  it("does short pieces at once", async () => {
    const { inTurn } = createWork({ tests: 1, slice: 60_000 });
    const order: string[] = [];
    const other = setImmediate().then(() => order.push("other"));
    await Promise.all(["a", "b", "c"].map((name) => inTurn(() => order.push(name))));
    await other;
    expect(order).toEqual(["a", "b", "c", "other"]);
  });

  it("tests raises up to a limit, with the totals of its pages, and reads pages without a filter beyond it", async () => {
    // Nothing is found, so each page looks at every raise, and so does its total.
    const args = { q: "nowhere", first: 1 };
    const enough = createWork({ tests: 2 * length + 1, slice: 60_000 });
    for (let page = 0; page < 2; page++) {
      const { nodes, totalCount } = await marketPage(market, args, enough);
      expect([nodes, totalCount?.()]).toEqual([[], 0]);
    }
    const tooFew = createWork({ tests: 2 * length, slice: 60_000 });
    (await marketPage(market, args, tooFew)).totalCount?.();
    await expect(marketPage(market, args, tooFew)).rejects.toMatchObject({
      message: expect.stringContaining(`${2 * length} tests of raises`),
      extensions: { code: "QUERY_TOO_COSTLY", limit: 2 * length },
    });
    expect((await marketPage(market, { first: 1 }, tooFew)).nodes).toHaveLength(1);
  });
});
