import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import { type LedgerRow, type MoneyDeltas, NO_DELTAS } from "../../src/fold/state.ts";
import { eventIdAt } from "../../test/harness/ledger-table.ts";
import { createLedgerOrder } from "./ledger-order.ts";

const ESCROW = `0x${"e5".repeat(20)}` as const;

type Place = { time?: bigint; block?: bigint; transaction?: number; log?: number };

const idOf = ({ time = 1_700_000_000n, block = 7n, transaction = 0, log = 3 }: Place) =>
  eventIdAt({ time, block, transaction, log });

type Row = LedgerRow & MoneyDeltas;

function row(place: Place = {}, change: Partial<Row> = {}): Row {
  const { time = 1_700_000_000n, block = 7n, log = 3 } = place;
  return {
    escrowAddress: ESCROW,
    onchainId: 1n,
    eventId: idOf(place),
    kind: "subscribed",
    blockNumber: block,
    blockTime: time,
    txHash: `0x${"7a".repeat(32)}`,
    logIndex: log,
    part: 0,
    args: {},
    ...NO_DELTAS,
    ...change,
  };
}

const familiesOf = ({ kind }: Row) =>
  kind === "repaid" ? ["listings", "repayments"] : [kind === "offer_filled" ? "desk" : "listings"];

function look(
  rows: readonly Row[],
  counts = { listings: rows.length, repayments: 0, desk: 0 },
  blocks = new Set(rows.map(({ blockNumber }) => blockNumber)),
  tally: { lastEventId?: string; lastBlockHash?: Hex } = {},
) {
  const order = createLedgerOrder();
  for (const one of rows)
    order.add(one, { deltas: NO_DELTAS, blockHash: blocks.has(one.blockNumber) ? "0xb10c" : null });
  const { findings } = order.compare(
    Object.entries(counts).map(([family, events]) => ({
      ...{ family: family as keyof typeof counts, events, lastBlockHash: "0xb10c" },
      lastEventId: rows.findLast((one) => familiesOf(one).includes(family))?.eventId ?? "",
      ...tally,
    })),
  );
  return findings.map(({ field, expected, found }) => [field, expected, found]);
}

describe("createLedgerOrder", () => {
  it("finds nothing in rows that stand where their ids say, once each and all of them", () => {
    const rows = [
      row(),
      row({ log: 4 }),
      row({ transaction: 1, log: 5 }, { kind: "repaid" }),
      row({ block: 8n, log: 0 }, { kind: "offer_filled" }),
    ];
    expect(look(rows, { listings: 3, repayments: 1, desk: 1 })).toEqual([]);
    expect(look([])).toEqual([]);
  });

  it("finds a block that is not among those with events, once", () => {
    const rows = [row(), row({ block: 8n }), row({ block: 8n, log: 5 }), row({ block: 9n })];
    expect(look(rows, undefined, new Set([7n, 9n]))).toEqual([["event_block of block 8", "a row", "no row"]]);
  });

  it.each([
    ["blockTime", { blockTime: 1_700_000_001n }, "1700000000", "1700000001"],
    ["blockNumber", { blockNumber: 8n }, "7", "8"],
    ["logIndex", { logIndex: 4 }, "3", "4"],
  ])("finds another %s than the event id has", (column, change, expected, found) => {
    expect(look([row({}, change)])).toEqual([[`ledger.${column} of event ${idOf({})}`, expected, found]]);
  });

  it.each(["committed", "refunded", "repaidPrincipal", "repaidInterest", "outstanding"])(
    "finds another %s than the event folds into",
    (column) => {
      const field = `ledger.${column} of event ${idOf({})}`;
      expect(look([row({}, { [column]: 1n })])).toEqual([[field, "null", "1"]]);
    },
  );

  it("finds one place under two ids, each of which could be right", () => {
    const again = row({ transaction: 1 });
    expect(look([row(), again])).toEqual([
      [`ledger.place of event ${again.eventId}`, "a place after block 7, log 3", "block 7, log 3"],
    ]);
  });

  it("finds a row too many or too few, by what the indexer has counted", () => {
    expect(look([row()], { listings: 2, repayments: 0, desk: 0 })).toEqual([
      ["ledger rows of listings", "2", "1"],
    ]);
    expect(look([row({}, { kind: "repaid" })], { listings: 1, repayments: 0, desk: 1 })).toEqual([
      ["ledger rows of repayments", "0", "1"],
      ["ledger rows of desk", "1", "0"],
    ]);
  });

  it("finds another last event or block than the rows have, in what the indexer has counted", () => {
    const rows = [row(), row({ log: 4 })];
    const counts = { listings: 2, repayments: 0, desk: 0 };
    const [first, last] = rows.map(({ eventId }) => eventId);
    expect(look(rows, counts, undefined, { lastEventId: `${first}` })).toEqual([
      ["tally.lastEventId of listings", last, first],
    ]);
    expect(look(rows, counts, undefined, { lastBlockHash: "0xbad" })).toEqual([
      ["tally.lastBlockHash of listings", "0xb10c", "0xbad"],
    ]);
  });

  it("finds an event that cannot be folded, and goes on", () => {
    const order = createLedgerOrder();
    order.add(row(), { deltas: null, blockHash: "0xb10c" });
    order.add(row({ log: 4 }), { deltas: NO_DELTAS, blockHash: "0xb10c" });
    expect(order.last()).toEqual([{ eventId: idOf({ log: 4 }), blockHash: "0xb10c" }]);
    const tally = { lastEventId: idOf({ log: 4 }), lastBlockHash: "0xb10c" as Hex };
    expect(order.compare([{ family: "listings", events: 2, ...tally }]).findings).toMatchObject([
      {
        ...{ check: "ledger", onchainId: "1", field: `ledger.args of event ${idOf({})}` },
        ...{ expected: "an event that can be folded", found: "one that cannot" },
      },
    ]);
  });

  it("does not break on an invalid id", () => {
    expect(look([row({}, { eventId: "nonsense" })])).not.toEqual([]);
  });
});
