/** @module Services with books in memory, to be compared. */
import { createBookRoots } from "../../api/proof/book-root.ts";
import { pairKey } from "../../api/registry/schema.ts";
import { toLedgerArgs } from "../../src/fold/ledger.ts";
import { appIn } from "./app.ts";
import { ALICE, BOB, escrowLog, placeAt, toListingEvent } from "./book.ts";
import { type MemoryTables, memoryBookQueries, tablesOfEvents, type UnfoldedEvent } from "./memory-book.ts";
import { recordedLog, snapshotOf, tablesOf } from "./snapshot.ts";

const FIRST = 48_000_000n;
const made = await snapshotOf(tablesOf());

/** Listings with four events each, whose blocks lie among each other. */
export function tablesWith(listings: number): MemoryTables {
  const events: UnfoldedEvent[] = [];
  const add = (onchainId: bigint, log: ReturnType<typeof escrowLog>) => {
    const place = placeAt(events.length + 1, BigInt(events.length + 10), { onchainId });
    const blockNumber = FIRST + BigInt(events.length) / 3n;
    const { kind, args } = toListingEvent(log);
    const at = { ...place, blockNumber, logIndex: events.length % 3, blockHash: place.txHash };
    events.push({ ...at, kind, args: toLedgerArgs(args) });
  };
  for (const round of [0n, 1n, 2n, 3n]) {
    for (let onchainId = 1n; onchainId <= BigInt(listings); onchainId++) {
      const paid = { backer: onchainId % 2n === 0n ? ALICE : BOB, amount: 100n, totalRaised: 100n * round };
      const refnum = `RB${`${onchainId}`.padStart(5, "0")}`;
      if (round > 0n) add(onchainId, escrowLog("Subscribed", paid, onchainId));
      else add(onchainId, escrowLog("ListingCreated", { refnum }, onchainId));
    }
  }
  return tablesOfEvents(events);
}

/** A service with these tables, in which every listing is shown but those whose pairs are hidden. */
export function serviceWith(
  tables: MemoryTables,
  { final = FIRST + 10_000n, hidden = [] as readonly string[] } = {},
) {
  const [listing] = made.market.listings;
  if (listing === undefined) throw new Error("there is no listing");
  const shown = tables.ledger.map(pairKey).filter((pair) => !hidden.includes(pair));
  const listingByPair = new Map(shown.map((pair) => [pair, listing]));
  const factsByPair = (pair: string) => listingByPair.get(pair);
  const market = { ...made.market, listingByPair, factsByPair };
  const lastChanged = { number: FIRST + 10_000n, timestamp: 0n };
  const snapshot = { ...made, market, finalized: { number: final, timestamp: 0n }, lastChanged };
  const bookRoots = createBookRoots({
    queries: memoryBookQueries(() => tables),
    pastListings: async (block) =>
      tablesOfEvents(tables.ledger.filter(({ blockNumber }) => blockNumber <= block)).listings,
    pause: async () => {},
    log: recordedLog().log,
  });
  return appIn({ snapshot, overrides: { bookRoots } });
}
