/**
 * The generator's knowledge of a listing: how it was created, and the escrow's views after the last block.
 * It serves to choose moves that make sense; nothing is compared with it.
 * @module
 */
import type { Address, Hex, PublicClient } from "viem";
import { listingEscrowAbi } from "../../../abis/ListingEscrow.ts";
import { STAGE } from "../enums.ts";
import type { Habit } from "./cast.ts";
import type { Terms } from "./terms.ts";

export type Listing = {
  escrow: Address;
  owner: Address;
  id: bigint;
  token: Address;
  originator: Address;
  habit: Habit;
  metadataHash: Hex;
  /** every account that ever got tokens, even if it has no tokens any more */
  holders: Set<Address>;
  terms: Terms;
  stage: number;
  raised: bigint;
  reserve: bigint;
  outstanding: bigint;
  maturityAt: bigint;
};

type Known = Pick<Listing, "terms" | "stage" | "raised" | "reserve" | "outstanding" | "maturityAt">;

/** @param client one that sends what is asked together in one request */
export async function lookUp(client: PublicClient, escrow: Address, id: bigint): Promise<Known> {
  const contract = { address: escrow, abi: listingEscrowAbi, args: [id] } as const;
  const [terms, stage, raised, reserve, outstanding, maturityAt] = await Promise.all([
    client.readContract({ ...contract, functionName: "termsOf" }),
    client.readContract({ ...contract, functionName: "stageOf" }),
    client.readContract({ ...contract, functionName: "raisedAmount" }),
    client.readContract({ ...contract, functionName: "reserveBalance" }),
    client.readContract({ ...contract, functionName: "outstandingPrincipal" }),
    client.readContract({ ...contract, functionName: "maturityOf" }),
  ]);
  return { terms, stage, raised, reserve, outstanding, maturityAt };
}

export function isPastDeadline({ terms }: Listing, now: bigint): boolean {
  return terms.closeAt > 0n && now >= terms.closeAt;
}

/** Something can still come of it. */
export function isUnderWay({ stage }: Listing): boolean {
  return stage === STAGE.open || stage === STAGE.succeeded || stage === STAGE.drawn;
}
