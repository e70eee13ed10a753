/**
 * The stream over real sockets: of the real service with either database, whose reader is in the indexer's process, and of the
 * public server over a made-up ledger that has no end.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Deployment } from "../../demo/deploy.ts";
import { appIn } from "../harness/app.ts";
import { type LocalChain, startChain } from "../harness/chain.ts";
import { emit, events } from "../harness/emit.ts";
import { PATIENCE } from "../harness/patience.ts";
import { deployRogueEscrow } from "../harness/rogue.ts";
import { registryOf } from "../harness/rogue-market.ts";
import { serveApp } from "../harness/serve-app.ts";
import { type Service, startService } from "../harness/service.ts";
import { has, readStream, type StreamReader } from "../harness/stream-reader.ts";
import { createStreamedChain, heldAfter, idOf, rowsOf } from "../harness/streamed-chain.ts";

const MIB = 1024 * 1024;
/** The local chain calls a block final that is thirty below its head. */
const UNTIL_FINAL = 31;
const FORGED = "00000000";
const MAX_STREAMS = 300;

const sockets = new Set<Socket>();

/** A client that asks and reads nothing of the answer. */
async function askWithoutReading(port: number, query: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port });
  sockets.add(socket);
  socket.pause().on("error", () => {});
  await once(socket, "connect");
  socket.write(`GET /v1/stream${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  return socket;
}

const open = async (url: string, query = "", headers: Record<string, string> = {}) =>
  readStream(await fetch(`${url}/v1/stream${query}`, { headers }));

const rowsIn = (stream: StreamReader) => stream.frames().filter(({ event }) => event === "ledger");

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

describe("a stream of the real service", () => {
  let chain: LocalChain;
  let escrow: Deployment;
  let services: { embedded: Service; postgres: Service };
  let quiet: StreamReader;

  const say = async (...calls: Parameters<typeof emit>[2][]) => {
    const block = await emit(chain, escrow.address, ...calls);
    for (const service of Object.values(services)) await service.indexed(block);
  };
  const mine = async (blocks: number) => {
    await chain.testClient.mine({ blocks });
    const head = await chain.publicClient.getBlockNumber();
    for (const service of Object.values(services)) await service.indexed(head);
  };

  beforeAll(async () => {
    chain = await startChain();
    escrow = await deployRogueEscrow(chain);
    const { originators, listings } = registryOf({ a: escrow.address }, 3);
    const [one] = originators;
    const registry = {
      originators: [one, { ...one, publicId: "org_two", addresses: [`0x${"00".repeat(19)}a2`] }],
      listings: listings.map((entry, index) => (index === 2 ? { ...entry, originator: "org_two" } : entry)),
    };
    const refnums = ["RB00001", "RB00002", "RB00003"];
    await emit(
      chain,
      escrow.address,
      ...refnums.map((refnum, index) => events.created(BigInt(index + 1), { refnum })),
      events.subscribed(1n, 100n, 100n),
    );
    await chain.testClient.mine({ blocks: UNTIL_FINAL });
    const options = {
      ...{ rpcUrl: chain.rpcUrl, escrows: [`${escrow.address}@${escrow.blockNumber}`], registry },
      env: { MAX_STREAMS: `${MAX_STREAMS}` },
    };
    const [embedded, postgres] = await Promise.all([
      startService({ ...options, isEmbedded: true }),
      startService(options),
    ]);
    services = { embedded, postgres };
    await mine(1);
    quiet = await open(embedded.url);
  });

  describe.each(["embedded", "postgres"] as const)("with the database %s", (name) => {
    const url = () => services[name].url;

    it("gives the rows that a filter names, of before and as they come", async () => {
      const filters = {
        "": (_: Record<string, string>) => true,
        "&listing=lst_a_1": ({ publicId }: Record<string, string>) => publicId === "lst_a_1",
        "&listing=RB00003": ({ publicId }: Record<string, string>) => publicId === "lst_a_3",
        "&originator=org_two": ({ publicId }: Record<string, string>) => publicId === "lst_a_3",
        "&kind=subscribed": ({ kind }: Record<string, string>) => kind === "subscribed",
        "&kind=subscribed,listing_created&originator=org_two": ({ publicId }: Record<string, string>) =>
          publicId === "lst_a_3",
        "&q=RB00003&kind=subscribed": ({ publicId, kind }: Record<string, string>) =>
          publicId === "lst_a_3" && kind === "subscribed",
        "&listing=lst_a_2&kind=repaid": () => false,
      };
      const streams = await Promise.all(
        Object.keys(filters).map((query) => open(url(), `?after=0&heads=all${query}`)),
      );
      for (const stream of streams) await stream.until(has("head"));
      const [everything] = streams;
      const known = rowsIn(everything as StreamReader).length;
      await say(events.subscribed(3n, 5n, 5n), events.subscribed(1n, 5n, 105n));
      for (const stream of streams) await stream.until(has("head", 2));
      const all = rowsIn(everything as StreamReader).map(({ data }) => data);
      expect(all.length).toBe(known + 2);
      expect(all.slice(0, 4).map(({ kind }) => kind)).toEqual([
        ...["listing_created", "listing_created", "listing_created", "subscribed"],
      ]);
      const expected = Object.values(filters).map((isWanted) => all.filter(isWanted));
      expect(streams.map((stream) => rowsIn(stream).map(({ data }) => data))).toEqual(expected);
      // There is something to tell apart.
      expect(new Set(expected.map((rows) => rows.length)).size).toBeGreaterThan(3);
      await Promise.all(streams.map((stream) => stream.close()));
    });

    it("with finality=final withdraws nothing, and sends each row once it is final", async () => {
      const onlyFinal = await open(url(), "?after=0&finality=final");
      const pending = await open(url());
      for (const stream of [onlyFinal, pending]) await stream.until(has("head"));
      const before = rowsIn(onlyFinal).length;
      await say(events.subscribed(1n, 7n, 112n));
      await pending.until(has("ledger"));
      const [lost] = rowsIn(pending);
      expect(lost?.data.finality).toBe("pending");
      await chain.testClient.request({ method: "anvil_reorg", params: [1, []] } as never);
      await mine(1);
      await pending.until(has("reorg"));
      await say(events.subscribed(1n, 8n, 113n));
      await mine(UNTIL_FINAL);
      await onlyFinal.until(() => rowsIn(onlyFinal).length > before);
      const found = rowsIn(onlyFinal).map(({ data }) => [data.kind, data.totalRaised, data.finality]);
      expect(found.at(-1)).toEqual(["subscribed", "113", "final"]);
      expect(found.map(([, total]) => total)).not.toContain("112");
      expect(onlyFinal.frames().map(({ event }) => event)).not.toContain("reorg");
      // A follower that returns with a reverted row is first told of the reorg.
      const returned = await open(url(), "?after=0", { "Last-Event-ID": lost?.id ?? "" });
      await returned.until(has("head"));
      const [reorg] = returned.frames();
      expect(reorg?.event).toBe("reorg");
      expect(Number(reorg?.data.from)).toBeLessThanOrEqual(Number(lost?.data.blockNumber));
      const all = heldAfter(returned.frames(), [lost?.id ?? ""]);
      expect(all).not.toContain(lost?.id);
      expect(all.at(-1)).toBe(rowsIn(onlyFinal).at(-1)?.id);
      await Promise.all([onlyFinal, pending, returned].map((stream) => stream.close()));
    });

    it("sends rows of the new fork from before the row that a client returns with", async () => {
      const id = await chain.testClient.snapshot();
      await mine(5);
      await say(events.subscribed(1n, 7n, 1_007n));
      const pending = await open(url(), "?after=0");
      await pending.until(has("head"));
      const lost = rowsIn(pending).at(-1)?.id ?? "";
      await pending.close();
      await chain.testClient.revert({ id });
      await chain.testClient.increaseTime({ seconds: 60 });
      await emit(chain, escrow.address, events.subscribed(1n, 8n, 1_008n));
      await mine(8);
      const returned = await open(url(), `?after=${lost}`);
      await returned.until(has("head"));
      const whole = await open(url(), "?after=0");
      await whole.until(has("head"));
      const before = rowsIn(pending).map((row) => row.id);
      expect(before).toContain(lost);
      expect(heldAfter(returned.frames(), before)).toEqual(rowsIn(whole).map((row) => row.id));
      await Promise.all([returned, whole].map((stream) => stream.close()));
    });

    it("goes on after the id in the header before that in the query, and refuses what is no id of its rows", async () => {
      const begun = await open(url(), "?after=0");
      await begun.until(has("head"));
      await begun.close();
      const ids = rowsIn(begun).map(({ id }) => id);
      const returned = await open(url(), "?after=0", { "Last-Event-ID": ids[1] ?? "" });
      await returned.until(has("head"));
      expect(rowsIn(returned).map(({ id }) => id)).toEqual(ids.slice(2));
      await returned.close();
      const [first = ""] = ids;
      const forged = first.replace(/[0-9a-f]{8}$/, FORGED);
      for (const id of ["x", "1-2", `${first}0`, forged, `999999999-0-${FORGED}`, "-1-0-00000000"]) {
        for (const [query, headers, parameter] of [
          [`?after=${id}`, {}, "after"],
          ["", { "Last-Event-ID": id }, "Last-Event-ID"],
        ] as const) {
          const refused = await fetch(`${url()}/v1/stream${query}`, { headers });
          expect([refused.status, (await refused.json()).errors[0].parameter]).toEqual([400, parameter]);
        }
      }
      const head = await chain.publicClient.getBlockNumber();
      const ahead = await fetch(`${url()}/v1/stream?after=${head + 5n}-0-${FORGED}`);
      expect([ahead.status, ahead.headers.get("retry-after")]).toEqual([503, "2"]);
      await ahead.body?.cancel();
      expect((await fetch(`${url()}/v1/stream?listing=lst_nobody`)).status).toBe(404);
    });
  });

  it("has a fixed number of places; other requests are answered, and a client that leaves frees one", async () => {
    const { url } = services.embedded;
    const port = Number(new URL(url).port);
    // One is the quiet one's.
    const many = MAX_STREAMS - 1;
    const readers = await Promise.all(Array.from({ length: many }, () => askWithoutReading(port, "")));
    const head = () => fetch(`${url}/v1/stream`, { method: "HEAD" });
    await vi.waitFor(async () => expect((await head()).status).toBe(503), PATIENCE);
    const refused = await fetch(`${url}/v1/stream`);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await refused.json()).toMatchObject({ code: "busy" });
    expect((await services.embedded.get("/v1/listings")).status).toBe(200);
    await say(events.subscribed(2n, 9n, 9n));
    const reached = readers.map(async (socket) => {
      let text = "";
      socket.on("data", (bytes) => {
        text += bytes;
      });
      socket.resume();
      await vi.waitFor(() => expect(text).toContain('"totalRaised":"9"'), PATIENCE);
    });
    await Promise.all(reached);
    for (const socket of readers) socket.destroy();
    await vi.waitFor(async () => expect((await head()).status).toBe(200), PATIENCE);
  });

  it("sends keep-alives to idle followers, and ends cleanly when the service stops", async () => {
    const others = await Promise.all(
      Object.values(services).map(({ url }) => open(url, "?listing=lst_a_2&finality=final")),
    );
    while (!quiet.text().includes("\n:\n")) {
      const known = quiet.text().length;
      await quiet.until(() => quiet.text().length > known);
    }
    const ends = [quiet, ...others].map((stream) => stream.toEnd());
    const codes = await Promise.all(Object.values(services).map((service) => service.stop()));
    // A connection that was cut off at the end of the server's patience would throw.
    await Promise.all(ends);
    expect(codes).toEqual([0, 0]);
  });
});

describe("a stream of a ledger without an end", () => {
  async function endless(limits: Parameters<typeof serveApp>[1], followers: number) {
    const chain = await createStreamedChain();
    const { updater, reader: onward, listing } = chain;
    chain.mine(1);
    chain.finalise(10n ** 9n);
    onward.page = async ({ after, limit }) => {
      const first = (after?.blockNumber ?? 0n) + 1n;
      return Array.from({ length: limit }, (_, index) => ({
        number: first + BigInt(index),
        fork: 0,
        rows: 1,
      })).flatMap((block) => rowsOf(block, listing));
    };
    const streamLimits = { followers, pendingRows: 1_000 };
    const served = await serveApp(await appIn({ overrides: { updater, onward, streamLimits } }), limits);
    const isFree = async () => (await fetch(`${served.url}/v1/stream`, { method: "HEAD" })).status === 200;
    return { served, chain, isFree };
  }

  it("a reader that takes nothing is cut off, and comes back with the id of the last row that it has", async () => {
    const { served, chain, isFree } = await endless({ readTimeout: 100 }, 1);
    const socket = await askWithoutReading(served.port, "?after=0");
    await vi.waitFor(async () => expect(await isFree()).toBe(false), PATIENCE);
    await vi.waitFor(async () => expect(await isFree()).toBe(true), PATIENCE);
    let text = "";
    socket.on("data", (bytes) => {
      text += bytes;
    });
    socket.resume();
    await once(socket, "close");
    const ids = [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
    expect(ids.length).toBeGreaterThan(200);
    // The last may have been cut in two.
    const last = ids.at(-2) ?? "";
    chain.reader.place = async () => "on chain";
    const returned = await open(served.url, `?after=${last}`);
    await returned.until(has("ledger"));
    const next = { number: BigInt(last.split("-")[0] ?? 0) + 1n, fork: 0, rows: 1 };
    expect(returned.frames()[0]?.id).toBe(rowsOf(next, chain.listing).map(idOf)[0]);
    await returned.close();
    await served.close();
  });

  it("200 readers that take nothing hold no more than a page each", async () => {
    const { served, isFree } = await endless({}, 200);
    const before = process.memoryUsage().rss;
    for (let count = 0; count < 200; count++) await askWithoutReading(served.port, "?after=0");
    await vi.waitFor(async () => expect(await isFree()).toBe(false), PATIENCE);
    // By now their rows fill the system's buffers, and no more can be sent.
    await vi.waitFor(async () => expect((await fetch(`${served.url}/v1/health`)).status).toBe(200), PATIENCE);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MIB);
    await served.close();
  });

  it("a client that leaves while its id is looked up frees its place", async () => {
    const { served, chain, isFree } = await endless({}, 6);
    // While one follows, no other first state has to be read, which would wait behind the held lookups.
    const stays = await open(served.url);
    const held = Promise.withResolvers<void>();
    const asked = vi.fn(async () => {
      await held.promise;
      return "unknown" as const;
    });
    chain.reader.place = asked;
    const gone = await Promise.all(
      Array.from({ length: 5 }, (_, index) => askWithoutReading(served.port, `?after=1-${index}-${FORGED}`)),
    );
    await vi.waitFor(async () => expect(await isFree()).toBe(false), PATIENCE);
    for (const socket of gone) socket.destroy();
    await vi.waitFor(async () => expect(await isFree()).toBe(true), PATIENCE);
    held.resolve();
    await stays.close();
    await served.close();
  });
});
