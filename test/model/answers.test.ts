import { keccak256, stringToHex } from "viem";
import { describe, expect, test } from "vitest";
import { type PredictParameters, predict } from "./answers.ts";
import { inChainOrder } from "./chain-log.ts";
import { differences } from "./differences.ts";
import { ALICE, BOB, CAROL, ORIGINATOR, TERMS, TOKEN, type Told, tell, tellOfDesk, txHash } from "./tell.ts";

const DOLLAR = 10n ** 18n;
const START = 1_767_225_600n; // 2026-01-01T00:00:00Z
const DAY = 86_400n;

const terms = {
  ...TERMS,
  targetAmount: 5000n * DOLLAR,
  minRaise: 2000n * DOLLAR,
  insuranceBps: 500,
  goLiveAt: START,
  closeAt: START + 10n * DAY,
};
const committed = keccak256(stringToHex('{"description":"Two.\\nLines.","title":"Cold\u202e trucks"}'));

const repaying: Told[] = [
  [START - 100n, "ListingCreated", { onchainId: 7n, terms, metadataHash: keccak256("0x") }],
  [START - 50n, "ListingTermsUpdated", { onchainId: 7n, terms, metadataHash: committed }],
  [
    START + 60n,
    "Subscribed",
    { onchainId: 7n, backer: ALICE, amount: 3000n * DOLLAR, totalRaised: 3000n * DOLLAR },
  ],
  [
    START + 61n,
    "Subscribed",
    { onchainId: 7n, backer: BOB, amount: 500n * DOLLAR, totalRaised: 3500n * DOLLAR },
  ],
  [
    START + 99n,
    "Refunded",
    { onchainId: 7n, backer: BOB, amount: 500n * DOLLAR, totalRefunded: 500n * DOLLAR },
  ],
  [START + 10n * DAY, "ListingClosed", { onchainId: 7n, raisedAmount: 3000n * DOLLAR, couponRateBps: 1450 }],
  [
    START + 11n * DAY,
    "ReserveChanged",
    { onchainId: 7n, amount: 250n * DOLLAR, reserveBalance: 250n * DOLLAR },
  ],
  [
    START + 11n * DAY,
    "DrawnDown",
    { onchainId: 7n, amount: 3000n * DOLLAR, fee: 30n * DOLLAR, maturityAt: START + 41n * DAY },
  ],
  [
    START + 41n * DAY,
    "Repaid",
    { onchainId: 7n, principal: 1000n * DOLLAR, interest: 1n, outstandingPrincipal: 2000n * DOLLAR },
  ],
];
const endless = { ...TERMS, closeAt: 0n, goLiveAt: START + DAY, pricingMode: 1 };
const open: Told[] = [
  [START, "ListingCreated", { onchainId: 8n, originator: BOB, terms: endless, refnum: "OLD00042" }],
];

const given: PredictParameters = {
  logs: tell(...repaying, ...open),
  registry: {
    originators: [
      {
        publicId: "org_one",
        legalName: "One\u0000 Ltd",
        jurisdiction: "SG",
        kybStatus: "approved",
        addresses: [ORIGINATOR.toUpperCase().replace("0X", "0x")],
      },
      { publicId: "org_none", legalName: "None", jurisdiction: "CH", kybStatus: "approved", addresses: [] },
    ],
    listings: [
      {
        publicId: "lst_a",
        originator: "org_one",
        escrowAddress: "0x00000000000000000000000000000000000000E1",
        onchainId: "7",
        title: "Cold\u202e trucks",
        description: "Two.\nLines.",
      },
      {
        publicId: "lst_b",
        originator: "org_one",
        escrowAddress: "0x00000000000000000000000000000000000000e1",
        onchainId: "8",
        title: "B",
        description: "\tb\r\n",
      },
      {
        publicId: "lst_c",
        originator: "org_none",
        escrowAddress: "0x00000000000000000000000000000000000000e1",
        onchainId: "9",
        title: "Not on the chain",
        description: "",
      },
    ],
  },
  head: { number: 100n, timestamp: START + 72n * DAY },
  publicUrl: "http://raises.example",
  appUrl: "http://app.example",
};

