/** @module The originators: their grades from their credit records, and the visible listings of each. */
import { deserialize, serialize } from "node:v8";
import { stripControl } from "../../config/format/untrusted-text.ts";
import type { ListingRow, RepaymentRow } from "../../src/fold/state.ts";
import { pairKey, type Registry, type RegistryOriginator } from "../registry/schema.ts";
import { ArchivedRows, type ArchiveView } from "./archive/archived-rows.ts";
import { createShapes, type Shape } from "./archive/shapes.ts";
import { closedFrom, countRecord, gradeAt, gradeTurnsOf, noRecords, type RecordSums } from "./grade.ts";
import { type Credit, carryGrades, creditOf, differsFrom } from "./grade-history.ts";
import { Listings } from "./listings.ts";
import { withOrders } from "./listings-order.ts";
import { createMoments, nextOf } from "./moments.ts";
import type { Edit } from "./ordered.ts";
import type { Originator } from "./originator.ts";
import type { Grade, Listing, Rating } from "./schema.ts";
import { createRunningRecord, keepRecord, recordOf, type SavedRunningRecord } from "./stats.ts";

export type Businesses = {
  /** Brings a raise's part in the credit record of its originator up to date. */
  record(pair: string, row: ListingRow, repayments: readonly RepaymentRow[]): void;
  /** Removes a raise from the credit record of its originator. */
  drop(pair: string, row: ListingRow): void;
  /** Moves the part of a raise that goes into the archive to the sums, if time alone no longer changes it. */
  close(pair: string, originator: string, now: bigint): void;
  /** Moves it back. */
  reopen(pair: string, originator: string, credit: Credit): void;
  /**
   * Regrades originators whose record or time requires it. Parts of raises of the archive that time alone no longer changes move to
   * the sums. Returns those whose grade changed.
   */
  regrade(now: bigint, isArchived: (pair: string) => boolean): Regraded[];
  /** The originators whose record has changed since the last call: by public id, the time (unix seconds) of the change. */
  changedRecords(): ReadonlyMap<string, bigint>;
  /** Whether originators have been graded since the last `update`. */
  isRegraded(): boolean;
  gradeOf(publicId: string): Grade;
  /** The credits from which the grade of a shown originator was computed, unpublished raises included. */
  creditsOf(originator: Originator): readonly Credit[];
  /** The archived raises' share of the records, by originator, for a snapshot. @param isFull whether a pair is not in the archive */
  save(isFull: (pair: string) => boolean): SavedRecords;
  /**
   * Applies edits of visible listings. Returns the originators that changed; those without a listing are not shown.
   * @param full the edits of those listings that are kept in full
   */
  update(
    edits: readonly Edit<Listing>[],
    full: readonly Edit<Listing>[],
    archived: ArchiveEdits,
  ): Edit<Originator>[];
};

/** The archive's share of a record. Its sums stay serialized until needed, which for most businesses is never. */
type SavedRecord = {
  readonly graded: Graded;
  readonly open: readonly Credit[];
  /** `SavedSums`, by `serialize` of their values */
  readonly sums: Uint8Array;
};
type SavedSums = { readonly closed: RecordSums; readonly record: SavedRunningRecord };
export type SavedRecords = {
  /** of the values in `sums` */
  readonly shapes: readonly Shape[];
  readonly of: ReadonlyMap<string, SavedRecord>;
};

type Graded = { readonly grade: Grade; readonly rating: Rating };

/** A changed grade, with the raises that show it: `pairs` of raises in full, `rows` of the archive. */
export type Regraded = { before: Grade; after: Grade; pairs: readonly string[]; rows: readonly number[] };

/** Changes of the archive, by the public ids of the originators. */
export type ArchiveEdits = {
  readonly added: ReadonlyMap<string, readonly number[]>;
  /** how many raises are gone from it */
  readonly removed: ReadonlyMap<string, number>;
  view(gradeOf: () => Grade): ArchiveView;
  /** The part of a row in the record of its originator; null before its drawdown. */
  creditOf(row: number): Credit | null;
};

type Business = {
  readonly entry: RegistryOriginator;
  readonly credits: Map<string, Credit>;
  /** serialized until needed */
  sums: OwnSums | Uint8Array;
  graded: Graded;
  full: readonly Listing[];
  archived: ArchivedRows | null;
  shown: Originator | null;
};

type OwnSums = {
  /** of raises of the archive */
  readonly closed: RecordSums;
  /** of the listings */
  readonly record: ReturnType<typeof createRunningRecord>;
};

/**
 * @param now the time of the first block, unix seconds
 * @param saved the records and archive rows of a snapshot, by originator; they are modified from then on
 */
