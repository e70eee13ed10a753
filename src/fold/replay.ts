/**
 * The tables once more, folded from the ledger alone: what `asOf` answers from and what the audit holds the tables
 * against. It calls the fold that the handlers call; only where the rows are kept is another.
 * @module
 */
import { foldDesk, type LocatedDeskEvent } from "./desk.ts";
import type { LocatedEvent } from "./events.ts";
import { fold } from "./fold.ts";
import { eventOf, isOfDesk } from "./ledger.ts";
import type {
  AnomalyRow,
  LedgerRow,
  ListingRow,
  OfferRow,
  PositionRow,
  RefundRow,
  RepaymentRow,
  SubscriptionRow,
  TokenRow,
  TradeRow,
} from "./state.ts";

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
  /** Folds the next row. Rows must come in the order of the chain, that is by event id. */
  add(row: LedgerRow): void;
  /** The tables after the rows so far. The rows themselves are never changed by a later `add`. */
  tables(): ReplayedTables;
};

/** An empty book, into which a ledger is folded row by row. */
export function createReplay(): Replay {
  const listings = new Map<string, ListingRow>();
  const positions = new Map<string, PositionRow>();
  const tokens = new Map<string, TokenRow>();
  const offers = new Map<string, OfferRow>();
  const trades: TradeRow[] = [];
  const subscriptions: SubscriptionRow[] = [];
  const refunds: RefundRow[] = [];
  const repayments: RepaymentRow[] = [];
  const anomalies: AnomalyRow[] = [];

  const addEscrowEvent = (event: LocatedEvent) => {
    const { kind, args, at } = event;
    const pair = `${at.escrowAddress}/${at.onchainId}`;
    const backer = kind === "subscribed" || kind === "refunded" ? args.backer : null;
    const result = fold(
      {
        listing: listings.get(pair) ?? null,
        position: backer === null ? null : (positions.get(`${pair}/${backer}`) ?? null),
        tokenOwner: kind === "listing_created" ? (tokens.get(args.token) ?? null) : null,
      },
      event,
    );
    listings.set(pair, result.listing);
    if (result.position !== null) positions.set(`${pair}/${result.position.backer}`, result.position);
    if (result.token !== null) tokens.set(result.token.token, result.token);
    anomalies.push(...result.anomalies);
    if (result.typed?.table === "subscription") subscriptions.push(result.typed.row);
    if (result.typed?.table === "refund") refunds.push(result.typed.row);
    if (result.typed?.table === "repayment") repayments.push(result.typed.row);
  };

  const addDeskEvent = (event: LocatedDeskEvent) => {
    const key = `${event.args.desk}/${event.args.offerId}`;
    const result = foldDesk(offers.get(key) ?? null, event);
    if (result.offer !== null) offers.set(key, result.offer);
    if (result.trade !== null) trades.push(result.trade);
    anomalies.push(...result.anomalies);
  };

  return {
    add(row) {
      const event = eventOf(row);
      if (isOfDesk(event)) addDeskEvent(event);
      else addEscrowEvent(event);
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
