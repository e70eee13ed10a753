/** @module Moves raises that have ended into the archive, and takes out what an event or the registry changes. */
import { LRUCache } from "lru-cache";
import type { GrowingBytes } from "../../../config/bytes.ts";
import type { PublicSettings } from "../../../config/public-settings.ts";
import { pairKey, type Registry, type RegistryListing } from "../../registry/schema.ts";
import { named } from "../entries.ts";
import { toListing } from "../listing.ts";
import { nextOf } from "../moments.ts";
import type { Raise } from "../raise.ts";
import type { Grade, Listing } from "../schema.ts";
import { isOver } from "../status.ts";
import { deskEntryOf } from "../trading.ts";
import { turnsOf } from "../turns.ts";
import type { Visible } from "../visible.ts";
import { createArchive, fitsArchive, type SavedArchive } from "./archive.ts";
import type { ArchiveView } from "./archived-rows.ts";

/** Raises that are moved at once: it costs a copy of each order. */
const AT_ONCE = 1_024;
/** Listings of the archive that are kept in full as well, about 5 kB each. Of more, most are old objects by the time they are dropped. */
const MOST_OPEN = 1_000;

export type KeeperParameters = {
  registry(): Registry;
  /** of an originator, by its public id */
  gradeOf(originator: string): Grade;
  publicSettings: PublicSettings;
  /** by the listing object: it is given those of the archive too */
  visibleOf: WeakMap<Listing, Visible>;
  /** Null for a market without an archive. */
  atOnce?: number | null | undefined;
  block?: number | undefined;
  /** where its compressed blocks are kept; in memory by default */
  blocksIn?: (() => GrowingBytes | null) | undefined;
  /** of a snapshot, by an archive with the same `block` */
  saved?: SavedArchive | null | undefined;
};

type Opened = { visible: Visible; grade: Grade; entry: RegistryListing | undefined };

export type Moved = { pair: string; row: number; visible: Visible };

export type Keeper = ReturnType<typeof createKeeper>;

