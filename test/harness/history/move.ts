/** @module A move, and the data from which one is chosen. */
import {
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  type PublicClient,
} from "viem";
import { listingEscrowAbi } from "../../../abis/ListingEscrow.ts";
import { listingTokenAbi } from "../../../abis/ListingToken.ts";
import { backers, type Call, strangers } from "./cast.ts";
import type { Desk } from "./desk.ts";
import type { Listing } from "./listing.ts";
import type { Publication } from "./publication.ts";
import type { Random } from "./random.ts";

export type Scene = {
  random: Random;
  /** the time of the block to come, unix seconds */
  now: bigint;
  client: PublicClient;
  /** where the history has one */
  desk?: Desk;
};

export type Move = Call & {
  name: string;
  listing?: Listing;
  /** who has tokens of the listing if the move succeeds */
  gains?: Address;
  /** of a creation */
  publication?: Publication;
};

/** A move and its weight among others. */
export type Option = readonly [weight: number, () => Promise<Move> | Move];

type Abi = typeof listingEscrowAbi;
type Action = ContractFunctionName<Abi, "nonpayable">;

export function escrowMove<Name extends Action>(
  listing: Listing,
  from: Address,
  name: Name,
  args: ContractFunctionArgs<Abi, "nonpayable", Name>,
): Move {
  return { name, from, to: listing.escrow, listing, data: escrowData(name, args) };
}

export function escrowData<Name extends Action>(
  functionName: Name,
  args: ContractFunctionArgs<Abi, "nonpayable", Name>,
) {
  const call = { abi: listingEscrowAbi, functionName, args };
  // Name and arguments belong together, which viem cannot see while the name is still a variable.
  return encodeFunctionData(call as unknown as EncodeFunctionDataParameters);
}

/** Mostly an account with tokens. */
export async function holderOf(scene: Scene, listing: Listing): Promise<Address> {
  const { random } = scene;
  const holders = [...listing.holders];
  if (holders.length === 0 || random.chance(0.05)) return random.one([...backers, ...strangers]);
  const first = random.below(holders.length);
  for (const holder of [...holders.slice(first), ...holders.slice(0, first)]) {
    if ((await balanceOf(scene, listing, holder)) > 0n) return holder;
  }
  return random.one(holders);
}

export function balanceOf({ client }: Scene, listing: Listing, holder: Address): Promise<bigint> {
  return client.readContract({
    address: listing.token,
    abi: listingTokenAbi,
    functionName: "balanceOf",
    args: [holder],
  });
}

/** All of it, a part, the smallest unit or more than there is. */
export function someOf({ random }: Scene, whole: bigint): bigint {
  const part = random.amount(whole);
  return (
    random.weighted([
      [4, whole],
      [5, part],
      [1, 1n],
      [0.5, whole + 1n],
    ]) ?? whole
  );
}
