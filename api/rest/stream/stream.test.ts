import { setTimeout as sleep } from "node:timers/promises";
import type { Hono } from "hono";
import type { Registry } from "prom-client";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { appIn } from "../../../test/harness/app.ts";
import { PATIENCE } from "../../../test/harness/patience.ts";
import { has, readStream } from "../../../test/harness/stream-reader.ts";
import {
  createStreamedChain,
  framesOf,
  heldAfter,
  type StreamedChain,
} from "../../../test/harness/streamed-chain.ts";
import type { OnwardReader } from "../../ledger/read-onward.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import type { StreamLimits } from "./tail.ts";

let chain: StreamedChain;
let app: Hono;
let closing: AbortController;
let metrics: Registry;

async function begin(streamLimits: StreamLimits = { followers: 20, pendingRows: 50_000 }): Promise<void> {
  chain = await createStreamedChain();
  closing = new AbortController();
  const { updater, reader: onward } = chain;
  const { registry, requests } = createMetrics();
  metrics = registry;
  app = await appIn({ overrides: { updater, onward, closing: closing.signal, streamLimits, requests } });
}
beforeEach(() => begin());

const ask = (query = "", init: RequestInit = {}) =>
  Promise.resolve(app.request(`http://raises.example/v1/stream${query}`, init));

const open = async (query = "") => readStream(await ask(query));

/** Has what a reader of the tables does wait for the test. */
function hold<Name extends "page" | "place" | "lastRow">(name: Name) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const read = chain.reader[name] as (...asked: unknown[]) => Promise<unknown>;
  const asked = vi.fn(async (...parameters: unknown[]) => {
    await promise;
    return read(...parameters);
  });
  chain.reader[name] = asked as unknown as OnwardReader[Name];
  return { release: resolve, isAsked: () => vi.waitFor(() => expect(asked).toHaveBeenCalled(), PATIENCE) };
}

