import { expect, it, vi } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { PATIENCE } from "../../test/harness/patience.ts";
import { serve } from "../../test/harness/serve.ts";
import { serveApp } from "../../test/harness/serve-app.ts";
import { recordedLog } from "../../test/harness/snapshot.ts";
import { has, readStream } from "../../test/harness/stream-reader.ts";
import { createStreamedChain, type StreamedChain } from "../../test/harness/streamed-chain.ts";
import { deliverTo } from "./deliver.ts";
import { beginAfter, KEYS, targetState } from "./message.ts";
import { createWebhookMetrics } from "./metrics.ts";
import type { Outcome } from "./send.ts";
import { createReaderClient } from "./source.ts";
import type { Store } from "./store.ts";
import { parseTargets } from "./targets.ts";

const DAY = 86_400_000;
const ENTRY = {
  name: "books",
  url: "https://hooks.example",
  secret: `whsec_${Buffer.alloc(32).toString("base64")}`,
};

function storeIn(entries: Map<string, unknown>): Store {
  return {
    get: async (key) => entries.get(key) ?? null,
    put: async (key, value) => void entries.set(key, value),
    remove: async (key) => void entries.delete(key),
    entries: async (prefix) =>
      [...entries].flatMap(([key, value]) =>
        key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
      ),
    turn: async () => new AbortController().signal,
    isFree: async () => true,
    close: async () => {},
  };
}

/** Delivers a message that was attempted once, by a clock that has been set since. */
async function deliverAfter(
  change: object,
  outcome: Outcome,
  until: (entries: Map<string, unknown>) => void,
) {
  const [target] = parseTargets(JSON.stringify({ targets: [ENTRY] }), "webhooks.json");
  if (target === undefined) throw new Error("there is no target");
  const now = Date.now();
  const row = { id: "5-1-aaaaaaaa", listing: "lst_a" };
  const schedule = { since: now, notBefore: now, pause: 500, waited: 500, failures: 1, reason: "503" };
  const sending = { id: row.id, body: "{}", row, ...schedule, ...change };
  const entries = new Map<string, unknown>([[KEYS.state(target.name), { ...beginAfter("0", now), sending }]]);
  const store = storeIn(entries);
  const { log } = recordedLog();
  const stopping = new AbortController();
  const metrics = createWebhookMetrics([target.name], store);
  const over = deliverTo({
    ...{ target, store, log, signal: stopping.signal, send: async () => outcome },
    // Without a receiver, this ends once the message is over.
    source: createReaderClient("http://127.0.0.1:1", log),
    metrics: metrics.of(target.name),
  });
  await vi.waitFor(() => until(entries), PATIENCE);
  stopping.abort();
  await over;
  return metrics.registry.metrics();
}

const sendingIn = (entries: Map<string, unknown>) =>
  targetState.parse(entries.get(KEYS.state("books"))).sending;

it("a clock that was set back by ten days does not keep a message waiting for ten days", () =>
  deliverAfter({ notBefore: Date.now() + 10 * DAY }, { kind: "taken" }, (entries) =>
    expect(sendingIn(entries)).toBeNull(),
  ));

it("a clock that was set forward by a year does not give a message up", () =>
  deliverAfter(
    { since: Date.now() - 365 * DAY },
    { kind: "refused", reason: "503", retryAfter: null },
    (entries) => {
      expect(sendingIn(entries)?.failures).toBe(2);
      expect([...entries.keys()].filter((key) => key.startsWith(KEYS.deadLetters))).toEqual([]);
    },
  ));

it("says nothing more of a message that waits once another process may deliver it", async () => {
  const refused = { kind: "refused", reason: "503", retryAfter: null } as const;
  const scraped = await deliverAfter({ since: Date.now() - 3_600_000 }, refused, (entries) =>
    expect(sendingIn(entries)?.failures).toBe(2),
  );
  expect(scraped).toContain('raisebook_webhooks_waiting_seconds{target="books"} 0\n');
});

it("a message is given up after so many hours of pauses", () =>
  deliverAfter({ waited: 72 * 3_600_000 }, { kind: "refused", reason: "503", retryAfter: null }, (entries) =>
    expect(entries.get(KEYS.deadLetter("books", "5-1-aaaaaaaa"))).toMatchObject({
      failures: 2,
      reason: "503",
    }),
  ));

const serveChain = async ({ updater, reader }: StreamedChain) =>
  serveApp(await appIn({ overrides: { updater, onward: reader } }));

