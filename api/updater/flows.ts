/** @module Reads what the events changed in the money of each raise, in sums of days. */
import type { SQL } from "drizzle-orm";
import { and, asc, eq, type ReadonlyDrizzle, sql } from "ponder";
import type { Hex } from "viem";
import type * as schema from "../../ponder.schema.ts";
import { fold } from "../../src/fold/fold.ts";
import { eventOf, isOfDesk } from "../../src/fold/ledger.ts";
import { type StoredRow, stubListing } from "../../src/fold/state.ts";
import { inPairs } from "../database/in-pairs.ts";
import { type Flow, type FlowRow, moneyFlows, reserveFlows } from "../market/flows.ts";
import { pairKey } from "../registry/schema.ts";

type Ledger = typeof schema.ledger;

type SumsRow = {
  escrow_address: Hex;
  onchain_id: string;
  day: number;
  committed: string;
  withdrawn: string;
  repaid_principal: string;
  repaid_interest: string;
  outstanding: string;
};

const COLUMNS = {
  committed: "committed",
  withdrawn: "withdrawn",
  repaidPrincipal: "repaid_principal",
  repaidInterest: "repaid_interest",
  outstanding: "outstanding",
} as const satisfies Partial<Record<Flow["measure"], keyof SumsRow>>;
const MEASURES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];

/**
 * Summed in the database, as a market has several events of a raise a day. The oldest come first, as that of a new event is the last.
 * @param of the condition of the raises; undefined for all
 */
export async function readFlows(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  of: SQL | undefined,
): Promise<FlowRow[]> {
  const { committed, repaidPrincipal, repaidInterest, outstanding } = ledger;
  const sums = tx.execute<SumsRow>(sql`
    SELECT escrow_address, onchain_id::text AS onchain_id, div(block_time, 86400)::integer AS day,
      coalesce(sum(${committed}) FILTER (WHERE ${committed} > 0), 0)::text AS committed,
      coalesce(-sum(${committed}) FILTER (WHERE ${committed} < 0), 0)::text AS withdrawn,
      coalesce(sum(${repaidPrincipal}), 0)::text AS repaid_principal,
      coalesce(sum(${repaidInterest}), 0)::text AS repaid_interest,
      coalesce(sum(${outstanding}), 0)::text AS outstanding
    FROM ${ledger}
    WHERE coalesce(${committed}, ${repaidPrincipal}, ${repaidInterest}, ${outstanding}) IS NOT NULL
      AND ${of ?? sql`true`}
    GROUP BY escrow_address, onchain_id, div(block_time, 86400)
    ORDER BY day`);
  const changed = tx
    .select()
    .from(ledger)
    .where(and(eq(ledger.kind, "reserve_changed"), of))
    .orderBy(asc(ledger.eventId));
  const [{ rows }, reserves] = await Promise.all([sums, changed]);
  return [...rows.flatMap(flowsOfSums), ...flowsOfReserves(reserves)];
}

function flowsOfSums(row: SumsRow): FlowRow[] {
  const pair = { escrowAddress: row.escrow_address, onchainId: BigInt(row.onchain_id) };
  return MEASURES.filter((measure) => row[COLUMNS[measure]] !== "0").map((measure) => ({
    ...pair,
    day: row.day,
    measure,
    amount: BigInt(row[COLUMNS[measure]]),
  }));
}

/** The flows of these events, all of which are after a block. */
export async function readNewFlows(
  tx: ReadonlyDrizzle,
  ledger: Ledger,
  events: readonly StoredRow[],
  after: bigint,
): Promise<FlowRow[]> {
  const money = events.flatMap((row) => moneyFlows(row).map((flow) => ofRaise(row, flow)));
  const changed = events.filter(({ kind }) => kind === "reserve_changed");
  if (changed.length === 0) return money;
  // An event need not tell the balance: it follows from all of them.
  const reserves = await tx
    .select()
    .from(ledger)
    .where(and(eq(ledger.kind, "reserve_changed"), inPairs(ledger, changed)))
    .orderBy(asc(ledger.eventId));
  return [...money, ...flowsOfReserves(reserves, ({ blockNumber }) => blockNumber > after)];
}

/** @param rows every event of the reserves of some raises, in the order of the chain */
function flowsOfReserves(rows: readonly StoredRow[], isAsked = (_row: StoredRow) => true): FlowRow[] {
  const balances = new Map<string, bigint>();
  return rows.flatMap((row) => {
    const event = eventOf(row);
    if (isOfDesk(event)) return [];
    const pair = pairKey(row);
    const before = balances.get(pair) ?? 0n;
    const listing = { ...stubListing(event.at), reserveBalance: before };
    const after = fold({ listing, position: null, tokenOwner: null }, event).listing.reserveBalance ?? before;
    balances.set(pair, after);
    return isAsked(row) ? reserveFlows(row, before, after).map((flow) => ofRaise(row, flow)) : [];
  });
}

function ofRaise({ escrowAddress, onchainId }: StoredRow, flow: Flow): FlowRow {
  return { escrowAddress, onchainId, ...flow };
}
