/**
 * Folds the ledger up to a moment, with the handlers' own fold (`src/fold/step.ts`), from the nearest mark before it.
 * The first fold leaves marks at final events; later ones fold the rows between two marks. It yields to the event loop after
 * every batch.
 * @module
 */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lifecycle, NOTHING_DERIVED } from "../../src/fold/derived.ts";
import { firstEventIdAt } from "../../src/fold/event-id.ts";
import { createTables, DROPPED, keyText, type Rows, runStep } from "../../src/fold/memory.ts";
import type {
  ListingRow,
  OfferRow,
  PositionRow,
  RepaymentRow,
  StoredRow,
  TokenRow,
  TradeRow,
} from "../../src/fold/state.ts";
import { replayRow } from "../../src/fold/step.ts";
import type { ChainRows } from "../market/chain-rows.ts";
import { type FlowRow, moneyFlows, reserveFlows, withFlowRows } from "../market/flows.ts";
import { isRefolded } from "../market/refolds.ts";
import { BATCH_SIZE, type PastQueries, type Until } from "./read-ledger.ts";

/** Events between two marks. */
export const SPACING = 1_000;
/** The most rows that marks hold beyond the state itself, some hundred bytes each; above it, every second mark goes. */
const MAX_SURPLUS = 100_000;
/** Milliseconds. */
const LONGEST_PAUSE = 250;

export type PastFoldParameters = {
  read: PastQueries["read"];
  lifecycle?: Lifecycle | undefined;
  /** called between two batches; other work runs until it resolves */
  pause(): Promise<void>;
  spacing?: number;
  maxSurplus?: number;
};

/** A position in the ledger: the number of rows up to it, and the last of them. */
type Mark = {
  events: number;
  eventId: string;
  blockNumber: bigint;
  repayments: number;
  trades: number;
  flows: number;
  refolded: number;
};

type Unfinished = {
  mark: Mark;
  listing: Layer<ListingRow>;
  backerPosition: Layer<PositionRow>;
  listingToken: Layer<TokenRow>;
  offer: Layer<OfferRow>;
  trade: TradeRow[];
  repayment: RepaymentRow[];
  flows: FlowRow[];
  /** events of raises that are folded again */
  refolded: StoredRow[];
};

const UNUSED = { ledger: DROPPED, subscription: DROPPED, refund: DROPPED, anomaly: DROPPED };

const BEGINNING: Mark = {
  ...{ events: 0, eventId: "", blockNumber: 0n },
  ...{ repayments: 0, trades: 0, flows: 0, refolded: 0 },
};

export function createPastFold(parameters: PastFoldParameters) {
  const { read, pause, spacing: firstSpacing = SPACING, maxSurplus = MAX_SURPLUS } = parameters;
  const { lifecycle = NOTHING_DERIVED } = parameters;
  const listings = createVersions<ListingRow>();
  const positions = createVersions<PositionRow>();
  const tokens = createVersions<TokenRow>();
  const offers = createVersions<OfferRow>();
  const versions = [listings, positions, tokens, offers];
  const repayments: RepaymentRow[] = [];
  const trades: TradeRow[] = [];
  const flows: FlowRow[] = [];
  const refolded: StoredRow[] = [];
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
    flows: [],
    refolded: [],
  });

  const keep = (state: Unfinished, last: Pick<Mark, "events" | "eventId" | "blockNumber">): Mark => {
    listings.keep(state.listing, last.events);
    positions.keep(state.backerPosition, last.events);
    tokens.keep(state.listingToken, last.events);
    offers.keep(state.offer, last.events);
    repayments.push(...state.repayment);
    trades.push(...state.trade);
    for (const flow of withFlowRows(state.flows)) flows.push(flow);
    for (const row of state.refolded) refolded.push(row);
    const counts = { repayments: repayments.length, trades: trades.length };
    const mark = { ...last, ...counts, flows: flows.length, refolded: refolded.length };
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
    /** The chain's rows at a moment without holders, which are not in the ledger; null in the backfill. One call at a time. */
    async rowsAt(until: Until): Promise<ChainRows | null> {
      let state = foldOn(marks.findLast((mark) => isWithin(mark, until)) ?? BEGINNING);
      let tables = createTables({ ...state, ...UNUSED });
      let { events, eventId } = state.mark;
      for (;;) {
        const batch = await read(eventId, until);
        if (batch === null) return null;
        for (const row of batch.rows) {
          if (events % BATCH_SIZE === 0) await pause();
          const key = keyText("listing", row);
          const reserve = state.listing.get(key)?.reserveBalance ?? 0n;
          runStep(tables, replayRow(row));
          const listing = state.listing.get(key) ?? null;
          state.flows.push(...flowsOf(row, reserve, listing?.reserveBalance ?? 0n));
          if (isRefolded(listing, lifecycle)) state.refolded.push(row);
          events += 1;
          eventId = row.eventId;
          const isNew = state.mark === marks.at(-1) && row.blockNumber <= batch.settled;
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
        flows: [...flows.slice(0, state.mark.flows), ...state.flows],
        holders: new Map(),
        events: [...refolded.slice(0, state.mark.refolded), ...state.refolded],
      };
    },
  };
}

