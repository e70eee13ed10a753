import { expect, test } from "vitest";
import { raiseOf } from "./raise.ts";
import { ALICE, BOB, CAROL, TERMS, type Told, tell } from "./tell.ts";

const AUCTION_TERMS = { ...TERMS, pricingMode: 1 };

const created: Told = [50n, "ListingCreated", { terms: TERMS }];
const auction: Told = [50n, "ListingCreated", { terms: AUCTION_TERMS }];
const alice600: Told = [110n, "Subscribed", { backer: ALICE, amount: 600n, totalRaised: 600n }];
const bob300: Told = [120n, "Subscribed", { backer: BOB, payer: CAROL, amount: 300n, totalRaised: 900n }];

test("withdrawals lower what was raised, and who is out is no subscriber", () => {
  const withdrawn: Told = [130n, "Refunded", { backer: ALICE, reason: 0, amount: 600n, totalRefunded: 600n }];
  const again: Told = [140n, "Subscribed", { backer: ALICE, amount: 50n, totalRaised: 350n }];
  expect(raiseOf(tell(created, alice600, bob300))).toMatchObject({ raised: 900n, subscribers: 2 });
  expect(raiseOf(tell(created, alice600, bob300, withdrawn))).toMatchObject({
    raised: 300n,
    refunded: 600n,
    subscribers: 1,
  });
  expect(raiseOf(tell(created, alice600, bob300, withdrawn, again))).toMatchObject({
    raised: 350n,
    subscribers: 2,
  });
});

test("a refund above the backer's principal takes that principal only", () => {
  const tooMuch: Told = [130n, "Refunded", { backer: BOB, reason: 0, amount: 301n, totalRefunded: 301n }];
  const again: Told = [140n, "Refunded", { backer: BOB, reason: 0, amount: 5n, totalRefunded: 306n }];
  expect(raiseOf(tell(created, alice600, bob300, tooMuch, again))).toMatchObject({
    raised: 600n,
    refunded: 306n,
    subscribers: 1,
  });
});

test("a raise is frozen at the block of closeAt, and later refunds do not thaw it", () => {
  const tooLate: Told = [200n, "Subscribed", { backer: BOB, amount: 300n, totalRaised: 900n }];
  const refund: Told = [200n, "Refunded", { backer: ALICE, reason: 0, amount: 600n, totalRefunded: 600n }];
  expect(raiseOf(tell(created, alice600, tooLate, refund))).toMatchObject({
    raised: 600n,
    refunded: 600n,
    subscribers: 1,
  });
});

test("terms that come at the close change nothing; before it they decide when that is", () => {
  const longer: Told = [150n, "ListingTermsUpdated", { terms: { ...TERMS, closeAt: 300n } }];
  const tooLate: Told = [200n, "ListingTermsUpdated", { terms: { ...TERMS, closeAt: 300n } }];
  const at250: Told = [250n, "Subscribed", { backer: BOB, amount: 300n, totalRaised: 900n }];
  expect(raiseOf(tell(created, alice600, longer, at250))).toMatchObject({ raised: 900n });
  expect(raiseOf(tell(created, alice600, tooLate, at250))).toMatchObject({
    raised: 600n,
    terms: { closeAt: 200n },
  });
});

test("an auction's outbid bids leave after the deadline, until the close, which fixes figure and coupon", () => {
  const outbid: Told = [210n, "Refunded", { backer: BOB, reason: 1, amount: 300n, totalRefunded: 300n }];
  const closed: Told = [210n, "ListingClosed", { raisedAmount: 600n, minRaiseMet: true, couponRateBps: 900 }];
  const after: Told = [220n, "Refunded", { backer: ALICE, reason: 1, amount: 600n, totalRefunded: 900n }];
  const cleared = { raised: 600n, subscribers: 1, couponRateBps: 900 };
  expect(raiseOf(tell(auction, alice600, bob300, outbid))).toMatchObject({ ...cleared, couponRateBps: 1450 });
  expect(raiseOf(tell(auction, alice600, bob300, outbid, closed))).toMatchObject(cleared);
  expect(raiseOf(tell(auction, alice600, bob300, outbid, closed, after))).toMatchObject(cleared);
  expect(raiseOf(tell(created, alice600, bob300, outbid))).toMatchObject({ raised: 900n, subscribers: 2 });
});

test("where our sum and the chain's total disagree, the chain's counts and is gone on from", () => {
  const more: Told = [120n, "Subscribed", { backer: BOB, amount: 300n, totalRaised: 1000n }];
  const back: Told = [130n, "Refunded", { backer: BOB, reason: 0, amount: 100n, totalRefunded: 150n }];
  expect(raiseOf(tell(created, alice600, more, back))).toMatchObject({ raised: 900n, refunded: 150n });
});

test("no subscription counts for nothing, and the first of two closes or two ends counts", () => {
  const nothing: Told = [110n, "Subscribed", { amount: 0n, totalRaised: 7n }];
  expect(raiseOf(tell(created, nothing))).toMatchObject({
    raised: 0n,
    subscribers: 0,
    firstSubscription: undefined,
  });
  const closed: Told = [150n, "ListingClosed", { raisedAmount: 600n, couponRateBps: 1 }];
  const again: Told = [160n, "ListingClosed", { raisedAmount: 5n, couponRateBps: 2 }];
  expect(raiseOf(tell(created, alice600, closed, again))).toMatchObject({ raised: 600n, couponRateBps: 1 });
  const { terminal, close, raised } = raiseOf(
    tell(created, alice600, [150n, "ListingCancelled"], [160n, "ListingVoided"], again),
  );
  expect([terminal?.name, close, raised]).toEqual(["ListingCancelled", undefined, 600n]);
});

test("the amount owed follows the repayments, and is zero once settled", () => {
  const closed: Told = [200n, "ListingClosed", { raisedAmount: 600n, minRaiseMet: true }];
  const drawn: Told = [300n, "DrawnDown", { amount: 600n, fee: 6n, maturityAt: 900n }];
  const part: Told = [400n, "Repaid", { principal: 500n, interest: 40n, outstandingPrincipal: 100n }];
  const applied: Told = [950n, "ReserveChanged", { reason: 1, amount: 30n, reserveBalance: 0n }];
  const helped: Told = [950n, "Repaid", { principal: 30n, interest: 0n, outstandingPrincipal: 70n }];
  const settled: Told = [950n, "ListingSettled", { outcome: 2, writtenOffPrincipal: 70n }];
  const history = [created, alice600, closed, drawn, part, applied, helped] as const;
  expect(raiseOf(tell(created, alice600, closed))).toMatchObject({ outstanding: 0n, balances: [] });
  expect(raiseOf(tell(...history))).toMatchObject({ outstanding: 70n, repaid: 570n, reserveApplied: 30n });
  expect(raiseOf(tell(...history, settled))).toMatchObject({
    outstanding: 0n,
    repaid: 570n,
    balances: [
      { at: 300n, outstanding: 600n },
      { at: 400n, outstanding: 100n },
      { at: 950n, outstanding: 70n },
    ],
  });
});

test("events before the creation count once the creation comes", () => {
  expect(raiseOf(tell(alice600)).created).toBeUndefined();
  expect(raiseOf(tell(alice600, created))).toMatchObject({ raised: 600n, terms: { minRaise: 400n } });
});
