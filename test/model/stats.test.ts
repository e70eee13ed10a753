import { expect, test } from "vitest";
import { raiseOf } from "./raise.ts";
import { statsOf } from "./stats.ts";
import { ALICE, BOB, TERMS, type Told, tell } from "./tell.ts";

const created: Told = [50n, "ListingCreated", { terms: TERMS }];
const alice: Told = [110n, "Subscribed", { backer: ALICE, amount: 600n, totalRaised: 600n }];
const bob: Told = [120n, "Subscribed", { backer: BOB, amount: 300n, totalRaised: 900n }];
const closed: Told = [200n, "ListingClosed", { raisedAmount: 900n, minRaiseMet: true }];
const reserve: Told = [210n, "ReserveChanged", { amount: 45n, reserveBalance: 45n }];
const drawn: Told = [220n, "DrawnDown", { amount: 900n, maturityAt: 500n }];
const paid: Told = [300n, "Repaid", { principal: 200n, interest: 9n, outstandingPrincipal: 700n }];
const loan = [created, alice, bob, closed, reserve, drawn, paid];

const raise = (...events: Told[]) => raiseOf(tell(...events));
const settled = (writtenOffPrincipal: bigint): Told => [
  600n,
  "ListingSettled",
  { outcome: 2, writtenOffPrincipal },
];

const NOTHING_OWED = { amount: "0", shareBps: null, listings: 0 };
const NONE_OF_IT = { amount: "0", shareBps: 0, listings: 0 };

test("statistics of no listings are all zero or null", () => {
  expect(statsOf([], 1n)).toEqual({
    byStatus: { listed: 0, funding: 0, live: 0, matured: 0, refunding: 0, voided: 0, cancelled: 0 },
    raised: "0",
    lent: "0",
    refunded: "0",
    withdrawn: "0",
    returned: "0",
    refundable: "0",
    outstandingInDefaultBps: null,
    repaid: "0",
    outstanding: "0",
    reserves: "0",
    subscribers: 0,
    outstandingByRepayment: {
      current: NOTHING_OWED,
      grace: NOTHING_OWED,
      late: NOTHING_OWED,
      default: NOTHING_OWED,
    },
    writtenOff: "0",
    defaultRateBps: null,
    averageCouponBps: null,
    decided: 0,
    minimumReachedBps: null,
    averageHoursToFund: null,
  });
});

test("one of each kind, told in full", () => {
  const endless = { ...TERMS, closeAt: 0n };
  const small: Told = [110n, "Subscribed", { backer: BOB, amount: 300n, totalRaised: 300n }];
  const back: Told = [230n, "Refunded", { backer: ALICE, reason: 2, amount: 70n, totalRefunded: 70n }];
  const raises = [
    raise([50n, "ListingCreated", { terms: endless }]),
    raise([50n, "ListingCreated", { terms: endless }], alice),
    raise(...loan),
    raise(...loan, settled(100n)),
    raise(created, small, back),
    raise(created, alice, [150n, "ListingCancelled"]),
    raise(created, alice, closed, [250n, "ListingVoided"]),
  ];
  expect(statsOf(raises, 400n)).toEqual({
    byStatus: { listed: 1, funding: 1, live: 1, matured: 1, refunding: 1, voided: 1, cancelled: 1 },
    raised: "4200", // 600 + 900 + 900 + 300 + 600 + 900
    lent: "1800", // 900 + 900
    refunded: "70",
    withdrawn: "70", // to somebody who had nothing in the raise that failed
    returned: "0",
    refundable: "1800", // 300 below the minimum, 600 cancelled, 900 voided
    outstandingInDefaultBps: 0,
    repaid: "418",
    outstanding: "700",
    reserves: "90",
    subscribers: 8,
    outstandingByRepayment: {
      current: { amount: "700", shareBps: 10_000, listings: 1 },
      grace: NONE_OF_IT,
      late: NONE_OF_IT,
      default: NONE_OF_IT,
    },
    writtenOff: "100",
    defaultRateBps: 1111, // 100 of 900
    averageCouponBps: TERMS.couponRateBps,
    decided: 3, // live, matured, refunding
    minimumReachedBps: 6666,
    averageHoursToFund: 0, // all within minutes
  });
});

test("the time to fund runs from the opening to the first end of the subscription, and counts what reached its minimum", () => {
  const HOUR = 3600n;
  const open = (hours: bigint, ...then: Told[]) => {
    const terms = { ...TERMS, goLiveAt: 100n, closeAt: 100n + hours * HOUR };
    return raise([50n, "ListingCreated", { terms }], alice, bob, ...then);
  };
  const hours = (...raises: ReturnType<typeof raise>[]) =>
    statsOf(raises, 100n + 30n * HOUR).averageHoursToFund;
  // By the deadline alone, by a close before it, and both: (20 + 10) / 2.
  const early: Told = [100n + 10n * HOUR, "ListingClosed", { raisedAmount: 900n }];
  expect(hours(open(20n))).toBe(20);
  expect(hours(open(20n, early))).toBe(10);
  expect(hours(open(20n), open(20n, early))).toBe(15);
  expect(hours(open(40n))).toBeNull();
});

test("the amount owed is split by the state of its repayment", () => {
  const DAY = 86_400n;
  const due = (maturityAt: bigint, left: bigint) =>
    raise(
      created,
      alice,
      bob,
      closed,
      [220n, "DrawnDown", { amount: 900n, maturityAt }],
      [300n, "Repaid", { principal: 900n - left, interest: 0n, outstandingPrincipal: left }],
    );
  const now = 500n + 200n * DAY;
  const raises = [
    due(now, 100n),
    due(now - DAY, 200n),
    due(now - 8n * DAY, 300n),
    due(500n, 400n),
    due(500n, 0n),
  ];
  expect(statsOf(raises, now).outstandingByRepayment).toEqual({
    current: { amount: "100", shareBps: 1000, listings: 1 },
    grace: { amount: "200", shareBps: 2000, listings: 1 },
    late: { amount: "300", shareBps: 3000, listings: 1 },
    default: { amount: "400", shareBps: 4000, listings: 1 },
  });
});

test("the rate is over all settled raises together, and nobody loses more than was drawn", () => {
  const free = raise(created, alice, [600n, "ListingSettled", { outcome: 0, writtenOffPrincipal: 7n }]);
  const rate = (...raises: ReturnType<typeof raise>[]) => statsOf(raises, 700n).defaultRateBps;
  expect(rate(raise(...loan), free)).toBeNull();
  expect(rate(raise(...loan), free, raise(...loan, settled(0n)))).toBe(0);
  expect(rate(raise(...loan, settled(0n)), raise(...loan, settled(700n)))).toBe(3888);
  expect(rate(raise(...loan, settled(901n)))).toBe(10_000);
});
