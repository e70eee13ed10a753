/** @module Sums of a span of time by listing and kind, in the database; of a span with too many events only the newest. */
import type { SQL } from "drizzle-orm";
import { type ReadonlyDrizzle, sql } from "ponder";
import type { Hex } from "viem";
import type * as schema from "../../ponder.schema.ts";
import type { EventKind } from "../../src/fold/vocabulary.ts";
import { eventsOfListing, eventsOfMarket, type LedgerFilter } from "./event-filter.ts";
import { FEW_LISTINGS, type ListingSet } from "./read-events.ts";
import type { ListingKindSums, SumsQuery } from "./sums.ts";

/** Most events to sum. */
const MOST_SUMMED = 20_000;

type SumsRow = {
  escrow_address: Hex;
  onchain_id: string;
  /** null in the one row of a span in which nothing is summed */
  kind: EventKind | null;
  events: string;
  committed: string;
  refunded: string;
  repaid_principal: string;
  repaid_interest: string;
  outstanding: string;
  oldest: string;
};

/** Also others' sums where there are many listings. Needs the indexes. @param most events that are summed */
export async function readSums(
  tx: Pick<ReadonlyDrizzle, "execute">,
  ledger: typeof schema.ledger,
  listings: ListingSet,
  { since, until }: SumsQuery,
  most = MOST_SUMMED,
): Promise<{ rows: ListingKindSums[]; cutAt: bigint | null }> {
  if (listings.size === 0) return { rows: [], cutAt: null };
  const filter: LedgerFilter = { kinds: null, since, until, before: null };
  const columns = sql`${ledger.escrowAddress}, ${ledger.onchainId}, ${ledger.kind}, ${ledger.blockTime},
    ${ledger.blockNumber}, ${ledger.logIndex}, ${ledger.committed}, ${ledger.refunded}, ${ledger.repaidPrincipal},
    ${ledger.repaidInterest}, ${ledger.outstanding}`;
  const newest = (condition: SQL | undefined, order: SQL) =>
    sql`(SELECT ${columns} FROM ${ledger} WHERE ${condition} ORDER BY ${order} LIMIT ${sql.raw(`${most + 1}`)})`;
  const each =
    listings.size > FEW_LISTINGS
      ? [
          newest(
            eventsOfMarket(ledger, filter, null),
            sql`${ledger.blockNumber} DESC, ${ledger.logIndex} DESC`,
          ),
        ]
      : listings
          .pairs()
          .map((pair) => newest(eventsOfListing(ledger, pair, filter, true), sql`${ledger.eventId} DESC`));
  // Whole seconds are summed: the one in which the bound falls is left out.
  const { rows } = await tx.execute<SumsRow>(sql`
    WITH happened AS (
      SELECT * FROM (${sql.join(each, sql` UNION ALL `)}) AS every
      ORDER BY block_number DESC, log_index DESC LIMIT ${sql.raw(`${most + 1}`)}
    ), cut AS (
      SELECT CASE WHEN count(*) > ${sql.raw(`${most}`)} THEN min(block_time) END AS at FROM happened
    )
    SELECT escrow_address, onchain_id::text AS onchain_id, kind, count(*)::text AS events,
      coalesce(sum(committed), 0)::text AS committed, coalesce(sum(refunded), 0)::text AS refunded,
      coalesce(sum(repaid_principal), 0)::text AS repaid_principal,
      coalesce(sum(repaid_interest), 0)::text AS repaid_interest,
      coalesce(sum(outstanding), 0)::text AS outstanding, min(cut.at)::text AS oldest
    FROM cut LEFT JOIN happened ON cut.at IS NULL OR block_time > cut.at
    GROUP BY escrow_address, onchain_id, kind`);
  const oldest = rows[0]?.oldest ?? null;
  return {
    cutAt: oldest === null ? null : BigInt(oldest),
    rows: rows.flatMap(({ kind, ...row }) =>
      kind === null
        ? []
        : [
            {
              escrowAddress: row.escrow_address,
              onchainId: BigInt(row.onchain_id),
              kind,
              events: Number(row.events),
              committed: BigInt(row.committed),
              refunded: BigInt(row.refunded),
              repaidPrincipal: BigInt(row.repaid_principal),
              repaidInterest: BigInt(row.repaid_interest),
              outstanding: BigInt(row.outstanding),
            },
          ],
    ),
  };
}
