/**
 * Adds up an escrow's events by itself and compares: each running total in an event, the contract's views, and
 * the dollars that it holds.
 *
 * @module
 */
import type { Address } from "viem";
import { expect } from "vitest";
import { listingTokenAbi } from "../../abis/ListingToken.ts";
import { REFUND, RESERVE } from "../harness/enums.ts";
import { type EscrowLog, escrowLogs, type World } from "./world.ts";

interface Sums {
  token: Address;
  subscribed: bigint;
  /** Refunds that lower what was raised. */
  takenBack: bigint;
  refunded: bigint;
  reserve: bigint;
  drawn: bigint;
  outstanding: bigint;
  repaid: bigint;
  claimed: bigint;
}

const nothing = {
  subscribed: 0n,
  takenBack: 0n,
  refunded: 0n,
  reserve: 0n,
  drawn: 0n,
  outstanding: 0n,
  repaid: 0n,
  claimed: 0n,
};

export async function audit(world: World): Promise<void> {
  const logs = await world.chain.publicClient.getLogs({ address: world.escrow, fromBlock: 0n });
  const listings = new Map<bigint, Sums>();
  for (const log of escrowLogs(world.escrow, logs)) {
    if (log.eventName === "ListingCreated") {
      listings.set(log.args.onchainId, { token: log.args.token, ...nothing });
      continue;
    }
    const sums = listings.get(log.args.onchainId);
    if (!sums) throw new Error(`${log.eventName} of a listing that was never created`);
    add(sums, log);
  }

  let held = 0n;
  for (const [id, sums] of listings) {
    const raised = sums.subscribed - sums.takenBack;
    expect(await world.read("raisedAmount", [id])).toBe(raised);
    expect(await world.read("refundedAmount", [id])).toBe(sums.refunded);
    expect(await world.read("reserveBalance", [id])).toBe(sums.reserve);
    expect(await world.read("outstandingPrincipal", [id])).toBe(sums.outstanding);
    expect(await world.read("claimedAmount", [id])).toBe(sums.claimed);
    const supply = await world.chain.publicClient.readContract({
      address: sums.token,
      abi: listingTokenAbi,
      functionName: "totalSupply",
    });
    expect(supply).toBe(sums.subscribed - sums.refunded);
    held += sums.subscribed - sums.refunded - sums.drawn + sums.reserve + sums.repaid - sums.claimed;
  }
  expect(await world.read("requiredBalance", [])).toBe(held);
  expect(await world.balance(world.dollar, world.escrow)).toBe(held + world.sentDirectly);
}

function add(sums: Sums, log: EscrowLog): void {
  switch (log.eventName) {
    case "Subscribed":
      sums.subscribed += log.args.amount;
      expect(log.args.totalRaised).toBe(sums.subscribed - sums.takenBack);
      break;
    case "Refunded":
      sums.refunded += log.args.amount;
      if (log.args.reason === REFUND.withdrawn || log.args.reason === REFUND.outbid) {
        sums.takenBack += log.args.amount;
      }
      expect(log.args.totalRefunded).toBe(sums.refunded);
      break;
    case "ListingClosed":
      expect(log.args.raisedAmount).toBe(sums.subscribed - sums.takenBack);
      break;
    case "ReserveChanged":
      sums.reserve += log.args.reason === RESERVE.posted ? log.args.amount : -log.args.amount;
      expect(log.args.reserveBalance).toBe(sums.reserve);
      break;
    case "DrawnDown":
      sums.drawn = log.args.amount;
      sums.outstanding = log.args.amount;
      break;
    case "Repaid":
      sums.outstanding -= log.args.principal;
      sums.repaid += log.args.principal + log.args.interest;
      expect(log.args.outstandingPrincipal).toBe(sums.outstanding);
      break;
    case "PayoutClaimed":
      sums.claimed += log.args.amount;
      expect(log.args.totalClaimed).toBe(sums.claimed);
      break;
    case "ListingSettled":
      expect(log.args.writtenOffPrincipal).toBe(sums.outstanding);
      sums.outstanding = 0n;
      break;
    default:
  }
}
