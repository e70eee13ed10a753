import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pairKey } from "../../api/registry/schema.ts";
import { arbitraryHistory } from "../../test/harness/arbitrary-history.ts";
import { bookOf, createBook, ESCROW, OTHER_ESCROW, rawTerms, tellRaise } from "../../test/harness/book.ts";
import type { LocatedEvent } from "./events.ts";
import { fold } from "./fold.ts";
import { outstandingPrincipal } from "./rules.ts";
import { NO_DELTAS, stubListing } from "./state.ts";

/** Everything that the tables hold for one pair. */
function partOf(
  book: ReturnType<typeof createBook>,
  pair: { escrowAddress: `0x${string}`; onchainId: bigint },
) {
  const own = (row: typeof pair) => pairKey(row) === pairKey(pair);
  return {
    listing: book.listings.get(pairKey(pair)),
    positions: book.positions.get(pairKey(pair)),
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
    const { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex, part } = at;
    book.record({
      kind: "subscribed",
      args: { backer: ESCROW, payer: ESCROW, amount: 5n, bidRateBps: 0, totalRaised: 5n },
      at: { escrowAddress, onchainId, eventId, blockNumber, blockTime, txHash, logIndex, part },
    });
    expect(raise.row()).toMatchObject({ raisedAmount: 60n, subscriberCount: 1 });
    expect(book.listings.get(pairKey(other))).toMatchObject({ raisedAmount: 5n, createdEventId: null });
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
  it("in one run or continued from saved rows", () => {
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

describe("the deltas of the events", () => {
  it("sum up to the figures of the listing after each event, whatever the chain says", () => {
    const property = fc.property(arbitraryHistory(FIRST), (events) => {
      const book = createBook();
      const sums = { committed: 0n, refunded: 0n, repaidPrincipal: 0n, repaidInterest: 0n, outstanding: 0n };
      for (const event of events) {
        const { deltas, listing } = book.record(event);
        for (const column of Object.keys(sums) as (keyof typeof sums)[]) {
          expect(deltas[column]).not.toBe(0n);
          sums[column] += deltas[column] ?? 0n;
        }
        expect(sums).toEqual({
          committed: listing.raisedAmount,
          refunded: listing.refundedAmount,
          repaidPrincipal: listing.repaidPrincipal,
          repaidInterest: listing.repaidInterest,
          outstanding: outstandingPrincipal(listing),
        });
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("follow the chain's total where it contradicts the amount, and the close", () => {
    const raise = tellRaise();
    expect(raise.emit(20n, "Subscribed", { amount: 60n, totalRaised: 70n }).deltas.committed).toBe(70n);
    expect(raise.emit(30n, "ListingClosed", { raisedAmount: 65n }).deltas.committed).toBe(-5n);
    expect(raise.emit(31n, "Subscribed", { amount: 9n, totalRaised: 9n }).deltas).toEqual(NO_DELTAS);
    const drawn = raise.emit(32n, "DrawnDown", { amount: 65n, maturityAt: 500n });
    expect(drawn.deltas).toEqual({ ...NO_DELTAS, outstanding: 65n });
    const repaid = raise.emit(33n, "Repaid", { principal: 40n, interest: 2n, outstandingPrincipal: 25n });
    expect(repaid.deltas).toEqual({
      ...NO_DELTAS,
      repaidPrincipal: 40n,
      repaidInterest: 2n,
      outstanding: -40n,
    });
    const settled = raise.emit(34n, "ListingSettled", { outcome: 2, writtenOffPrincipal: 25n });
    expect(settled.deltas).toEqual({ ...NO_DELTAS, outstanding: -25n });
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

  it("is known for a stub from its first event", () => {
    const at = {
      ...FIRST,
      eventId: "1",
      blockNumber: 7n,
      blockTime: 70n,
      txHash: ESCROW,
      logIndex: 3,
      part: 0,
    };
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
