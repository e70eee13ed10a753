import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { createBook, ESCROW, OTHER_ESCROW, pairOf, rawTerms, tellRaise } from "../../test/harness/book.ts";
import type { LocatedEvent } from "./events.ts";
import { fold } from "./fold.ts";
import { stubListing } from "./state.ts";

function bookOf(events: readonly LocatedEvent[]) {
  const book = createBook();
  for (const event of events) book.record(event);
  return book;
}

/** Of one pair: everything that the tables hold of it. */
function partOf(
  book: ReturnType<typeof createBook>,
  pair: { escrowAddress: `0x${string}`; onchainId: bigint },
) {
  const own = (row: typeof pair) => pairOf(row) === pairOf(pair);
  return {
    listing: book.listings.get(pairOf(pair)),
    positions: book.positions.get(pairOf(pair)),
    tokens: [...book.tokens.values()].filter(own),
    ledger: book.ledger.filter(own),
    anomalies: book.anomalies.filter(own),
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) deepFreeze(part);
  }
  return value;
}

const FIRST = { escrowAddress: ESCROW, onchainId: 1n };

describe("listings are never mixed", () => {
  // The same id in two escrows, and two ids in one.
  it.each([
    { escrowAddress: OTHER_ESCROW, onchainId: 1n },
    { escrowAddress: ESCROW, onchainId: 2n },
  ])("interleaved with $onchainId of $escrowAddress, each folds as if alone", (second) => {
    const property = fc.property(
      arbitraryHistory(FIRST),
      arbitraryHistory(second),
      fc.infiniteStream(fc.boolean()),
      (mine, theirs, turns) => {
        const interleaved: LocatedEvent[] = [];
        const left = [...mine];
        const right = [...theirs];
        for (const mineFirst of turns) {
          const next = (mineFirst ? left.shift() : right.shift()) ?? left.shift() ?? right.shift();
          if (next === undefined) break;
          interleaved.push(next);
        }
        const together = bookOf(interleaved);
        expect(partOf(together, FIRST)).toEqual(partOf(bookOf(mine), FIRST));
        expect(partOf(together, second)).toEqual(partOf(bookOf(theirs), second));
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  it("keeps what an event concerns apart in one block and one transaction", () => {
    const book = createBook();
    const raise = tellRaise({}, book);
    const { ledger } = raise.emit(20n, "Subscribed", { amount: 60n, totalRaised: 60n });
    const other = { ...FIRST, escrowAddress: OTHER_ESCROW };
    const at = { ...ledger, ...other, eventId: `${ledger.eventId.slice(0, -1)}9`, logIndex: 1 };
    const { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex } = at;
    book.record({
      kind: "subscribed",
      args: { backer: ESCROW, payer: ESCROW, amount: 5n, bidRateBps: 0, totalRaised: 5n },
      at: { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex },
    });
    expect(raise.row()).toMatchObject({ raisedAmount: 60n, subscriberCount: 1 });
    expect(book.listings.get(pairOf(other))).toMatchObject({ raisedAmount: 5n, createdEventId: null });
  });
});

describe("total, deterministic, without side effects", () => {
  it("no event throws, and each leaves exactly one ledger row that says what the chain said", () => {
    const property = fc.property(arbitraryHistory(FIRST), (events) => {
      const book = bookOf(events);
      expect(book.ledger.map(({ eventId, kind }) => ({ eventId, kind }))).toEqual(
        events.map(({ at, kind }) => ({ eventId: at.eventId, kind })),
      );
      const keys = book.anomalies.map(({ eventId, kind }) => `${eventId}/${kind}`);
      expect(new Set(keys).size).toBe(keys.length);
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("rows and events that go in are never changed", () => {
    const property = fc.property(arbitraryHistory(FIRST), (events) => {
      const book = createBook();
      for (const event of events) {
        // A frozen object throws when it is written to: modules are strict.
        deepFreeze(event);
        const { listing, position, token, ledger, anomalies } = book.record(event);
        for (const row of [listing, position, token, ledger, anomalies]) deepFreeze(row);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("the same event on the same state gives the same rows, whatever was folded in between", () => {
    const property = fc.property(arbitraryHistory(FIRST), (events) => {
      expect(bookOf(events)).toEqual({ ...bookOf(events), record: expect.any(Function) });
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe("a replay gives the same tables", () => {
  it("in one go or taken up again from saved rows", () => {
    const property = fc.property(arbitraryHistory(FIRST), fc.nat(), (events, cut) => {
      const at = cut % (events.length + 1);
      const resumed = createBook();
      for (const event of events.slice(0, at)) resumed.record(event);
      const saved = structuredClone(resumed.listings);
      resumed.listings.clear();
      for (const [pair, row] of saved) resumed.listings.set(pair, row);
      for (const event of events.slice(at)) resumed.record(event);
      expect(partOf(resumed, FIRST)).toEqual(partOf(bookOf(events), FIRST));
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe("provenance", () => {
  it("is that of the last event, also of one that changes no figure", () => {
    const raise = tellRaise();
    const { ledger } = raise.emit(25n, "ListingTermsUpdated", { terms: rawTerms() });
    expect(raise.row()).toMatchObject({
      updatedBlock: ledger.blockNumber,
      updatedAt: 25n,
      updatedTx: ledger.txHash,
      updatedEventId: ledger.eventId,
    });
  });

  it("of a stub is known from its first event", () => {
    const at = { ...FIRST, eventId: "1", blockNumber: 7n, blockTime: 70n, txHash: ESCROW, logIndex: 3 };
    const state = { listing: null, position: null, tokenOwner: null };
    const { listing } = fold(state, { kind: "listing_voided", args: { reason: "0x00" }, at });
    expect({ ...stubListing(at), ...listing }).toMatchObject({
      ...FIRST,
      updatedBlock: 7n,
      updatedAt: 70n,
      terminalKind: "voided",
      createdEventId: null,
    });
  });
});
