/** The root of the book over tables on a real PostgreSQL: the same as over the same rows in memory, which are read in parts. */
import pg from "pg";
import { beforeAll, expect, it } from "vitest";
import { connectPostgres } from "../../api/database/postgres.ts";
import { rootOf } from "../../api/proof/book-leaves.ts";
import { type BookRootParameters, createBookRoots } from "../../api/proof/book-root.ts";
import { createBookQueries } from "../../api/proof/read-book.ts";
import { fillTables, SCHEMA } from "../../bench/harness/tables.ts";
import { createLogger } from "../../config/log.ts";
import * as schema from "../../ponder.schema.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { OTHER_ESCROW } from "../harness/book.ts";
import { memoryBookQueries } from "../harness/memory-book.ts";
import { type Postgres, startPostgres } from "../harness/postgres.ts";
import { HEAD, listingRow } from "../harness/rows.ts";

const EVENTS = 1_200;
const log = createLogger({ format: "json", level: "error" });
const position = { backfilled: true, finalized: HEAD, lastChanged: HEAD, reverts: 0 };

/** Ids that sort otherwise as texts, and one that is no 64-bit number. */
const listings: ListingRow[] = Array.from({ length: 600 }, (_, index) =>
  listingRow({ onchainId: BigInt(index + 1) }),
);
for (const onchainId of [1n, 2n ** 200n])
  listings.push(listingRow({ escrowAddress: OTHER_ESCROW, onchainId }));

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
  const rows = {
    listing: listings,
    repayment: [],
    offer: [],
    trade: [],
    listing_token: [],
    backer_position: [],
  };
  await fillTables(postgres.connectionString, { rows, registry: { originators: [], listings: [] } }, EVENTS);
  const client = new pg.Client({ connectionString: postgres.connectionString });
  await client.connect();
  await client.query(`INSERT INTO ${SCHEMA}.event_block SELECT number, '0x' || repeat('02', 32)
    FROM (SELECT DISTINCT block_number AS number FROM ${SCHEMA}.ledger) AS block ON CONFLICT DO NOTHING`);
  await client.end();
});

async function bookOf(queries: BookRootParameters["queries"]) {
  const roots = createBookRoots({ queries, pastListings: async () => [], pause: async () => {}, log });
  const book = await roots.at(position, HEAD.number);
  if ("reason" in book) throw new Error(book.detail);
  return book;
}

it("is that of the same rows in memory", async () => {
  const { connectionString } = postgres;
  const database = connectPostgres({
    connectionString,
    schema: SCHEMA,
    connections: 1,
    timeout: 60_000,
    log,
  });
  const queries = createBookQueries({ database, tables: schema });
  const parts: (readonly ListingRow[])[] = [];
  for (let last: ListingRow | null = null; ; last = parts.at(-1)?.at(-1) ?? null) {
    const rows: readonly ListingRow[] = await queries.listingsAfter(last, 250);
    parts.push(rows);
    if (rows.length < 250) break;
  }
  expect(parts.map((rows) => rows.length)).toEqual([250, 250, 102]);
  const namesOf = (rows: readonly ListingRow[]) =>
    rows.map(({ escrowAddress, onchainId }) => `${escrowAddress}:${onchainId}`).sort();
  expect(namesOf(parts.flat())).toEqual(namesOf(listings));

  const ledger = await queries.events(null, HEAD.number, EVENTS + 1);
  expect(ledger).toHaveLength(EVENTS);
  const book = await bookOf(queries);
  expect(book.ledger?.count).toBe(EVENTS);
  expect(book.listings?.count).toBe(listings.length);
  expect(rootOf(book)).toBe(rootOf(await bookOf(memoryBookQueries(() => ({ ledger, listings })))));
});
