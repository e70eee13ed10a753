import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { isoTime } from "../config/format/time.ts";
import { appIn } from "../test/harness/app.ts";
import { NOW } from "../test/harness/rows.ts";
import { brokenOff, has, readStream } from "../test/harness/stream-reader.ts";
import { createStreamedChain, type StreamedChain } from "../test/harness/streamed-chain.ts";
import {
  createRaisebookClient,
  createReplica,
  follow,
  RaisebookProblem,
  type StreamMessage,
} from "./index.ts";

const baseUrl = "https://raises.example/v1";

let chain: StreamedChain;
/** Sends to the app, or wherever a test says. */
let fetch: (request: Request) => Promise<Response>;
let asked: string[];

beforeEach(async () => {
  chain = await createStreamedChain();
  chain.mine(1, 2, 1);
  const { updater, reader: onward } = chain;
  const app = await appIn({ overrides: { updater, onward } });
  // The first stream of a process takes longer than the server waits for it in the test's time.
  await readStream(await app.request(`${baseUrl}/stream?after=0`)).until(has("head"));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  asked = [];
  fetch = async (request) => {
    asked.push(new URL(request.url).search);
    return app.request(request);
  };
});
afterEach(() => vi.useRealTimers());

/** Time passes while something is waited for. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  ended.catch(() => {});
  while (!isOver) {
    await vi.advanceTimersByTimeAsync(100);
    // The app's own time.
    await sleep(5);
  }
  return ended;
}

/** Never answers, until it is given up. */
const silence = ({ signal }: Request) =>
  new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

/** Statuses of pages that are not the service's. */
const PAGES = [200, 404] as const;
const page = (status: number) =>
  new Response("<!doctype html><title>Another site</title>", {
    status,
    headers: { "Content-Type": "text/html; charset=utf-8" },
  });

async function untilHead(messages: AsyncGenerator<StreamMessage, void>): Promise<StreamMessage[]> {
  const taken: StreamMessage[] = [];
  for await (const message of messages) {
    taken.push(message);
    if (message.type === "head") break;
  }
  return taken;
}
const blockOf = (id: string) => BigInt(id.split("-")[0] ?? 0);
const idsIn = (messages: readonly StreamMessage[]) =>
  messages.flatMap((message) => (message.type === "ledger" ? [message.id] : []));

