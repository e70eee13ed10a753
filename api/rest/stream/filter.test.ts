import type { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { has, readStream } from "../../../test/harness/stream-reader.ts";
import { createStreamedChain, type StreamedChain } from "../../../test/harness/streamed-chain.ts";
import { FILTERS } from "../../market/listings-filters.ts";
import type { Listing } from "../../market/schema.ts";

let chain: StreamedChain;
let app: Hono;

beforeEach(async () => {
  chain = await createStreamedChain();
  app = await appIn({ overrides: { updater: chain.updater, onward: chain.reader } });
});

const ask = async (query: string) => app.request(`http://raises.example/v1/stream${query}`);
const open = async (query: string) => readStream(await ask(query));
type Stream = Awaited<ReturnType<typeof open>>;
const idsIn = (stream: Stream) =>
  stream.frames().flatMap(({ event, id }) => (event === "ledger" ? [id] : []));

/** Shows the raise of all rows with other facts, from the next block on. */
function change(facts: Partial<Listing>): void {
  const { listing, market } = chain;
  chain.show(market.listings.map((one) => (one === listing ? { ...one, ...facts } : one)));
}

describe("a stream with the filters of the board", () => {
  it("has the rows of raises that match, of before and as they come, and nothing otherwise", async () => {
    const { status, originator, title } = chain.listing;
    const country = chain.market.originatorByPublicId.get(originator)?.jurisdiction;
    const matching = [
      `status=${status}`,
      `status=cancelled,${status}&minCouponBps=1`,
      `originator=${originator}`,
      `jurisdiction=${country}`,
      `q=${encodeURIComponent(title)}`,
    ];
    const others = ["status=cancelled", "jurisdiction=JP", "q=zeppelin", `status=${status}&maxCouponBps=1`];
    chain.mine(2, 1);
    chain.finalise(1n);
    const streams = await Promise.all([...matching, ...others].map((query) => open(`?after=0&${query}`)));
    for (const stream of streams) await stream.until(has("head"));
    chain.mine(3);
    const [of, off] = [streams.slice(0, matching.length), streams.slice(matching.length)];
    for (const stream of of) await stream.until(has("head", 2));
    expect(of.map(idsIn)).toEqual(matching.map(() => chain.ids()));
    expect(chain.ids()).toHaveLength(6);
    for (const stream of off) expect(stream.frames().map(({ event }) => event)).toEqual(["final", "head"]);
    for (const stream of streams) await stream.close();
  });

  it("has the row by which a raise leaves the filter or enters it, and none of before or after", async () => {
    const { status } = chain.listing;
    expect(status).not.toBe("cancelled");
    chain.mine(1);
    const [left, entered] = await Promise.all([
      open(`?status=${status}&heads=all`),
      open("?status=cancelled&heads=all"),
    ]);
    for (const stream of [left, entered]) await stream.until(has("head"));
    change({ status: "cancelled" });
    chain.mine(1);
    for (const stream of [left, entered]) await stream.until(has("head", 2));
    const [, turn = ""] = chain.ids();
    expect([left, entered].map(idsIn)).toEqual([[turn], [turn]]);
    chain.mine(1);
    for (const stream of [left, entered]) await stream.until(has("head", 3));
    expect([left, entered].map(idsIn)).toEqual([[turn], [turn, chain.ids()[2]]]);
    for (const stream of [left, entered]) await stream.close();
  });

  it("sends a row that matched when it came, once it is final", async () => {
    const { status } = chain.listing;
    chain.mine(0);
    const stream = await open(`?finality=final&status=${status}&heads=all`);
    await stream.until(has("head"));
    chain.mine(1);
    await stream.until(has("head", 2));
    change({ status: "cancelled" });
    chain.mine(1);
    await stream.until(has("head", 3));
    chain.mine(1);
    await stream.until(has("head", 4));
    chain.finalise(4n);
    await stream.until(has("final", 2));
    expect(idsIn(stream)).toEqual(chain.ids().slice(0, 2));
    await stream.close();
  });

  it("has a head for each block with heads=all, and only after rows with heads=rows", async () => {
    chain.mine(1);
    const { publicId } = chain.listing;
    const streams = await Promise.all(
      ["?heads=rows", `?listing=${publicId}`, "?", "?heads=all&jurisdiction=JP"].map(open),
    );
    for (const stream of streams) await stream.until(has("head"));
    chain.mine(0);
    const [few, ofListing, all, others] = streams as [Stream, Stream, Stream, Stream];
    for (const stream of [all, others]) await stream.until(has("head", 2));
    chain.mine(1);
    for (const stream of [few, ofListing]) await stream.until(has("head", 2));
    for (const stream of [all, others]) await stream.until(has("head", 3));
    const heads = streams.map((stream) =>
      stream.frames().flatMap(({ event, data }) => (event === "head" ? [data.blockNumber] : [])),
    );
    expect(heads).toEqual([
      ["1", "3"],
      ["1", "3"],
      ["1", "2", "3"],
      ["1", "2", "3"],
    ]);
    for (const stream of streams) await stream.close();
  });

  it("is told what is final only with rows of its own", async () => {
    chain.mine(1);
    const streams = await Promise.all([open("?"), open("?jurisdiction=JP&heads=all")]);
    for (const stream of streams) await stream.until(has("head"));
    chain.mine(0);
    chain.finalise(1n);
    for (const stream of streams) await stream.until(has("head", 2));
    expect(streams.map((stream) => stream.frames().filter(({ event }) => event === "final").length)).toEqual([
      2, 1,
    ]);
    for (const stream of streams) await stream.close();
  });

  it("opens with the example of every filter of listings", async () => {
    for (const [name, { example }] of Object.entries(FILTERS)) {
      const answer = await ask(`?${name}=${encodeURIComponent(`${example}`)}`);
      expect([name, answer.status]).toEqual([name, 200]);
      await answer.body?.cancel();
    }
  });

  it("refuses a value that is not allowed, naming what is, and has every filter of listings", async () => {
    for (const [query, parameter] of [
      ["?status=open", "status"],
      ["?grade=Z", "grade"],
      ["?minCouponBps=-1", "minCouponBps"],
      ["?dueBefore=soon", "dueBefore"],
      ["?sort=newest", "sort"],
    ] as const) {
      const answer = await ask(query);
      expect(answer.status).toBe(400);
      const { errors } = (await answer.json()) as { errors: { parameter: string; allowed: string[] }[] };
      expect(errors.map((one) => one.parameter)).toEqual([parameter]);
      expect(errors[0]?.allowed.length).toBeGreaterThan(0);
    }
    const { errors } = (await (await ask("?colour=blue")).json()) as { errors: { allowed: string[] }[] };
    expect(errors[0]?.allowed).toEqual(expect.arrayContaining(Object.keys(FILTERS)));
  });
});
