import type { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { has, readStream } from "../../../test/harness/stream-reader.ts";
import { createStreamedChain, heldAfter, type StreamedChain } from "../../../test/harness/streamed-chain.ts";

let chain: StreamedChain;
let app: Hono;
beforeEach(async () => {
  chain = await createStreamedChain();
  app = await appIn({ overrides: { updater: chain.updater, onward: chain.reader } });
});

const open = async (query: string) =>
  readStream(await app.request(`http://raises.example/v1/stream${query}`));

describe("a follower of what is final", () => {
  it("is told of no reorganisation, and of each row once it is final", async () => {
    chain.mine(1, 1, 1);
    chain.finalise(1n);
    const stream = await open("?after=0&finality=final");
    await stream.until(has("head"));
    expect(heldAfter(stream.frames())).toEqual(chain.ids().slice(0, 1));
    chain.reorganise(2, 2, 2, 0);
    await stream.until(has("head", 2));
    chain.finalise(3n);
    await stream.until(has("final", 2));
    expect(stream.frames().filter(({ event }) => event === "reorg")).toEqual([]);
    expect(heldAfter(stream.frames())).toEqual(chain.ids());
    const rows = stream.frames().filter(({ event }) => event === "ledger");
    expect(rows.map(({ data }) => data.finality)).toEqual(["final", "final", "final", "final", "final"]);
  });

  it("is told of a raise that is hidden before any of its rows is, and nothing is withdrawn", async () => {
    chain.mine(1, 1);
    const [all, onlyFinal] = await Promise.all([open("?after=0"), open("?after=0&finality=final")]);
    for (const stream of [all, onlyFinal]) await stream.until(has("head"));
    chain.show(chain.market.listings.slice(1));
    await all.until(has("reorg"));
    await onlyFinal.until(has("reorg"));
    chain.show(chain.market.listings.all());
    await all.until(has("ledger", 4));
    expect(heldAfter(all.frames())).toEqual(chain.ids());
    chain.finalise(2n);
    await onlyFinal.until(has("ledger", 2));
    const told = onlyFinal.frames().filter(({ event }) => event === "reorg");
    expect(told).toMatchObject([{ id: "0", data: { from: "1" } }]);
    expect(heldAfter(onlyFinal.frames())).toEqual(chain.ids());
  });

  it("gets the rows that become final together with a change of a later raise", async () => {
    const [, other = chain.listing] = [...chain.market.listings];
    const stream = await open("?after=0&finality=final");
    await stream.until(has("head"));
    chain.mine(1);
    chain.mineOf(other);
    await stream.until(has("head", 2));
    const renamed = { ...other, refnum: "RENAMED" };
    // Both before the next look at the market.
    chain.finalise(2n);
    chain.show(chain.market.listings.map((one) => (one === other ? renamed : one)));
    await stream.until(has("ledger", 2));
    expect(heldAfter(stream.frames())).toEqual(chain.ids());
  });

  it("is disconnected when a raise is hidden before its rows were sent", async () => {
    const others = chain.market.listings.slice(1);
    const [other = chain.listing] = others;
    for (let block = 0; block < 1_200; block++) chain.mineOf(other);
    chain.mine(1);
    chain.finalise(1_201n);
    const last = await open("?finality=final");
    await last.until(has("head"));
    const stream = await open("?after=0&finality=final");
    // No page is read before the rows of the one before have been taken.
    await stream.until(has("ledger"));
    chain.show(others);
    await last.until(has("reorg"));
    await stream.toEnd();
    const held = heldAfter(stream.frames());
    expect(held).toEqual(chain.ids().slice(0, held.length));
    expect(held.length).toBeLessThan(1_201);
  });
});
