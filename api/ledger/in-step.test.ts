import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ALICE } from "../../test/harness/book.ts";
import {
  contractsOf,
  createChain,
  entryOf,
  eventOf,
  registryWith,
  TERMS,
  THREE,
} from "../../test/harness/derived-raises.ts";
import { fixedLedger } from "../../test/harness/fixed-ledger.ts";
import { neverInStep } from "../../test/harness/never-in-step.ts";
import { project } from "../../test/harness/project.ts";
import { HEAD } from "../../test/harness/rows.ts";
import { SITE, snapshotOf, type TableDraft, tablesOf } from "../../test/harness/snapshot.ts";
import type { Snapshot } from "../market/snapshot.ts";
import { inStep, ReorganisingError } from "./in-step.ts";
import { visibleIn } from "./pages.ts";
import type { LedgerQueries } from "./read.ts";
import { ChainSilentError } from "./sums.ts";

const QUERY = { kinds: null, since: null, until: null, before: null, limit: 1 };
const PAIR = { escrowAddress: "0xe5", onchainId: 1n } as const;
const BOUND = { block: 1n };
const NONE = { size: 0, has: () => false, pairs: () => [] };
const READS: Record<keyof LedgerQueries, (ledger: LedgerQueries) => Promise<unknown>> = {
  ofListing: (ledger) => ledger.ofListing(PAIR, QUERY),
  ofListings: (ledger) => ledger.ofListings(NONE, QUERY),
  anomalies: (ledger) => ledger.anomalies({ kinds: null, pairs: null, before: null, limit: 1 }),
  seriesOfListing: (ledger) => ledger.seriesOfListing(PAIR, { until: BOUND, from: 1n, to: 2n, points: 1 }),
  bidsOfListing: (ledger) => ledger.bidsOfListing(PAIR, BOUND),
  sums: (ledger) => ledger.sums(NONE, { since: BOUND, until: BOUND }),
};

/** A ledger of which everything is as of these tables. */
function ledgerAt(draft: TableDraft): LedgerQueries {
  const progress = tablesOf(draft);
  const found = { progress };
  return fixedLedger({ events: found, anomalies: found, series: found, bids: found, sums: found });
}

/** The market of the first tables, and at the second look that of the second. */
async function follow(first: TableDraft, second: TableDraft, ledger: LedgerQueries) {
  const snapshots = [await snapshotOf(tablesOf(first)), await snapshotOf(tablesOf(second))] as const;
  let looks = 0;
  return { source: { updater: { current: () => snapshots[looks++ === 0 ? 0 : 1] }, ledger }, snapshots };
}

/** After a reorganisation. */
const OTHER = { revisions: { listings: "2/b", anomalies: "1/a" }, reverts: 1 };

describe.each(Object.entries(READS))("an answer of %s", (_name, read) => {
  it("is made again with the market that the rows are of", async () => {
    const { source, snapshots } = await follow({}, OTHER, ledgerAt(OTHER));
    const seen: (Snapshot | null)[] = [];
    await inStep(source, (snapshot, ledger) => {
      seen.push(snapshot);
      return read(ledger);
    });
    expect(seen).toEqual(snapshots);
  });
});