/** A service with two final rows of its chain's listing, and what is stored of a target that has had both. */
async function servedRows(before: object = {}) {
  const chain = await createStreamedChain();
  chain.mine(1, 1);
  chain.finalise(2n);
  const served = await serveChain(chain);
  const [, cursor = ""] = chain.ids();
  // As an earlier release stored it.
  const state = { ...beginAfter("0", Date.now()), cursor, furthest: cursor, listings: [], ...before };
  const entries = new Map<string, unknown>([[KEYS.state(ENTRY.name), state]]);
  return { chain, served, entries };
}

/** Delivers to a target of that service until `end`. */
function follow(
  { served, entries }: { served: { url: string }; entries: Map<string, unknown> },
  change: object = {},
  over: (store: Store) => Store = (store) => store,
) {
  const [target] = parseTargets(JSON.stringify({ targets: [{ ...ENTRY, ...change }] }), "webhooks.json");
  if (target === undefined) throw new Error("there is no target");
  const store = over(storeIn(entries));
  const { log, lines } = recordedLog();
  const stopping = new AbortController();
  const sent: string[] = [];
  const send = async ({ id }: { id: string }): Promise<Outcome> => {
    sent.push(id);
    return { kind: "taken" };
  };
  const source = createReaderClient(served.url, log);
  const metrics = createWebhookMetrics([target.name], store).of(target.name);
  const delivered = deliverTo({ target, store, log, signal: stopping.signal, send, source, metrics }, 10);
  const end = () => {
    stopping.abort();
    return delivered;
  };
  return { sent, lines, end };
}

/** Rows that were passed over are sent; those of a hidden raise, once it is published and no reader has told of it before. */
async function sendsHidden(
  { chain, entries }: Pick<Awaited<ReturnType<typeof servedRows>>, "chain" | "entries">,
  before: ReturnType<typeof follow>,
  show: () => void,
  [hidden, passed]: (string | undefined)[],
) {
  await vi.waitFor(() => expect(before.sent).toEqual([passed]), PATIENCE);
  await before.end();
  show();
  await using served = await serveChain(chain);
  const after = follow({ served, entries });
  await vi.waitFor(() => expect(after.sent).toEqual([hidden]), PATIENCE);
  await after.end();
}

/** Delivers what comes after the two rows, until `count` messages are sent. */
async function deliverFromService(entry: object, count: number, before: object = {}) {
  const service = await servedRows(before);
  const { chain, entries } = service;
  await using served = service.served;
  const { sent, end } = follow(service, entry);
  await vi.waitFor(() => expect(served.requests.map(({ path }) => path)).toContain("/v1/stream"), PATIENCE);
  chain.mine(1);
  chain.finalise(3n);
  await vi.waitFor(() => expect(sent.length).toBeGreaterThanOrEqual(count), PATIENCE);
  await end();
  return {
    sent,
    entries,
    listing: chain.listing.publicId,
    ids: chain.ids(),
    asked: served.requests.map(({ path }) => path),
  };
}

it("rows of a raise that was published while no stream was open are sent, and the visible raises are stored apart", async () => {
  const { sent, entries, listing, ids } = await deliverFromService({}, 3);
  expect(sent.toSorted()).toEqual(ids.toSorted());
  // The release before cannot read a state without them.
  expect(entries.get(KEYS.state("books"))).toMatchObject({ listings: [] });
  expect(entries.get(KEYS.listings("books"))).toContain(listing);
});

it("nothing is sent again to a target that had pending rows before", async () => {
  const { sent, ids } = await deliverFromService({}, 1, { finality: "pending" });
  expect(sent).toEqual([ids[2]]);
});

it("a target with pending rows of all originators asks for no listings", async () => {
  const { sent, ids, asked } = await deliverFromService({ finality: "pending" }, 1);
  expect(sent[0]).toContain(ids[2]);
  expect(asked).not.toContain("/v1/listings");
});

it.each([
  ["the stream is open", true],
  ["no deliverer runs", false],
])(
  "rows of a raise that is hidden while %s, and published again while no deliverer runs, are sent",
  async (_, isOpen) => {
    const service = await servedRows();
    const { chain, entries } = service;
    await using served = service.served;
    const all = [...chain.market.listings];
    const others = all.filter((one) => one !== chain.listing);
    const [other = chain.listing] = others;
    const [, last = ""] = chain.ids();
    entries.set(
      KEYS.listings("books"),
      all.map(({ publicId }) => publicId),
    );
    entries.set(KEYS.lastRow("books", chain.listing.publicId), last);
    if (!isOpen) chain.show(others);
    const before = follow(service);
    const isRead = () => served.requests.some(({ path, isOver }) => path === "/v1/listings" && isOver);
    await vi.waitFor(() => expect(isRead()).toBe(true), PATIENCE);
    chain.show(others);
    chain.mine(1);
    chain.mineOf(other);
    chain.finalise(4n);
    await sendsHidden(service, before, () => chain.show(all), chain.ids().slice(2));
  },
);

