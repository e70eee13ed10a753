/** @module The listings on the chain, as far as a registry says something of them. */
import type { Hex } from "viem";
import { pairKey, pairOf, type RegistryListing } from "../../api/registry/schema.ts";
import { followContracts } from "../../chain/contracts.ts";
import { createRanges } from "../../chain/limits.ts";
import type { Log } from "../../chain/logs.ts";
import { type Page, readPages } from "../../chain/pages.ts";
import { createViewClient } from "../../chain/views.ts";
import type { Settings } from "../../config/environment.ts";
import { firstBlock } from "../../config/sources.ts";
import { contractsOf, mapRawLog, placeIn, topicsNamed } from "../../src/contracts/contracts.ts";
import type { Terms } from "../../src/fold/event-kinds.ts";
import { UNKNOWN_ID } from "../../src/fold/events.ts";
import { readFigures } from "../audit/figures.ts";
import { SETTLED_BLOCKS } from "../daemon/check-chain.ts";
import { AT_A_TIME, type LogSource } from "./endpoints.ts";

/** Calls for logs: the listings of later blocks are looked for by the escrows' views. */
const MOST_CALLS = 400;

export type OnchainListing = {
  /** Null where the contract does not say. */
  readonly refnum: string | null;
  /** lowercase */
  readonly originator: string | null;
  /** as the last terms have it */
  readonly metadataHash: string | null;
  readonly token: Hex | null;
  /** those that the contract gives, as last changed */
  readonly terms: Partial<Terms>;
};

export type OnchainListings = {
  /** lowercase */
  readonly escrows: ReadonlySet<string>;
  /** by `pairKey` */
  readonly listings: ReadonlyMap<string, OnchainListing>;
  /** the block up to which they are known */
  readonly upTo: number;
};

/** By the events of the followed escrows. @throws {RpcError | InconsistentChainError} */
export async function readListings(source: LogSource, settings: Settings): Promise<OnchainListings> {
  const { client, blocksPerCall, head: to } = source;
  const followed = followContracts({ ...settings, desk: null, holders: false });
  const from = Number(firstBlock(settings));
  const topics = topicsNamed(settings, ["ListingCreated", "ListingTermsUpdated"]);
  const withBlocks = settings.contracts !== null;
  const ranges = createRanges(blocksPerCall);
  const pages = { client, followed, ranges, from, to, topics, ahead: AT_A_TIME, withBlocks };
  const listings = new Map<string, OnchainListing>();
  let upTo = from - 1;
  let calls = 0;
  for await (const page of readPages(pages)) {
    for (const log of page.logs) take(listings, log, page, settings);
    upTo = page.to;
    calls += 1;
    if (calls === MOST_CALLS) break;
  }
  return { escrows: new Set(followed.escrows()), listings, upTo };
}

function take(listings: Map<string, OnchainListing>, log: Log, { blocks }: Page, settings: Settings): void {
  const contracts = contractsOf(settings);
  for (const { content } of mapRawLog(contracts, log.raw, placeIn(log, blocks.get(log.block)))) {
    if (content.source !== "escrow" || content.onchainId === UNKNOWN_ID) continue;
    const { event, onchainId } = content;
    const key = pairKey({ escrowAddress: log.address, onchainId });
    const known = listings.get(key) ?? (contracts.lifecycle.derivesCreation ? UNANNOUNCED : undefined);
    if (event.kind === "listing_terms_updated" && known !== undefined) {
      const metadataHash = event.args.metadataHash ?? known.metadataHash;
      listings.set(key, { ...known, metadataHash, terms: { ...known.terms, ...event.args.terms } });
    } else if (event.kind === "listing_created" && known === undefined) {
      listings.set(key, event.args);
    } else if (known !== undefined) listings.set(key, known);
  }
}

/** A listing of contracts that announce none. */
export const UNANNOUNCED: OnchainListing = {
  ...{ refnum: null, originator: null, metadataHash: null, token: null },
  terms: {},
};

/** Whether each listing exists, according to its escrow's views; those that the views do not tell are left out. @throws when the node fails */
export async function existingByViews(
  { url, head, timeout }: LogSource,
  listings: readonly RegistryListing[],
  settings: Pick<Settings, "contracts">,
): Promise<Map<RegistryListing, boolean>> {
  const client = createViewClient([url], timeout);
  const addresses = [...new Set(listings.map(({ escrowAddress }) => escrowAddress))];
  const escrows = addresses.map((address) => ({ address, nextId: 0n }));
  const targets = { listings: listings.map(pairOf), escrows, tokens: [], holders: [] };
  const block = BigInt(Math.max(0, head - SETTLED_BLOCKS));
  const figures = await readFigures(client, contractsOf(settings).escrow, targets, { block });
  return new Map(
    listings.flatMap((listing): [RegistryListing, boolean][] => {
      // An escrow that answers for every id tells nothing.
      if (figures.escrows.get(listing.escrowAddress)?.never !== "reverted") return [];
      const raised = figures.views.get(pairKey(listing))?.raisedAmount;
      return raised === undefined || raised === "no answer" ? [] : [[listing, raised !== "reverted"]];
    }),
  );
}
