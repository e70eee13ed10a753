/** @module Makes a rogue escrow emit events: any of them, in one transaction, in any order. */
import { setTimeout as sleep } from "node:timers/promises";
import { type Address, encodeFunctionData, type Hex, zeroHash } from "viem";
import { rogueEscrowAbi } from "../../contracts/artifacts/RogueEscrow.ts";
import type { LocalChain } from "../../demo/chain.ts";

export const ORIGINATOR: Address = "0x00000000000000000000000000000000000000a1";
export const BACKER: Address = "0x00000000000000000000000000000000000000b1";
export const OTHER_BACKER: Address = "0x00000000000000000000000000000000000000b2";

type Terms = {
  targetAmount: bigint;
  minRaise: bigint;
  couponRateBps: number;
  insuranceBps: number;
  tenorDays: number;
  pricingMode: number;
  goLiveAt: bigint;
  closeAt: bigint;
};

export const TERMS: Terms = {
  targetAmount: 1_000n,
  minRaise: 100n,
  couponRateBps: 1450,
  insuranceBps: 500,
  tenorDays: 90,
  pricingMode: 0,
  goLiveAt: 1n,
  closeAt: 0n,
};

/** Calls of the rogue escrow, one an event; `batch` sends several in one transaction. */
export const events = {
  created: (
    id: bigint,
    change: Partial<Terms> & { refnum?: string; token?: Address; metadataHash?: Hex } = {},
  ) => {
    const { refnum = "RB00001", token = tokenOf(id), metadataHash = zeroHash, ...terms } = change;
    return call("emitListingCreated", [id, ORIGINATOR, token, refnum, { ...TERMS, ...terms }, metadataHash]);
  },
  termsUpdated: (id: bigint, change: Partial<Terms>) =>
    call("emitListingTermsUpdated", [id, { ...TERMS, ...change }, zeroHash]),
  subscribed: (
    id: bigint,
    amount: bigint,
    totalRaised: bigint,
    backer: Address = BACKER,
    payer: Address = backer,
  ) => call("emitSubscribed", [id, backer, payer, amount, 0, totalRaised]),
  refunded: (id: bigint, reason: number, amount: bigint, totalRefunded: bigint, backer: Address = BACKER) =>
    call("emitRefunded", [id, backer, reason, amount, totalRefunded]),
  reserve: (id: bigint, reason: number, amount: bigint, balance: bigint) =>
    call("emitReserveChanged", [id, reason, ORIGINATOR, amount, balance]),
  closed: (id: bigint, raisedAmount: bigint, couponRateBps = 1450) =>
    call("emitListingClosed", [id, 2, raisedAmount, true, couponRateBps]),
  drawnDown: (id: bigint, amount: bigint, maturityAt: bigint) =>
    call("emitDrawnDown", [id, ORIGINATOR, amount, 0n, maturityAt]),
  repaid: (id: bigint, principal: bigint, interest: bigint, outstanding: bigint) =>
    call("emitRepaid", [id, ORIGINATOR, principal, interest, outstanding]),
  claimed: (id: bigint, amount: bigint, totalClaimed: bigint) =>
    call("emitPayoutClaimed", [id, BACKER, amount, totalClaimed]),
  settled: (id: bigint, outcome: number, writtenOff: bigint) =>
    call("emitListingSettled", [id, outcome, writtenOff]),
  cancelled: (id: bigint) => call("emitListingCancelled", [id, zeroHash]),
  voided: (id: bigint) => call("emitListingVoided", [id, zeroHash]),
  deployed: (escrow: Address) => call("emitEscrowDeployed", [escrow]),
  offered: (offerId: bigint, token: Address, amount: bigint, priceBps = 9_500n) =>
    call("emitOfferCreated", [offerId, token, BACKER, amount, priceBps, 4_000_000_000n]),
  filled: (offerId: bigint, token: Address, amount: bigint, cost: bigint, remaining: bigint) =>
    call("emitOfferFilled", [offerId, token, OTHER_BACKER, amount, cost, remaining]),
  /** of a rogue contract that is the token of a listing */
  transferred: (from: Address, to: Address, value: bigint) => call("emitTransfer", [from, to, value]),
  unoffered: (offerId: bigint, remaining: bigint) => call("emitOfferCancelled", [offerId, remaining]),
};

/** A different token address for each id. */
export function tokenOf(id: bigint): Address {
  return `0x${id.toString(16).padStart(40, "c0ffee")}`;
}

/** Sends the calls in one transaction; returns the block that has them. */
export function emit(chain: LocalChain, rogue: Address, ...calls: Hex[]): Promise<bigint> {
  return emitFrom(chain, 0, rogue, ...calls);
}

/** `emit` from another account, for transactions that wait side by side. */
export async function emitFrom(
  chain: LocalChain,
  account: number,
  rogue: Address,
  ...calls: Hex[]
): Promise<bigint> {
  const hash = await chain.walletClient(account).writeContract({
    address: rogue,
    abi: rogueEscrowAbi,
    functionName: "batch",
    args: [calls],
  });
  const { blockNumber, status } = await chain.receiptOf(hash);
  if (status !== "success") throw new Error(`the events reverted in ${hash}`);
  return blockNumber;
}

/** Waits until this many transactions are in the pool, so that the next block has all of them. */
export async function untilPending(chain: LocalChain, count: number): Promise<void> {
  while ((await chain.testClient.getTxpoolStatus()).pending < count) await sleep(20);
}

const call = ((functionName: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: rogueEscrowAbi, functionName, args } as Parameters<
    typeof encodeFunctionData
  >[0])) as <Name extends Extract<(typeof rogueEscrowAbi)[number], { type: "function" }>["name"]>(
  functionName: Name,
  args: readonly unknown[],
) => Hex;
