/**
 * Folds the ledger up to a moment, with the handlers' own fold (`src/fold/step.ts`), from the nearest mark before it.
 * The first fold leaves marks at final events; later ones fold the rows between two marks. It yields to the event loop after
 * every batch.
 * @module
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { firstEventIdAt } from "../../src/fold/event-id.ts";
import { createTables, DROPPED, runStep } from "../../src/fold/memory.ts";
import type {
  ListingRow,
  OfferRow,
  PositionRow,
  RepaymentRow,
  TokenRow,
  TradeRow,
} from "../../src/fold/state.ts";
import { replayRow } from "../../src/fold/step.ts";
import type { ChainRows } from "../market/project.ts";
import { BATCH_SIZE, type PastQueries, type Until } from "./read-ledger.ts";
import { createVersions, type Layer } from "./versions.ts";

/** Events between two marks. */
export const SPACING = 1_000;
/** The most rows that marks hold beyond the state itself, some hundred bytes each; above it, every second mark goes. */
const MAX_SURPLUS = 100_000;
/** Milliseconds. */
const LONGEST_PAUSE = 250;

export type PastFold = {
  /**
   * The chain's rows at a moment, but for holders, whose transfers are not in the ledger; null during the backfill. One
   * call at a time.
   */
  rowsAt(until: Until): Promise<ChainRows | null>;
};

export type PastFoldParameters = {
  read: PastQueries["read"];
  /** called between two batches; other work runs until it resolves */
  pause(): Promise<void>;
  spacing?: number;
  maxSurplus?: number;
};

/** A position in the ledger: the number of rows up to it, and the last of them. */
type Mark = { events: number; eventId: string; blockNumber: bigint; repayments: number; trades: number };

/** A state being folded from a mark. */
type Unfinished = {
  mark: Mark;
  listing: Layer<ListingRow>;
  backerPosition: Layer<PositionRow>;
  listingToken: Layer<TokenRow>;
  offer: Layer<OfferRow>;
  trade: TradeRow[];
  repayment: RepaymentRow[];
};

const UNUSED = { ledger: DROPPED, subscription: DROPPED, refund: DROPPED, anomaly: DROPPED };

const BEGINNING: Mark = { events: 0, eventId: "", blockNumber: 0n, repayments: 0, trades: 0 };

export function createPastFold({
  read,
  pause,
  spacing: firstSpacing = SPACING,
  maxSurplus = MAX_SURPLUS,
}: PastFoldParameters): PastFold {
  const listings = createVersions<ListingRow>();
  const positions = createVersions<PositionRow>();
  const tokens = createVersions<TokenRow>();
  const offers = createVersions<OfferRow>();
  const versions = [listings, positions, tokens, offers];
  const repayments: RepaymentRow[] = [];
  const trades: TradeRow[] = [];
  let marks = [BEGINNING];
  let spacing = firstSpacing;

  const foldOn = (mark: Mark): Unfinished => ({
    mark,
    listing: listings.over(mark.events),
    backerPosition: positions.over(mark.events),
    listingToken: tokens.over(mark.events),
    offer: offers.over(mark.events),
    trade: [],
    repayment: [],
  });

  const keep = (state: Unfinished, last: Pick<Mark, "events" | "eventId" | "blockNumber">): Mark => {
    listings.keep(state.listing, last.events);
    positions.keep(state.backerPosition, last.events);
    tokens.keep(state.listingToken, last.events);
    offers.keep(state.offer, last.events);
    repayments.push(...state.repayment);
    trades.push(...state.trade);
    const mark = { ...last, repayments: repayments.length, trades: trades.length };
    marks.push(mark);
    if (versions.reduce((sum, { surplus }) => sum + surplus(), 0) > maxSurplus) thin();
    return mark;
  };

  /** Doubles the spacing. The first and the last mark stay. */
  const thin = () => {
    spacing *= 2;
    const stay = marks.filter((mark, index) => index % 2 === 0 || mark === marks.at(-1));
    const stays = new Map<number, number>();
    for (const { events } of marks) {
      const first = stay.find((mark) => mark.events >= events);
      if (first !== undefined) stays.set(events, first.events);
    }
    for (const rows of versions) rows.thin(stays);
    marks = stay;
  };

  return {
    async rowsAt(until) {
      let state = foldOn(marks.findLast((mark) => isWithin(mark, until)) ?? BEGINNING);
      let tables = createTables({ ...state, ...UNUSED });
      let { events, eventId } = state.mark;
      for (;;) {
        const batch = await read(eventId, until);
        if (batch === null) return null;
        for (const row of batch.rows) {
          if (events % BATCH_SIZE === 0) await pause();
          runStep(tables, replayRow(row));
          events += 1;
          eventId = row.eventId;
          const isNew = state.mark === marks.at(-1) && row.blockNumber <= batch.irreversible;
          if (!isNew || events - state.mark.events < spacing) continue;
          state = foldOn(keep(state, { events, eventId, blockNumber: row.blockNumber }));
          tables = createTables({ ...state, ...UNUSED });
        }
        if (batch.isLast) break;
      }
      return {
        listings: [...state.listing.values()],
        repayments: [...repayments.slice(0, state.mark.repayments), ...state.repayment],
        offers: [...state.offer.values()],
        trades: [...trades.slice(0, state.mark.trades), ...state.trade],
        holders: new Map(),
      };
    },
  };
}

function isWithin({ eventId, blockNumber }: Mark, { time, block }: Until): boolean {
  return eventId < firstEventIdAt(time + 1n) && (block === null || blockNumber <= block);
}

/**
 * Pauses for as long as the event loop was busy since the last pause, less its idle time, so that indexing and other answers get
 * half of the time.
 */
export function createPause(): () => Promise<void> {
  let last = performance.eventLoopUtilization();
  return async () => {
    const { active, idle } = performance.eventLoopUtilization(last);
    await sleep(Math.min(Math.max(active - idle, 0), LONGEST_PAUSE));
    last = performance.eventLoopUtilization();
  };
}
