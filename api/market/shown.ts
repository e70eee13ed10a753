/** @module The visible part of a projection: the lists, lookups and sums of its raises, kept up to date by edits. */
import { Map as PersistentMap } from "immutable";
import type { PublicSettings } from "../../config/public-settings.ts";
import { createArchivedLoans, type SavedLoans } from "./archive/archived-loans.ts";
import { ArchivedRows, type ArchiveView, type SavedOrders } from "./archive/archived-rows.ts";
import type { Keeper, Moved } from "./archive/keeper.ts";
import { createRunningDays, type SavedDays } from "./day-book.ts";
import { Listings } from "./listings.ts";
import { compareNewest, withOrders } from "./listings-order.ts";
import type { Head, Market } from "./market.ts";
import { byPublicId, type Edit, editOf, withEdits } from "./ordered.ts";
import type { Originator } from "./originator.ts";
import {
  type Headless,
  headlessOf,
  type MarketParameters,
  marketAt,
  type Parts,
  withEntries,
} from "./parts.ts";
import { createRefnumIndex } from "./refnums.ts";
import type { Listing } from "./schema.ts";
import { createRunningStats, type SavedStats } from "./stats.ts";
import {
  type DeskEntry,
  lastTradeOf,
  NO_TRADES,
  type PastTrades,
  TRADING_DISABLED,
  tradingOf,
  withTrades,
} from "./trading.ts";
import type { Visible } from "./visible.ts";

/** An edit of a visible raise, in full or in the archive. */
export type RaiseEdit = Edit<Visible> & { pair: string };

/** The edits of the listings in full alone. */
type FullEdits = { visible: readonly Edit<Visible>[]; listings: readonly Edit<Listing>[] };

/** Raises taken out of the archive are new among the listings in full; those put there are gone from them. */
export function fullEdits(
  edits: readonly RaiseEdit[],
  { moved, takenOut }: { moved: readonly Moved[]; takenOut: ReadonlyMap<string, unknown> },
): FullEdits {
  const byPair = new Map<string, Edit<Visible>>();
  for (const { pair, before, after } of edits)
    byPair.set(pair, { before: takenOut.has(pair) ? null : before, after });
  for (const { pair, visible } of moved) {
    const before = byPair.has(pair) ? (byPair.get(pair)?.before ?? null) : visible;
    byPair.set(pair, { before, after: null });
  }
  const visible = [...byPair.values()].filter(({ before, after }) => before !== null || after !== null);
  return { visible, listings: visible.map((edit) => editOf(edit, ({ listing }) => listing)) };
}

/** The sums of the raises of an archive, and its orders, for a snapshot. */
export type SavedSums = {
  stats: SavedStats;
  days: SavedDays;
  orders: SavedOrders;
  /** null: they are counted again */
  loans: SavedLoans | null;
  trades: PastTrades;
};

type ShownParameters = {
  publicSettings: PublicSettings;
  keeper: Pick<Keeper, "view" | "lastTraded">;
  /** of a snapshot, with the rows of its archive */
  saved: SavedSums | null;
  savedRows: Int32Array;
  keepsDays: boolean;
};

type Changes = Pick<Market, "unprojectable" | "contradictions"> & {
  edits: readonly RaiseEdit[];
  full: FullEdits;
  originators: readonly Edit<Originator>[];
  /** of businesses, by public id, with the time (unix seconds) from which on each is another */
  records: ReadonlyMap<string, bigint>;
  moved: readonly Moved[];
  /** raises that were taken out of the archive */
  gone: readonly Visible[];
  /** raises of the archive with another grade */
  regraded: readonly Edit<Visible>[];
};

