/**
 * The listings on the chain, as far as a registry says something of them.
 * @module
 */
import { createPublicClient, decodeEventLog, getAbiItem, http, toEventSelector } from "viem";
import { escrowFactoryEventsAbi } from "../../abis/EscrowFactoryEvents.ts";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { pairKey, type RegistryListing } from "../../api/registry/schema.ts";
import type { Settings } from "../../config/environment.ts";
import { firstBlock } from "../../config/sources.ts";
import { keyOf, readFigures } from "../audit/figures.ts";
import { SETTLED_BLOCKS } from "../daemon/check-chain.ts";
import { type LogSource, type RawLog, readLogs } from "./logs.ts";

/** Calls for logs: the listings of later blocks are looked for by the escrows' views. */
const MOST_CALLS = 400;

type OnchainListing = {
  readonly refnum: string;
  /** lowercase */
  readonly originator: string;
  /** as the last terms have it */
  readonly metadataHash: string;
};

export type OnchainListings = {
  /** lowercase */
  readonly escrows: ReadonlySet<string>;
  /** by `pairKey` */
  readonly listings: ReadonlyMap<string, OnchainListing>;
  /** the block up to which they are known */
  readonly upTo: number;
};

const CREATED = getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingCreated" });
const UPDATED = getAbiItem({ abi: listingEscrowEventsAbi, name: "ListingTermsUpdated" });
const LISTING_ABI = [CREATED, UPDATED] as const;
const [DEPLOYED] = escrowFactoryEventsAbi;

/** By the events of the followed escrows. @throws {RpcError} */
export async function readListings(source: LogSource, settings: Settings): Promise<OnchainListings> {
  const { escrows, escrowFactory } = settings;
  const followed = new Set<string>(escrows.map(({ address }) => address));
  const to = source.head;
  if (escrowFactory !== null) {
    const kinds = [toEventSelector(DEPLOYED)];
    const query = { address: [escrowFactory.address], kinds, from: escrowFactory.startBlock, to };
    const announced = await readLogs(source, { ...query, mostCalls: MOST_CALLS });
    for (const { topics } of announced.logs)
      if (topics[1] !== undefined) followed.add(`0x${topics[1].slice(26)}`);
  }
  const { logs, upTo } = await readLogs(source, {
    address: [...followed],
    kinds: LISTING_ABI.map((event) => toEventSelector(event)),
    ...{ from: Number(firstBlock(settings)), to, mostCalls: MOST_CALLS },
  });
  const listings = new Map<string, OnchainListing>();
  for (const log of logs) {
    const event = decoded(log);
    if (event === null) continue;
    const { onchainId, metadataHash } = event.args;
    const key = pairKey({ escrowAddress: log.address.toLowerCase(), onchainId });
    const known = listings.get(key);
    if (event.eventName === "ListingTermsUpdated") {
      if (known !== undefined) listings.set(key, { ...known, metadataHash });
    } else if (known === undefined) {
      const { refnum, originator } = event.args;
      listings.set(key, { refnum, originator: originator.toLowerCase(), metadataHash });
    }
  }
  return { escrows: followed, listings, upTo };
}

/** Null for malformed data, which the indexer skips too. */
function decoded({ data, topics }: RawLog) {
  try {
    return decodeEventLog({ abi: LISTING_ABI, data, topics });
  } catch {
    return null;
  }
}

/** Whether each listing exists, according to its escrow's views; those that the views do not tell are left out. @throws when the node fails */
export async function existingByViews(
  { url, head, timeout }: LogSource,
  listings: readonly RegistryListing[],
): Promise<Map<RegistryListing, boolean>> {
  const client = createPublicClient({ transport: http(url, { timeout }) });
  const keys = listings.map(({ escrowAddress, onchainId }) => ({
    escrowAddress,
    onchainId: BigInt(onchainId),
  }));
  const escrows = [...new Set(listings.map(({ escrowAddress }) => escrowAddress))];
  const targets = {
    listings: keys,
    escrows: escrows.map((address) => ({ address, nextId: 0n })),
    tokens: [],
  };
  const figures = await readFigures(client, targets, { block: BigInt(Math.max(0, head - SETTLED_BLOCKS)) });
  return new Map(
    listings.flatMap((listing): [RegistryListing, boolean][] => {
      const { escrowAddress, onchainId } = listing;
      // An escrow that answers for every id tells nothing.
      if (figures.escrows.get(escrowAddress)?.never !== "reverted") return [];
      const raised = figures.views.get(keyOf({ escrowAddress, onchainId: BigInt(onchainId) }))?.raisedAmount;
      return raised === undefined || raised === "no answer" ? [] : [[listing, raised !== "reverted"]];
    }),
  );
}
