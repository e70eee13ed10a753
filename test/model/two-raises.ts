/** @module A market of two raises told by hand, and what must be said of each: one that is repaid late, and one that never ends. */
import { keccak256, stringToHex } from "viem";
import type { PredictParameters } from "./answers.ts";
import { ALICE, BOB, ORIGINATOR, TERMS, type Told, tell } from "./tell.ts";

export const DOLLAR = 10n ** 18n;
export const START = 1_767_225_600n; // 2026-01-01T00:00:00Z
export const DAY = 86_400n;

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

export const given: PredictParameters = {
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

export const lateListing = {
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
  couponIsMaximum: false,
  indicativeRateBps: null,
  acceptsMoney: false,
  statusSince: "2026-01-11T00:00:00Z",
  refundedAmount: "500000000000000000000",
  withdrawnAmount: "500000000000000000000",
  returnedAmount: "0",
  drawnAmount: "3000000000000000000000",
  refundableAmount: "0",
  repaidAmount: "1000000000000000000001",
  outstandingPrincipal: "2000000000000000000000",
  writtenOffAmount: "0",
  drawnDownAt: "2026-01-12T00:00:00Z",
  maturityAt: "2026-02-11T00:00:00Z",
  repayment: "late",
  outcome: null,
  originator: "org_one",
  originatorVerified: true,
  originatorOnChain: true,
  url: "http://raises.example/listings/lst_a",
  appUrl: "http://app.example/listings/lst_a",
  metadataVerified: true,
  metadataOnChain: true,
  finality: "final",
  termsFrom: "chain",
  projectedAmount: null,
  termsUpdates: 1,
  termsUpdatedAt: "2025-12-31T23:59:10Z",
  updatedAt: "2026-02-11T00:00:00Z",
  updatedBlock: "9",
};

export const openListing = {
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
  couponIsMaximum: true,
  indicativeRateBps: null,
  acceptsMoney: true,
  statusSince: "2026-01-02T00:00:00Z",
  refundedAmount: "0",
  withdrawnAmount: "0",
  drawnAmount: "0",
  repaidAmount: "0",
  outstandingPrincipal: "0",
  writtenOffAmount: "0",
  drawnDownAt: null,
  maturityAt: null,
  repayment: "not_drawn",
  originatorVerified: false,
  originatorOnChain: true,
  url: "http://raises.example/listings/lst_b",
  appUrl: "http://app.example/listings/lst_b",
  metadataVerified: false,
  metadataOnChain: true,
  finality: "final",
  termsFrom: "chain",
  termsUpdates: 0,
  termsUpdatedAt: null,
  updatedAt: "2026-01-01T00:00:00Z",
  updatedBlock: "10",
};
