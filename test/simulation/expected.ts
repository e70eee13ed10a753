/** @module The model's answers for any block of any version of the chain, with any registry of the run. */
import type { Hex } from "viem";
import { type Prediction, predict } from "../model/answers.ts";
import { type ChainLog, isOfListing, those, toChainLog } from "../model/chain-log.ts";
import { type DeskLog, deskLogs, isOfDesk, toDeskLog } from "../model/desk-log.ts";
import { TRANSFER, type Transfer, toTransfer } from "../model/holders.ts";
import { pairKeyOf, type RegistryDocument } from "../model/registry.ts";
import type { RunChain } from "./chain.ts";
import { chainTo, type RecordedBlock } from "./record.ts";

/** A row of the ledger as it is answered, without its amounts. */
export type ExpectedEvent = {
  kind: string;
  publicId: string;
  refnum: string;
  blockNumber: string;
  logIndex: number;
  txHash: string;
};

export type Expected = Pick<Prediction, "listings" | "originators" | "stats" | "schedules"> & {
  /** of all visible listings, newest first */
  events: ExpectedEvent[];
};

type Decoded = { logs: ChainLog[]; desk: DeskLog[]; transfers: Transfer[] };

const KEPT = 60;

export const PUBLIC_URL = "http://raises.localhost";
export const APP_URL = "http://app.localhost";

/** @param holders whether the service follows tokens */
export function createExpectations({ escrows, desk }: Pick<RunChain, "escrows" | "desk">, holders: boolean) {
  const followed = new Set<string>(escrows.map(({ address }) => address));
  const decoded = new Map<Hex, Decoded>();
  const kept = new Map<string, Expected>();
  const documents = new Map<RegistryDocument, number>();

  const decode = (block: RecordedBlock): Decoded => {
    const known = decoded.get(block.hash);
    if (known !== undefined) return known;
    const { logs, timestamp } = block;
    const fresh = {
      logs: logs
        .filter((log) => followed.has(log.address.toLowerCase()) && isOfListing(log))
        .map((log) => toChainLog(log, timestamp)),
      desk: logs
        .filter((log) => log.address.toLowerCase() === desk.address && isOfDesk(log))
        .map((log) => toDeskLog(log, timestamp)),
      transfers: logs.filter(({ topics }) => topics[0] === TRANSFER).map(toTransfer),
    };
    decoded.set(block.hash, fresh);
    return fresh;
  };

  return (block: RecordedBlock, registry: RegistryDocument): Expected => {
    if (!documents.has(registry)) documents.set(registry, documents.size);
    const key = `${block.hash}/${documents.get(registry)}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const all = chainTo(block).map(decode);
    const logs = all.flatMap((one) => one.logs);
    const ofDesk = all.flatMap((one) => one.desk);
    const tokens = new Set(those(logs, "ListingCreated").map(({ args }) => args.token.toLowerCase()));
    const prediction = predict({
      ...{ logs, deskLogs: ofDesk, registry, holders, publicUrl: PUBLIC_URL, appUrl: APP_URL },
      desk: desk.address,
      transfers: holders
        ? all.flatMap(({ transfers }) => transfers.filter(({ token }) => tokens.has(token)))
        : [],
      head: { number: block.number, timestamp: block.timestamp },
    });
    const expected = { ...prediction, events: eventsOf(prediction, logs, ofDesk) };
    kept.set(key, expected);
    for (const old of kept.keys()) {
      if (kept.size <= KEPT) break;
      kept.delete(old);
    }
    return expected;
  };
}

function eventsOf(
  { listings }: Prediction,
  logs: readonly ChainLog[],
  ofDesk: readonly DeskLog[],
): ExpectedEvent[] {
  const byPair = new Map(
    listings.listings.map((listing) => [pairKeyOf(listing.escrowAddress, listing.onchainId), listing]),
  );
  // The listing that had the token first.
  const pairOfToken = new Map<string, string>();
  for (const { escrow, args } of those(logs, "ListingCreated")) {
    const token = args.token.toLowerCase();
    if (!pairOfToken.has(token)) pairOfToken.set(token, pairKeyOf(escrow, args.onchainId));
  }
  const offers = new Map(deskLogs(ofDesk, "OfferCreated").map(({ args }) => [args.offerId, args.token]));
  const placed = [
    ...logs.map((log) => ({ log, pair: pairKeyOf(log.escrow, log.args.onchainId) })),
    ...ofDesk.map((log) => ({
      log,
      pair: pairOfToken.get(`${offers.get(log.args.offerId)}`.toLowerCase()) ?? "",
    })),
  ];
  return placed
    .flatMap(({ log, pair }) => {
      const listing = byPair.get(pair);
      if (listing === undefined) return [];
      const { publicId, refnum } = listing;
      const { name, blockNumber, logIndex, txHash } = log;
      const kind = name.replaceAll(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
      return [{ kind, publicId, refnum, blockNumber: `${blockNumber}`, logIndex, txHash }];
    })
    .sort((a, b) => Number(BigInt(b.blockNumber) - BigInt(a.blockNumber)) || b.logIndex - a.logIndex);
}
