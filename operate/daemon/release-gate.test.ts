import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { createBookRoots } from "../../api/proof/book-root.ts";
import { OTHER_ESCROW } from "../../test/harness/book.ts";
import { tablesWith } from "../../test/harness/compared-books.ts";
import { type MemoryTables, memoryBookQueries, tablesOfEvents } from "../../test/harness/memory-book.ts";
import { recordedLog, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { createReleaseGate } from "./release-gate.ts";

const NEWEST = { number: 48_001_000n, timestamp: 0n };
const made = await snapshotOf(tablesOf());
const UNFOLLOWED = `0x${"dd".repeat(20)}`;
const common = tablesWith(20);
const [one] = common.listings;
const [last] = common.ledger;
if (one === undefined || last === undefined) throw new Error("there are listings");
/** With an escrow that the release does not follow any more. */
const old: MemoryTables = {
  ledger: [...common.ledger, { ...last, escrowAddress: UNFOLLOWED as Hex, logIndex: 8 }],
  listings: [...common.listings, { ...one, escrowAddress: UNFOLLOWED as Hex }],
};

async function gateOf(
  tables: MemoryTables,
  {
    allowsDifferences = false,
    error = null as object | null,
    theirs = old,
    position = {} as Parameters<typeof tablesOf>[0],
    isRestarting = false,
  } = {},
) {
  const queries = memoryBookQueries(() => tables);
  const { log, lines } = recordedLog();
  let asked = 0;
  const snapshot = { ...made, backfilled: !isRestarting, finalized: NEWEST, lastChanged: NEWEST };
  const roots = createBookRoots({ queries, pastListings: async () => [], pause: async () => {}, log });
  const gate = createReleaseGate({
    own: { roots, queries, current: () => snapshot, follows: (escrow) => escrow !== UNFOLLOWED },
    tablesOf: () => ({
      queries: memoryBookQueries(() => theirs),
      position: async () => {
        asked += 1;
        if (error !== null) throw error;
        return tablesOf({ finalized: NEWEST, ...position });
      },
    }),
    allowsDifferences,
    log,
  });
  const passes = await gate("raisebook_old");
  return { passes, asked, warnings: lines.filter(({ level }) => level === "warn") };
}

const [first, ...rest] = old.listings;
const [event] = old.ledger;
if (first === undefined || event === undefined) throw new Error("there are listings");
const wrong = { ...old, listings: [{ ...first, raisedAmount: first.raisedAmount + 1n }, ...rest] };

/** The progress of an indexer that has begun again after this block. */
const restarting = (irreversible: bigint) => ({
  backfilled: false,
  irreversible: { number: irreversible, timestamp: 0n },
});

describe("a release takes over", () => {
  it("with the same book", async () => {
    expect(await gateOf({ ledger: [...old.ledger], listings: [...old.listings] })).toMatchObject({
      passes: true,
      warnings: [],
    });
  });

  it("without the escrows that its settings do not follow", async () => {
    expect((await gateOf(common)).passes).toBe(true);
  });

  it("with what other contracts add", async () => {
    const added = { ...event, escrowAddress: OTHER_ESCROW, logIndex: 9 };
    const more = {
      ledger: [...old.ledger, added],
      listings: [...old.listings, { ...first, escrowAddress: OTHER_ESCROW }],
    };
    expect((await gateOf(more)).passes).toBe(true);
  });

  it("with the rows that the other's indexer has not taken back in a restart", async () => {
    const { blockNumber } = last;
    const behind = tablesOfEvents(common.ledger.filter((row) => row.blockNumber < blockNumber));
    const position = restarting(blockNumber - 1n);
    expect((await gateOf(common, { theirs: behind, position })).passes).toBe(true);
  });

  it("if the other has nothing final yet", async () => {
    const nothing = { ledger: [], listings: [] };
    expect((await gateOf(common, { theirs: nothing, position: restarting(0n) })).passes).toBe(true);
  });

  it("if the tables cannot be compared, with a warning", async () => {
    const error = Object.assign(new Error("Failed query"), { cause: { code: "42703" } });
    expect(await gateOf(old, { error })).toMatchObject({ passes: true, warnings: [{}] });
  });

  it("with another book where that is wanted", async () => {
    expect(await gateOf(wrong, { allowsDifferences: true })).toMatchObject({ passes: true, warnings: [{}] });
  });
});

describe("a release does not take over, and says why", () => {
  it.each<[string, MemoryTables, { missing: number; added: number }]>([
    ["with a wrong figure", wrong, { missing: 1, added: 1 }],
    ["with an event fewer", { ...old, ledger: old.ledger.slice(1) }, { missing: 1, added: 0 }],
    [
      "with an event more of the same contracts",
      { ...old, ledger: [...old.ledger, { ...event, logIndex: 9 }] },
      { missing: 0, added: 1 },
    ],
  ])("%s", async (_, tables, counts) => {
    const { passes, warnings } = await gateOf(tables);
    expect(passes).toBe(false);
    expect(warnings).toMatchObject([{ schema: "raisebook_old", block: `${NEWEST.number}`, ...counts }]);
  });

  it("with a wrong figure while the other's indexer restarts", async () => {
    const { passes, warnings } = await gateOf(wrong, { position: restarting(NEWEST.number - 1n) });
    expect(passes).toBe(false);
    expect(warnings).toMatchObject([{ block: `${NEWEST.number - 1n}`, missing: 1, added: 1 }]);
  });

  it("while its own indexer restarts, and reads nothing of the other", async () => {
    const behind = { ...old, ledger: old.ledger.slice(1) };
    const unknown = { passes: null, asked: 0, warnings: [] };
    expect(await gateOf(behind, { isRestarting: true })).toEqual(unknown);
  });

  it("while the database does not answer", async () => {
    await expect(gateOf(old, { error: new Error("silent") })).rejects.toThrow("silent");
  });
});