export function createKeeper({
  registry,
  gradeOf,
  publicSettings,
  visibleOf,
  atOnce = AT_ONCE,
  block,
  blocksIn,
  saved = null,
}: KeeperParameters) {
  const archive = createArchive({
    ...{ block, saved, room: atOnce === null ? 0 : registry().listings.length },
    blocksIn: atOnce === null ? null : blocksIn?.(),
  });
  /** raises in full that the archive may take */
  const ready = new Map<string, Raise>();
  const opened = new LRUCache<number, Opened>({ max: MOST_OPEN });
  const hasDesk = publicSettings.desk !== null;
  let version = saved?.version ?? 0;

  /** As it was when it was put here, but for its grade. */
  const show = (
    { row: stored, madeAt, ...kept }: ReturnType<typeof archive.read>,
    registered: RegistryListing | undefined,
    grade: Grade,
  ): Visible => {
    const originator = registered && registry().originatorByPublicId.get(registered.originator);
    if (registered === undefined || originator === undefined)
      throw new Error("no entry for a raise of the archive");
    const row = named(stored, registered);
    const terms = { bids: null, termsFrom: "chain" } as const;
    const offering = { row, ...terms, entry: registered, originator, grade };
    const listing = toListing(offering, { now: madeAt, finalized: row.updatedBlock }, publicSettings);
    const entry = hasDesk ? deskEntryOf({ row, listing, ...kept }, null, madeAt) : null;
    return { row, listing, ...kept, corrections: [], country: originator.jurisdiction, madeAt, entry };
  };

  /** @param isKept whether to keep it in full for the next caller */
  const open = (row: number, grade: Grade, isKept = true): Visible => {
    const known = opened.get(row);
    if (known?.grade === grade) return known.visible;
    const kept = archive.read(row);
    // Older markets may ask for what is gone, whose entry is another now.
    const entry = known?.entry ?? registry().listingByPair.get(pairKey(kept.row));
    const visible = show(kept, entry, grade);
    if (!isKept) return visible;
    visibleOf.set(visible.listing, visible);
    opened.set(row, { visible, grade, entry });
    return visible;
  };

  const presentRows = (): Int32Array => {
    const rows = new Int32Array(archive.rows);
    let count = 0;
    for (let row = 0; row < rows.length; row++) if (archive.isPresent(row, version)) rows[count++] = row;
    return rows.subarray(0, count);
  };

  return {
    open,
    openNow: (row: number) => open(row, gradeOf(archive.originatorOf(row))),
    /** The raises in the archive with the last trades on the desk. */
    lastTraded: () =>
      archive
        .lastTraded(version)
        .flatMap((row) => open(row, gradeOf(archive.originatorOf(row)), false).entry ?? []),
    isPresent: (row: number) => archive.isPresent(row, version),
    /** Begins the changes of a block. */
    begin(): void {
      version = archive.begin();
    },
    rowOfPair: (pair: string) => (archive.rows === 0 ? null : archive.rowOfPair(pair, version)),
    /** Notes that a raise is gone, or as it was earlier. */
    takeBack(pair: string): void {
      if (archive.hasHad(pair)) archive.rewind();
    },
    /** Notes whether the archive may take a raise. */
    consider(pair: string, raise: Raise, { now, isPlain }: { now: bigint; isPlain: boolean }): void {
      if (atOnce !== null && isPlain && hasEnded(raise, now)) ready.set(pair, raise);
      else ready.delete(pair);
    },
    /** Forgets a raise that a reorg has removed. */
    forget: (pair: string) => void ready.delete(pair),
    /** Takes a raise out. */
    takeOut(row: number): { raise: Raise; visible: Visible } {
      const visible = open(row, gradeOf(archive.originatorOf(row)));
      archive.remove(row);
      const { row: stored, repayments, offers, trades, flows } = archive.read(row);
      const of = { stored, storedRepayments: repayments, row: stored, corrections: [], repayments };
      return { raise: { ...of, offers, trades, flows, bids: null, visible }, visible };
    },
    /** Moves what is ready, once it is enough. @param isFirst whether the first market is being made, when no order is in use */
    putAway(isFirst: boolean): Moved[] {
      if (atOnce === null || ready.size < (isFirst ? archive.block : atOnce)) return [];
      const moved = [...ready].slice(0, ready.size - (ready.size % archive.block));
      for (const [pair] of moved) ready.delete(pair);
      const finished = moved.map(([, { stored, visible }]) => ({
        stored: stored as NonNullable<Raise["stored"]>,
        visible: visible as Visible,
      }));
      const rows = archive.add(finished);
      return finished.map(({ visible }, index) => ({
        pair: pairKey(visible.row),
        row: rows[index] as number,
        visible,
      }));
    },
    rows: presentRows,
    /** Whether most rows have come out. They would be saved with the others, again and again. */
    isWorn: () => 2 * presentRows().length < archive.rows,
    /** The rows of each originator, by its public id. */
    byOriginator(rows: Int32Array): Map<string, Int32Array> {
      const counts: number[] = [];
      for (const row of rows) {
        const index = archive.originatorIndexOf(row);
        counts[index] = (counts[index] ?? 0) + 1;
      }
      const own = counts.map((count) => ({ rows: new Int32Array(count), filled: 0 }));
      for (const row of rows) {
        const of = own[archive.originatorIndexOf(row)] as (typeof own)[number];
        of.rows[of.filled++] = row;
      }
      return new Map(own.flatMap((of) => [[archive.originatorOf(of.rows[0] as number), of.rows]]));
    },
    save: archive.save,
    /** The archive as it is now. @param gradeThen of an originator, in the market that sees it */
    view(gradeThen: (originator: string) => Grade): ArchiveView {
      const gradeOfRow = (row: number) => gradeThen(archive.originatorOf(row));
      return {
        ...{ archive, version, gradeOf: gradeThen },
        listingOf: (row) => open(row, gradeOfRow(row)).listing,
        listingToRead: (row) => open(row, gradeOfRow(row), false).listing,
      };
    },
  };
}

/** Whether only an event, the registry or the grade of the business can change a visible raise. */
function hasEnded({ stored, visible, corrections }: Raise, now: bigint): boolean {
  if (stored === null || visible === null || corrections.length > 0 || visible.entry?.isShown) return false;
  const { listing, row } = visible;
  return (
    isOver(listing) &&
    listing.finality === "final" &&
    nextOf(turnsOf(row, now), now) === null &&
    fitsArchive(visible)
  );
}
