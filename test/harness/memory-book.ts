/** @module Tables in memory, as the indexer makes them of a chain's events, and read as the root of the book reads them. */
import type { BookEvent } from "../../api/proof/book-leaves.ts";
import type { BookQueries } from "../../api/proof/read-book.ts";
import { pairKey } from "../../api/registry/schema.ts";
import { comparePositions } from "../../src/fold/event-id.ts";
import { createTables, runStep } from "../../src/fold/memory.ts";
import type { ListingRow, MoneyDeltas, StoredRow } from "../../src/fold/state.ts";
import { recordRow } from "../../src/fold/step.ts";

export type MemoryTables = { ledger: readonly BookEvent[]; listings: readonly ListingRow[] };

/** An event without its deltas, which the fold adds. */
export type UnfoldedEvent = Omit<BookEvent, keyof MoneyDeltas>;

/** The tables of these events, in the order of the chain. */
export function tablesOfEvents(events: readonly UnfoldedEvent[]): MemoryTables {
  const tables = createTables({});
  for (const event of events) runStep(tables, recordRow({ ...event }, event.blockHash));
  const hashes = new Map(events.map((event) => [event.eventId, event.blockHash]));
  return {
    ledger: tables.ledger.map((row) => ({ ...row, blockHash: hashes.get(row.eventId) ?? "0x" })),
    listings: [...tables.listing.values()],
  };
}

/** @param tables called for each query, as the tables may have changed; counts the rows that it returns */
export function memoryBookQueries(tables: () => MemoryTables): BookQueries & { rowsRead: number } {
  const counted = <Row>(rows: readonly Row[]): readonly Row[] => {
    queries.rowsRead += rows.length;
    return rows;
  };
  const inOrder = new WeakMap<MemoryTables, readonly BookEvent[]>();
  const ledgerOf = (book: MemoryTables): readonly BookEvent[] => {
    const known = inOrder.get(book) ?? book.ledger.toSorted(comparePositions);
    inOrder.set(book, known);
    return known;
  };
  const byPair = ({ listings }: MemoryTables) =>
    listings.toSorted((a, b) =>
      a.escrowAddress === b.escrowAddress
        ? Number(a.onchainId - b.onchainId)
        : a.escrowAddress < b.escrowAddress
          ? -1
          : 1,
    );
  const queries: ReturnType<typeof memoryBookQueries> = {
    rowsRead: 0,
    events: async (after, until, limit) =>
      counted(
        ledgerOf(tables())
          .filter((row) => row.blockNumber <= until && (after === null || comparePositions(row, after) > 0))
          .slice(0, limit),
      ),
    eventsOf: async (pair, after, until) =>
      counted(
        tables().ledger.filter(
          (row) => pairKey(row) === pairKey(pair) && row.eventId > after && row.blockNumber <= until,
        ),
      ).map(({ blockHash: _, ...row }): StoredRow => row),
    listings: async (pairs) => {
      const asked = new Set(pairs.map(pairKey));
      return counted(tables().listings.filter((row) => asked.has(pairKey(row))));
    },
    listingsAfter: async (after, limit) => {
      const place =
        after === null ? -1 : byPair(tables()).findIndex((row) => pairKey(row) === pairKey(after));
      return counted(byPair(tables()).slice(place + 1, place + 1 + limit));
    },
    changed: async (after, until) => {
      const rows = tables().ledger.filter((row) => row.blockNumber > after && row.blockNumber <= until);
      return counted([...new Map(rows.map((row) => [pairKey(row), row])).values()]);
    },
    escrows: async () => [...new Set(tables().listings.map(({ escrowAddress }) => escrowAddress))],
    blockHash: async (number) =>
      tables().ledger.find(({ blockNumber }) => blockNumber === number)?.blockHash ?? null,
  };
  return queries;
}
