/**
 * Raises folded again from their own ledgers: those whose terms the registry gives, and all of contracts whose lifecycle is derived
 * in part (`src/fold/derived.ts`). The state after each raise's last event is kept, so a new event costs one step.
 * @module
 */
import type { Hex } from "viem";
import type { Lifecycle } from "../../src/fold/derived.ts";
import {
  beginning,
  type Correction,
  derivedAt,
  derivedChange,
  derivesEvents,
  foldDerived,
  lacksTerms,
  NOTHING_DERIVED,
} from "../../src/fold/derived.ts";
import type { Terms } from "../../src/fold/event-kinds.ts";
import { backerOf } from "../../src/fold/fold.ts";
import { eventOf, isOfDesk } from "../../src/fold/ledger.ts";
import type { ListingRow, PositionAmounts, RepaymentRow, StoredRow } from "../../src/fold/state.ts";
import { type Pair, pairKey } from "../registry/schema.ts";

/** The contracts of a market, as far as the projection has to know them. */
export type MarketContracts = {
  readonly lifecycle: Lifecycle;
  /** Whether the events of an escrow are followed, with or without any so far. */
  follows(escrowAddress: string): boolean;
};

/** Contracts with an event for everything. */
export const WHOLE_CONTRACTS: MarketContracts = { lifecycle: NOTHING_DERIVED, follows: () => true };

/** Whether a raise is folded again; null for one without an event. */
export function isRefolded(row: ListingRow | null, lifecycle: Lifecycle): boolean {
  return derivesEvents(lifecycle) || row === null || lacksTerms(row);
}

/** After the raise's last event. */
type State = {
  listing: ListingRow;
  readonly positions: Map<Hex, PositionAmounts>;
  repayments: readonly RepaymentRow[];
  corrections: readonly Correction[];
};

/** A raise at a time: its row, its payments, and what its money differs by from the ledger's own deltas. */
type Refolded = {
  row: ListingRow;
  repayments: readonly RepaymentRow[];
  corrections: readonly Correction[];
};

export type Refolds = {
  /** Starts over with the registry's terms of now, and without an event. */
  begin(pair: Pair): void;
  /** Forgets the state of a raise. */
  drop(pair: string): void;
  /** Folds events of raises in the order of the chain. */
  add(events: readonly StoredRow[]): void;
  /** At a time (unix seconds) not before the last event; null for a raise that has not begun. */
  at(pair: string, time: bigint): Refolded | null;
};

/** @param termsOf what the registry gives a raise, by its `pairKey`; null for nothing */
export function createRefolds(lifecycle: Lifecycle, termsOf: (pair: string) => Terms | null): Refolds {
  const states = new Map<string, State>();

  const begin = (pair: Pair): State => {
    const { escrowAddress, onchainId } = pair;
    const listing = beginning({ escrowAddress, onchainId }, termsOf(pairKey(pair)));
    const state = { listing, positions: new Map(), repayments: [], corrections: [] };
    states.set(pairKey(pair), state);
    return state;
  };

  const step = (
    state: State,
    row: StoredRow,
  ): { repayments: RepaymentRow[]; corrections: readonly Correction[] } => {
    const event = eventOf(row);
    if (isOfDesk(event)) return { repayments: [], corrections: [] };
    const backer = backerOf(event);
    const position = (backer && state.positions.get(backer)) ?? null;
    const result = foldDerived({ listing: state.listing, position }, event, row, lifecycle);
    state.listing = result.listing;
    if (backer !== null && result.position !== null) state.positions.set(backer, result.position);
    const { typed, corrections } = result;
    return { repayments: typed?.table === "repayment" ? [typed.row] : [], corrections };
  };

  return {
    begin,
    drop: (pair) => void states.delete(pair),
    add(events) {
      for (const [pair, rows] of Map.groupBy(events, pairKey)) {
        const [first] = rows;
        if (first === undefined) continue;
        const state = states.get(pair) ?? begin(first);
        const found = rows.map((row) => step(state, row));
        state.repayments = [...state.repayments, ...found.flatMap(({ repayments }) => repayments)];
        state.corrections = [...state.corrections, ...found.flatMap(({ corrections }) => corrections)];
      }
    },
    at(pair, time) {
      const state = states.get(pair);
      if (state === undefined) return null;
      const { listing, repayments } = state;
      const row = derivedAt(listing, time, lifecycle);
      const byTime = derivedChange(listing, row, { blockNumber: null, blockTime: time });
      const corrections = byTime.length === 0 ? state.corrections : [...state.corrections, ...byTime];
      return { row, repayments, corrections };
    },
  };
}
