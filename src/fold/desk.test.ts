import type { Hex } from "viem";
import { describe, expect, it } from "vitest";
import {
  ALICE,
  BOB,
  type DeskLog,
  ESCROW,
  kindsOf,
  placeAt,
  TOKEN,
  toDeskEvent,
} from "../../test/harness/book.ts";
import { foldDesk } from "./desk.ts";
import type { OfferRow } from "./state.ts";

const DESK: Hex = `0x${"de".repeat(20)}`;
const MIXED: Hex = `0x${"aB".repeat(20)}`;

type ArgsOf<Name extends DeskLog["eventName"]> = Extract<DeskLog, { eventName: Name }>["args"];

const created = (args: Partial<ArgsOf<"OfferCreated">> = {}): DeskLog => ({
  eventName: "OfferCreated",
  args: {
    offerId: 1n,
    token: TOKEN,
    seller: ALICE,
    amount: 100n,
    priceBps: 9_800n,
    expiresAt: 5_000n,
    ...args,
  },
});
const filled = (args: Partial<ArgsOf<"OfferFilled">> = {}): DeskLog => ({
  eventName: "OfferFilled",
  args: { offerId: 1n, token: TOKEN, buyer: BOB, amount: 40n, cost: 39n, remaining: 60n, ...args },
});
const cancelled = (remaining: bigint): DeskLog => ({
  eventName: "OfferCancelled",
  args: { offerId: 1n, remaining },
});

function play(known: OfferRow | null, log: DeskLog, position = 1, blockTime = 100n) {
  return foldDesk(known, { ...toDeskEvent(log, DESK), at: placeAt(position, blockTime) });
}

const OPEN = play(null, created()).offer;

describe("foldDesk", () => {
  it("opens an offer with all of its amount", () => {
    const { offer, trade, ledger, anomalies } = play(null, created({ seller: MIXED, token: MIXED }));
    expect(offer).toEqual({
      desk: DESK,
      offerId: 1n,
      token: MIXED.toLowerCase(),
      escrowAddress: ESCROW,
      onchainId: 1n,
      seller: MIXED.toLowerCase(),
      amount: 100n,
      remaining: 100n,
      priceBps: 9_800n,
      expiresAt: 5_000n,
      cancelledAt: null,
      createdAt: 100n,
      updatedEventId: ledger.eventId,
    });
    expect(trade).toBeNull();
    expect(anomalies).toEqual([]);
    expect(ledger).toMatchObject({ kind: "offer_created", escrowAddress: ESCROW, onchainId: 1n });
    expect(ledger.args).toMatchObject({ desk: DESK, amount: "100", priceBps: "9800" });
  });

  it("makes a trade of a fill, with the seller of the offer", () => {
    const { offer, trade, ledger, anomalies } = play(OPEN, filled({ buyer: MIXED }), 2, 200n);
    expect(anomalies).toEqual([]);
    expect(offer).toMatchObject({ remaining: 60n, amount: 100n, createdAt: 100n });
    expect(trade).toEqual({
      desk: DESK,
      offerId: 1n,
      eventId: ledger.eventId,
      token: TOKEN,
      escrowAddress: ESCROW,
      onchainId: 1n,
      seller: ALICE,
      buyer: MIXED.toLowerCase(),
      amount: 40n,
      cost: 39n,
      blockNumber: 2n,
      blockTime: 200n,
      txHash: ledger.txHash,
    });
    expect(ledger.kind).toBe("offer_filled");
  });

  it("takes the chain's remainder and says where ours would be another", () => {
    const { offer, anomalies } = play(OPEN, filled({ amount: 300n, remaining: 7n }));
    expect(offer?.remaining).toBe(7n);
    expect(anomalies).toMatchObject([
      { kind: "total_mismatch", differences: [{ field: "remaining", expected: "-200", found: "7" }] },
    ]);
  });

  it("cancels an offer and keeps its remainder", () => {
    const { offer, trade, ledger, anomalies } = play(OPEN, cancelled(100n), 3, 300n);
    expect(offer).toMatchObject({ remaining: 100n, cancelledAt: 300n });
    expect(trade).toBeNull();
    expect(ledger.kind).toBe("offer_cancelled");
    expect(anomalies).toEqual([]);
    expect(kindsOf(play(OPEN, cancelled(99n)))).toEqual(["total_mismatch"]);
  });

  it("keeps the first of two offers with one id", () => {
    const { offer, anomalies } = play(OPEN, created({ seller: BOB, amount: 5n }));
    expect(offer).toEqual(OPEN);
    expect(anomalies).toMatchObject([{ kind: "second_created", eventKind: "offer_created" }]);
  });

  it("keeps the event of an offer that it never saw opened, and invents no trade", () => {
    for (const log of [filled(), cancelled(3n)]) {
      const { offer, trade, ledger, anomalies } = play(null, log);
      expect([offer, trade]).toEqual([null, null]);
      expect(ledger.args).toMatchObject({ offerId: "1" });
      expect(anomalies).toMatchObject([{ kind: "unknown_listing" }]);
    }
  });

  it("says of an amount of zero that it is one", () => {
    expect(kindsOf(play(null, created({ amount: 0n })))).toEqual(["zero_amount"]);
    expect(kindsOf(play(OPEN, filled({ amount: 0n, remaining: 100n })))).toEqual(["zero_amount"]);
  });

  it("keeps the largest amounts, and never changes the offer that goes in", () => {
    const MAX = 2n ** 256n - 1n;
    const { offer } = play(null, created({ amount: MAX, priceBps: MAX, expiresAt: 2n ** 64n - 1n }));
    const known = Object.freeze(offer);
    const { trade } = play(known, filled({ amount: MAX, cost: MAX, remaining: 0n }));
    expect(trade).toMatchObject({ amount: MAX, cost: MAX });
    expect(known?.remaining).toBe(MAX);
  });
});
