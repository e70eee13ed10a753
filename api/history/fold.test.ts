import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import { createTables, runStep } from "../../src/fold/memory.ts";
import { type LedgerRow, NO_DELTAS, type StoredRow } from "../../src/fold/state.ts";
import { replayRow } from "../../src/fold/step.ts";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import {
  ALICE,
  BOB,
  type DeskLog,
  ESCROW,
  OTHER_ESCROW,
  placeAt,
  TOKEN,
  toDeskEvent,
} from "../../test/harness/book.ts";
import type { ChainRows } from "../market/chain-rows.ts";
import type { Flow } from "../market/flows.ts";
import { createPastFold, createVersions, type PastFoldParameters } from "./fold.ts";
import type { PastQueries, Until } from "./read-ledger.ts";

const DESK = `0x${"de".repeat(20)}` as const;
const PENDING = 6n;

const deskLogs = fc.array(
  fc.record({ offerId: fc.bigInt(1n, 3n), move: fc.nat(2), amount: fc.bigInt(0n, 5n) }).map(deskLog),
  { maxLength: 20 },
);
function deskLog({ offerId, move, amount }: { offerId: bigint; move: number; amount: bigint }): DeskLog {
  if (move === 0) {
    const args = { offerId, token: TOKEN, seller: ALICE, amount: 10n, priceBps: 9_000n, expiresAt: 50n };
    return { eventName: "OfferCreated", args };
  }
  if (move === 1) return { eventName: "OfferCancelled", args: { offerId, remaining: amount } };
  const args = { offerId, token: TOKEN, buyer: BOB, amount, cost: amount, remaining: 10n - amount };
  return { eventName: "OfferFilled", args };
}

/** Three listings and a desk in one ledger; two events of three are in one second with the one before. */
const ledgers = fc
  .tuple(
    arbitraryHistory({ escrowAddress: ESCROW, onchainId: 1n }),
    arbitraryHistory({ escrowAddress: ESCROW, onchainId: 2n }),
    arbitraryHistory({ escrowAddress: OTHER_ESCROW, onchainId: 1n }),
    deskLogs,
    fc.infiniteStream(fc.nat(3)),
  )
  .map(([one, two, three, logs, turns]): StoredRow[] => {
    const desk = logs.map((log) => ({ ...toDeskEvent(log, DESK), at: placeAt(1, 1n) }));
    const waiting = [[...one], [...two], [...three], [...desk]];
    const rows: StoredRow[] = [];
    while (waiting.some((events) => events.length > 0)) {
      const event = waiting[turns.next().value ?? 0]?.shift();
      if (event === undefined) continue;
      const { escrowAddress, onchainId } = event.at;
      const at = placeAt(rows.length + 1, BigInt(10 + Math.floor(rows.length / 3)), {
        escrowAddress,
        onchainId,
      });
      // Made up: the past takes them as they are.
      const committed = [null, 7n, -3n][rows.length % 3] ?? null;
      rows.push({ ...at, kind: event.kind, args: toLedgerArgs(event.args), ...NO_DELTAS, committed });
    }
    return rows;
  });

function isWithin({ blockTime, blockNumber }: LedgerRow, { time, block }: Until): boolean {
  return blockTime <= time && (block === null || blockNumber <= block);
}

/** Two final rows at a time, and every pending one at once; counts what it gives. */
function readerOver(rows: readonly StoredRow[]): { read: PastQueries["read"]; given: number } {
  const settled = BigInt(rows.length) - PENDING;
  const reader = {
    given: 0,
    read: async (after: string, until: Until) => {
      const following = rows.filter((row) => row.eventId > after && isWithin(row, until));
      const final = following.filter(({ blockNumber }) => blockNumber <= settled);
      const isLast = final.length <= 2;
      const batch = isLast ? following : final.slice(0, 2);
      reader.given += batch.length;
      return { rows: batch, settled, isLast };
    },
  };
  return reader;
}

function foldOver(rows: readonly StoredRow[], limits: Pick<PastFoldParameters, "spacing" | "maxSurplus">) {
  const reader = readerOver(rows);
  const fold = createPastFold({ read: reader.read, pause: async () => {}, ...limits });
  return { fold, reader };
}

