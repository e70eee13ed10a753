/** @module Histories written by hand, for the test of the whole model: events with only the arguments that matter told. */
import { type Hex, numberToHex } from "viem";
import type { ChainLog, EventArgs, EventName, Terms } from "./chain-log.ts";

const ESCROW = "0x00000000000000000000000000000000000000e1";
export const ORIGINATOR = "0x00000000000000000000000000000000000000a1";
const TOKEN = "0x00000000000000000000000000000000000000c1";
export const [ALICE, BOB] = [
  "0x00000000000000000000000000000000000000b1",
  "0x00000000000000000000000000000000000000b2",
] as const;

const NOBODY = "0x0000000000000000000000000000000000000000";
const NO_HASH = `0x${"00".repeat(32)}` as const;

/** A fixed raise of 1000, at least 400, open from 100 to 200; each test changes what it is about. */
export const TERMS: Terms = {
  targetAmount: 1000n,
  minRaise: 400n,
  couponRateBps: 1450,
  insuranceBps: 0,
  tenorDays: 30,
  pricingMode: 0,
  goLiveAt: 100n,
  closeAt: 200n,
};

/** The arguments that do not matter to a test. */
const UNTOLD: EventArgs = {
  ListingCreated: {
    onchainId: 1n,
    originator: ORIGINATOR,
    token: TOKEN,
    refnum: "RB00001",
    terms: TERMS,
    metadataHash: NO_HASH,
  },
  ListingTermsUpdated: { onchainId: 1n, terms: TERMS, metadataHash: NO_HASH },
  Subscribed: { onchainId: 1n, backer: ALICE, payer: ALICE, amount: 0n, bidRateBps: 0, totalRaised: 0n },
  Refunded: { onchainId: 1n, backer: ALICE, reason: 0, amount: 0n, totalRefunded: 0n },
  ReserveChanged: { onchainId: 1n, reason: 0, account: NOBODY, amount: 0n, reserveBalance: 0n },
  ListingClosed: { onchainId: 1n, reason: 1, raisedAmount: 0n, minRaiseMet: false, couponRateBps: 1450 },
  DrawnDown: { onchainId: 1n, to: ORIGINATOR, amount: 0n, fee: 0n, maturityAt: 0n },
  Repaid: { onchainId: 1n, payer: ORIGINATOR, principal: 0n, interest: 0n, outstandingPrincipal: 0n },
  PayoutClaimed: { onchainId: 1n, holder: ALICE, amount: 0n, totalClaimed: 0n },
  ListingSettled: { onchainId: 1n, outcome: 0, writtenOffPrincipal: 0n },
  ListingCancelled: { onchainId: 1n, reason: NO_HASH },
  ListingVoided: { onchainId: 1n, reason: NO_HASH },
};

/** One event as a test tells it: its block's time, its name, and the arguments that matter. */
export type Told = {
  [Name in EventName]: readonly [at: bigint, name: Name, args?: Partial<EventArgs[Name]>];
}[EventName];

/** Each event in a block of its own, in the order told. */
export function tell(...events: readonly Told[]): ChainLog[] {
  return events.map(([at, name, args], index) => {
    const place = { blockNumber: BigInt(index + 1), logIndex: index % 3, at, txHash: txHash(index + 1) };
    return { ...place, escrow: ESCROW, name, args: { ...UNTOLD[name], ...args } } as ChainLog;
  });
}

/** The transaction of the first event told is `txHash(1)`, of the second `txHash(2)`. */
export function txHash(serial: number): Hex {
  return numberToHex(serial, { size: 32 });
}
