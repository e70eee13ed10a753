/**
 * Strangers who ask for as many moments of the past as they can: what that costs the operator and the event loop, over
 * a real ledger and a real socket to the chain. Costs are counted in requests and in events, not in time.
 */
import { setImmediate } from "node:timers/promises";
import type { Hono } from "hono";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHistory } from "../../api/history/as-of.ts";
import { createBlockTimes } from "../../api/history/block-times.ts";
import { createPause, SPACING } from "../../api/history/fold.ts";
import { BATCH_SIZE } from "../../api/history/read-ledger.ts";
import { appIn } from "../harness/app.ts";
import { type PastLedger, startPastLedger, subscribedIn } from "../harness/past-ledger.ts";
import { entryDraft, HEAD, listingRow, NOW, registryOf } from "../harness/rows.ts";
import { type RpcProxy, startRpcProxy } from "../harness/rpc-proxy.ts";
import { SITE, snapshotOf, tablesOf } from "../harness/snapshot.ts";

const EVENTS = 2.5 * SPACING;
const FIRST = HEAD.number - 2n * BigInt(EVENTS);
const PENDING = 15;
const STORM = 300;

/** A block a second, an event in every other. */
const timeOf = (block: bigint) => NOW - (HEAD.number - block);
const blockAt = (number: bigint) => ({ number, timestamp: timeOf(number) });
const hexOf = (value: bigint): Hex => `0x${value.toString(16)}`;

let ledger: PastLedger;
let rpc: RpcProxy;

beforeAll(async () => {
  ledger = await startPastLedger();
  const blocks = Array.from({ length: EVENTS }, (_, index) => blockAt(FIRST + 2n * BigInt(index)));
  await ledger.tell(subscribedIn(blocks));
  await ledger.stand({ head: HEAD, finalized: blockAt(HEAD.number - 2n * BigInt(PENDING)) });
  // No server listens there.
  rpc = await startRpcProxy("http://127.0.0.1:9");
  rpc.answers = (request) => {
    const [number] = (request as unknown as { params: [Hex] }).params;
    return { number, timestamp: hexOf(timeOf(BigInt(number))), transactions: [] };
  };
});
afterAll(async () => {
  await ledger.close();
});

/** The service over that ledger, and what its work on the past comes to. */
async function remembering(burst: number, { mostRaises }: { mostRaises?: number } = {}) {
  const work = { folded: 0, sincePause: 0, longest: 0, running: 0, most: 0 };
  const { locate, read, bids } = ledger.reader;
  const pause = createPause();
  const history = createHistory({
    reader: {
      locate,
      bids,
      async read(...asked) {
        work.running += 1;
        work.most = Math.max(work.most, work.running);
        const batch = await read(...asked);
        work.running -= 1;
        work.folded += batch?.rows.length ?? 0;
        work.sincePause += batch?.rows.length ?? 0;
        work.longest = Math.max(work.longest, work.sincePause);
        return batch;
      },
    },
    async pause() {
      work.sincePause = 0;
      await pause();
    },
    blockTimes: createBlockTimes({ rpcUrls: [rpc.url], budget: { burst, perSecond: 0 } }),
    firstBlock: FIRST,
    publicSettings: SITE,
    ...(mostRaises === undefined ? {} : { mostRaises }),
  });
  const snapshot = await snapshotOf(tablesOf({ listings: [listingRow()] }), registryOf([entryDraft()]));
  return { work, history, app: await appIn({ snapshot, overrides: { history } }) };
}

const listingsAsOf = (app: Hono, moment: bigint | string) => app.request(`/v1/listings?asOf=${moment}`);
const isoOf = (time: bigint) => new Date(Number(time) * 1000).toISOString();
/** Blocks without an event, from the last final one down. */
const quiet = (index: number) => HEAD.number - 2n * BigInt(PENDING + index * 7) - 1n;

describe("of the operator's RPC, strangers", () => {
  it("spend no more than the budget, however many blocks they name", async () => {
    const { app } = await remembering(5);
    rpc.reset();
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: STORM }, (_, index) => listingsAsOf(app, quiet(index))),
      );
      const refused = answers.filter(({ status }) => status === 429);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
      expect(refused).toHaveLength(STORM - 5);
      for (const { headers } of refused) expect(headers.get("Retry-After")).toBe("2");
    }
    expect(rpc.asked("eth_getBlockByNumber")).toBe(5);
    // Times in the ledger need no budget.
    const known = [FIRST + 10n, isoOf(timeOf(FIRST + 11n))].map((moment) => listingsAsOf(app, moment));
    expect((await Promise.all(known)).map(({ status }) => status)).toEqual([200, 200]);
    expect(rpc.asked("eth_getBlockByNumber")).toBe(5);
  });

  it("ask for one block once, however many they are", async () => {
    const { app } = await remembering(5);
    rpc.reset();
    const answers = await Promise.all(Array.from({ length: 50 }, () => listingsAsOf(app, quiet(0))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(rpc.asked("eth_getBlockByNumber")).toBe(1);
  });
});

describe("of the event loop that indexes, they", () => {
  it("get short stretches, one at a time, and a bounded fold for each moment; health comes in between", async () => {
    const { app, work } = await remembering(0);
    expect((await listingsAsOf(app, isoOf(NOW - 1n))).status).toBe(200);
    expect(work.folded).toBeLessThanOrEqual(EVENTS);

    let isOver = false;
    const waits: number[] = [];
    const watch = (async () => {
      while (!isOver) {
        const before = work.folded;
        expect((await app.request("/v1/health")).status).toBe(200);
        waits.push(work.folded - before);
        await setImmediate();
      }
    })();
    const moments = Array.from({ length: 32 }, (_, index) => isoOf(timeOf(FIRST + BigInt(1 + index * 149))));
    for (let from = 0; from < moments.length; from += 16) {
      const wave = moments.slice(from, from + 16);
      const before = work.folded;
      const answers = await Promise.all(wave.map((moment) => listingsAsOf(app, moment)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(work.folded - before).toBeLessThanOrEqual(wave.length * (SPACING + PENDING));
    }
    isOver = true;
    await watch;
    expect(work.most).toBe(1);
    expect(work.longest).toBeLessThanOrEqual(BATCH_SIZE);
    expect(waits.length).toBeGreaterThan(32);
    expect(Math.max(...waits)).toBeLessThanOrEqual(BATCH_SIZE);
  });
});

it("the past of a market with more raises than its rows may be kept of is refused, and nothing is folded", async () => {
  const { app, history, work } = await remembering(5, { mostRaises: 0 });
  for (const [query, allowed] of [
    [`asOf=${FIRST + 10n}`, "head"],
    [`asOf=${isoOf(NOW - 1n)}`, "head"],
    ["confirmations=3", "0"],
  ] as const) {
    const answer = await app.request(`/v1/listings?${query}`);
    expect(answer.status).toBe(400);
    const { code, errors } = await answer.json();
    expect(code).toBe("invalid_parameter");
    expect(errors).toEqual([
      {
        parameter: query.split("=")[0],
        detail: expect.stringContaining("up to 0 raises"),
        allowed: [allowed],
      },
    ]);
  }
  expect((await app.request("/v1/listings?asOf=head")).status).toBe(200);
  expect((await app.request("/v1/listings?confirmations=0")).status).toBe(200);
  expect(await history.listingsAt(FIRST + 10n, 1)).toMatchObject({ reason: "out_of_range" });
  expect(work.folded).toBe(0);
});
