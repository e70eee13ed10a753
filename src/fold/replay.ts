/**
 * The tables once more, folded from the ledger alone: what `asOf` answers from and what the audit holds the tables
 * against. It calls the fold that the handlers call; only where the rows are kept is another.
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

/** Rows by key: a `Map`, or what reads like one. */
export type Rows<Row> = {
  get(key: string): Row | undefined;
  set(key: string, row: Row): unknown;
  values(): Iterable<Row>;
};

/** What a replay folds into. The rows themselves are never changed, only replaced. */
export type ReplayState = {
  listings: Rows<ListingRow>;
  positions: Rows<PositionRow>;
  tokens: Rows<TokenRow>;
  offers: Rows<OfferRow>;
  trades: TradeRow[];
  subscriptions: SubscriptionRow[];
  refunds: RefundRow[];
  repayments: RepaymentRow[];
  anomalies: AnomalyRow[];
};

/** Every table that follows from the ledger; append-only ones in the order of the chain. */
export type ReplayedTables = {
  listings: ListingRow[];
  positions: PositionRow[];
  /** `holderCount` is 0: transfers are no ledger rows */
  tokens: TokenRow[];
  offers: OfferRow[];
  trades: TradeRow[];
  subscriptions: SubscriptionRow[];
  refunds: RefundRow[];
  repayments: RepaymentRow[];
  anomalies: AnomalyRow[];
};

export type Replay = {
  /** Folds the next row; returns its deltas. Rows must come in the order of the chain, that is by event id. */
  add(row: LedgerRow): MoneyDeltas;
  /** The tables after the rows so far. The rows themselves are never changed by a later `add`. */
  tables(): ReplayedTables;
};

/** The state before the first row. */
function nothingYet(): ReplayState {
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

/** Folds a ledger row by row into `state`: an empty one, or one that stands somewhere in the ledger. */
export function createReplay(state: ReplayState = nothingYet()): Replay {
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
