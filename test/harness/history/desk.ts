/**
 * The generator's knowledge of the secondary desk: the offers that were made. It serves to choose moves that make
 * sense; nothing is compared with it.
 * @module
 */
import {
  type Address,
  isAddressEqual,
  type PublicClient,
  parseEventLogs,
  type TransactionReceipt,
} from "viem";
import { secondaryDeskAbi } from "../../../abis/SecondaryDesk.ts";

export type Offer = {
  id: bigint;
  token: Address;
  /** lowercase, as the cast is */
  seller: Address;
  /** unix seconds */
  expiresAt: bigint;
};

export type Desk = {
  address: Address;
  /** a token that no listing has and every account has plenty of */
  dollar: Address;
  offers: Offer[];
};

export function offersOf(desk: Desk, token: Address): Offer[] {
  return desk.offers.filter((offer) => isAddressEqual(offer.token, token));
}

/** The offers that some logs make. */
export function offersMadeBy(logs: TransactionReceipt["logs"]): Offer[] {
  return parseEventLogs({ abi: secondaryDeskAbi, eventName: "OfferCreated", logs }).map(({ args }) => ({
    id: args.offerId,
    token: args.token,
    seller: args.seller.toLowerCase() as Address,
    expiresAt: args.expiresAt,
  }));
}

/**
 * The remainder of each offer, base units; nothing of one that was filled or cancelled.
 * @param client one that sends what is asked together in one request
 */
export async function remaindersOf(
  client: PublicClient,
  desk: Desk,
  offers: readonly Offer[],
): Promise<{ offer: Offer; remaining: bigint }[]> {
  const contract = { address: desk.address, abi: secondaryDeskAbi, functionName: "offers" } as const;
  return Promise.all(
    offers.map(async (offer) => {
      const [, , , remaining] = await client.readContract({ ...contract, args: [offer.id] });
      return { offer, remaining };
    }),
  );
}