describe("an answer", () => {
  const made = async (first: TableDraft, tables: TableDraft, read = READS.ofListing) => {
    const { source } = await follow(first, tables, ledgerAt(tables));
    const make = vi.fn((_: Snapshot | null, ledger: LedgerQueries) => read(ledger));
    await inStep(source, make);
    return make.mock.calls.length;
  };
  const LATER = { revisions: { listings: "2/b" } };
  const [before, after] = [-1n, 1n].map((by) => ({ ...HEAD, number: HEAD.number + by }));

  it.each([
    ["of the market's own rows", {}, {}, 1],
    ["of the same rows at another block", {}, { head: after }, 1],
    ["of rows that were taken back and are there again", {}, { reverts: 1 }, 1],
    ["of a later block, when nothing was taken back", {}, { ...LATER, head: after }, 1],
    ["of a later block, when nobody counts", { reverts: null }, { ...LATER, reverts: null, head: after }, 2],
    ["of a later block, after a reorganisation", {}, { ...OTHER, head: after }, 2],
    ["of an earlier block", {}, { ...LATER, head: before }, 2],
    [
      "in the backfill, of a later block",
      { backfilled: false },
      { ...LATER, head: after, backfilled: false },
      1,
    ],
    [
      "in the backfill, of an earlier block",
      { backfilled: false },
      { ...LATER, head: before, backfilled: false },
      2,
    ],
    ["when the backfill has just ended", { backfilled: false }, LATER, 2],
    ["when the backfill has just begun again", {}, { ...LATER, backfilled: false }, 2],
  ] satisfies [string, TableDraft, TableDraft, number][])("%s", async (_name, first, tables, times) => {
    expect(await made(first, tables)).toBe(times);
  });

  it.each([
    ["of the market's anomalies, beside other events", { revisions: { listings: "2/b" }, reverts: 1 }, 1],
    ["beside an anomaly without an event", { revisions: { listings: "1/a", anomalies: "1/a" } }, 2],
  ] satisfies [string, TableDraft, number][])("%s", async (_name, tables, times) => {
    expect(await made({}, tables, READS.anomalies)).toBe(times);
  });

  /** The market's last event, in a block before its head. */
  const CHANGED = { number: HEAD.number - 2n, timestamp: HEAD.timestamp - 20n };
  const digits = (value: bigint, count: number) => value.toString().padStart(count, "0");
  const lastEvent = {
    eventId: `${digits(CHANGED.timestamp, 10)}${digits(CHANGED.number, 32)}${"0".repeat(33)}`,
    blockHash: "0x",
  };

  it.each([
    ["no bound", null, { block: CHANGED.number }],
    ["the market's time", { time: HEAD.timestamp }, { block: CHANGED.number }],
    ["the market's block", { block: HEAD.number }, { block: CHANGED.number }],
    ["an earlier block", { block: 1n }, { block: 1n }],
    ["an earlier time", { time: 1n }, { time: 1n }],
  ])("of a later block has the rows up to the market's last event: %s", async (_name, until, bound) => {
    const ledger = ledgerAt({ ...LATER, head: after });
    const asked: unknown[] = [];
    const { source } = await follow(
      { lastEvent },
      { lastEvent },
      {
        ...ledger,
        ofListing(pair, query) {
          asked.push(query.until);
          return ledger.ofListing(pair, query);
        },
        seriesOfListing(pair, query) {
          asked.push(query.until);
          return ledger.seriesOfListing(pair, query);
        },
        bidsOfListing(pair, of) {
          asked.push(of);
          return ledger.bidsOfListing(pair, of);
        },
      },
    );
    await inStep(source, (_, ledger) => ledger.ofListing(PAIR, { ...QUERY, until }));
    expect(asked).toEqual([until, bound]);
    await inStep(source, (_, ledger) => READS.seriesOfListing(ledger));
    await inStep(source, (_, ledger) => READS.bidsOfListing(ledger));
    expect(asked.slice(2)).toEqual([{ block: CHANGED.number }, { block: CHANGED.number }]);
  });

  it("is made again when a reorganisation comes between the two reads of a page", async () => {
    const pages = [LATER, OTHER, {}].map((draft) => ledgerAt({ ...draft, head: after }));
    const asked: unknown[] = [];
    const { source } = await follow(
      {},
      {},
      {
        ...ledgerAt({}),
        ofListing(pair, query) {
          asked.push(query.until);
          return (pages.shift() ?? ledgerAt({})).ofListing(pair, query);
        },
      },
    );
    await inStep(source, (_, ledger) => READS.ofListing(ledger));
    expect(asked).toEqual([null, { block: 0n }, null]);
  });

  it("is made again whatever became of the reader's error", async () => {
    const { source } = await follow({}, OTHER, ledgerAt(OTHER));
    const answer = await inStep(source, (_, ledger) =>
      READS.sums(ledger).then(
        () => "whole",
        () => "partial",
      ),
    );
    expect(answer).toBe("whole");
  });

  it("is made again when a read that it shares with another answer failed", async () => {
    const { source } = await follow({}, {}, fixedLedger());
    const make = vi.fn().mockRejectedValueOnce(new ReorganisingError()).mockResolvedValueOnce("whole");
    expect(await inStep(source, make)).toBe("whole");
  });

  it("is not made again after any other failure", async () => {
    const { source } = await follow({}, {}, fixedLedger());
    const make = vi.fn().mockRejectedValue(new Error("the database is away"));
    await expect(inStep(source, make)).rejects.toThrow("away");
    expect(make).toHaveBeenCalledTimes(1);
  });

  it("is made once if there is no market", async () => {
    const source = { updater: { current: () => null }, ledger: ledgerAt(OTHER) };
    expect(await inStep(source, async (snapshot) => snapshot)).toBeNull();
  });
});