export function createBusinesses(
  registry: Registry,
  now: bigint,
  saved?: { records: SavedRecords; rows: ReadonlyMap<string, Int32Array>; view: ArchiveEdits["view"] },
): Businesses {
  const businesses = new Map<string, Business>();
  const { pack, unpack, all: shapes } = createShapes(saved?.records.shapes);
  const sumsOf = (one: Business): OwnSums => {
    if (one.sums instanceof Uint8Array) {
      const { closed, record } = unpack(deserialize(one.sums)) as SavedSums;
      one.sums = { closed, record: createRunningRecord(record) };
    }
    return one.sums;
  };
  /** public ids by address */
  const ofAddress = new Map<string, string[]>();
  const moments = createMoments(now);
  const [toGrade, toShow] = [new Set<string>(), new Set<string>()];
  let changed = new Map<string, bigint>();
  for (const entry of registry.originators) {
    const { publicId, kybStatus } = entry;
    const known = saved?.records.of.get(publicId);
    const graded = known?.graded ?? gradeAt([], kybStatus === "approved", now);
    const [rows, view] = [saved?.rows.get(publicId), saved?.view(() => graded.grade)];
    businesses.set(publicId, {
      ...{ entry, graded, full: [], shown: null },
      credits: new Map(known?.open.map((credit) => [credit.pair, credit])),
      sums: known?.sums ?? { closed: noRecords(), record: createRunningRecord() },
      archived: view && rows ? ArchivedRows.restored(view, rows) : null,
    });
    // Time changes only the share of unsettled raises.
    if (known !== undefined) (known.open.length > 0 ? toGrade : toShow).add(publicId);
    for (const address of entry.addresses) {
      const others = ofAddress.get(address);
      if (others === undefined) ofAddress.set(address, [publicId]);
      else others.push(publicId);
    }
  }
  /** by the originator object, so that older markets keep theirs */
  const creditsOf = new WeakMap<Originator, () => readonly Credit[]>();

  const business = (publicId: string): Business => {
    const known = businesses.get(publicId);
    if (known === undefined) throw new Error(`no originator ${publicId}`);
    return known;
  };
  /** The record of a business after it has been read for those who may still ask for it as it is. */
  const recordToChange = ({ originator }: Listing) => {
    const one = business(originator);
    if (one.shown !== null) recordOf(one.shown);
    return sumsOf(one).record;
  };
  /** The originators with a raise in their record: unpublishing a raise does not hide a default from its addresses. */
  const ownersOf = (pair: string, { originator }: ListingRow): readonly string[] => {
    const entry = registry.listingByPair.get(pair);
    if (entry !== undefined) return [entry.originator];
    return originator === null ? [] : (ofAddress.get(originator) ?? []);
  };

  /** @param full listings to leave out */
  const bytesOf = ({ closed, record }: OwnSums, full: readonly Listing[]): Uint8Array => {
    const own = createRunningRecord(record.save());
    for (const listing of full) own.count(listing, -1);
    return serialize(pack({ closed, record: own.save() } satisfies SavedSums));
  };

  const close = (one: Business, pair: string, now: bigint) => {
    const credit = one.credits.get(pair);
    const from = credit && closedFrom(credit);
    if (credit === undefined || from == null || from > now) return;
    one.credits.delete(pair);
    countRecord(sumsOf(one).closed, credit, from);
  };

  const noteChange = (publicId: string, before: Credit | undefined, after: Credit | null) => {
    const [since, earlier] = [differsFrom(before ?? null, after), changed.get(publicId)];
    if (since !== null && (earlier === undefined || since < earlier)) changed.set(publicId, since);
  };

  return {
    record(pair, row, repayments) {
      const credit = creditOf(pair, row, repayments);
      for (const publicId of ownersOf(pair, row)) {
        const one = business(publicId);
        noteChange(publicId, one.credits.get(pair), credit);
        if (credit !== null) one.credits.set(pair, credit);
        else if (!one.credits.delete(pair)) continue;
        toGrade.add(publicId);
      }
    },
    drop(pair, row) {
      for (const publicId of ownersOf(pair, row)) {
        const { credits } = business(publicId);
        noteChange(publicId, credits.get(pair), null);
        if (credits.delete(pair)) toGrade.add(publicId);
      }
    },
    close: (pair, originator, now) => close(business(originator), pair, now),
    reopen(pair, originator, credit) {
      const one = business(originator);
      if (one.credits.has(pair)) return;
      one.credits.set(pair, credit);
      // Undoes its addition to the sums, whenever that was.
      countRecord(sumsOf(one).closed, credit, closedFrom(credit) ?? 0n, -1);
    },
    regrade(now, isArchived) {
      for (const publicId of moments.due(now)) toGrade.add(publicId);
      if (toGrade.size === 0) return [];
      const regraded = [...toGrade].flatMap((publicId): Regraded[] => {
        const one = business(publicId);
        // A loss caps the grade for a year, and is in the archive long before.
        for (const pair of one.credits.keys()) if (isArchived(pair)) close(one, pair, now);
        const records = [...one.credits.values()];
        const before = one.graded;
        one.graded = gradeAt(records, one.entry.kybStatus === "approved", now, sumsOf(one).closed);
        moments.set(publicId, nextOf(records.flatMap(gradeTurnsOf), now));
        toShow.add(publicId);
        if (before.grade === one.graded.grade) return [];
        const { archived, full } = one;
        const rows = archived === null ? [] : Array.from(archived.walk(null), ({ row }) => row);
        return [{ before: before.grade, after: one.graded.grade, pairs: full.map(pairKey), rows }];
      });
      toGrade.clear();
      return regraded;
    },
    changedRecords() {
      const found = changed;
      changed = new Map();
      return found;
    },
    isRegraded: () => toShow.size > 0,
    gradeOf: (publicId) => business(publicId).graded.grade,
    creditsOf: (originator) => creditsOf.get(originator)?.() ?? [],
    save(isFull) {
      const records = new Map<string, SavedRecord>();
      for (const [publicId, { credits, graded, sums, full }] of businesses) {
        const open = [...credits.values()].filter(({ pair }) => !isFull(pair));
        records.set(publicId, {
          graded,
          open,
          sums: sums instanceof Uint8Array ? sums : bytesOf(sums, full),
        });
      }
      return { shapes: [...shapes], of: records };
    },
    update(edits, full, { added, removed, view, creditOf: creditOfRow }) {
      for (const { before, after } of edits) {
        if (before !== null) recordToChange(before).count(before, -1);
        if (after !== null) recordToChange(after).count(after, 1);
      }
      const byOriginator = Map.groupBy(full, ({ before, after }) => (after ?? before)?.originator ?? "");
      for (const [publicId, own] of byOriginator) {
        const one = business(publicId);
        one.full = withOrders(one.full, own);
        toShow.add(publicId);
      }
      for (const publicId of [...added.keys(), ...removed.keys()]) toShow.add(publicId);
      const shown = [...toShow].flatMap((publicId): Edit<Originator>[] => {
        const one = business(publicId);
        const before = one.shown;
        const [more, fewer] = [added.get(publicId) ?? [], removed.get(publicId) ?? 0];
        const { grade } = one.graded;
        const isOther = fewer > 0 || (one.archived !== null && one.archived.view.gradeOf(publicId) !== grade);
        if (isOther || more.length > 0) {
          const own = view(() => grade);
          one.archived = (one.archived ?? ArchivedRows.none(own)).with(own, more, fewer);
        }
        one.shown = one.full.length + (one.archived?.length ?? 0) === 0 ? null : toOriginator(one);
        if (one.shown !== null) {
          creditsOf.set(one.shown, creditsTogether(one, creditOfRow));
          keepRecord(one.shown, () => sumsOf(one).record.current());
          if (before !== null) carryGrades(before, one.shown, changed.get(publicId) ?? null);
        }
        return before === null && one.shown === null ? [] : [{ before, after: one.shown }];
      });
      toShow.clear();
      return shown;
    },
  };
}

/** The records of a business as they are now, those of the archive read when they are asked for. */
function creditsTogether(
  { credits, archived }: Business,
  creditOfRow: ArchiveEdits["creditOf"],
): () => readonly Credit[] {
  const open = [...credits.values()];
  if (archived === null || archived.length === 0) return () => open;
  return () => {
    const known = new Set(open.map(({ pair }) => pair));
    const rows = Array.from(archived.walk(null), ({ row, repayment }) =>
      repayment === "not_drawn" ? [] : row,
    ).flat();
    const closed = rows.flatMap((row) => creditOfRow(row) ?? []).filter(({ pair }) => !known.has(pair));
    return [...closed, ...open];
  };
}

/** Interface document: "a business that has published a listing". */
function toOriginator({ entry, graded, full, archived }: Business): Originator {
  const { publicId, jurisdiction, kybStatus } = entry;
  const legalName = stripControl(entry.legalName, { keepLineFeeds: false });
  const { grade: ratingGrade, rating } = graded;
  const listings = new Listings(full, archived);
  return { publicId, legalName, jurisdiction, ratingGrade, kybStatus, rating, listings };
}
