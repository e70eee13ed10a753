/**
 * The listings on the chain, as far as a registry says something of them.
 * @module
 */
import { decodeEventLog, getAbiItem, type Hex, toEventSelector } from "viem";
import { listingEscrowEventsAbi } from "../../abis/ListingEscrowEvents.ts";
import { pairKey, type RegistryListing } from "../../api/registry/schema.ts";
import { DEPLOYED, followContracts } from "../../chain/contracts.ts";
import { createRanges } from "../../chain/limits.ts";
import type { Log } from "../../chain/logs.ts";
import { readPages } from "../../chain/pages.ts";
import { createViewClient } from "../../chain/views.ts";
import type { Settings } from "../../config/environment.ts";
import { firstBlock } from "../../config/sources.ts";
import { keyOf, readFigures } from "../audit/figures.ts";
import { SETTLED_BLOCKS } from "../daemon/check-chain.ts";
import { AT_A_TIME, type LogSource } from "./endpoints.ts";

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

/** By the events of the followed escrows. @throws {RpcError | InconsistentChainError} */
export async function readListings(source: LogSource, settings: Settings): Promise<OnchainListings> {
  const { client, blocksPerCall, head: to } = source;
  const followed = followContracts({ ...settings, desk: null, holders: false });
  const from = Number(firstBlock(settings));
  const topics = [DEPLOYED, ...LISTING_ABI.map((event) => toEventSelector(event))];
  const ranges = createRanges(blocksPerCall);
  const pages = { client, followed, ranges, from, to, topics, ahead: AT_A_TIME, withBlocks: false };
  const listings = new Map<string, OnchainListing>();
  let upTo = from - 1;
  let calls = 0;
  for await (const page of readPages(pages)) {
    for (const log of page.logs) take(listings, log);
    upTo = page.to;
    calls += 1;
    if (calls === MOST_CALLS) break;
  }
  const escrows = followed.contracts.filter((address) => address !== settings.escrowFactory?.address);
  return { escrows: new Set(escrows), listings, upTo };
}

function take(listings: Map<string, OnchainListing>, log: Log): void {
  const event = decoded(log);
  if (event === null) return;
  const { onchainId, metadataHash } = event.args;
  const key = pairKey({ escrowAddress: log.address, onchainId });
  const known = listings.get(key);
  if (event.eventName === "ListingTermsUpdated") {
    if (known !== undefined) listings.set(key, { ...known, metadataHash });
  } else if (known === undefined) {
    const { refnum, originator } = event.args;
    listings.set(key, { refnum, originator: originator.toLowerCase(), metadataHash });
  }
}

/** Null for malformed data, which the indexer skips too. */
function decoded({ raw: { data, topics } }: Log) {
  try {
    return decodeEventLog({ abi: LISTING_ABI, data, topics: topics as [Hex, ...Hex[]] });
  } catch {
    return null;
  }
}

/** Whether each listing exists, according to its escrow's views; those that the views do not tell are left out. @throws when the node fails */
export async function existingByViews(
  { url, head, timeout }: LogSource,
  listings: readonly RegistryListing[],
): Promise<Map<RegistryListing, boolean>> {
  const client = createViewClient([url], timeout);
  const keyed = listings.map(({ escrowAddress, onchainId }) => ({
    escrowAddress,
    onchainId: BigInt(onchainId),
  }));
  const addresses = [...new Set(listings.map(({ escrowAddress }) => escrowAddress))];
  const escrows = addresses.map((address) => ({ address, nextId: 0n }));
  const targets = { listings: keyed, escrows, tokens: [] };
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