export function createShown({ publicSettings, keeper, saved, savedRows, keepsDays }: ShownParameters) {
  const { desk: deskAddress } = publicSettings;
  const stats = createRunningStats(saved?.stats);
  const running = keepsDays ? createRunningDays(saved?.days) : null;
  const loans = keepsDays ? createArchivedLoans(saved?.loans ?? null) : null;
  const refnums = createRefnumIndex((refnum) => refnum);
  const uppercaseRefnums = createRefnumIndex((refnum) => refnum.toUpperCase());
  /** of the raises in full */
  let desk: readonly DeskEntry[] = [];
  let trades = saved?.trades ?? NO_TRADES;
  let archived: ArchivedRows | null = null;
  let toRestore = savedRows;
  /** replaced when the grade of a business changes */
  let gradeOf: ArchiveView["gradeOf"] = () => "NR";
  /** of the parts as they are; null until a market is made of them */
  let headless: Headless | null = null;
  let parts: Parts = {
    listings: new Listings([]),
    originators: [],
    listingByPublicId: PersistentMap(),
    originatorByPublicId: PersistentMap(),
    publicIdByRefnum: PersistentMap(),
    publicIdByUppercaseRefnum: PersistentMap(),
    trading: deskAddress === null ? TRADING_DISABLED : tradingOf(deskAddress, [], trades),
    stats: stats.stats(),
    unprojectable: [],
    contradictions: [],
  };

  /** @returns whether the archive looks different */
  const followArchive = (
    { moved, gone, regraded, originators: edits }: Changes,
    originators: Parts["originatorByPublicId"],
  ): boolean => {
    if (edits.some(({ before, after }) => before?.ratingGrade !== after?.ratingGrade))
      gradeOf = (publicId) => originators.get(publicId)?.ratingGrade ?? "NR";
    if (toRestore.length + moved.length + gone.length + regraded.length === 0) return false;
    const view = keeper.view(gradeOf);
    const rows = moved.map(({ row }) => row);
    archived = (archived ?? ArchivedRows.restored(view, toRestore, saved?.orders)).with(
      view,
      rows,
      gone.length,
    );
    toRestore = new Int32Array();
    return true;
  };

  return {
    apply(changes: Changes): void {
      const { edits, full, originators, records, moved, gone, regraded } = changes;
      const { unprojectable, contradictions } = changes;
      for (const { before, after } of edits) {
        if (before !== null) stats.remove(before);
        if (after !== null) stats.add(after);
      }
      running?.apply([...edits, ...regraded]);
      loans?.inFull.apply(full.visible);
      // The first changes after a snapshot make what it was made of.
      if (toRestore.length === 0) loans?.noteChanged(records);
      const isDeskChanged =
        deskAddress !== null &&
        edits.some(({ before, after }) => (before?.entry ?? null) !== (after?.entry ?? null));
      for (const { entry } of gone) trades = withTrades(trades, entry, -1);
      for (const { visible } of moved) trades = withTrades(trades, visible.entry, 1);
      if (gone.some(({ listing }) => listing.publicId === trades.last?.trade.publicId))
        trades = { ...trades, last: lastTradeOf(keeper.lastTraded(), null) };
      const entries = full.visible.map((edit) => editOf(edit, ({ entry }) => entry));
      desk = withEdits(desk, entries, (a, b) => compareNewest(a.listing, b.listing));
      const originatorByPublicId = withEntries(parts.originatorByPublicId, originators);
      const isOther = followArchive(changes, originatorByPublicId);
      const { listings } = parts;
      headless = null;
      parts = {
        listings:
          isOther || full.listings.length > 0
            ? new Listings(withOrders(listings.full, full.listings), archived)
            : listings,
        originators: withEdits(parts.originators, originators, byPublicId),
        listingByPublicId: withEntries(parts.listingByPublicId, full.listings),
        originatorByPublicId,
        publicIdByRefnum: refnums(parts.publicIdByRefnum, full.visible),
        publicIdByUppercaseRefnum: uppercaseRefnums(parts.publicIdByUppercaseRefnum, full.visible),
        trading: isDeskChanged ? tradingOf(deskAddress, desk, trades) : parts.trading,
        stats: edits.length > 0 ? stats.stats() : parts.stats,
        ...{ unprojectable, contradictions },
      };
    },
    /** @param of the other members; apart from `registry`, they may change only together with the parts */
    market(head: Head, of: Omit<MarketParameters, "running" | "loans" | "archived">): Market {
      if (headless?.registry !== of.registry)
        headless = headlessOf(parts, { ...of, archived, running: of.hasFlows ? running : null, loans });
      return marketAt(head, headless);
    },
    /** The sums without these raises; null where not all are kept. */
    saveWithout(visible: readonly Visible[]): SavedSums | null {
      if (running === null) return null;
      const [ownStats, ownDays] = [createRunningStats(stats.save()), createRunningDays(running.save())];
      for (const one of visible) ownStats.remove(one);
      ownDays.apply(visible.map((before) => ({ before, after: null })));
      const orders = archived?.saveOrders() ?? new Map();
      const kept = loans?.save(archived?.view.archive.removed.length ?? 0) ?? null;
      const sums = { stats: ownStats.save(), days: ownDays.save(), trades };
      return { ...sums, orders, loans: kept };
    },
  };
}
