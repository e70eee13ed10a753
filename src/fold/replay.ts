/**
 * The tables folded from the ledger alone, for `asOf` and for the audit. The fold is the handlers' own; only the rows are
 * kept elsewhere.
 * @module
 */
import { foldDesk } from "./desk.ts";
import type { LocatedDeskEvent, LocatedEvent } from "./events.ts";
import { backerOf, fold } from "./fold.ts";
import { eventOf, isOfDesk } from "./ledger.ts";
import {
  type AnomalyRow,
  EMPTY_POSITION,
  type LedgerRow,
  type ListingRow,
  type MoneyDeltas,
  NO_DELTAS,
  type OfferRow,
  type PositionRow,
  type RefundRow,
  type RepaymentRow,
  type SubscriptionRow,
  stubListing,
  type TokenRow,
  type TradeRow,
} from "./state.ts";

/** Rows by key: a `Map`, or something that reads like one. */
export type Rows<Row> = {
  get(key: string): Row | undefined;
  set(key: string, row: Row): unknown;
  values(): Iterable<Row>;
};

type KeyedRows = {
  listings: ListingRow;
  positions: PositionRow;
  /** `holderCount` is 0: transfers have no ledger rows */
  tokens: TokenRow;
  offers: OfferRow;
};

/** In the order of the chain. */
type AppendedRows = {
  trades: TradeRow[];
  subscriptions: SubscriptionRow[];
  refunds: RefundRow[];
  repayments: RepaymentRow[];
  anomalies: AnomalyRow[];
};

/** The state that a replay folds into. Rows are replaced, never changed. */
export type ReplayState = { [Table in keyof KeyedRows]: Rows<KeyedRows[Table]> } & AppendedRows;

/** Every table that follows from the ledger. */
export type ReplayedTables = { [Table in keyof KeyedRows]: KeyedRows[Table][] } & AppendedRows;

export type Replay = {
  /** Folds the next row; returns its deltas. Rows must come in the order of the chain, that is by event id. */
  add(row: LedgerRow): MoneyDeltas;
  /** The tables after the rows so far. A later `add` changes none of their rows. */
  tables(): ReplayedTables;
};

function emptyState(): ReplayState {
  return {
    listings: new Map(),
    positions: new Map(),
    tokens: new Map(),
    offers: new Map(),
    trades: [],
    subscriptions: [],
    refunds: [],
    repayments: [],
    anomalies: [],
  };
}

/** Folds a ledger row by row into `state`, from its beginning or from the place that `state` has reached. */
export function createReplay(state: ReplayState = emptyState()): Replay {
  const { listings, positions, tokens, offers } = state;
  const { trades, subscriptions, refunds, repayments, anomalies } = state;

  const addEscrowEvent = (event: LocatedEvent): MoneyDeltas => {
    const { kind, args, at } = event;
    const { escrowAddress, onchainId } = at;
    const pair = `${escrowAddress}/${onchainId}`;
    const backer = backerOf(event);
    const listing = listings.get(pair) ?? null;
    const position = backer === null ? null : (positions.get(`${pair}/${backer}`) ?? null);
    const tokenOwner = kind === "listing_created" ? (tokens.get(args.token) ?? null) : null;
    const result = fold({ listing, position, tokenOwner }, event);
    listings.set(pair, { ...(listing ?? stubListing(at)), ...result.listing });
    if (backer !== null) {
      const before = position ?? { escrowAddress, onchainId, backer, ...EMPTY_POSITION };
      positions.set(`${pair}/${backer}`, { ...before, ...result.position });
    }
    if (result.token !== null) tokens.set(result.token.token, result.token);
    anomalies.push(...result.anomalies);
    if (result.typed?.table === "subscription") subscriptions.push(result.typed.row);
    if (result.typed?.table === "refund") refunds.push(result.typed.row);
    if (result.typed?.table === "repayment") repayments.push(result.typed.row);
    return result.deltas;
  };

  const addDeskEvent = (event: LocatedDeskEvent): MoneyDeltas => {
    const key = `${event.args.desk}/${event.args.offerId}`;
    const result = foldDesk(offers.get(key) ?? null, event);
    if (result.offer !== null) offers.set(key, result.offer);
    if (result.trade !== null) trades.push(result.trade);
    anomalies.push(...result.anomalies);
    return NO_DELTAS;
  };

  return {
    add(row) {
      const event = eventOf(row);
      return isOfDesk(event) ? addDeskEvent(event) : addEscrowEvent(event);
    },
    tables: () => ({
      listings: [...listings.values()],
      positions: [...positions.values()],
      tokens: [...tokens.values()],
      offers: [...offers.values()],
      trades: [...trades],
      subscriptions: [...subscriptions],
      refunds: [...refunds],
      repayments: [...repayments],
      anomalies: [...anomalies],
    }),
  };
}
