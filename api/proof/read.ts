/** @module Table reads for proofs: the hash of an event's block, and the events that a listing's totals follow from. */
import type { SQL } from "drizzle-orm";
import { and, desc, eq, inArray, lte, sql } from "ponder";
import type { Hex } from "viem";
import type * as schema from "../../ponder.schema.ts";
import type { Block } from "../../src/fold/events.ts";
import { type Database, ONE_SNAPSHOT, readCheckpoint } from "../database/checkpoint.ts";
import type { NoPage } from "../ledger/read.ts";
import type { Pair } from "../registry/schema.ts";
import { createBookQueries } from "./read-book.ts";
import {
  type DerivedTotal,
  deriveTotal,
  MOST_EVENTS,
  type StoredFigures,
  TOTAL_NAMES,
  TOTAL_RULES,
  type TotalName,
  type TotalRule,
} from "./totals.ts";

/** Most events to search back for one that carries a total. */
const MOST_SEARCHED = 200;

type ListingTotals = {
  /** the last final block, as of which the totals are */
  asOf: Block;
  totals: Record<TotalName, DerivedTotal>;
  /** the listing in the tables, whose figures follow from events alone; null before its first */
  stored: StoredFigures | null;
};

export type ProofQueries = {
  /** The hash of a block with an indexed event; null if there is none. */
  blockHash(number: bigint): Promise<Hex | null>;
  totalsOf(pair: Pair): Promise<ListingTotals | NoPage>;
};

export type ProofReaderParameters = {
  database: Database;
  tables: Pick<typeof schema, "ledger" | "eventBlock" | "listing">;
};

export function createProofQueries({ database, tables }: ProofReaderParameters): ProofQueries {
  const { ledger, listing } = tables;
  return {
    blockHash: createBookQueries({ database, tables }).blockHash,

    totalsOf: ({ escrowAddress, onchainId }) =>
      database.transaction(async (tx): Promise<ListingTotals | NoPage> => {
        const progress = await readCheckpoint(tx);
        if (progress === null) return "not_indexed_yet";
        const { finalized: asOf } = progress;
        const ofListing = and(
          eq(ledger.escrowAddress, escrowAddress),
          eq(ledger.onchainId, onchainId),
          lte(ledger.blockNumber, asOf.number),
        );
        // The deltas of a listing's events make up its figures, whatever amounts the events carry.
        const sum = (change: SQL) => sql<string>`coalesce(sum(${change}), 0)::text`;
        const [sums] = await tx
          .select({
            raisedAmount: sum(sql`${ledger.committed}`),
            outstandingPrincipal: sum(sql`${ledger.outstanding}`),
            refundedAmount: sum(sql`${ledger.refunded}`),
            repaidAmount: sum(
              sql`coalesce(${ledger.repaidPrincipal}, 0) + coalesce(${ledger.repaidInterest}, 0)`,
            ),
          })
          .from(ledger)
          .where(ofListing);
        const figures: Partial<Record<TotalName, string>> = sums ?? {};
        // Without running totals, what has no column in the ledger is the sum of the amounts.
        const amount = sql`(${ledger.args} ->> 'amount')::numeric`;
        const signed = sql`CASE ${ledger.args} ->> 'reason' WHEN 'posted' THEN ${amount}
          WHEN 'applied' THEN -${amount} WHEN 'released' THEN -${amount} ELSE 0 END`;
        const sumOfAmounts = async (rule: TotalRule): Promise<bigint> => {
          const isReserve = rule.kinds.includes("reserve_changed");
          const [found] = await tx
            .select({ total: sum(isReserve ? signed : amount) })
            .from(ledger)
            .where(and(ofListing, inArray(ledger.kind, [...rule.kinds])));
          const total = BigInt(found?.total ?? 0);
          return total < 0n ? 0n : total;
        };
        const derived: [TotalName, DerivedTotal][] = [];
        for (const name of TOTAL_NAMES) {
          const rule: TotalRule = TOTAL_RULES[name];
          const figure = figures[name];
          const derive = async (most: number) => {
            const rows = await tx
              .select()
              .from(ledger)
              .where(and(ofListing, inArray(ledger.kind, [...rule.kinds])))
              .orderBy(desc(ledger.eventId))
              .limit(most + 1);
            const isWhole = rows.length <= most;
            const isCarried = isWhole || rows.some((row) => rule.carried(row) !== null);
            const value =
              figure === undefined ? (isCarried ? null : await sumOfAmounts(rule)) : BigInt(figure);
            return deriveTotal(rule, value, rows.slice(0, most), isWhole);
          };
          const total = await derive(MOST_SEARCHED);
          const isCut = total.unexplained === "too_many_events";
          derived.push([name, isCut ? await derive(MOST_EVENTS) : total]);
        }
        const [stored = null] = await tx
          .select({
            ...{ raisedAmount: listing.raisedAmount, refundedAmount: listing.refundedAmount },
            ...{ outstandingPrincipal: listing.outstandingPrincipal, drawnDownAt: listing.drawnDownAt },
            ...{ terminalKind: listing.terminalKind, updatedBlock: listing.updatedBlock },
          })
          .from(listing)
          .where(and(eq(listing.escrowAddress, escrowAddress), eq(listing.onchainId, onchainId)));
        return { asOf, totals: Object.fromEntries(derived) as ListingTotals["totals"], stored };
      }, ONE_SNAPSHOT),
  };
}
