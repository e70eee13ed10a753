/**
 * The projection: from the chain's rows and the registry to the market at a block. The work for a block depends on what it
 * changes; changes by time alone come from a queue of moments.
 *
 * `now` is the head's time, never the machine's: with a wall clock a lagging indexer would show live raises as failed.
 * @module
 */
import { Map as PersistentMap } from "immutable";
import type { Hex } from "viem";
import type { PublicSettings } from "../../config/public-settings.ts";
import { lacksTerms } from "../../src/fold/derived.ts";
import type { Block } from "../../src/fold/events.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { pairKey, type Registry, type RegistryListing } from "../registry/schema.ts";
import type { SavedArchive } from "./archive/archive.ts";
import { ArchivedRows } from "./archive/archived-rows.ts";
import type { Kept } from "./archive/bodies.ts";
import { createKeeper, type KeeperParameters, type Moved } from "./archive/keeper.ts";
import { type ArchiveEdits, createBusinesses, type Regraded, type SavedRecords } from "./businesses.ts";
import type { ChainRows } from "./chain-rows.ts";
import { createRunningDays, type SavedDays } from "./day-book.ts";
import { changedEntries, contradictions, named, pairOf } from "./entries.ts";
import { withFlows } from "./flows.ts";
import { creditOf } from "./grade-history.ts";
import { type Moment, toListing } from "./listing.ts";
import { Listings } from "./listings.ts";
import { compareNewest, withOrders } from "./listings-order.ts";
import type { Contradiction, Head, Market, Unprojectable } from "./market.ts";
import { createMoments, nextOf } from "./moments.ts";
import { type Edit, editOf, withEdits } from "./ordered.ts";
import { byPublicId, marketOf, type Parts, withEntries } from "./parts.ts";
import { newRaise, type Raise, rowsOf } from "./raise.ts";
import { createRefnumIndex } from "./refnums.ts";
import { createRefolds, isRefolded, type MarketContracts, WHOLE_CONTRACTS } from "./refolds.ts";
import type { Grade, Listing, Originator } from "./schema.ts";
import { createRunningStats, type SavedStats } from "./stats.ts";
import { type DeskEntry, deskEntryOf, TRADING_DISABLED, tradingOf } from "./trading.ts";
import { turnsOf } from "./turns.ts";
import type { Visible } from "./visible.ts";

export type Projection = {
  /**
   * Applies the rows that changed up to `head`, whose time is not before the last head's. Returns the market there, which later calls
   * do not change. Never throws for a bad row.
   * @param finalized the last block that no reorg can revert
   */
  advance(changed: ChainRows, head: Head, finalized: bigint): Market;
  /**
   * Takes another registry for the next `advance`, if only what entries say of their raises differs. False, and without effect, if
   * anything else does: then everything has to be projected again.
   */
  useEntries(next: Registry): boolean;
  /** What the next process can start from; null for a market whose state is more than its rows. */
  save(): SavedProjection | null;
  /** Raises with other terms: the next `advance` needs all their events. */
  toRestart(): readonly Pick<ListingRow, "escrowAddress" | "onchainId">[];
};

/** A projection for a snapshot, of which `rows` must be the first that the next one takes, at the same head. */
export type SavedProjection = {
  archive: SavedArchive;
  stats: SavedStats;
  days: SavedDays;
  records: SavedRecords;
  /** of the raises that are not in the archive */
  rows: ChainRows;
};

export type ProjectionParameters = {
  registry: Registry;
  publicSettings: PublicSettings;
  contracts?: MarketContracts | undefined;
  /** the first block; later ones are not before its time */
  start: Block;
  /** whether the sums of days are kept up to date, for a market that is asked again and again */
  keepsDays?: boolean;
  /** of the archive of raises that have ended (`archive/keeper.ts`) */
  archive?: Pick<KeeperParameters, "atOnce" | "block"> | undefined;
  /** by a projection with the same other parameters */
  saved?: SavedProjection | null;
};

/** An edit of a visible raise. */
type RaiseEdit = Edit<Visible> & { pair: string };