describe("follow", () => {
  it("connects again after silence, a refusal for the moment, a cut in the middle of an event and pages of a proxy, and misses nothing", async () => {
    const send = fetch;
    const troubles: ((request: Request) => Promise<Response>)[] = [
      silence,
      async () =>
        Response.json({ status: 503, code: "busy" }, { status: 503, headers: { "Retry-After": "3" } }),
      async (request) => {
        const answer = await send(request);
        const stream = readStream(answer);
        await stream.until(has("ledger", 4));
        return new Response(stream.text().slice(0, -40), answer);
      },
      ...PAGES.map((status) => async () => page(status)),
      send,
    ];
    fetch = (request) => (troubles.shift() ?? send)(request);
    const messages = await inTime(
      untilHead(follow({ baseUrl, after: "0", fetch: (request) => fetch(request) })),
    );
    expect(idsIn(messages)).toEqual(chain.ids());
    expect(troubles).toEqual([]);
    // After the last whole row that was read.
    expect(asked.at(-1)?.split("%40")[0]).toBe(`?after=${chain.ids().at(-2)}`);
  });

  it.each(["soon", "9999999999", "Fri, 01 Jan 2100 00:00:00 GMT"])(
    "pauses when it is refused until %s",
    async (header) => {
      let refused = 0;
      const leaving = new AbortController();
      const refuse = async () => {
        refused += 1;
        const headers = { "Retry-After": header, "Content-Type": "application/problem+json" };
        return new Response(`{"status": 503}`, { status: 503, headers });
      };
      const next = follow({ baseUrl, signal: leaving.signal, fetch: refuse }).next();
      for (let tenths = 0; tenths < 10; tenths++) await vi.advanceTimersByTimeAsync(100);
      expect(refused).toBeLessThan(5);
      expect(refused > 1).toBe(header === "soon");
      leaving.abort();
      await inTime(next);
    },
  );

  it("sends the filters", async () => {
    const filters = {
      listing: chain.listing.publicId,
      kind: ["repaid", "refunded"],
      finality: "final",
      grade: ["A", "B"],
      minCouponBps: 1200,
    } as const;
    const own = { onMessage: () => {}, signal: new AbortController().signal, userAgent: "test" };
    const lists = { kind: [...filters.kind], grade: [...filters.grade] };
    // With a slash at its end it is the same service, as for createRaisebookClient.
    await inTime(untilHead(follow({ baseUrl: `${baseUrl}/`, ...filters, ...lists, ...own, fetch })));
    const sent = Object.fromEntries(new URLSearchParams(asked[0]));
    expect(sent).toEqual({ ...filters, kind: "repaid,refunded", grade: "A,B", minCouponBps: "1200" });
  });

  describe("over connections that each carry three events", () => {
    /** The rows at the first head after block 20. @param refuses whether a server answers that knows no such id */
    async function followInParts(filters: { finality?: "final" }, refuses = (_: string) => false) {
      const send = fetch;
      fetch = async (request) => {
        if (refuses(request.url)) return Response.json({ status: 400 }, { status: 400 });
        return brokenOff(await send(request), 3);
      };
      let held: string[] = [];
      const leaving = new AbortController();
      const { signal } = leaving;
      const messages = follow({
        baseUrl,
        after: "0",
        signal,
        ...filters,
        fetch: (request) => fetch(request),
      });
      await inTime(
        (async () => {
          for await (const message of messages) {
            if (message.type === "reorg") held = held.filter((id) => blockOf(id) < message.from);
            if (message.type === "ledger") held.push(message.id);
            const isThere = message.type === "head" && blockOf(held.at(-1) ?? "0") >= 20n;
            if (isThere || asked.length > 40) leaving.abort();
          }
        })(),
      );
      return held;
    }

    beforeEach(() => {
      chain.mine(...Array<number>(20).fill(1));
      chain.finalise(20n);
    });
    const opensIn = (block: bigint) => {
      const opening = { ...chain.listing, goLiveAt: isoTime(NOW + block) };
      chain.show([opening, ...chain.market.listings.slice(1)]);
    };

    it("passes the rows of a raise from before it opened", async () => {
      opensIn(18n);
      expect(await followInParts({})).toEqual(chain.ids());
    });

    it("passes them among final rows", async () => {
      opensIn(18n);
      const held = await followInParts({ finality: "final" });
      expect(held).toEqual(chain.ids().filter((id) => blockOf(id) <= 20n));
    });

    it("passes the rows after a block that got missing events", async () => {
      chain.reader.refoldedFrom = async (until) => (until >= 2n && until <= 18n ? 2n : null);
      expect(await followInParts({})).toEqual(chain.ids());
    });

    it("goes on at a server of an earlier release, which knows the ids of rows alone", async () => {
      let refusals = 0;
      const held = await followInParts({}, (url) => {
        const isUnknown = decodeURIComponent(url).includes("@") && refusals < 3;
        if (isUnknown) refusals += 1;
        return isUnknown;
      });
      expect([held, refusals]).toEqual([chain.ids(), 3]);
    });
  });

  it.each([
    ["/v1", "a-program/1.0"],
    ["raises.example/v1", "a-program/1.0"],
    ["localhost:42069/v1", "a-program/1.0"],
    [baseUrl, "книга/1.0"],
  ])("throws where no request can be made: %s, %s", async (baseUrl, userAgent) => {
    // Node's own fetch throws this for other schemes.
    const fails = async () => Promise.reject(new TypeError("fetch failed"));
    const options = { baseUrl, userAgent, fetch: fails, signal: AbortSignal.timeout(5_000) };
    await expect(inTime(follow(options).next())).rejects.toThrow(TypeError);
    const copies = createReplica(createRaisebookClient({ baseUrl: "https://raises.example/v1" }), options);
    await expect(inTime(copies[Symbol.asyncIterator]().next())).rejects.toThrow(TypeError);
  });

  it.each(PAGES)("throws where another web server answers %s", async (status) => {
    const messages = follow({
      baseUrl,
      fetch: async () => page(status),
      signal: AbortSignal.timeout(5_000),
    });
    await expect(inTime(messages.next())).rejects.toThrow(`answers ${status}, and not as the service does`);
  });

  it.each([
    ["a refusal for the moment", `{"status": 503}`, "application/problem+json", 503],
    ["a stream that is cut before its first message", ": here\n\n", "text/event-stream", 200],
  ])(
    "asks again after a proxy's page once the service has answered with %s",
    async (_, body, type, status) => {
      const answer = new Response(body, { status, headers: { "Content-Type": type } });
      const troubles = [answer, ...PAGES.map(page)];
      const send = fetch;
      const retried = follow({ baseUrl, fetch: async (request) => troubles.shift() ?? send(request) });
      expect((await inTime(untilHead(retried))).at(-1)).toMatchObject({ type: "head" });
      expect(troubles).toEqual([]);
    },
  );

  it.each([408, 429, 500, 502])("asks again after a page with status %s", async (status) => {
    const troubles = [page(status)];
    const send = fetch;
    const retried = follow({ baseUrl, fetch: async (request) => troubles.shift() ?? send(request) });
    expect((await inTime(untilHead(retried))).at(-1)).toMatchObject({ type: "head" });
  });

  it.each(["at once", "a moment later"])("yields nothing after it is aborted, asked %s", async (when) => {
    const heads = [7, 8].map(
      (block) => `event: head\nid: ${block}\ndata: {"blockNumber":"${block}","blockTime":""}\n\n`,
    );
    // Neither heeds the signal nor finishes its cancellation.
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(heads.join(""))),
      cancel: () => new Promise<never>(() => {}),
    });
    const headers = { "Content-Type": "text/event-stream" };
    const leaving = new AbortController();
    const messages = follow({
      ...{ baseUrl, signal: leaving.signal },
      fetch: async () => new Response(body, { headers }),
    });
    expect(await inTime(messages.next())).toMatchObject({ value: { blockNumber: 7n } });
    const next = when === "at once" ? null : messages.next();
    leaving.abort();
    expect(await inTime(next ?? messages.next())).toEqual({ done: true, value: undefined });
  });

  it("throws what will not change, and ends when it is told to", async () => {
    const refused = follow({ baseUrl, after: "9-9-ffffffffff", fetch }).next();
    await expect(inTime(refused)).rejects.toThrow(RaisebookProblem);
    const leaving = new AbortController();
    const messages = follow({ baseUrl, signal: leaving.signal, fetch: silence });
    const next = messages.next();
    leaving.abort();
    expect(await inTime(next)).toEqual({ done: true, value: undefined });
  });
});

it("a replica gives up an answer that does not come, and asks again", async () => {
  const send = fetch;
  let isSilent = true;
  const book = createRaisebookClient({
    baseUrl,
    fetch: (request) => {
      const answered = isSilent ? silence(request) : send(request);
      isSilent = false;
      return answered;
    },
  });
  const copies = createReplica(book, { baseUrl, fetch: send })[Symbol.asyncIterator]();
  const { value } = await inTime(copies.next());
  expect(value).toMatchObject({ id: chain.ids().at(-1), listings: expect.any(Array) });
  await copies.return?.();
});