const lateListing = {
  publicId: "lst_a",
  refnum: "RB00001",
  title: "Cold trucks",
  description: "Two.\nLines.",
  status: "live",
  targetAmount: "5000000000000000000000",
  minRaise: "2000000000000000000000",
  raisedAmount: "3000000000000000000000",
  couponRateBps: 1450,
  tenorDays: 30,
  insuranceBps: 500,
  reserveBalance: "250000000000000000000",
  pricingMode: "fixed",
  goLiveAt: "2026-01-01T00:00:00Z",
  closeAt: "2026-01-11T00:00:00Z",
  originatorGrade: "NR",
  chainId: 97,
  tokenAddress: "0x00000000000000000000000000000000000000c1",
  escrowAddress: "0x00000000000000000000000000000000000000e1",
  subscriberCount: 1,
  onchainId: "7",
  acceptsMoney: false,
  statusSince: "2026-01-11T00:00:00Z",
  refundedAmount: "500000000000000000000",
  repaidAmount: "1000000000000000000001",
  outstandingPrincipal: "2000000000000000000000",
  drawnDownAt: "2026-01-12T00:00:00Z",
  maturityAt: "2026-02-11T00:00:00Z",
  repayment: "late",
  outcome: null,
  originator: "org_one",
  originatorVerified: true,
  url: "http://raises.example/listings/lst_a",
  appUrl: "http://app.example/listings/lst_a",
  metadataVerified: true,
};

const openListing = {
  ...lateListing,
  publicId: "lst_b",
  refnum: "OLD00042",
  title: "B",
  description: "b\n",
  status: "listed",
  targetAmount: "1000",
  minRaise: "400",
  raisedAmount: "0",
  insuranceBps: 0,
  reserveBalance: "0",
  pricingMode: "auction",
  goLiveAt: "2026-01-02T00:00:00Z",
  closeAt: null,
  subscriberCount: 0,
  onchainId: "8",
  acceptsMoney: true,
  statusSince: "2026-01-02T00:00:00Z",
  refundedAmount: "0",
  repaidAmount: "0",
  outstandingPrincipal: "0",
  drawnDownAt: null,
  maturityAt: null,
  repayment: "not_drawn",
  originatorVerified: false,
  url: "http://raises.example/listings/lst_b",
  appUrl: "http://app.example/listings/lst_b",
  metadataVerified: false,
};

describe("a market of two raises, told in full", () => {
  test("its listings, the later go-live first", () => {
    expect(predict(given).listings).toEqual({
      listings: [openListing, lateListing],
      trading: {
        enabled: false,
        deskAddress: null,
        openOffers: 0,
        openAmount: null,
        openNotional: null,
        bestAskBps: null,
        trades24h: 0,
        trades30d: 0,
        tradesTotal: 0,
        volume24h: null,
        volume30d: null,
        volumeTotal: null,
        selfTrades: 0,
        vwap30dBps: null,
        sellers30d: 0,
        buyers30d: 0,
        lastTrade: null,
        listings: [],
      },
    });
  });

  test("its one originator that shows anything, with the record so far", () => {
    expect(predict(given).originators).toEqual({
      originators: [
        {
          publicId: "org_one",
          legalName: "One Ltd",
          jurisdiction: "SG",
          ratingGrade: "NR",
          kybStatus: "approved",
          rating: {
            method: "v1",
            n: 1,
            volume: "3000000000000000000000",
            lossBps: null,
            lateBps: null,
            adjustedBps: null,
            cap: "D",
          },
          listings: [openListing, lateListing],
        },
      ],
    });
  });

  test("before the go-live of the second raise only the first is visible", () => {
    const { listings } = predict({ ...given, head: { number: 100n, timestamp: START + DAY - 1n } }).listings;
    expect(listings.map(({ publicId }) => publicId)).toEqual(["lst_a"]);
  });

  test("unpublished, a raise leaves the answers and stays in the record of its originator's address", () => {
    const { originators, listings } = given.registry;
    const registry = { originators, listings: listings.slice(1) };
    const [one] = predict({ ...given, registry }).originators.originators;
    expect(one).toMatchObject({ listings: [{ publicId: "lst_b" }], rating: { n: 1, cap: "D" } });
  });
});

