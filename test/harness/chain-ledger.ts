/** @module The ledger as the chain itself has it: what every page of the ledger is held against. Read from the logs alone. */
import { type Address, type Hex, parseEventLogs } from "viem";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { secondaryDeskEventsAbi } from "../../abis/SecondaryDeskEvents.ts";
import type { LocalChain } from "../../demo/chain.ts";

/** One event of a listing, by the names of the answers. */
export type ChainEvent = {
  kind: string;
  /** the listing's, also for an event of the desk; lowercase */
  escrowAddress: string;
  onchainId: bigint;
  blockNumber: bigint;
  /** unix seconds */
  blockTime: bigint;
  logIndex: number;
  txHash: Hex;
};

/**
 * Every event of these escrows, and of the desk those of their listings' tokens; newest first. The first creation that
 * names a token has it; an offer is of the token that it was created with.
 */
export async function readChainLedger(
  chain: LocalChain,
  contracts: { escrows: readonly Address[]; desk: Address },
): Promise<ChainEvent[]> {
  const { escrows, desk } = contracts;
  const logs = await chain.publicClient.getLogs({ address: [...escrows, desk], fromBlock: 0n });
  const abi = [...listingEscrowEventsAbi, ...secondaryDeskEventsAbi];
  const times = new Map<bigint, bigint>();
  const listingOfToken = new Map<string, Pick<ChainEvent, "escrowAddress" | "onchainId">>();
  const tokenOfOffer = new Map<bigint, string>();
  const events: ChainEvent[] = [];

  for (const { eventName, args, ...log } of parseEventLogs({ abi, logs })) {
    const { blockNumber, logIndex, transactionHash: txHash } = log;
    const blockTime =
      times.get(blockNumber) ?? (await chain.publicClient.getBlock({ blockNumber })).timestamp;
    times.set(blockNumber, blockTime);
    const kind = eventName.replace(/(?<!^)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
    const place = { kind, blockNumber, blockTime, logIndex, txHash };
    if ("onchainId" in args) {
      const listing = { escrowAddress: log.address.toLowerCase(), onchainId: args.onchainId };
      if (eventName === "ListingCreated") {
        const token = args.token.toLowerCase();
        if (!listingOfToken.has(token)) listingOfToken.set(token, listing);
      }
      events.push({ ...place, ...listing });
      continue;
    }
    const token = tokenOfOffer.get(args.offerId) ?? ("token" in args ? args.token.toLowerCase() : "");
    const listing = listingOfToken.get(token);
    if (listing === undefined) continue;
    if (eventName === "OfferCreated") tokenOfOffer.set(args.offerId, token);
    events.push({ ...place, ...listing });
  }
  return events.reverse();
}
