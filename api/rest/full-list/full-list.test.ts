import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { appIn, appShowing } from "../../../test/harness/app.ts";
import { type Ask, asking } from "../../../test/harness/asking.ts";
import { ids, longMarket } from "../../../test/harness/long-market.ts";
import { PATIENCE } from "../../../test/harness/patience.ts";
import { serveApp } from "../../../test/harness/serve-app.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { validatorOf } from "../../../test/harness/validate.ts";
import type { Market } from "../../market/market.ts";
import type { FullListsParameters } from "./index.ts";

const RAISES = 120;
const MANY = 1_000;
const LIST = "/v1/listings";
const BASE = await snapshotOf(tablesOf());
const assertAnswer = await validatorOf(asking(await appIn()));

/** An app that streams every list of a market with an archive. */
async function streaming(listLimits: FullListsParameters["limits"] = {}) {
  return showing({ mostJoined: 0, chunk: 8, ...listLimits });
}

async function showing(listLimits: FullListsParameters["limits"] = {}) {
  const { app, show } = await appShowing({ listLimits });
  return { app, ask: asking(app), show: (market: Market) => show({ ...BASE, market }) };
}

/** Asks until the list is prepared, which it is with its last byte. */
async function prepared(ask: Ask) {
  const first = await ask(LIST);
  return { first, second: await ask(LIST) };
}

const jsonOf = ({ listings, trading }: Market) => JSON.stringify({ listings: listings.all(), trading });

/** Watches what is read from a market's archive. */
function readingOf({ listings: { archived } }: Market) {
  if (archived === null) throw new Error("nothing is archived");
  return vi.spyOn(archived.view, "listingToRead");
}

let raises: ReturnType<typeof longMarket>;
let market: Market;
beforeEach(() => {
  raises = longMarket(RAISES);
  raises.open(ids(1, RAISES));
  market = raises.end(ids(1, 100));
  expect(market.listings.archived?.length).toBe(100);
});