function flowsOf(row: StoredRow, before: bigint, after: bigint): FlowRow[] {
  const { escrowAddress, onchainId } = row;
  const flows = [...moneyFlows(row), ...reserveFlows(row, before, after)];
  return flows.map((flow) => ({ escrowAddress, onchainId, ...flow }));
}

function isWithin({ eventId, blockNumber }: Mark, { time, block }: Until): boolean {
  return eventId < firstEventIdAt(time + 1n) && (block === null || blockNumber <= block);
}

/** Pauses for the busy part of the time since the last pause, so that indexing and other answers get half of the time. */
export function createPause(): () => Promise<void> {
  let last = performance.eventLoopUtilization();
  return async () => {
    const { active, idle } = performance.eventLoopUtilization(last);
    await sleep(Math.min(Math.max(active - idle, 0), LONGEST_PAUSE));
    last = performance.eventLoopUtilization();
  };
}

/** A row from `mark` on, up to the mark of the next newer version. */
type Version<Row> = { row: Row; mark: number; older: Version<Row> | null };

/** Marks are numbers that grow along the ledger. */
type Versions<Row> = {
  /** The rows at a mark, for a fold to change: its changes stay in the layer. */
  over(mark: number): Layer<Row>;
  /** Keeps the changes of a layer over the newest mark, as of a newer one. */
  keep(layer: Layer<Row>, mark: number): void;
  /** Drops the versions of removed marks. `stays` maps each mark to the first one from there on that stays. */
  thin(stays: ReadonlyMap<number, number>): void;
  /** The number of versions beyond one for each key. */
  surplus(): number;
};

type Layer<Row> = Rows<Row> & { readonly changed: ReadonlyMap<string, Row> };

/** Rows by key at each mark of the ledger. A mark costs the changes since the previous one, not a copy of everything. */
export function createVersions<Row>(): Versions<Row> {
  const newest = new Map<string, Version<Row>>();
  let count = 0;

  return {
    over(mark) {
      const changed = new Map<string, Row>();
      const below = (key: string) => rowAt(newest.get(key), mark);
      return {
        changed,
        get: (key) => changed.get(key) ?? below(key),
        set: (key, row) => changed.set(key, row),
        *values() {
          for (const [key, version] of newest) {
            const row = rowAt(version, mark);
            if (row !== undefined) yield changed.get(key) ?? row;
          }
          for (const [key, row] of changed) if (below(key) === undefined) yield row;
        },
      };
    },

    keep({ changed }, mark) {
      for (const [key, row] of changed) newest.set(key, { row, mark, older: newest.get(key) ?? null });
      count += changed.size;
    },

    thin(stays) {
      const first = (mark: number) => stays.get(mark) ?? mark;
      for (const version of newest.values()) {
        let kept = version;
        let until = version.mark;
        for (let one = version.older; one !== null; one = one.older) {
          if (first(one.mark) < until) {
            kept.older = one;
            kept = one;
          } else count -= 1;
          until = one.mark;
          one.mark = first(until);
        }
        kept.older = null;
        version.mark = first(version.mark);
      }
    },

    surplus: () => count - newest.size,
  };
}

function rowAt<Row>(newest: Version<Row> | undefined, mark: number): Row | undefined {
  let version: Version<Row> | null | undefined = newest;
  while (version && version.mark > mark) version = version.older;
  return version?.row;
}
