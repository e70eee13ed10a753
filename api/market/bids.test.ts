import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listingRow, NOW } from "../../test/harness/rows.ts";
import {
  awaitsBids,
  type BidBookParameters,
  type BidEvent,
  bidBook,
  bidsOf,
  indicativeRateBps,
  isRateOpen,
} from "./bids.ts";

const [ANN, BEN, CAT] = ["0xa1", "0xb2", "0xc3"] as const;
const bid = (backer: `0x${string}`, rateBps: number, amount: bigint): BidEvent => ({
  kind: "bid",
  backer,
  rateBps,
  amount,
});
const withdrawn = (backer: `0x${string}`, amount: bigint): BidEvent => ({
  kind: "withdrawn",
  backer,
  amount,
});
const outbid = (backer: `0x${string}`, amount: bigint): BidEvent => ({ kind: "outbid", backer, amount });
const CLOSED: BidEvent = { kind: "closed" };

const bookOf = (events: BidEvent[], changes: Partial<BidBookParameters> = {}) =>
  bidBook({ events, target: 100n, hasFailed: false, most: 40, ...changes });
/** Rate, number, sum, accepted, up to here. */
const linesOf = (...parameters: Parameters<typeof bookOf>) =>
  bookOf(...parameters).rates.map(({ highestBps, count, amount, accepted, cumulated }) => [
    highestBps,
    count,
    amount,
    accepted,
    cumulated,
  ]);

