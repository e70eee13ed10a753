/**
 * The projection: from the chain's rows and the registry to the market at a block. The work for a block depends on what it
 * changes; changes by time alone come from a queue of moments.
 *
 * `now` is the head's time, never the machine's: with a wall clock a lagging indexer would show live raises as failed.
 * @module
 */
import { pairKey, pairOf, type RegistryListing } from "../registry/schema.ts";
import { createKeeper, type Moved } from "./archive/keeper.ts";
import { type ArchiveEdits, createBusinesses, type Regraded } from "./businesses.ts";
import { type ChainRows, NO_ROWS } from "./chain-rows.ts";
import { changedEntries } from "./entries.ts";
import { creditOf } from "./grade-history.ts";
import type { Moment } from "./listing.ts";
import type { Head, Market } from "./market.ts";
import { createMoments, nextOf } from "./moments.ts";
import { type Edit, editOf } from "./ordered.ts";
import type { Projection, ProjectionParameters } from "./project-form.ts";
import { newRaise, type Raise, rowsOf, takeRows } from "./raise.ts";
import { createRefolds, isRefolded, WHOLE_CONTRACTS } from "./refolds.ts";
import type { Listing } from "./schema.ts";
import { createShowing, isCreated } from "./showing.ts";
import { createShown, fullEdits, type RaiseEdit } from "./shown.ts";
import { turnsOf } from "./turns.ts";
import type { Visible } from "./visible.ts";

/** Entries of ended raises that may change at once: each takes a quarter of a millisecond, in which nothing is answered. */
const MOST_OUT = 1_000;