describe("the full list of a long market", () => {
  it("is the JSON of all its listings, newest first, also while it is prepared", async () => {
    const { ask, show } = await streaming();
    show(market);
    const { first, second } = await prepared(ask);
    assertAnswer(LIST, first);
    expect(first.text).toBe(jsonOf(market));
    expect(first.headers.get("etag")).toBeNull();
    expect(first.headers.get("content-length")).toBeNull();
    expect(second.text).toBe(jsonOf(market));
    expect(second.headers.get("content-length")).toBe(`${Buffer.byteLength(jsonOf(market))}`);
    expect(second.headers.get("x-indexed-block")).toBe(`${market.head.number}`);
  });

  it("has the tag that a list in memory has", async () => {
    const [long, short] = [await streaming(), await showing()];
    for (const next of [market, raises.end(ids(101, 110)), raises.lose([112, 116])]) {
      for (const { show } of [long, short]) show(next);
      const { second } = await prepared(long.ask);
      const joined = await short.ask(LIST);
      expect(joined.text).toBe(jsonOf(next));
      expect(second.headers.get("etag")).toBe(joined.headers.get("etag"));
    }
  });

  it("has one tag however its raises came into the archive", async () => {
    const other = longMarket(RAISES);
    other.open(ids(1, RAISES));
    for (const id of ids(1, 100).reverse()) other.end([id]);
    const same = other.pass();
    expect(same.listings.archived?.length).toBeLessThanOrEqual(100);
    const tags = [];
    for (const one of [market, same]) {
      const { ask, show } = await streaming();
      show(one);
      const { second } = await prepared(ask);
      tags.push({ tag: second.headers.get("etag"), json: second.text === jsonOf(one) });
    }
    const [first, second] = [market, same].map((one) => one.listings.all().map(({ publicId }) => publicId));
    expect(first).toEqual(second);
    expect(tags[1]).toEqual(tags[0]);
  });

  it("follows grades, raises that end and raises that leave the archive", async () => {
    const { ask, show } = await streaming();
    show(market);
    await prepared(ask);
    const before = market.originatorByPublicId.get("org_sun")?.ratingGrade;
    const regraded = raises.lose([112, 116]);
    expect(regraded.originatorByPublicId.get("org_sun")?.ratingGrade).not.toBe(before);
    const later = [regraded, raises.end(ids(101, 110)), raises.touch([3]), raises.pass()];
    for (const next of later) {
      show(next);
      const { first, second } = await prepared(ask);
      expect(first.text).toBe(jsonOf(next));
      expect(second.text).toBe(jsonOf(next));
      expect(second.headers.get("content-length")).toBe(`${Buffer.byteLength(jsonOf(next))}`);
    }
    show(market);
    expect((await ask(LIST)).text).toBe(jsonOf(market));
  });

  it("waits for a few changed parts, and then has a tag at once", async () => {
    const { ask, show } = await streaming();
    show(market);
    const { second } = await prepared(ask);
    const next = raises.touch([3]);
    show(next);
    const { text, headers } = await ask(LIST);
    expect(text).toBe(jsonOf(next));
    expect(headers.get("etag")).toMatch(/^W\//);
    expect(headers.get("etag")).not.toBe(second.headers.get("etag"));
  });

  it("answers 304 and HEAD without a body, and counts neither as an open list", async () => {
    const { ask, show } = await streaming({ streams: 1 });
    show(market);
    const { second } = await prepared(ask);
    const tag = second.headers.get("etag") ?? "";
    for (let times = 0; times < 3; times++) {
      const same = await ask(LIST, { headers: { "If-None-Match": tag } });
      expect([same.status, same.text]).toEqual([304, ""]);
      const head = await ask(LIST, { method: "HEAD" });
      expect([head.status, head.text]).toEqual([200, ""]);
      expect(head.headers.get("content-length")).toBe(`${Buffer.byteLength(jsonOf(market))}`);
    }
    expect((await ask(LIST)).status).toBe(200);
  });

  it("is made once for requests at the same time", async () => {
    const { app, show } = await streaming();
    show(market);
    const reading = readingOf(market);
    const asks = Array.from({ length: 4 }, () => asking(app)(LIST));
    for (const { text } of await Promise.all(asks)) expect(text.length).toBeGreaterThan(0);
    expect(reading).toHaveBeenCalledTimes(100);
  });

  it("reads only the raises of changed parts that it has not read", async () => {
    const { ask, show } = await streaming();
    show(market);
    await prepared(ask);
    const next = raises.end(ids(101, 108));
    show(next);
    const reading = readingOf(next);
    expect((await prepared(ask)).second.text.length).toBe(jsonOf(next).length);
    expect(reading).toHaveBeenCalledTimes(8);
  });
});

describe("other full lists of a long market", () => {
  it.each(["", "?excel=1"])("are the same CSV as from memory: %s", async (query) => {
    const [long, short] = [await streaming(), await showing()];
    for (const { show } of [long, short]) show(market);
    const file = await long.ask(`${LIST}.csv${query}`);
    expect(file.text).toBe((await short.ask(`${LIST}.csv${query}`)).text);
    expect(parse(file.text)).toHaveLength(1 + RAISES);
    expect(file.headers.get("content-disposition")).toContain("listings.csv");
    if (query === "")
      expect((await long.ask(LIST, { headers: { Accept: "text/csv" } })).text).toBe(file.text);
  });

  it.each([
    "?status=voided",
    "?sort=oldest",
    "?sort=largest_target&originator=org_sun",
    "?status=funding,listed",
    "?q=raise%2011",
    "?q=nothing",
  ])("are the same as from memory, filtered and in any order: %s", async (query) => {
    const [long, short] = [await streaming(), await showing()];
    for (const { show } of [long, short]) show(market);
    for (const path of [LIST, `${LIST}.csv`]) {
      const [one, other] = [await long.ask(`${path}${query}`), await short.ask(`${path}${query}`)];
      expect(one.status).toBe(200);
      expect(one.text).toBe(other.text);
      expect(one.headers.get("etag")).toMatch(/^W\//);
    }
    const page = JSON.parse((await short.ask(`${LIST}${query}&limit=3`)).text).page;
    const rest = `${LIST}${query}&cursor=${page.nextCursor ?? ""}`;
    if (page.nextCursor !== null) expect((await long.ask(rest)).text).toBe((await short.ask(rest)).text);
  });

  it("are sent while they are read if they are long, and other work goes on", async () => {
    const many = longMarket(MANY, "x".repeat(4_000));
    many.open(ids(1, MANY));
    const ended = many.end(ids(1, MANY));
    const [long, short] = [await streaming(), await showing()];
    for (const { show } of [long, short]) show(ended);
    const reading = readingOf(ended);
    for (const path of [`${LIST}?status=voided`, `${LIST}.csv?sort=oldest`, "/v1/originators?limit=2"]) {
      reading.mockClear();
      const { body } = await long.app.request(path);
      if (body === null) throw new Error("no body");
      expect(reading.mock.calls.length).toBeLessThan(MANY / 2);
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const { text, headers } = await long.ask(path);
      clearInterval(timer);
      expect(turns).toBeGreaterThan(3);
      expect(headers.get("etag")).toBeNull();
      assertAnswer(path, { status: 200, headers, text });
      expect(text).toBe((await short.ask(path)).text);
      const { length } = reading.mock.calls;
      await body.cancel();
      await sleep(5);
      expect(reading.mock.calls.length).toBe(length);
    }
  });

  it("are the same originators as from memory", async () => {
    const [long, short] = [await streaming(), await showing()];
    for (const { show } of [long, short]) show(market);
    const { text, headers } = await long.ask("/v1/originators");
    const { originators } = market;
    const all = originators.map((one) => ({ ...one, listings: one.listings.all() }));
    expect(text).toBe(JSON.stringify({ originators: all }));
    expect(text).toBe((await short.ask("/v1/originators")).text);
    expect(headers.get("etag")).toMatch(/^W\//);
  });
});

it("repeats a 304 without asking the app, for as long as the market is the same", async () => {
  const { app, ask, show } = await streaming();
  show(market);
  const { second } = await prepared(ask);
  await using served = await serveApp(app);
  const again = (tag: string | null) =>
    fetch(`${served.url}${LIST}`, { headers: { "If-None-Match": tag ?? "" } });
  const tag = second.headers.get("etag");
  expect((await again(tag)).status).toBe(304);
  expect((await again(tag)).status).toBe(304);
  expect(served.askedApp()).toBe(1);
  expect(await (await again('W/"other"')).text()).toBe(jsonOf(market));
  expect(served.askedApp()).toBe(2);
  show(raises.touch([110]));
  const other = await again(tag);
  expect(other.status).toBe(200);
  await other.body?.cancel();
});

describe("a client of a long list", () => {
  /** Reads the first bytes, and no more. */
  const stalled = async (port: number) => {
    const request = get({ port, host: "127.0.0.1", path: LIST });
    request.on("error", () => {});
    await new Promise<void>((resolve) =>
      request.once("response", (response) => resolve(void response.pause())),
    );
    return request;
  };
  let ended: Market;
  beforeAll(() => {
    // More than the buffers of a connection hold.
    const many = longMarket(MANY, "炉".repeat(4_000));
    many.open(ids(1, MANY));
    ended = many.end(ids(1, MANY));
  });
  const large = async () => {
    const shown = await streaming({ streams: 1 });
    shown.show(ended);
    return shown;
  };

  it("holds no part that it does not read, and lets go of its place when it leaves", async () => {
    const { app } = await large();
    await using served = await serveApp(app);
    const loaded = readingOf(ended);
    const request = await stalled(served.port);
    const refused = await fetch(`${served.url}${LIST}`);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("retry-after")).not.toBeNull();
    // The parts that the client does not read are not made.
    expect(loaded.mock.calls.length).toBeLessThan(MANY);
    request.destroy();
    await vi.waitFor(async () => {
      const { status, body } = await fetch(`${served.url}${LIST}`);
      await body?.cancel();
      expect(status).toBe(200);
    }, PATIENCE);
  });

  it("gets every byte, also when it stops now and then", async () => {
    const { app } = await large();
    await using served = await serveApp(app);
    const expected = jsonOf(ended);
    for (const rest of [0, 0, 5]) {
      const response = await fetch(`${served.url}${LIST}`);
      const parts: Uint8Array[] = [];
      for await (const part of response.body ?? []) {
        parts.push(part);
        if (rest > 0) await sleep(rest);
      }
      expect(Buffer.concat(parts).equals(Buffer.from(expected))).toBe(true);
    }
  });

  it("is cut off when it reads too slowly", async () => {
    const { app } = await large();
    await using served = await serveApp(app, { readTimeout: 0, slowestPace: 1e9 });
    const request = await stalled(served.port);
    await vi.waitFor(async () => expect((await fetch(`${served.url}${LIST}`)).status).toBe(200), PATIENCE);
    expect(served.requests[0]?.isOver).toBe(true);
    request.destroy();
  });
});