test("with a desk, the listing that had the token first is traded, and its holders are counted if asked", () => {
  const now = given.head.timestamp;
  const deskLogs = tellOfDesk([now, "OfferCreated", { amount: 5n, priceBps: 10_000n, expiresAt: now + 1n }]);
  const transfers = [
    { token: TOKEN, from: BOB, to: CAROL, value: 0n },
    { token: TOKEN, from: "0x0000000000000000000000000000000000000000", to: BOB, value: 5n },
  ];
  const trading = (holders?: boolean) =>
    predict({ ...given, desk: CAROL, deskLogs, transfers, holders }).listings.trading;
  expect(trading()).toMatchObject({
    deskAddress: CAROL,
    openAmount: "5",
    listings: [{ publicId: "lst_a", openOffers: 1, holderCount: 1, remainingDays: 0 }],
  });
  expect(trading().listings).toHaveLength(1);
  expect(trading(false).listings).toMatchObject([{ holderCount: null }]);
  expect(predict({ ...given, desk: CAROL, deskLogs }).listings.trading).toEqual(trading(false));
});

test("its statistics, and a schedule of each visible listing", () => {
  const { stats, schedules } = predict(given);
  expect(stats).toMatchObject({
    byStatus: { live: 1, listed: 1, matured: 0 },
    raised: `${3000n * DOLLAR}`,
    reserves: `${250n * DOLLAR}`,
    subscribers: 1,
    defaultRateBps: null,
  });
  expect(Object.keys(schedules).sort()).toEqual(["lst_a", "lst_b"]);
  expect(schedules.lst_a).toEqual({
    estimated: false,
    maturityAt: "2026-02-11T00:00:00Z",
    principal: "3000000000000000000000",
    interest: "35753424657534246575",
    total: "3035753424657534246575",
    paidPrincipal: "1000000000000000000000",
    paidInterest: "1",
    outstandingPrincipal: "2000000000000000000000",
    payments: [
      { at: "2026-02-11T00:00:00Z", principal: "1000000000000000000000", interest: "1", txHash: txHash(9) },
    ],
  });
  // Without a close: thirty days from now.
  expect(schedules.lst_b).toMatchObject({ estimated: true, maturityAt: "2026-04-13T00:00:00Z", total: "0" });
});

test("a time past the year 9999 is that year's last second", () => {
  const never = { ...terms, closeAt: 2n ** 64n - 1n };
  const logs = tell([START, "ListingCreated", { onchainId: 7n, terms: never }]);
  expect(predict({ ...given, logs }).listings.listings[0]?.closeAt).toBe("9999-12-31T23:59:59Z");
});

test("the same id in two escrows is two listings, and the order of arrival is the chain's", () => {
  const theirs: Told = [START, "ListingCreated", { onchainId: 7n, originator: BOB, terms }];
  const elsewhere = tell(theirs, ...repaying.slice(1)).map((log) => ({ ...log, escrow: ALICE }));
  const logs = [...elsewhere, ...given.logs].reverse();
  expect(inChainOrder(given.logs.toReversed())).toEqual(given.logs);
  expect(predict({ ...given, logs }).listings).toEqual(predict(given).listings);
});

test("differences are named by their path", () => {
  const one = { list: [{ publicId: "lst_a", n: "1", m: 2 }], x: null };
  expect(differences(one, { x: null, list: [{ m: 2, n: "1", publicId: "lst_a" }] })).toEqual([]);
  expect(differences(one, { list: [{ publicId: "lst_a", n: 1 }, 7] })).toEqual([
    '$.list[0 lst_a].n: expected "1", got 1',
    "$.list[0 lst_a].m: expected 2, got nothing",
    "$.list[1]: expected nothing, got 7",
    "$.x: expected null, got nothing",
  ]);
});