describe("the sums of blocks in which a raise was drawn by time alone", () => {
  /** Block 5 is of the closing time, 50; later the raise is repaid in part, or the head passes. */
  const summedIn = async (
    since: bigint,
    until: bigint,
    { isRepaid = false, isSilent = false, closesAtTarget = false } = {},
  ) => {
    const chain = createChain(THREE);
    const amount = closesAtTarget ? 100n : 90n;
    chain.add(eventOf({ kind: "subscribed", at: 20n, backer: ALICE, amount }), 20n);
    if (isRepaid) chain.add(eventOf({ kind: "repaid", at: 70n, amount: 30n }), 70n);
    const market = project({
      ...{ rows: chain.rows(), registry: registryWith(entryOf(TERMS)), publicSettings: SITE },
      ...{
        head: { number: 9n, timestamp: 90n },
        finalized: 0n,
        contracts: contractsOf(THREE, closesAtTarget),
      },
    });
    const asked: bigint[] = [];
    const timeOf = async (block: bigint) => {
      asked.push(block);
      return isSilent ? null : block * 10n;
    };
    const updater = { current: () => snapshot };
    const snapshot = { ...(await snapshotOf(tablesOf())), market };
    const found = await inStep({ updater, ledger: fixedLedger({ sums: { timeOf } }) }, (_, ledger) =>
      ledger.sums(visibleIn(market), { since: { block: since }, until: { block: until } }),
    );
    if (typeof found === "string") return found;
    expect(asked).not.toContain(9n);
    return found.rows.map(({ kind, outstanding }) => `${kind} ${outstanding}`);
  };

  it.each([
    [5n, 5n, ["drawn_down 90"]],
    [1n, 9n, ["drawn_down 90"]],
    [6n, 9n, []],
    [1n, 4n, []],
  ])("from %s to %s", async (since, until, drawn) => {
    expect(await summedIn(since, until)).toEqual(drawn);
    const later = await summedIn(since, until, { isRepaid: true });
    expect(later).toEqual(expect.arrayContaining(drawn));
    expect(later.includes("drawn_down 90")).toBe(drawn.length > 0);
  });

  it("are not known while the chain does not tell the times of these blocks", async () => {
    await expect(summedIn(6n, 9n, { isSilent: true })).rejects.toThrow(ChainSilentError);
  });

  it("need no times where it was drawn by an event, which has a block", async () => {
    const summed = (since: bigint) => summedIn(since, 8n, { isSilent: true, closesAtTarget: true });
    expect(await summed(1n)).toEqual(["drawn_down 100"]);
    expect(await summed(2n)).toEqual([]);
  });
});

describe("while market and ledger never match", () => {
  it("an answer is refused in the end", async () => {
    const source = await neverInStep();
    await expect(inStep(source, (_, ledger) => READS.ofListing(ledger))).rejects.toThrow(ReorganisingError);
  });

  it("or is built from the last refusal", async () => {
    const source = await neverInStep();
    const make = (_: unknown, ledger: LedgerQueries) =>
      READS.ofListing(ledger).catch(({ name }: Error) => name);
    expect(await inStep(source, make)).toBe("ReorganisingError");
  });

  it("the ledger is read once a second, not at every look at the market", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const snapshot = await snapshotOf(tablesOf());
    let looks = 0;
    const current = () => {
      looks++;
      vi.advanceTimersByTime(250);
      return snapshot;
    };
    const make = vi.fn((_: unknown, ledger: LedgerQueries) => READS.ofListing(ledger));
    await expect(inStep({ updater: { current }, ledger: ledgerAt(OTHER) }, make)).rejects.toThrow();
    expect(looks).toBeGreaterThan(20);
    expect(make.mock.calls.length).toBeLessThanOrEqual(7);
  });
});