export function createProjection({
  registry: first,
  publicSettings,
  contracts: { lifecycle, follows } = WHOLE_CONTRACTS,
  start,
  keepsDays = true,
  archive = {},
  saved = null,
}: ProjectionParameters): Projection {
  let registry = first;
  const refolds = createRefolds(lifecycle, (pair) => registry.listingByPair.get(pair)?.terms ?? null);
  /** raises whose entries have other terms than their folds, by pair */
  const toRestart = new Map<string, ReturnType<typeof pairOf>>();
  const contradicted = new Map<string, Contradiction>();
  let hasCorrections = false;
  /** whether the first rows had all flows of the ledger; null before them */
  let hasFlows: boolean | null = null;
  const running = keepsDays ? createRunningDays(saved?.days) : null;
  /** pairs to show again in the next `advance`, as their entries are new or have changed */
  const reentered = new Set<string>();
  const raises = new Map<string, Raise>();
  const holders = new Map<Hex, number>();
  const pairsOfToken = new Map<Hex, Set<string>>();
  const unpublished = new Set<string>();
  const unprojectable = new Map<string, Unprojectable>();
  const moments = createMoments(start.timestamp);
  /** block numbers: a listing is final once the block of its last event is */
  const finalities = createMoments(0n);
  const stats = createRunningStats(saved?.stats);
  const refnums = createRefnumIndex((refnum) => refnum);
  const uppercaseRefnums = createRefnumIndex((refnum) => refnum.toUpperCase());
  /** by the listing object, so that older markets keep theirs */
  const visibleOf = new WeakMap<Listing, Visible>();
  let desk: readonly DeskEntry[] = [];
  const keeper = createKeeper({
    ...{ registry: () => registry, gradeOf: (publicId: string) => businesses.gradeOf(publicId) },
    show: (kept, entry, grade) => reshow(kept, entry, grade),
    ...{ saved: saved?.archive, ...archive },
  });
  const savedRows = keeper.rows();
  const businesses = createBusinesses(
    registry,
    start.timestamp,
    saved === null
      ? undefined
      : { records: saved.records, rows: Map.groupBy(savedRows, keeper.originatorOf), view: keeper.view },
  );
  let isRestored = savedRows.length > 0;
  let archived: ArchivedRows | null = null;
  /** raises that came back from the archive in this block, by pair */
  const takenOut = new Map<string, Visible>();
  let parts: Parts = {
    listings: new Listings([]),
    originators: [],
    listingByPublicId: PersistentMap(),
    originatorByPublicId: PersistentMap(),
    publicIdByRefnum: PersistentMap(),
    publicIdByUppercaseRefnum: PersistentMap(),
    trading: publicSettings.desk === null ? TRADING_DISABLED : tradingOf(publicSettings.desk, []),
    stats: stats.stats(),
    unprojectable: [],
    contradictions: [],
  };

  const raiseOf = (pair: string): Raise => {
    const raise = raises.get(pair) ?? takeOut(pair) ?? newRaise();
    raises.set(pair, raise);
    return raise;
  };

  const takeOut = (pair: string): Raise | null => {
    const row = keeper.rowOfPair(pair);
    if (row === null) return null;
    const { raise, visible } = keeper.takeOut(row);
    takenOut.set(pair, visible);
    if (visible.row.token !== null) noteToken(visible.row.token, pair);
    const credit = creditOf(pair, visible.row, visible.repayments);
    if (credit !== null) businesses.reopen(pair, visible.listing.originator, credit, visible.madeAt);
    return raise;
  };

  const noteToken = (token: Hex, pair: string) =>
    pairsOfToken.set(token, (pairsOfToken.get(token) ?? new Set()).add(pair));

  /** Starts the fold of a raise without an event, which the registry alone makes. */
  const enter = (entry: RegistryListing) => {
    if (!lifecycle.derivesCreation || !follows(entry.escrowAddress)) return;
    const pair = pairKey(entry);
    raiseOf(pair);
    refolds.begin(pairOf(entry));
    reentered.add(pair);
  };
  for (const entry of registry.listings) enter(entry);

  /** Applies the rows, and returns the pairs whose listings may have changed. */
  const take = (changed: ChainRows): Set<string> => {
    const touched = new Set<string>();
    for (const row of changed.listings) {
      const pair = pairKey(row);
      raiseOf(pair).stored = row;
      touched.add(pair);
      if (row.token !== null) noteToken(row.token, pair);
      if (isCreated(row) && !registry.listingByPair.has(pair)) unpublished.add(pair);
    }
    for (const pair of changed.restarted ?? []) {
      const entry = registry.listingByPair.get(pair);
      if (entry !== undefined) refolds.begin(pairOf(entry));
      toRestart.delete(pair);
    }
    refolds.add(changed.events ?? []);
    for (const [pair, rows] of Map.groupBy(changed.repayments, pairKey)) {
      const raise = raiseOf(pair);
      raise.storedRepayments = [...raise.storedRepayments, ...rows];
      touched.add(pair);
    }
    for (const [pair, rows] of Map.groupBy(changed.offers, pairKey)) {
      const raise = raiseOf(pair);
      const ids = new Set(rows.map(({ offerId }) => offerId));
      raise.offers = [...raise.offers.filter(({ offerId }) => !ids.has(offerId)), ...rows];
      touched.add(pair);
    }
    for (const [pair, rows] of Map.groupBy(changed.trades, pairKey)) {
      const raise = raiseOf(pair);
      raise.trades = [...raise.trades, ...rows];
      touched.add(pair);
    }
    for (const [pair, rows] of Map.groupBy(changed.flows ?? [], pairKey)) {
      const raise = raiseOf(pair);
      raise.flows = withFlows(raise.flows, rows);
      touched.add(pair);
    }
    for (const [pair, bids] of changed.bids ?? []) raiseOf(pair).bids = bids;
    for (const [token, count] of changed.holders) {
      holders.set(token, count);
      for (const pair of pairsOfToken.get(token) ?? []) touched.add(pair);
    }
    return touched;
  };

  const isCreated = (stored: ListingRow | null) =>
    lifecycle.derivesCreation || stored?.createdEventId != null;

  /** Brings a raise to a time (unix seconds) at which it can have changed. */
  const settle = (pair: string, raise: Raise, now: bigint) => {
    const { stored, row: before, repayments: paid } = raise;
    const refolded = isRefolded(stored, lifecycle) ? refolds.at(pair, now) : null;
    raise.row = refolded?.row ?? stored;
    raise.corrections = refolded?.corrections ?? [];
    hasCorrections ||= raise.corrections.length > 0;
    raise.repayments = refolded?.repayments ?? raise.storedRepayments;
    if (raise.row === null || (raise.row === before && raise.repayments === paid)) return;
    businesses.record(pair, raise.row, raise.repayments);
    // Unpublished raises count for grades as well.
    if (lifecycle.derivesDrawdown && !registry.listingByPair.has(pair))
      moments.set(pair, nextOf([raise.row.closeAt], now));
  };

  const holderCountOf = ({ escrowAddress, token }: ListingRow): number | null =>
    token !== null && publicSettings.followsHolders(escrowAddress) ? (holders.get(token) ?? null) : null;

  const show = (pair: string, raise: Raise, entry: RegistryListing, place: Moment): Visible | null => {
    const { stored, repayments, offers, trades, flows, bids, corrections } = raise;
    const originator = registry.originatorByPublicId.get(entry.originator);
    unprojectable.delete(pair);
    contradicted.delete(pair);
    if (raise.row === null || originator === undefined || !isCreated(stored)) return null;
    const [row, fields] = [named(raise.row, entry), contradictions(stored, entry)];
    if (fields.length > 0) contradicted.set(pair, { publicId: entry.publicId, fields });
    if (row.goLiveAt !== null && place.now < row.goLiveAt) return null;
    try {
      const termsFrom = stored === null || lacksTerms(stored) ? "registry" : "chain";
      const grade = businesses.gradeOf(entry.originator);
      const offering = { row, bids, termsFrom, entry, originator, grade } as const;
      const published = { row, listing: toListing(offering, place, publicSettings) };
      const ofDesk =
        publicSettings.desk === null
          ? null
          : deskEntryOf({ ...published, offers, trades }, holderCountOf(row), place.now);
      const made = { flows, country: originator.jurisdiction, madeAt: place.now };
      return { ...published, repayments, offers, trades, corrections, ...made, entry: ofDesk };
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      unprojectable.set(pair, { escrowAddress: row.escrowAddress, onchainId: `${row.onchainId}`, problem });
      return null;
    }
  };

  /** Of the archive, as it was when it was put there, but for its grade. */
  const reshow = (
    { row: stored, madeAt, ...kept }: Kept & Pick<Visible, "madeAt">,
    entry: RegistryListing | undefined,
    grade: Grade,
  ): Visible => {
    const originator = entry && registry.originatorByPublicId.get(entry.originator);
    if (entry === undefined || originator === undefined)
      throw new Error("no entry for a raise of the archive");
    const row = named(stored, entry);
    const offering = { row, bids: null, termsFrom: "chain", entry, originator, grade } as const;
    const listing = toListing(offering, { now: madeAt, finalized: row.updatedBlock }, publicSettings);
    const visible = { row, listing, ...kept, corrections: [], country: originator.jurisdiction, madeAt };
    const whole = { ...visible, entry: null };
    visibleOf.set(listing, whole);
    return whole;
  };

  /** What another grade changes in the raises of the archive. */
  const ofArchive = ({ before, after, rows }: Regraded): Edit<Visible>[] =>
    rows
      .filter(keeper.isPresent)
      .map((row) => ({ before: keeper.open(row, before), after: keeper.open(row, after) }));

  const showAll = (pairs: Iterable<string>, place: Moment): RaiseEdit[] => {
    const edits: RaiseEdit[] = [];
    for (const pair of pairs) {
      const entry = registry.listingByPair.get(pair);
      const raise = raises.get(pair);
      if (entry === undefined || raise === undefined || raise.row === null) continue;
      const before = raise.visible;
      const after = show(pair, raise, entry, place);
      raise.visible = after;
      moments.set(pair, nextOf([...turnsOf(raise.row, place.now), after?.entry?.turnsAt ?? null], place.now));
      finalities.set(pair, nextOf([raise.row.updatedBlock], place.finalized));
      if (after !== null) visibleOf.set(after.listing, after);
      const isPlain = !contradicted.has(pair) && !isRefolded(raise.stored, lifecycle);
      keeper.consider(pair, raise, { now: place.now, isPlain });
      if (before !== null || after !== null) edits.push({ pair, before, after });
    }
    return edits;
  };

  /** The edits of the listings in full: what is taken out of the archive is new there, and what is put there is gone. */
  const ofFull = (edits: readonly RaiseEdit[], moved: readonly Moved[]): readonly Edit<Visible>[] => {
    const byPair = new Map<string, Edit<Visible>>();
    for (const { pair, before, after } of edits)
      byPair.set(pair, { before: takenOut.has(pair) ? null : before, after });
    for (const { pair, visible } of moved) {
      const before = byPair.has(pair) ? (byPair.get(pair)?.before ?? null) : visible;
      byPair.set(pair, { before, after: null });
    }
    return [...byPair.values()].filter(({ before, after }) => before !== null || after !== null);
  };

  /** Lets go of what the archive has. */
  const leave = ({ pair, visible: { row, listing } }: Moved, now: bigint) => {
    raises.delete(pair);
    businesses.close(pair, listing.originator, now);
    if (row.token === null) return;
    const pairs = pairsOfToken.get(row.token);
    pairs?.delete(pair);
    if (pairs?.size === 0) pairsOfToken.delete(row.token);
    if (publicSettings.desk === null) holders.delete(row.token);
  };

  const archiveEdits = (moved: readonly Moved[]): ArchiveEdits => {
    const byOriginator = Map.groupBy(moved, ({ visible }) => visible.listing.originator);
    const gone = Map.groupBy(takenOut.values(), ({ listing }) => listing.originator);
    return {
      added: new Map([...byOriginator].map(([publicId, own]) => [publicId, own.map(({ row }) => row)])),
      removed: new Map([...gone].map(([publicId, own]) => [publicId, own.length])),
      view: keeper.view,
      creditOf(row) {
        const { row: stored, repayments } = keeper.openNow(row);
        return creditOf(pairKey(stored), stored, repayments);
      },
    };
  };

  type Changes = {
    edits: readonly RaiseEdit[];
    moved: readonly Moved[];
    originators: readonly Edit<Originator>[];
    isRegraded: boolean;
  };

  const withVisible = ({ edits, moved, originators, isRegraded }: Changes): Parts => {
    for (const { before, after } of edits) {
      if (before !== null) stats.remove(before);
      if (after !== null) stats.add(after);
    }
    running?.apply(edits);
    const full = ofFull(edits, moved);
    const listings = full.map((edit) => editOf(edit, ({ listing }) => listing));
    const entries = edits.map((edit) => editOf(edit, ({ entry }) => entry));
    const { desk: address } = publicSettings;
    const isDeskChanged = address !== null && entries.some(({ before, after }) => before !== after);
    if (isDeskChanged) desk = withEdits(desk, entries, (a, b) => compareNewest(a.listing, b.listing));
    const originatorByPublicId = withEntries(parts.originatorByPublicId, originators);
    const isOther = isRestored || moved.length > 0 || takenOut.size > 0 || (archived !== null && isRegraded);
    if (isOther) {
      const view = keeper.view((publicId) => originatorByPublicId.get(publicId)?.ratingGrade ?? "NR");
      const rows = [...(isRestored ? savedRows : []), ...moved.map(({ row }) => row)];
      isRestored = false;
      archived = (archived ?? ArchivedRows.none(view)).with(view, rows, takenOut.size);
    }
    return {
      listings:
        isOther || listings.length > 0
          ? new Listings(withOrders(parts.listings.full, listings), archived)
          : parts.listings,
      originators: withEdits(parts.originators, originators, byPublicId),
      listingByPublicId: withEntries(parts.listingByPublicId, listings),
      originatorByPublicId,
      publicIdByRefnum: refnums(parts.publicIdByRefnum, full),
      publicIdByUppercaseRefnum: uppercaseRefnums(parts.publicIdByUppercaseRefnum, full),
      trading: isDeskChanged ? tradingOf(address, desk) : parts.trading,
      stats: edits.length > 0 ? stats.stats() : parts.stats,
      unprojectable: [...unprojectable.values()],
      contradictions: [...contradicted.values()],
    };
  };

  return {
    advance(changed, head, finalized) {
      const now = head.timestamp;
      hasFlows ??= changed.flows != null;
      keeper.begin();
      const touched = take(changed);
      const turned = [...reentered, ...moments.due(now), ...finalities.due(finalized)];
      reentered.clear();
      for (const pair of turned) touched.add(pair);
      for (const pair of touched) settle(pair, raiseOf(pair), now);
      const regraded = businesses.regrade(now);
      for (const { pairs } of regraded) for (const pair of pairs) touched.add(pair);
      running?.apply(regraded.flatMap(ofArchive));
      const edits = showAll(touched, { now, finalized });
      const moved = keeper.putAway();
      for (const one of moved) leave(one, now);
      const listings = ofFull(edits, moved).map((edit) => editOf(edit, ({ listing }) => listing));
      const originators = businesses.update(listings, archiveEdits(moved));
      if (touched.size > 0 || originators.length > 0 || isRestored)
        parts = withVisible({ edits, moved, originators, isRegraded: regraded.length > 0 });
      takenOut.clear();
      const others = {
        unpublished: unpublished.size,
        hasCorrections,
        running: hasFlows ? running : null,
        hasFlows,
      };
      return marketOf(parts, {
        head,
        registry,
        archived,
        visibleOf,
        creditsOf: businesses.creditsOf,
        ...others,
      });
    },
    useEntries(next) {
      const changed = changedEntries(registry, next);
      if (changed === null) return false;
      keeper.begin();
      // What is in the archive comes out as it was.
      for (const pair of changed.pairs) if (keeper.rowOfPair(pair) !== null) raiseOf(pair);
      registry = next;
      for (const pair of changed.pairs) reentered.add(pair);
      for (const pair of changed.otherTerms) {
        const raise = raises.get(pair);
        const entry = registry.listingByPair.get(pair);
        if (raise === undefined || entry === undefined || !isRefolded(raise.stored, lifecycle)) continue;
        if (raise.stored === null) enter(entry);
        else toRestart.set(pair, pairOf(entry));
      }
      return true;
    },
    save() {
      if (running === null || !hasFlows || toRestart.size > 0 || reentered.size > 0) return null;
      const full = [...raises.values()];
      if (full.some(({ stored }) => isRefolded(stored, lifecycle))) return null;
      // What the raises in full add is added again when they are taken.
      const [ownStats, ownDays] = [createRunningStats(stats.save()), createRunningDays(running.save())];
      const edits = full.map(({ visible }) => ({ before: visible, after: null }));
      for (const { before } of edits) if (before !== null) ownStats.remove(before);
      ownDays.apply(edits);
      return {
        archive: keeper.save(),
        ...{ stats: ownStats.save(), days: ownDays.save() },
        records: businesses.save((pair) => raises.has(pair)),
        rows: rowsOf(raises, holders),
      };
    },
    toRestart: () => [...toRestart.values()],
  };
}

export function project({
  rows,
  head,
  finalized,
  ...others
}: {
  rows: ChainRows;
  head: Head;
  finalized: bigint;
} & Omit<ProjectionParameters, "start" | "keepsDays" | "archive">): Market {
  const whole = { start: head, keepsDays: false, archive: { atOnce: null } };
  return createProjection({ ...others, ...whole }).advance(rows, head, finalized);
}