it("rows of a raise that is hidden before any of them is final, and published again while no deliverer runs, are sent", async () => {
  const chain = await createStreamedChain();
  const all = [...chain.market.listings];
  const others = all.filter((one) => one !== chain.listing);
  const [other = chain.listing] = others;
  const publicIds = all.map(({ publicId }) => publicId);
  const entries = new Map<string, unknown>([
    [KEYS.state(ENTRY.name), beginAfter("0", Date.now())],
    [KEYS.listings(ENTRY.name), publicIds],
  ]);
  chain.mine(1);
  await using served = await serveChain(chain);
  const before = follow({ served, entries });
  const isRead = () => served.requests.some(({ path, isOver }) => path === "/v1/listings" && isOver);
  await vi.waitFor(() => expect(isRead()).toBe(true), PATIENCE);
  const stream = readStream(await fetch(`${served.url}/v1/stream?after=0`));
  await stream.until(has("head"));
  chain.show(others);
  await stream.until(has("reorg"));
  await stream.close();
  chain.mineOf(other);
  chain.finalise(2n);
  await sendsHidden({ chain, entries }, before, () => chain.show(all), chain.ids());
});

it("a target with a position unknown to the reader is logged once and keeps it", async () => {
  const cursor = "1-9-ffffffff";
  const service = await servedRows({ cursor, furthest: cursor });
  await using _ = service.served;
  const { sent, lines, end } = follow(service);
  await vi.waitFor(() => expect(lines).toHaveLength(1), PATIENCE);
  await end();
  const msg = "A webhook target cannot resume from its position";
  expect(lines).toMatchObject([
    { level: "error", msg, target: "books", hint: expect.stringContaining("--forget books") },
  ]);
  expect(sent).toEqual([]);
  expect(service.entries.get(KEYS.state("books"))).toMatchObject({ cursor });
});

it.each([200, 404])("pages with status %i of a proxy do not interrupt a target", async (status) => {
  let asked = 0;
  await using served = await serve((_, response) => {
    asked += 1;
    response.writeHead(status, { "Content-Type": "text/html" }).end("<!doctype html>");
  });
  const entries = new Map([[KEYS.state(ENTRY.name), beginAfter("0", Date.now())]]);
  const { lines, end } = follow({ served, entries }, { finality: "pending" });
  await vi.waitFor(() => expect(asked).toBeGreaterThan(2), PATIENCE);
  await end();
  const msg = "The reader refuses what webhooks are made from; it is asked again";
  expect(lines).toMatchObject([{ msg, path: "/v1/stream", status }]);
});

it("a store that fails is told of once, and once when it works again", async () => {
  const service = await servedRows();
  await using _ = service.served;
  let failures = 0;
  const { lines, end } = follow(service, {}, (store) => ({
    ...store,
    async put(key, value) {
      if (++failures <= 3) throw new Error("the disk is full");
      await store.put(key, value);
    },
  }));
  await vi.waitFor(() => expect(lines).toHaveLength(2), PATIENCE);
  await end();
  expect(lines).toMatchObject([
    { msg: "A webhook target is interrupted", target: "books", error: "Error: the disk is full" },
    { msg: "A webhook target continues", target: "books" },
  ]);
});

it("counts no dead letters while the store does not answer, and shows the rest", async () => {
  const scraped = async (entries: Store["entries"]) => {
    const metrics = createWebhookMetrics(["books"], { entries });
    metrics.of("books").reached(7n);
    return metrics.registry.metrics();
  };
  expect(await scraped(async () => [])).toContain('raisebook_webhooks_dead_letters{target="books"} 0\n');
  for (const entries of [
    () => Promise.reject(new Error("ECONNREFUSED")),
    () => new Promise<never>(() => {}),
  ]) {
    const text = await scraped(entries);
    expect(text).not.toContain("raisebook_webhooks_dead_letters{");
    expect(text).toContain('raisebook_webhooks_delivered_block{target="books"} 7\n');
  }
});
