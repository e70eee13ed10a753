/** Pages are made once for each market, and no more of them are kept than a bound. */
import { describe, expect, it } from "vitest";
import { appIn, dependenciesIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { fixedLedger, recordedLedger } from "../../test/harness/fixed-ledger.ts";
import { neverInStep } from "../../test/harness/never-in-step.ts";
import { everyState, HEAD, listingRow, NOW } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { createApp } from "../app.ts";
import { encodeEventCursor } from "../ledger/cursor.ts";
import type { BidEvent } from "../market/bids.ts";
import type { Snapshot } from "../market/snapshot.ts";

const PAGE = "/listings/lst_2";
/** As `answers.ts` has it. */
const MOST_PAGES = 300;

/** An app whose market, head and ledger a test changes and watches. */
async function watched(first?: Snapshot) {
  const { asked, reader } = recordedLedger();
  let snapshot = first ?? (await snapshotOf(tablesOf()));
  let head = HEAD.number;
  const overrides = {
    ledger: reader,
    updater: { current: () => snapshot },
    upstream: { head: () => ({ ...HEAD, number: head }), secondsSinceSeen: () => 1 },
  };
  return {
    ask: asking(createApp(await dependenciesIn({ overrides }))),
    /** how many pages of listings were made */
    made: () => asked.events.length,
    use: (next: Snapshot) => {
      snapshot = next;
    },
    growChain: (blocks: bigint) => {
      head += blocks;
    },
  };
}

describe("a page of the market", () => {
  it("is made once for each form, whatever else is asked for in between", async () => {
    const { ask, made } = await watched();
    const first = await ask(PAGE);
    expect(made()).toBe(1);
    for (let times = 0; times < 3; times++) expect((await ask(PAGE)).text).toBe(first.text);
    expect(made()).toBe(1);
    await ask(PAGE, { headers: { Accept: "text/markdown" } });
    expect(made()).toBe(2);
    for (const address of [`${PAGE}.md`, `/md${PAGE}`]) await ask(address);
    await ask(PAGE, { method: "HEAD" });
    await ask(PAGE, { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
    expect(made()).toBe(2);
  });

  it("shows what a reorg has put in the place of a bid, in a block of the same number and time", async () => {
    const row = listingRow({ pricingMode: "auction", raisedAmount: 50n, firstSubscribedAt: NOW });
    const tables = (reverts: number) => tablesOf({ listings: [row], reverts });
    const bids = (rateBps: number): { events: readonly BidEvent[] } => ({
      events: [{ kind: "bid", backer: `0x${"b1".repeat(20)}`, rateBps, amount: 50n }],
    });
    let found = bids(900);
    let snapshot = await snapshotOf(tables(0));
    const ledger = { ...fixedLedger(), bidsOfListing: async () => ({ progress: tables(0), ...found }) };
    const overrides = { ledger, updater: { current: () => snapshot } };
    const ask = asking(createApp(await dependenciesIn({ overrides })));
    expect((await ask("/listings/lst_1.md")).text).toContain("9.00%");
    found = bids(1_200);
    snapshot = await snapshotOf(tables(1));
    const { text } = await ask("/listings/lst_1.md");
    expect(text).toContain("12.00%");
    expect(text).not.toContain("9.00%");
  });

  it("is made once for all who ask for it while it is made", async () => {
    const { ask, made } = await watched();
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(PAGE)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(made()).toBe(1);
  });

  it("is the same whatever follows its address", async () => {
    const { ask, made } = await watched();
    const { text, headers } = await ask(PAGE);
    for (const query of ["?utm_source=mail&utm_medium=x", "?fbclid=1", "?", "?q=words", "?Before=x"]) {
      const answer = await ask(`${PAGE}${query}`);
      expect([answer.text, answer.headers.get("etag")]).toEqual([text, headers.get("etag")]);
    }
    expect(made()).toBe(1);
  });

  it("does not care for the order of what is asked", async () => {
    const { ask } = await watched();
    const one = await ask("/?status=live,funding&sort=most_raised&q=raise&utm_source=x");
    const other = await ask("/?q=raise&gclid=1&sort=most_raised&status=live,funding");
    expect(one.status).toBe(200);
    expect(other.text).toBe(one.text);
    expect((await ask("/?q=raise&status=live,funding")).text).not.toBe(one.text);
  });

  it("is made again for another market, and says so by its tag", async () => {
    const { ask, made, use } = await watched();
    const first = await ask(PAGE);
    const later = { number: HEAD.number + 1n, timestamp: HEAD.timestamp + 1n };
    const rows = everyState().rows.map((row) => ({ ...row, raisedAmount: row.raisedAmount + 10n ** 18n }));
    use(await snapshotOf(tablesOf({ head: later, listings: rows })));
    const known = { headers: { "If-None-Match": first.headers.get("etag") ?? "" } };
    const second = await ask(PAGE, known);
    expect(made()).toBe(2);
    expect(second.status).toBe(200);
    expect(second.text).not.toBe(first.text);
    expect(second.headers.get("x-indexed-block")).toBe(`${later.number}`);
  });

  it("keeps its tag over a block that changed nothing", async () => {
    const headAfter = (blocks: bigint) => ({
      number: HEAD.number + blocks,
      timestamp: HEAD.timestamp + 3n * blocks,
    });
    const { ask, made, use } = await watched(await snapshotOf(tablesOf({ head: headAfter(1n) })));
    const first = await ask("/");
    const later = headAfter(2n);
    use(await snapshotOf(tablesOf({ head: later })));
    const second = await ask("/", { headers: { "If-None-Match": first.headers.get("etag") ?? "" } });
    expect(second.status).toBe(304);
    expect(second.headers.get("x-indexed-block")).toBe(`${later.number}`);
    expect(made()).toBe(0);
  });

  it("says how far the index is now, not when it was made", async () => {
    const { ask, growChain } = await watched();
    const quiet = await ask(PAGE);
    growChain(100n);
    const behind = await ask(PAGE);
    expect(behind.text).toContain("block 48,211,034 of 48,211,134");
    growChain(-100n);
    expect((await ask(PAGE)).text).toBe(quiet.text);
  });
});

describe("a page with a chart", () => {
  const blocksLater = (blocks: bigint) => ({
    number: HEAD.number + blocks,
    timestamp: HEAD.timestamp + 3n * blocks,
  });

  it("keeps both over the blocks that do not touch its raise, and is made once for each", async () => {
    const { asked, reader } = recordedLedger();
    let head = HEAD;
    let snapshot = await snapshotOf(tablesOf());
    // The tables are at the head whenever they are read.
    const atHead = <Found>(found: Found) =>
      typeof found === "object" ? { ...found, progress: tablesOf({ head, finalized: HEAD }) } : found;
    const ledger: typeof reader = {
      ...reader,
      ofListing: async (...query) => atHead(await reader.ofListing(...query)),
      seriesOfListing: async (...query) => atHead(await reader.seriesOfListing(...query)),
    };
    const overrides = { ledger, updater: { current: () => snapshot } };
    const ask = asking(createApp(await dependenciesIn({ overrides })));
    // The raise is over, so that its chart does not grow with time.
    const over = snapshot.market.listings.find(({ status }) => status === "matured");
    const path = `/listings/${over?.publicId}`;
    const hasChart = (text: string) => text.includes('id="chart"');
    expect(hasChart((await ask(path)).text)).toBe(true);
    for (let block = 1n; block <= 3n; block++) {
      head = blocksLater(block);
      snapshot = await snapshotOf(tablesOf({ head }));
      const later = await ask(path);
      expect(later.headers.get("x-indexed-block")).toBe(`${head.number}`);
      expect(hasChart(later.text)).toBe(true);
      expect((await ask(path)).text === later.text).toBe(true);
    }
    expect(asked.series).toHaveLength(1);
    expect(asked.events).toHaveLength(4);
  });
});

describe("the cache", () => {
  const at = (place: number) =>
    `${PAGE}?before=${encodeEventCursor({ blockNumber: BigInt(place), logIndex: 0 })}`;

  it("is bounded: answers not requested lately are made again", async () => {
    const { ask, made } = await watched();
    await ask(PAGE);
    for (let place = 1; place <= MOST_PAGES; place++) await ask(at(place));
    expect(made()).toBe(MOST_PAGES + 1);
    await ask(at(MOST_PAGES));
    await ask(at(2));
    expect(made()).toBe(MOST_PAGES + 1);
    await ask(PAGE);
    expect(made()).toBe(MOST_PAGES + 2);
  });

  it("evicts pages for searches too, which have no end", async () => {
    const { ask, made } = await watched();
    await ask(PAGE);
    for (let word = 0; word < MOST_PAGES; word++) await ask(`/?q=word${word}`);
    await ask(PAGE);
    expect(made()).toBe(2);
  });

  it("never holds the state of the service", async () => {
    const { ask, growChain } = await watched();
    const first = await ask("/system");
    growChain(1n);
    const second = await ask("/system");
    expect(first.headers.get("cache-control")).toBe("no-store");
    expect(second.text).not.toBe(first.text);
    expect(second.text).toMatch(/48,?211,?035/);
  });

  it("does not keep a failed read of the ledger: the next request tries again", async () => {
    const { reader } = recordedLedger();
    let isThere = false;
    const ledger = {
      ...reader,
      ofListing: async (...asked: Parameters<typeof reader.ofListing>) =>
        isThere ? reader.ofListing(...asked) : ("backfilling" as const),
    };
    const { updater } = await neverInStep();
    const ask = asking(await appIn({ overrides: { updater, ledger } }));
    expect((await ask(PAGE)).status).toBe(503);
    isThere = true;
    expect((await ask(PAGE)).status).toBe(200);
  });
});