describe("a follower", () => {
  it.each([
    ["in the same blocks", [1, 1]],
    ["in an earlier block", [1, 0]],
  ])(
    "is told of a reorganisation that comes while the row of its id is looked up, with rows %s",
    async (_, rows) => {
      chain.mine(1, 1, 1, 0, 1);
      chain.finalise(1n);
      const held = chain.ids();
      const other = await open("?after=0");
      await other.until(has("head"));
      const page = hold("page");
      const first = await open("?after=0");
      const reading = first.until(has("head"));
      await page.isAsked();
      // It waits for the one read of all streams, and so does that of the reorganisation, which goes first.
      const opening = open(`?after=${held.at(-1)}`);
      await sleep(50);
      chain.reorganise(2, ...rows);
      await sleep(50);
      page.release();
      await other.until(has("reorg"));
      const returned = await opening;
      await returned.until(has("head"));
      await reading;
      await first.close();
      expect(heldAfter(returned.frames(), held)).toEqual(chain.ids());
    },
  );

  it("is told of the head of another fork at the same height and time", async () => {
    chain.mine(1, 1);
    const stream = await open("?after=0");
    await stream.until(has("head"));
    chain.reorganise(1, 1);
    await stream.until(has("head", 2));
    expect(stream.frames().map(({ event }) => event)).toEqual([
      ...["ledger", "ledger", "final", "head"],
      ...["reorg", "ledger", "head"],
    ]);
    expect(stream.frames().at(-1)?.id).toBe(chain.ids().at(-1));
    await stream.close();
  });

  it("is among the open streams until it leaves", async () => {
    chain.mine(1);
    const scrape = () => metrics.getSingleMetricAsString("raisebook_streams_open");
    const streams = await Promise.all([
      open(),
      open("?finality=final"),
      ask("", { method: "HEAD" }).then(() => null),
    ]);
    for (const stream of streams) await stream?.until(has("head"));
    expect(await scrape()).toMatch(/^raisebook_streams_open 2$/m);
    await streams[0]?.close();
    await vi.waitFor(async () => expect(await scrape()).toMatch(/^raisebook_streams_open 1$/m), PATIENCE);
  });

  it("without a filter causes one read for a block with events, and no read for a block without", async () => {
    chain.mine(1, 1);
    const streams = await Promise.all(Array.from({ length: 10 }, () => open()));
    for (const stream of streams) await stream.until(has("head"));
    const before = chain.reads.length;
    chain.mine(0);
    for (const stream of streams) await stream.until(has("head", 2));
    expect(chain.reads.length).toBe(before);
    chain.mine(3);
    for (const stream of streams) await stream.until(has("ledger", 3));
    expect(chain.reads.slice(before)).toEqual(["continue"]);
    for (const stream of streams) await stream.close();
    chain.mine(1);
    await sleep(100);
    expect(chain.reads.length).toBe(before + 1);
  });

  it("is sent the rows of a raise again whose name has changed", async () => {
    chain.mine(1, 1);
    const stream = await open("?after=0");
    await stream.until(has("head"));
    chain.show(
      chain.market.listings.map((one) => (one === chain.listing ? { ...one, refnum: "RENAMED" } : one)),
    );
    await stream.until(has("ledger", 4));
    expect(heldAfter(stream.frames())).toEqual(chain.ids());
    expect(
      stream
        .frames()
        .slice(-4)
        .map(({ data }) => data.refnum),
    ).toContain("RENAMED");
  });

  it("hears of an opening before the rows of that block, since earlier ones could not follow", async () => {
    chain.show([]);
    chain.mine(1, 1);
    const stream = await open("?after=0");
    await stream.until(has("head"));
    const { length } = stream.frames();
    chain.mine(1);
    chain.show(chain.market.listings.all());
    await stream.until(has("ledger", 3));
    expect(stream.frames()[length]).toMatchObject({ event: "reorg", data: { from: "1" } });
    expect(heldAfter(stream.frames())).toEqual(chain.ids());
  });

  it("is cut off if its place has been forgotten, and misses nothing when it reconnects", async () => {
    await begin({ followers: 20, pendingRows: 50_000, journalBytes: 200_000 });
    chain.mine(1);
    const stream = await open("?after=0");
    await stream.until(has("head"));
    const other = await open();
    await other.until(has("head"));
    const { id: last = "" } = stream.frames().at(-1) ?? {};
    // More than the journal holds, in two blocks.
    for (const count of [500, 525]) {
      chain.mine(count);
      await vi.waitFor(() => expect(chain.reads.at(-1)).toBe("continue"), PATIENCE);
      await other.until((frames) => frames.at(-1)?.data.blockNumber === `${chain.head()}`);
    }
    await stream.toEnd();
    const again = await open(`?after=${last}`);
    await again.until((frames) => has("head")(frames.slice(-1)));
    expect(heldAfter(again.frames(), heldAfter(stream.frames()))).toEqual(chain.ids());
  });

  it("is cut off when the tables do not catch up with the market, and starts again", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    try {
      chain.mine(1);
      const stream = await open("?after=0");
      await stream.until(has("head"));
      const { continue: read } = chain.reader;
      const withoutRows = vi.fn<typeof read>(async (...asked) => {
        const found = await read(...asked);
        return found && { ...found, rows: [] };
      });
      chain.reader.continue = withoutRows;
      chain.mine(1);
      const end = stream.toEnd();
      await vi.waitFor(() => expect(withoutRows).toHaveBeenCalledTimes(2), PATIENCE);
      vi.advanceTimersByTime(31_000);
      await end;
      chain.reader.continue = read;
      const again = await open(`?after=${stream.frames().at(-1)?.id}`);
      await again.until(has("head"));
      expect(heldAfter(again.frames(), heldAfter(stream.frames()))).toEqual(chain.ids());
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("places", () => {
  it("are limited, and a request that finds none is told when to ask again", async () => {
    await begin({ followers: 2, pendingRows: 100 });
    const streams = [await open(), await open()];
    for (const method of ["GET", "HEAD"]) {
      const refused = await ask("", { method });
      expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "30"]);
    }
    expect(await (await ask()).json()).toMatchObject({
      code: "busy",
      detail: "2 streams are open already; ask again later.",
    });
    await streams[0]?.close();
    // None of these keeps a place.
    for (let time = 0; time < 3; time++) expect((await ask("", { method: "HEAD" })).status).toBe(200);
    await open();
    expect((await ask()).status).toBe(503);
  });

  it("are free again when a client leaves before the first piece", async () => {
    await begin({ followers: 1, pendingRows: 100 });
    chain.mine(1);
    const looking = hold("place");
    const gone = new AbortController();
    const asked = ask("?after=1-0-ffffffff", { signal: gone.signal });
    await looking.isAsked();
    expect((await ask()).status).toBe(503);
    gone.abort();
    await open();
    looking.release();
    await asked;
  });

  it("are not taken by a request whose id is refused", async () => {
    await begin({ followers: 1, pendingRows: 100 });
    for (const id of ["99999-0-ffffffff", "x", "1-0-ffffffffff"])
      expect((await ask(`?after=${id}`)).status).toBe(400);
    await open();
  });
});

describe("when the service is about to stop", () => {
  it("streams end at once, whatever they wait for", async () => {
    chain.mine(1, 1);
    chain.finalise(1n);
    const streams = [await open(), await open("?finality=final")];
    for (const stream of streams) await stream.until(has("head"));
    const page = hold("page");
    const waiting = await open("?after=0");
    const ends = [...streams, waiting].map((stream) => stream.toEnd());
    await page.isAsked();
    closing.abort();
    await Promise.all(ends);
    const refused = await ask();
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([503, "1"]);
  });

  it("a request that is about to begin is told so", async () => {
    const looking = hold("lastRow");
    const asked = ask();
    await looking.isAsked();
    closing.abort();
    expect(await (await asked).json()).toMatchObject({
      code: "busy",
      detail: "The service is about to stop.",
    });
    looking.release();
  });
});

it("answers HEAD as GET while nothing can be followed", async () => {
  const current = chain.updater.current();
  chain.updater.current = () => ({ ...current, backfilled: false });
  const [get, head] = await Promise.all([ask(), ask("", { method: "HEAD" })]);
  expect(head.status).toBe(get.status);
  expect(get.status).toBe(503);
});

it("puts the header before the parameter", async () => {
  chain.mine(1, 1, 1);
  const [first, second] = chain.ids();
  const response = await ask(`?after=${first}`, { headers: { "Last-Event-ID": `${second}` } });
  const piece = await response.body?.getReader().read();
  expect(heldAfter(framesOf(Buffer.from(piece?.value ?? "").toString()))).toEqual(chain.ids().slice(2));
  const refused = await ask(`?after=${first}`, { headers: { "Last-Event-ID": "x" } });
  expect(await refused.json()).toMatchObject({ errors: [{ parameter: "Last-Event-ID" }] });
});