describe("the bids of an auction", () => {
  it("are summed by rate, cheapest first, and fill the target in that order", () => {
    const events = [bid(ANN, 900, 60n), bid(BEN, 700, 30n), bid(CAT, 900, 20n), bid(ANN, 1100, 5n)];
    expect(linesOf(events)).toEqual([
      [700, 1, 30n, 30n, 30n],
      [900, 2, 80n, 70n, 110n],
      [1100, 1, 5n, 0n, 115n],
    ]);
    expect(bookOf(events)).toMatchObject({ isClosed: false, marginalBps: 900 });
    expect(bookOf(events, { target: 0n }).marginalBps).toBeNull();
  });

  it("lose what their backer withdrew, the newest first, and nothing of others", () => {
    const events = [bid(ANN, 700, 10n), bid(BEN, 700, 10n), bid(ANN, 900, 10n), withdrawn(ANN, 13n)];
    expect(linesOf(events)).toEqual([[700, 2, 17n, 17n, 17n]]);
    // More than there is takes what there is; a bid after it stands.
    expect(linesOf([...events, withdrawn(ANN, 50n), bid(ANN, 800, 4n)])).toEqual([
      [700, 1, 10n, 10n, 10n],
      [800, 1, 4n, 4n, 14n],
    ]);
  });

  it("were accepted as far as they were not outbid, the dearest of a backer first", () => {
    const events = [
      bid(ANN, 700, 60n),
      bid(BEN, 800, 60n),
      bid(BEN, 900, 10n),
      outbid(BEN, 10n),
      outbid(BEN, 20n),
    ];
    expect(linesOf([...events, CLOSED])).toEqual([
      [700, 1, 60n, 60n, 60n],
      [800, 1, 60n, 40n, 120n],
      [900, 1, 10n, 0n, 130n],
    ]);
    expect(bookOf([...events, CLOSED])).toMatchObject({ isClosed: true, marginalBps: 800 });
  });

  it("are not accepted if the raise failed", () => {
    const book = bookOf([bid(ANN, 700, 10n), CLOSED], { hasFailed: true });
    expect(book).toMatchObject({ marginalBps: null, rates: [{ amount: 10n, accepted: 0n }] });
  });

  it("are an empty book without bids", () => {
    expect(bookOf([])).toEqual({ rates: [], isClosed: false, marginalBps: null });
    expect(bookOf([bid(ANN, 700, 10n), withdrawn(ANN, 10n)]).rates).toEqual([]);
  });

  /** The escrow's own book (AuctionBook.sol, EscrowRaise.sol): bids in order of arrival, and a clearing at the end. */
  function escrowOf(
    actions: readonly { who: number; rate: number; amount: bigint; isBid: boolean }[],
    target: bigint,
  ) {
    const people = [ANN, BEN, CAT] as const;
    const bids: { backer: `0x${string}`; rate: number; amount: bigint }[] = [];
    const events: BidEvent[] = [];
    for (const { who, rate, amount, isBid } of actions) {
      const backer = people[who % 3] ?? ANN;
      if (isBid) {
        bids.push({ backer, rate, amount });
        events.push(bid(backer, rate, amount));
        continue;
      }
      const own = bids.reduce((sum, one) => sum + (one.backer === backer ? one.amount : 0n), 0n);
      let left = own < amount ? own : amount;
      if (left === 0n) continue;
      events.push(withdrawn(backer, left));
      for (let i = bids.length - 1; i >= 0 && left > 0n; i--) {
        const one = bids[i];
        if (one === undefined || one.backer !== backer) continue;
        const taken = one.amount <= left ? one.amount : left;
        one.amount -= taken;
        left -= taken;
        if (one.amount === 0n) bids.splice(i, 1);
      }
    }
    let room = target;
    const outcome = new Map<number, { amount: bigint; accepted: bigint }>();
    let clearing: number | null = null;
    const open = [...events];
    for (const one of bids.toSorted((a, b) => a.rate - b.rate)) {
      const accepted = one.amount < room ? one.amount : room;
      room -= accepted;
      if (accepted > 0n) clearing = one.rate;
      if (accepted < one.amount) events.push(outbid(one.backer, one.amount - accepted));
      const at = outcome.get(one.rate) ?? { amount: 0n, accepted: 0n };
      outcome.set(one.rate, { amount: at.amount + one.amount, accepted: at.accepted + accepted });
    }
    return { open, closed: [...events, CLOSED], outcome: [...outcome], clearing };
  }

  const actions = fc.array(
    fc.record({
      who: fc.nat(2),
      rate: fc.integer({ min: 1, max: 6 }),
      amount: fc.oneof(fc.bigInt(1n, 40n), fc.bigInt(1n, 2n ** 200n)),
      isBid: fc.boolean(),
    }),
    { maxLength: 30 },
  );

  it("before and after the clearing are what the escrow makes of them", () => {
    fc.assert(
      fc.property(actions, fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, 2n ** 200n)), (own, target) => {
        const { open, closed, outcome, clearing } = escrowOf(own, target);
        for (const events of [open, closed]) {
          const book = bookOf(events, { target });
          expect(
            book.rates.map((of) => [of.highestBps, { amount: of.amount, accepted: of.accepted }]),
          ).toEqual(outcome);
          expect(book.marginalBps).toBe(clearing);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("are grouped without losing any if there are many rates", () => {
    const events = Array.from({ length: 95 }, (_, index) => bid(ANN, 100 + index, BigInt(index + 1)));
    const { rates } = bookOf(events, { target: 3_000n });
    expect(rates).toHaveLength(32);
    expect(rates[0]).toEqual({
      lowestBps: 100,
      highestBps: 102,
      count: 3,
      amount: 6n,
      accepted: 6n,
      cumulated: 6n,
    });
    expect(rates.reduce((sum, { accepted }) => sum + accepted, 0n)).toBe(3_000n);
    expect(rates.reduce((sum, { count }) => sum + count, 0)).toBe(95);
    expect(rates.at(-1)).toMatchObject({ lowestBps: 193, highestBps: 194, cumulated: 4_560n });
  });
});

it("bids read after their raise are its own only if they add up to it", () => {
  const rows = [
    { kind: "subscribed", args: { backer: ANN, bidRateBps: 900 }, committed: 60n },
    { kind: "refunded", args: { backer: ANN, reason: "withdrawn" }, committed: -10n },
  ] as const;
  expect(bidsOf({ raisedAmount: 50n }, rows)).toEqual([bid(ANN, 900, 60n), withdrawn(ANN, 10n)]);
  // As of another fork, in which more was committed.
  expect(bidsOf({ raisedAmount: 70n }, rows)).toBeNull();
  expect(bidsOf({ raisedAmount: 50n }, null)).toBeNull();
});

describe("indicativeRateBps", () => {
  const open = listingRow({ pricingMode: "auction", targetAmount: 100n, minRaise: 60n, raisedAmount: 110n });
  const bids = [bid(ANN, 900, 50n), bid(BEN, 1_200, 30n), bid(ANN, 1_400, 30n)];

  it("is the highest rate that an auction would accept now", () => {
    expect(indicativeRateBps(open, bids)).toBe(1_400);
    expect(indicativeRateBps({ ...open, targetAmount: 80n }, bids)).toBe(1_200);
    // Bob's bid is gone, so Alice's dear one is needed.
    const left = [...bids, withdrawn(BEN, 30n)];
    expect(indicativeRateBps({ ...open, targetAmount: 80n, raisedAmount: 80n }, left)).toBe(1_400);
  });

  it("waits for bids as long as they may decide, also where the registry tells the pricing", () => {
    expect(awaitsBids(open)).toBe(true);
    expect(awaitsBids({ ...open, pricingMode: null })).toBe(true);
    expect(awaitsBids({ ...open, pricingMode: "fixed" })).toBe(false);
    expect(awaitsBids({ ...open, closedAt: NOW })).toBe(false);
    expect(awaitsBids({ ...open, terminalKind: "cancelled" })).toBe(false);
  });

  it("is null if no rate is open, if the raise would fail, and with too many bids", () => {
    expect(isRateOpen(open)).toBe(true);
    expect(isRateOpen({ ...open, closedAt: NOW })).toBe(false);
    for (const change of [
      { pricingMode: "fixed" },
      { closedAt: NOW },
      { terminalKind: "cancelled" },
      { raisedAmount: 59n },
      { raisedAmount: 0n, minRaise: 0n },
    ] as const) {
      expect(indicativeRateBps({ ...open, ...change }, bids)).toBeNull();
    }
    expect(indicativeRateBps(open, null)).toBeNull();
    expect(indicativeRateBps(open, [...bids, bid(ANN, 0, 1n)])).toBeNull();
  });
});
