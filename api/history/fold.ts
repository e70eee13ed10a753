/**
 * Folds the ledger up to a moment, with the handlers' own fold (`src/fold/replay.ts`), from the nearest mark before it.
 * The first fold leaves marks on its way, at final events only; later ones fold the rows between two marks. It gives
 * the event loop back after every batch.
 * @module
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { firstEventIdAt } from "../../src/fold/event-id.ts";
import { createReplay, type ReplayState } from "../../src/fold/replay.ts";
import type {
  ListingRow,
  OfferRow,
  PositionRow,
  RepaymentRow,
  TokenRow,
  TradeRow,
} from "../../src/fold/state.ts";
import type { ChainRows } from "../market/project.ts";
import { BATCH_SIZE, type PastReader, type Until } from "./read-ledger.ts";
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
  read: PastReader["read"];
  /** called between two batches; other work has its turn until it is resolved */
  pause(): Promise<void>;
  spacing?: number;
  maxSurplus?: number;
};

/** A place in the ledger: the number of rows up to it, and the last of them. */
type Mark = { events: number; eventId: string; blockNumber: bigint; repayments: number; trades: number };

/** A state that is being folded on from a mark. */
type Unfinished = ReplayState & {
  mark: Mark;
  listings: Layer<ListingRow>;
  positions: Layer<PositionRow>;
  tokens: Layer<TokenRow>;
  offers: Layer<OfferRow>;
};

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
    listings: listings.over(mark.events),
    positions: positions.over(mark.events),
    tokens: tokens.over(mark.events),
    offers: offers.over(mark.events),
    trades: [],
    subscriptions: [],
    refunds: [],
    repayments: [],
    anomalies: [],
  });

  const keep = (state: Unfinished, last: Pick<Mark, "events" | "eventId" | "blockNumber">): Mark => {
    listings.keep(state.listings, last.events);
    positions.keep(state.positions, last.events);
    tokens.keep(state.tokens, last.events);
    offers.keep(state.offers, last.events);
    repayments.push(...state.repayments);
    trades.push(...state.trades);
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
      let replay = createReplay(state);
      let { events, eventId } = state.mark;
      for (;;) {
        const batch = await read(eventId, until);
        if (batch === null) return null;
        for (const row of batch.rows) {
          if (events % BATCH_SIZE === 0) await pause();
          replay.add(row);
          events += 1;
          eventId = row.eventId;
          const isNew = state.mark === marks.at(-1) && row.blockNumber <= batch.irreversible;
          if (!isNew || events - state.mark.events < spacing) continue;
          state = foldOn(keep(state, { events, eventId, blockNumber: row.blockNumber }));
          replay = createReplay(state);
        }
        if (batch.isLast) break;
      }
      return {
        listings: [...state.listings.values()],
        repayments: [...repayments.slice(0, state.mark.repayments), ...state.repayments],
        offers: [...state.offers.values()],
        trades: [...trades.slice(0, state.mark.trades), ...state.trades],
        holders: new Map(),
      };
    },
  };
}

function isWithin({ eventId, blockNumber }: Mark, { time, block }: Until): boolean {
  return eventId < firstEventIdAt(time + 1n) && (block === null || blockNumber <= block);
}

/**
 * Rests for as long as the event loop was busy since the last pause, less its idle time: however much of the past is
 * folded, the indexing and the other answers have half of the time.
 */
export function createPause(): () => Promise<void> {
  let last = performance.eventLoopUtilization();
  return async () => {
    const { active, idle } = performance.eventLoopUtilization(last);
    await sleep(Math.min(Math.max(active - idle, 0), LONGEST_PAUSE));
    last = performance.eventLoopUtilization();
  };
}
