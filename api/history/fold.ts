/**
 * Folds the ledger up to a moment, by the code with which the handlers folded it (`src/fold/replay.ts`), from the
 * nearest mark before it: the first question about a time leaves marks on its way, at final events alone, and later
 * ones fold what is between two marks. Gives the event loop back after every stretch.
 * @module
 */
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
import { type PastReader, STRETCH, type Until } from "./read-ledger.ts";
import { createVersions, type Layer } from "./versions.ts";

/** Events between two marks. */
export const SPACING = 1_000;
/** How many rows marks may hold beyond the state itself, some hundred bytes each; then every second mark goes. */
const MOST_SURPLUS = 100_000;

export type PastFold = {
  /**
   * The chain's rows as they were at a moment; null before the backfill is over. Holders are not in the ledger. One
   * call at a time.
   */
  rowsAt(until: Until): Promise<ChainRows | null>;
};

export type PastFoldParameters = {
  read: PastReader["read"];
  /** called between two stretches of at most `STRETCH` events; others have their turn until it is resolved */
  pause(): Promise<void>;
  spacing?: number;
  mostSurplus?: number;
};

/** After how many events of the ledger, and which is the last of them. */
type Mark = { events: number; eventId: string; blockNumber: bigint; repayments: number; trades: number };

/** The state while it is folded on from a mark. */
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
  mostSurplus = MOST_SURPLUS,
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
    if (versions.reduce((sum, { surplus }) => sum + surplus(), 0) > mostSurplus) thin();
    return mark;
  };

  /** Twice the room between two marks. The first and the last mark stay. */
  const thin = () => {
    spacing *= 2;
    const stay = marks.filter((mark, index) => index % 2 === 0 || mark === marks.at(-1));
    const stays = new Map<number, number>();
    for (const { events } of marks) {
      const first = stay.find((mark) => mark.events >= events);
      if (first !== undefined) stays.set(events, first.events);
    }
    for (const one of versions) one.thin(stays);
    marks = stay;
  };

  return {
    async rowsAt(until) {
      let state = foldOn(marks.findLast((mark) => isWithin(mark, until)) ?? BEGINNING);
      let replay = createReplay(state);
      let { events, eventId } = state.mark;
      for (;;) {
        const stretch = await read(eventId, until);
        if (stretch === null) return null;
        for (const row of stretch.rows) {
          if (events % STRETCH === 0) await pause();
          replay.add(row);
          events += 1;
          eventId = row.eventId;
          const isNew = state.mark === marks.at(-1) && row.blockNumber <= stretch.finalized;
          if (!isNew || events - state.mark.events < spacing) continue;
          state = foldOn(keep(state, { events, eventId, blockNumber: row.blockNumber }));
          replay = createReplay(state);
        }
        if (stretch.isLast) break;
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
