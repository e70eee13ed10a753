/**
 * Rows of the open data, from events and from the market, as arrays in the order of the columns (`columns.ts`). They depend on the
 * chain; rows of raises, businesses and cohorts also on the registry, with the terms that its log has for the last block. They never
 * depend on a service's settings, release or database.
 * @module
 */
import { parseTime } from "../../config/format/time.ts";
import { RESERVE_SIGN } from "../../src/fold/rules.ts";
import type { StoredRow } from "../../src/fold/state.ts";
import type { Market } from "../market/market.ts";
import type { Originator } from "../market/originator.ts";
import type { Listing } from "../market/schema.ts";
import type { Cohorts } from "../market/series-schema.ts";
import {
  COHORT_COLUMNS,
  type Column,
  LEDGER_COLUMNS,
  LISTING_COLUMNS,
  LISTING_FIELDS,
  ORIGINATOR_COLUMNS,
  ORIGINATOR_FIELDS,
  snakeCase,
} from "./columns.ts";

/** Times in unix seconds, amounts and integers as bigint or number, hashes as hex. */
export type Cell = string | bigint | number | boolean | null;

/** Values beyond it do not fit into DECIMAL(38,0), or a BIGINT. */
const LIMITS: Partial<Record<Column["type"], bigint>> = {
  amount: 10n ** 38n,
  integer: 2n ** 63n,
  block: 2n ** 63n,
};

/** A row of the ledger. Addresses of persons and texts of third parties are left out. */
export function ledgerCells(row: StoredRow): readonly Cell[] {
  const { kind, args } = row;
  const big = (name: string) => (typeof args[name] === "string" ? BigInt(args[name]) : null);
  const amount = (...kinds: readonly string[]) => (kinds.includes(kind) ? big("amount") : null);
  const words = [args.reason, args.outcome].filter((word) => typeof word === "string");
  const reserve = amount("reserve_changed");
  const rate =
    kind === "subscribed" ? args.bidRateBps : kind === "listing_closed" ? args.couponRateBps : null;
  return cellsOf(LEDGER_COLUMNS, {
    block_number: row.blockNumber,
    block_time: row.blockTime,
    log_index: row.logIndex,
    part: row.part,
    tx_hash: row.txHash,
    escrow_address: row.escrowAddress,
    onchain_id: row.onchainId.toString(),
    kind,
    committed: row.committed,
    refunded: row.refunded,
    repaid_principal: row.repaidPrincipal,
    repaid_interest: row.repaidInterest,
    outstanding: row.outstanding,
    reserve: reserve === null ? null : (RESERVE_SIGN[`${args.reason}`] ?? 0n) * reserve,
    fee: big("fee"),
    claimed: amount("payout_claimed"),
    written_off: big("writtenOffPrincipal"),
    tokens: amount("offer_created", "offer_filled"),
    cost: big("cost"),
    offer_id: typeof args.offerId === "string" ? args.offerId : null,
    price_bps: big("priceBps"),
    rate_bps: typeof rate === "number" ? rate : null,
    reason: words[0] ?? null,
  });
}

export function listingCells(
  listing: Listing,
  market: Pick<Market, "openedAt" | "secondsToFund">,
): readonly Cell[] {
  return cellsOf(LISTING_COLUMNS, {
    ...named(LISTING_FIELDS, listing),
    opened_at: market.openedAt(listing),
    seconds_to_fund: market.secondsToFund(listing),
  });
}

export function originatorCells(originator: Originator): readonly Cell[] {
  const { n, volume, lossBps, lateBps, adjustedBps, cap } = originator.rating;
  return cellsOf(ORIGINATOR_COLUMNS, {
    ...named(ORIGINATOR_FIELDS, originator),
    ...{ resolved_raises: n, volume, loss_bps: lossBps, late_bps: lateBps, adjusted_bps: adjustedBps, cap },
  });
}

/** The cohorts of every kind, in the order of the answers. */
export function* cohortCells(all: readonly Cohorts[]): Generator<readonly Cell[]> {
  for (const { by, cohorts } of all) {
    for (const { curve: _, ...cohort } of cohorts) {
      const values = Object.entries(cohort).map(([name, value]) => [snakeCase(name), value]);
      yield cellsOf(COHORT_COLUMNS, { by, ...Object.fromEntries(values) });
    }
  }
}

function named<Name extends string>(fields: readonly Name[], item: Record<Name, Cell>): Record<string, Cell> {
  return Object.fromEntries(fields.map((field) => [snakeCase(field), item[field]]));
}

/** The cells of a row, with values that do not fit moved to the column `too_large`. */
function cellsOf(columns: readonly Column[], values: Readonly<Record<string, Cell>>): readonly Cell[] {
  const tooLarge: Record<string, string> = {};
  const cells = columns.map(({ name, type }): Cell => {
    const value = values[name] ?? null;
    if (value === null) return null;
    if (type === "time" && typeof value === "string") return parseTime(value);
    const limit = LIMITS[type];
    if (limit === undefined) return value;
    const whole = BigInt(value);
    if (whole < limit && whole > -limit) return whole;
    tooLarge[name] = whole.toString();
    return null;
  });
  // The last column.
  return Object.keys(tooLarge).length === 0 ? cells : cells.with(-1, JSON.stringify(tooLarge));
}