/** The result of the whole fold of the rows up to there. */
function expected(rows: readonly StoredRow[], until: Until) {
  const tables = createTables({});
  const events = rows.filter((row) => {
    if (!isWithin(row, until)) return false;
    runStep(tables, replayRow(row));
    // Without terms the raise is folded again, once the registry has some.
    return tables.listing.get(`${row.escrowAddress}/${row.onchainId}`)?.targetAmount == null;
  });
  const listings = [...tables.listing.values()];
  const committed = rows.filter((row) => isWithin(row, until) && row.committed !== null);
  return {
    events,
    flows: {
      committed: committed.reduce((sum, row) => sum + (row.committed ?? 0n), 0n),
      reserves: listings.reduce((sum, { reserveBalance }) => sum + reserveBalance, 0n),
    },
    listings,
    offers: [...tables.offer.values()],
    repayments: tables.repayment,
    trades: tables.trade,
    holders: new Map(),
  };
}

/** With its flows as sums, which do not depend on the marks. */
function summed(rows: ChainRows | null) {
  const sumOf = (...measures: Flow["measure"][]) =>
    (rows?.flows ?? [])
      .filter(({ measure }) => measures.includes(measure))
      .reduce((sum, { amount }) => sum + amount, 0n);
  return {
    ...rows,
    flows: {
      committed: sumOf("committed") - sumOf("withdrawn"),
      reserves: sumOf("reservesPosted") - sumOf("reservesUsed", "reservesReleased"),
    },
  };
}

const moments = fc.array(
  fc.record({ time: fc.bigInt(8n, 40n), block: fc.option(fc.bigInt(0n, 90n), { nil: null }) }),
  { minLength: 12, maxLength: 12 },
);

describe("a fold from marks", () => {
  it.each([
    ["marks that all stay", { spacing: 3 }],
    ["marks that are thinned out again and again", { spacing: 2, maxSurplus: 3 }],
    ["no mark", { spacing: 1_000 }],
  ])("is the fold of the whole ledger up to there, in whatever order it is asked: %s", async (_, limits) => {
    const property = fc.asyncProperty(ledgers, moments, async (rows, asked) => {
      const { fold } = foldOver(rows, limits);
      for (const until of asked) expect(summed(await fold.rowsAt(until))).toEqual(expected(rows, until));
    });
    await fc.assert(property, { numRuns: 60, endOnFailure: true });
  });

  it("folds what is between two marks and what is pending, once the first question has left the marks", async () => {
    const [rows = []] = fc.sample(ledgers, { numRuns: 1, seed: 4 });
    expect(rows.length).toBeGreaterThan(30);
    const { fold, reader } = foldOver(rows, { spacing: 5 });
    const end = { time: 10n ** 9n, block: null };
    await fold.rowsAt(end);
    expect(reader.given).toBe(rows.length);
    for (const block of rows.map(({ blockNumber }) => blockNumber)) {
      reader.given = 0;
      await fold.rowsAt({ ...end, block });
      expect(reader.given).toBeLessThan(5 + Number(PENDING));
    }
  });

  it("leaves no mark at what a reorg may take back", async () => {
    const [rows = []] = fc.sample(ledgers, { numRuns: 1, seed: 4 });
    const chain = [...rows];
    const { fold } = foldOver(chain, { spacing: 1 });
    const end = { time: 10n ** 9n, block: null };
    await fold.rowsAt(end);
    chain.splice(-Number(PENDING));
    expect(summed(await fold.rowsAt(end))).toEqual(expected(chain, end));
  });

  it("is unchanged by what is folded later", async () => {
    const [rows = []] = fc.sample(ledgers, { numRuns: 1, seed: 4 });
    const { fold } = foldOver(rows, { spacing: 2, maxSurplus: 3 });
    const until = { time: 10n ** 9n, block: 9n };
    const before = await fold.rowsAt(until);
    const copy = structuredClone(before);
    await fold.rowsAt({ ...until, block: null });
    expect(before).toEqual(copy);
  });
});

describe("the versions of a row", () => {
  it("are as many as marks at which it stood, and fewer when marks go", () => {
    const versions = createVersions<string>();
    const marks = [1, 2, 3, 4, 5, 6, 7];
    for (const mark of marks) {
      const layer = versions.over(mark - 1);
      layer.set("changing", `at ${mark}`);
      if (mark === 3) layer.set("lasting", "since 3");
      versions.keep(layer, mark);
    }
    const at = (mark: number) => [...versions.over(mark).values()];
    expect(versions.surplus()).toBe(6);
    expect([at(2), at(3), at(7)]).toEqual([["at 2"], ["at 3", "since 3"], ["at 7", "since 3"]]);
    versions.thin(new Map([...marks.map((mark): [number, number] => [mark, mark + (mark % 2)]), [7, 7]]));
    expect([versions.surplus(), at(2), at(5), at(7)]).toEqual([
      3,
      ["at 2"],
      ["at 4", "since 3"],
      ["at 7", "since 3"],
    ]);
  });
});
