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
import { createBusinesses } from "./businesses.ts";
import type { ChainRows } from "./chain-rows.ts";
import { createRunningDays } from "./day-book.ts";
import { changedEntries, contradictions, named, pairOf } from "./entries.ts";
import { withFlows } from "./flows.ts";
import { type Moment, toListing } from "./listing.ts";
import { compareNewest, withOrders } from "./listings-order.ts";
import type { Contradiction, Head, Market, Unprojectable } from "./market.ts";
import { createMoments, nextOf } from "./moments.ts";
import { type Edit, editOf, withEdits } from "./ordered.ts";
import { byPublicId, marketOf, type Parts, withEntries } from "./parts.ts";
import { newRaise, type Raise } from "./raise.ts";
import { createRefnumIndex } from "./refnums.ts";
import { createRefolds, isRefolded, type MarketContracts, WHOLE_CONTRACTS } from "./refolds.ts";
import type { Listing, Originator } from "./schema.ts";
import { createRunningStats } from "./stats.ts";
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
  /** Raises with other terms: the next `advance` needs all their events. */
  toRestart(): readonly Pick<ListingRow, "escrowAddress" | "onchainId">[];
};

export type ProjectionParameters = {
  registry: Registry;
  publicSettings: PublicSettings;
  contracts?: MarketContracts | undefined;
  /** the first block; later ones are not before its time */
  start: Block;
  /** whether the sums of days are kept up to date, for a market that is asked again and again */
  keepsDays?: boolean;
};

export function createProjection({
  registry: first,
  publicSettings,
  contracts: { lifecycle, follows } = WHOLE_CONTRACTS,
  start,
  keepsDays = true,
}: ProjectionParameters): Projection {
  let registry = first;
  const refolds = createRefolds(lifecycle, (pair) => registry.listingByPair.get(pair)?.terms ?? null);
  /** raises whose entries have other terms than their folds, by pair */
  const toRestart = new Map<string, ReturnType<typeof pairOf>>();
  const contradicted = new Map<string, Contradiction>();
  let hasCorrections = false;
  /** whether the first rows had all flows of the ledger; null before them */
  let hasFlows: boolean | null = null;
  const running = keepsDays ? createRunningDays() : null;
  /** pairs to show again in the next `advance`, as their entries are new or have changed */
  const reentered = new Set<string>();
  const raises = new Map<string, Raise>();
  const holders = new Map<Hex, number>();
  const pairsOfToken = new Map<Hex, Set<string>>();
  const unpublished = new Set<string>();
  const unprojectable = new Map<string, Unprojectable>();
  const businesses = createBusinesses(registry, start.timestamp);
  const moments = createMoments(start.timestamp);
  /** block numbers: a listing is final once the block of its last event is */
  const finalities = createMoments(0n);
  const stats = createRunningStats();
  const refnums = createRefnumIndex((refnum) => refnum);
  const uppercaseRefnums = createRefnumIndex((refnum) => refnum.toUpperCase());
  /** by the listing object, so that older markets keep theirs */
  const known = { visibleOf: new WeakMap<Listing, Visible>(), creditsOf: businesses.creditsOf };
  let desk: readonly DeskEntry[] = [];
  let parts: Parts = {
    listings: [],
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
    const raise = raises.get(pair) ?? newRaise();
    raises.set(pair, raise);
    return raise;
  };

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
      if (row.token !== null)
        pairsOfToken.set(row.token, (pairsOfToken.get(row.token) ?? new Set()).add(pair));
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

  const showAll = (pairs: Iterable<string>, place: Moment): Edit<Visible>[] => {
    const edits: Edit<Visible>[] = [];
    for (const pair of pairs) {
      const entry = registry.listingByPair.get(pair);
      const raise = raises.get(pair);
      if (entry === undefined || raise === undefined || raise.row === null) continue;
      const before = raise.visible;
      const after = show(pair, raise, entry, place);
      raise.visible = after;
      moments.set(pair, nextOf([...turnsOf(raise.row, place.now), after?.entry?.turnsAt ?? null], place.now));
      finalities.set(pair, nextOf([raise.row.updatedBlock], place.finalized));
      if (after !== null) known.visibleOf.set(after.listing, after);
      if (before !== null || after !== null) edits.push({ before, after });
    }
    return edits;
  };

  const withVisible = (edits: readonly Edit<Visible>[], originators: readonly Edit<Originator>[]): Parts => {
    for (const { before, after } of edits) {
      if (before !== null) stats.remove(before);
      if (after !== null) stats.add(after);
    }
    running?.apply(edits);
    const listings = edits.map((edit) => editOf(edit, ({ listing }) => listing));
    const entries = edits.map((edit) => editOf(edit, ({ entry }) => entry));
    const { desk: address } = publicSettings;
    const isDeskChanged = address !== null && entries.some(({ before, after }) => before !== after);
    if (isDeskChanged) desk = withEdits(desk, entries, (a, b) => compareNewest(a.listing, b.listing));
    return {
      listings: withOrders(parts.listings, listings),
      originators: withEdits(parts.originators, originators, byPublicId),
      listingByPublicId: withEntries(parts.listingByPublicId, listings),
      originatorByPublicId: withEntries(parts.originatorByPublicId, originators),
      publicIdByRefnum: refnums(parts.publicIdByRefnum, edits),
      publicIdByUppercaseRefnum: uppercaseRefnums(parts.publicIdByUppercaseRefnum, edits),
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
      const touched = take(changed);
      const turned = [...reentered, ...moments.due(now), ...finalities.due(finalized)];
      reentered.clear();
      for (const pair of turned) touched.add(pair);
      for (const pair of touched) settle(pair, raiseOf(pair), now);
      for (const pair of businesses.regrade(now)) touched.add(pair);
      const edits = showAll(touched, { now, finalized });
      const originators = businesses.update(edits.map((edit) => editOf(edit, ({ listing }) => listing)));
      if (touched.size > 0 || originators.length > 0) parts = withVisible(edits, originators);
      const others = {
        unpublished: unpublished.size,
        hasCorrections,
        running: hasFlows ? running : null,
        hasFlows,
      };
      return marketOf(parts, { head, registry, ...known, ...others });
    },
    useEntries(next) {
      const changed = changedEntries(registry, next);
      if (changed === null) return false;
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
} & Omit<ProjectionParameters, "start" | "keepsDays">): Market {
  return createProjection({ ...others, start: head, keepsDays: false }).advance(rows, head, finalized);
}
