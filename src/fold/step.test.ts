import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairKey } from "../../api/registry/schema.ts";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import {
  ALICE,
  BOB,
  bookOf,
  createBook,
  type DeskLog,
  ESCROW,
  placeAt,
  TOKEN,
  tellRaise,
  toDeskEvent,
} from "../../test/harness/book.ts";
import { foldDesk } from "./desk.ts";
import { eventOf } from "./ledger.ts";
import { createTables, runStep } from "./memory.ts";
import type { LedgerRow, OfferRow } from "./state.ts";
import { replayRow } from "./step.ts";

const DESK = `0x${"de".repeat(20)}` as const;

/** What a database gives back of a row: its arguments went through JSON. */
function stored(row: LedgerRow): LedgerRow {
  return { ...row, args: JSON.parse(JSON.stringify(row.args)) };
}

function replayOf(rows: readonly LedgerRow[]) {
  const tables = createTables({});
  for (const row of rows) runStep(tables, replayRow(stored(row)));
  const { listing, backerPosition, listingToken, offer } = tables;
  return {
    ...tables,
    listing: [...listing.values()],
    backerPosition: [...backerPosition.values()],
    listingToken: [...listingToken.values()],
    offer: [...offer.values()],
  };
}

describe("the ledger's form of an event", () => {
  it("gives back every event of the escrow as it was folded", () => {
    const property = fc.property(arbitraryHistory(), (logged) => {
      const events = logged.map(({ log: _, ...event }) => event);
      expect(bookOf(events).ledger.map((row) => eventOf(stored(row)))).toEqual(events);
    });
    fc.assert(property, { numRuns: 300 });
  });
});

describe("a replay of the ledger", () => {
  it("gives the tables that the handlers wrote, after any number of events", () => {
    const pairs = [
      { escrowAddress: ESCROW, onchainId: 1n },
      { escrowAddress: ESCROW, onchainId: 2n },
    ] as const;
    const histories = fc.tuple(arbitraryHistory(pairs[0]), arbitraryHistory(pairs[1]), fc.nat(40));
    const property = fc.property(histories, ([one, other, length]) => {
      const events = [...one, ...other].slice(0, length);
      const book = bookOf(events);
      const tables = replayOf(book.ledger);
      expect(tables.listing).toEqual([...book.listings.values()]);
      expect(tables.anomaly).toEqual(book.anomalies);
      expect(tables.listingToken).toEqual([...book.tokens.values()]);
      const positions = [...book.positions.values()].flatMap((of) => [...of.values()]);
      const key = (row: (typeof positions)[number]) => `${pairKey(row)}/${row.backer}`;
      const byKey = (rows: typeof positions) => new Map(rows.map((row) => [key(row), row]));
      expect(byKey(tables.backerPosition)).toEqual(byKey(positions));
    });
    fc.assert(property, { numRuns: 200 });
  });

  it("has the typed rows of subscriptions, refunds and repayments", () => {
    const book = createBook();
    const raise = tellRaise({}, book);
    raise.emit(20n, "Subscribed", { amount: 100n, totalRaised: 100n, bidRateBps: 7 });
    raise.emit(30n, "Refunded", { amount: 40n, totalRefunded: 40n });
    raise.emit(40n, "Repaid", { principal: 1n, interest: 2n, outstandingPrincipal: 3n });
    const tables = replayOf(book.ledger);
    expect(tables.subscription).toMatchObject([
      { backer: ALICE, amount: 100n, totalRaised: 100n, bidRateBps: 7, blockTime: 20n },
    ]);
    expect(tables.refund).toMatchObject([
      { backer: ALICE, amount: 40n, reason: "withdrawn", blockTime: 30n },
    ]);
    expect(tables.repayment).toMatchObject([
      { principal: 1n, interest: 2n, outstandingPrincipal: 3n, blockTime: 40n },
    ]);
    expect(Object.keys(tables.repayment[0] ?? {})).not.toContain("logIndex");
  });

  it("brings the desk back: offers, trades, and what did not add up there", () => {
    const logs: DeskLog[] = [
      {
        eventName: "OfferCreated",
        args: { offerId: 1n, token: TOKEN, seller: ALICE, amount: 9n, priceBps: 2n ** 200n, expiresAt: 99n },
      },
      {
        eventName: "OfferFilled",
        args: { offerId: 1n, token: TOKEN, buyer: BOB, amount: 4n, cost: 3n, remaining: 6n },
      },
      {
        eventName: "OfferFilled",
        args: { offerId: 8n, token: TOKEN, buyer: BOB, amount: 4n, cost: 3n, remaining: 0n },
      },
      { eventName: "OfferCancelled", args: { offerId: 1n, remaining: 6n } },
    ];
    let offer: OfferRow | null = null;
    const results = logs.map((log, index) => {
      const known: OfferRow | null = log.args.offerId === 1n ? offer : null;
      const result = foldDesk(known, { ...toDeskEvent(log, DESK), at: placeAt(index + 1, 10n) });
      offer = result.offer ?? offer;
      return result;
    });
    const tables = replayOf(results.map(({ ledger }) => ledger));
    expect(tables.offer).toEqual([offer]);
    expect(tables.offer).toMatchObject([
      { desk: DESK, remaining: 6n, cancelledAt: 10n, priceBps: 2n ** 200n },
    ]);
    expect(tables.trade).toEqual(results.flatMap(({ trade }) => trade ?? []));
    expect(tables.trade).toHaveLength(1);
    expect(tables.anomaly).toEqual(results.flatMap(({ anomalies }) => anomalies));
    expect(tables.anomaly.map(({ kind }) => kind)).toEqual(["total_mismatch", "unknown_listing"]);
    expect(tables.listing).toEqual([]);
  });

  it("keeps what it gave out when more is added", () => {
    const book = createBook();
    const raise = tellRaise({}, book);
    raise.emit(20n, "Subscribed", { amount: 100n, totalRaised: 100n });
    const tables = createTables({});
    const [created, subscribed] = book.ledger;
    if (created === undefined || subscribed === undefined) throw new Error("two rows were told");
    runStep(tables, replayRow(created));
    const before = [...tables.listing.values()];
    const copy = structuredClone(before);
    runStep(tables, replayRow(subscribed));
    expect(before).toEqual(copy);
    expect([...tables.listing.values()]).toMatchObject([{ raisedAmount: 100n }]);
  });
});