/**
 * Creates a projection without rows; each `advance` returns the market at a block. Times are unix seconds, amounts base units. A row
 * that cannot be projected is left out and counted, never thrown. Interface document, "Resources and their fields" and "States and
 * transitions".
 */
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
  let hasCorrections = false;
  /** whether the first rows had all flows of the ledger; null before them */
  let hasFlows: boolean | null = null;
  /** pairs to show again in the next `advance`, as their entries are new or have changed */
  const reentered = new Set<string>();
  const raises = new Map<string, Raise>();
  const unpublished = new Set<string>();
  const moments = createMoments(start.timestamp);
  /** block numbers: a listing is final once the block of its last event is */
  const finalities = createMoments(0n);
  /** by the listing object, so that older markets keep theirs */
  const visibleOf = new WeakMap<Listing, Visible>();
  const keeper = createKeeper({
    ...{ registry: () => registry, gradeOf: (publicId) => businesses.gradeOf(publicId), publicSettings },
    ...{ visibleOf, saved: saved?.archive, ...archive },
  });
  const showing = createShowing({
    ...{ registry: () => registry, gradeOf: (publicId) => businesses.gradeOf(publicId) },
    ...{ publicSettings, lifecycle },
  });
  const savedRows = keeper.rows();
  const businesses = createBusinesses(
    registry,
    start.timestamp,
    saved === null
      ? undefined
      : { records: saved.records, rows: keeper.byOriginator(savedRows), view: keeper.view },
  );
  /** raises that came back from the archive in this block, by pair */
  const takenOut = new Map<string, Visible>();
  /** raises that a reorg has taken back in this block */
  const vanished: RaiseEdit[] = [];
  const shown = createShown({ publicSettings, keeper, saved, savedRows, keepsDays });

  const known = (pair: string): Raise | null => {
    const raise = raises.get(pair) ?? takeOut(pair);
    if (raise !== null) raises.set(pair, raise);
    return raise;
  };

  const raiseOf = (pair: string): Raise => {
    const raise = known(pair) ?? newRaise();
    raises.set(pair, raise);
    return raise;
  };

  const takeOut = (pair: string): Raise | null => {
    const row = keeper.rowOfPair(pair);
    if (row === null) return null;
    const { raise, visible } = keeper.takeOut(row);
    takenOut.set(pair, visible);
    const credit = creditOf(pair, visible.row, visible.repayments);
    if (credit !== null) businesses.reopen(pair, visible.listing.originator, credit);
    return raise;
  };

  /** Starts the fold of a raise without an event, which the registry alone makes. */
  const enter = (entry: RegistryListing) => {
    if (!follows(entry.escrowAddress)) return;
    const pair = pairKey(entry);
    raiseOf(pair);
    refolds.begin(pairOf(entry));
    reentered.add(pair);
  };
  if (lifecycle.derivesCreation) for (const entry of registry.listings) enter(entry);

  /** Drops what is known of a raise, as all its rows come again. */
  const clear = (pair: string) => {
    const raise = raiseOf(pair);
    if (raise.row !== null) businesses.drop(pair, raise.row);
    Object.assign(raise, { ...newRaise(), visible: raise.visible });
    refolds.drop(pair);
    unpublished.delete(pair);
  };

  /** Removes a raise if no row of it has come. */
  const vanish = (pair: string) => {
    const raise = raises.get(pair);
    if (raise?.stored !== null) return;
    raises.delete(pair);
    refolds.drop(pair);
    toRestart.delete(pair);
    keeper.forget(pair);
    for (const queue of [moments, finalities]) queue.set(pair, null);
    showing.forget(pair);
    if (raise.visible !== null) vanished.push({ pair, before: raise.visible, after: null });
  };

  /** Applies the rows, and returns the pairs whose listings may have changed. */
  const take = (changed: ChainRows): Set<string> => {
    const touched = new Set<string>(changed.replaced);
    for (const pair of touched) clear(pair);
    for (const row of changed.listings) {
      const pair = pairKey(row);
      raiseOf(pair).stored = row;
      touched.add(pair);
      if (isCreated(row, lifecycle) && !registry.listingByPair.has(pair)) unpublished.add(pair);
    }
    for (const pair of changed.restarted ?? []) {
      const entry = registry.listingByPair.get(pair);
      if (entry !== undefined) refolds.begin(pairOf(entry));
      toRestart.delete(pair);
    }
    refolds.add(changed.events ?? []);
    for (const pair of takeRows(changed, raiseOf)) touched.add(pair);
    for (const pair of changed.replaced ?? []) vanish(pair);
    for (const pair of showing.takeHolders(changed.holders)) touched.add(pair);
    return touched;
  };

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

  /** Edits of archived raises that another grade causes. */
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
      const after = showing.show(pair, raise, entry, place);
      raise.visible = after;
      const expiries = after?.listing.status === "live" ? raise.offers.map(({ expiresAt }) => expiresAt) : [];
      const turns = [...turnsOf(raise.row, place.now), ...expiries, after?.entry?.turnsAt ?? null];
      moments.set(pair, nextOf(turns, place.now));
      finalities.set(pair, nextOf([raise.row.updatedBlock], place.finalized));
      const isPlain = !showing.isContradicted(pair) && !isRefolded(raise.stored, lifecycle);
      keeper.consider(pair, raise, { now: place.now, isPlain });
      if (before !== null || after !== null) edits.push({ pair, before, after });
    }
    return edits;
  };

  /** Lets go of what the archive has. */
  const leave = ({ pair, visible: { row, listing } }: Moved, now: bigint) => {
    const raise = raises.get(pair);
    // A map that has grown leaves its old table behind, which holds what is in it until the next full collection.
    if (raise !== undefined) Object.assign(raise, newRaise());
    raises.delete(pair);
    businesses.close(pair, listing.originator, now);
    showing.leave(pair, row.token);
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

  const marketAt = (head: Head): Market =>
    shown.market(head, {
      registry,
      visibleOf,
      creditsOf: businesses.creditsOf,
      hasCorrections,
      hasFlows: hasFlows === true,
      unpublished: unpublished.size,
    });

  return {
    advance(changed, head, finalized) {
      const now = head.timestamp;
      hasFlows ??= changed.flows != null;
      keeper.begin();
      const touched = changed === NO_ROWS ? new Set<string>() : take(changed);
      const turned = [...reentered, ...moments.due(now), ...finalities.due(finalized)];
      reentered.clear();
      for (const pair of turned) touched.add(pair);
      for (const pair of touched) {
        const raise = known(pair);
        if (raise !== null) settle(pair, raise, now);
      }
      const regraded = businesses.regrade(now, (pair) => !raises.has(pair));
      // Most blocks change nothing.
      if (touched.size === 0 && !businesses.isRegraded()) return marketAt(head);
      for (const { pairs } of regraded) for (const pair of pairs) touched.add(pair);
      const edits = [...vanished.splice(0), ...showAll(touched, { now, finalized })];
      for (const { pair, after } of edits)
        if (after === null || changed.replaced?.has(pair)) keeper.takeBack(pair);
      const moved = keeper.putAway(head.number === start.number);
      for (const one of moved) leave(one, now);
      // Raises that have just moved to the archive are left out: V8 keeps the values of a WeakMap until a full collection.
      for (const { pair, after } of edits)
        if (after !== null && raises.has(pair)) visibleOf.set(after.listing, after);
      const full = fullEdits(edits, { moved, takenOut });
      const changes = edits.map((edit) => editOf(edit, ({ listing }) => listing));
      const originators = businesses.update(changes, full.listings, archiveEdits(moved));
      if (touched.size > 0 || originators.length > 0) {
        const inArchive = { moved, gone: [...takenOut.values()], regraded: regraded.flatMap(ofArchive) };
        const records = businesses.changedRecords();
        shown.apply({ edits, full, originators, records, ...inArchive, ...showing.leftOut() });
      }
      takenOut.clear();
      return marketAt(head);
    },
    useEntries(next) {
      const changed = changedEntries(registry, next);
      if (changed === null) return false;
      const archived = changed.pairs.filter((pair) => keeper.rowOfPair(pair) !== null);
      // All rows are read in parts, between which there are answers.
      if (archived.length > MOST_OUT) return false;
      keeper.begin();
      // Archived raises come out unchanged.
      for (const pair of archived) raiseOf(pair);
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
      if (!hasFlows || toRestart.size > 0 || reentered.size > 0 || keeper.isWorn()) return null;
      const full = [...raises.values()];
      if (full.some(({ stored }) => isRefolded(stored, lifecycle))) return null;
      // The sums of raises in full are left out: they are added again when these are loaded.
      const sums = shown.saveWithout(full.flatMap(({ visible }) => visible ?? []));
      const records = businesses.save((pair) => raises.has(pair));
      return sums && { archive: keeper.save(), ...sums, records, rows: rowsOf(raises, showing.holders) };
    },
    toRestart: () => [...toRestart.values()],
  };
}
