/**
 * The archive: raises that have ended and that nothing but a new event can change, in columns for filters and orders and in
 * compressed blocks for everything else. Rows are added and marked as gone, never changed, so that older markets keep theirs.
 * @module
 */
import { type Bytes, type GrowingBytes, inMemory } from "../../../config/bytes.ts";
import { withoutCaseAndAccents } from "../../../config/format/letters.ts";
import { LAST_SECOND } from "../../../config/format/time.ts";
import type { ListingRow } from "../../../src/fold/state.ts";
import { lastChange } from "../changes.ts";
import { type Grade, REPAYMENTS, STATUSES } from "../schema.ts";
import { openedAt } from "../status.ts";
import type { Visible } from "../visible.ts";
import { AMOUNTS, type AmountName, ArchivedFacts, COLUMNS } from "./archived-facts.ts";
import { createBodies, type Kept, type SavedBodies } from "./bodies.ts";
import { type Columns, createColumns, type Numbers } from "./columns.ts";
import type { RowFacts } from "./facts.ts";
import { createKeyIndex } from "./key-index.ts";
import { createWordIndex } from "./word-index.ts";

/** A version of the archive is a number that grows with every change to it. */
type Version = number;

const BLOCK = 16;
const NEVER = 2 ** 32 - 1;
const LINE_FEED = 10;
const MOST_WIDE = 2n ** 128n;
const TIMES = ["goLiveAt", "closeAt", "maturityAt", "updatedAt"] as const;

/** A visible raise, with its row as it is in the tables: the registry may have added names to the other. */
type Finished = { stored: ListingRow; visible: Visible };

export type Archive = {
  /** different for each archive of the process */
  readonly number: number;
  /** Begins a new version, of which the following changes are. */
  begin(): Version;
  /** Adds raises, a whole number of blocks. @returns their rows */
  add(raises: readonly Finished[]): number[];
  remove(row: number): void;
  isPresent(row: number, version: Version): boolean;
  isRemoved(row: number): boolean;
  read(row: number): Kept & Pick<Visible, "madeAt">;
  /** The stored form of the rows that `read` returns: the same bytes are the same rows. */
  bytes(row: number): Uint8Array;
  /** by `pairKey` */
  rowOfPair(pair: string, version: Version): number | null;
  rowOfPublicId(publicId: string, version: Version): number | null;
  /** Rows by refnum in capital letters. */
  rowsOfRefnum(uppercase: string, version: Version): number[];
  publicIdOf(row: number): string;
  /** the public id */
  originatorOf(row: number): string;
  /** The rows with the last trade between two parties, several where that second had several; none without a trade. */
  lastTraded(version: Version): number[];
  /** The index of the state of its repayment in `REPAYMENTS`. */
  repaymentOf(row: number): number;
  /** The same in `STATUSES`. */
  statusOf(row: number): number;
  /** The rows that were there by a version: those before this number, some of which may have been removed since. */
  rowsAt(version: Version): number;
  /** Rows that were removed since the archive was made or loaded, in this order. */
  readonly removed: readonly number[];
  /** Whether it has had a row of this pair, removed or not. */
  hasHad(pair: string): boolean;
  /** Notes that a raise has changed earlier than a row of it that was removed, or is gone: others change later, and are still there. */
  rewind(): void;
  /** Whether that was after the one version, up to the other. */
  isRewound(after: Version, to: Version): boolean;
  /** A small number, the same for all rows of an originator. */
  originatorIndexOf(row: number): number;
  /** Facts of whatever row they are set to. @param gradeOf an originator, by its public id */
  facts(gradeOf: (originator: string) => Grade): RowFacts & { row: number };
  /** raises of which a whole number must be added at once */
  readonly block: number;
  readonly rows: number;
  save(): SavedArchive;
};

/** An archive for a snapshot. What was appended by then is not changed by later appends, but rows may be gone since. */
export type SavedArchive = {
  rows: number;
  block: number;
  version: Version;
  escrows: readonly string[];
  originators: readonly string[];
  layouts: SavedBodies["layouts"];
  numbers: Readonly<Record<string, Numbers>>;
  /** in pieces when it is saved, in one when it is loaded */
  bodies: readonly Bytes[];
};

/** Whether the archive can hold a raise: its figures are within bounds, and its refnum has no line feed. Any other stays in full. */
export function fitsArchive({ listing, row }: Visible): boolean {
  return (
    AMOUNTS.every((name) => BigInt(listing[name]) < MOST_WIDE) &&
    !listing.refnum.includes("\n") &&
    listing.outstandingPrincipal === "0" &&
    !listing.acceptsMoney &&
    TIMES.every((name) => (row[name] ?? 0n) <= LAST_SECOND) &&
    row.updatedBlock <= BigInt(Number.MAX_SAFE_INTEGER)
  );
}

let archives = 0;

type ArchiveOptions = {
  /** raises that are compressed together: more take less memory, and longer to read */
  block?: number | undefined;
  /** by an archive with the same block */
  saved?: SavedArchive | null | undefined;
  /** raises that are expected */
  room?: number | undefined;
  /** where compressed blocks are kept; in memory by default */
  blocksIn?: GrowingBytes | null | undefined;
};

export function createArchive({
  block = BLOCK,
  saved = null,
  room = 0,
  blocksIn = null,
}: ArchiveOptions = {}): Archive {
  const { bodyEnds, textBytes, searchBytes, publicIds, pairs, refnums, ...numbers } = saved?.numbers ?? {};
  const bodies = createBodies(
    block,
    saved === null
      ? undefined
      : {
          bytes: saved.bodies[0] ?? inMemory(new Uint8Array()),
          ends: bodyEnds as Float64Array,
          layouts: saved.layouts,
        },
    blocksIn,
  );
  const columns = createColumns(
    COLUMNS,
    saved === null ? undefined : (numbers as Columns<typeof COLUMNS>["at"]),
  );
  const bytesOf = (known: Numbers | undefined) =>
    createColumns({ bytes: "byte" }, known && { bytes: known as Uint8Array<ArrayBuffer> });
  const [texts, searched] = [bytesOf(textBytes), bytesOf(searchBytes)];
  const [escrows, originators] = [createNames(saved?.escrows), createNames(saved?.originators)];
  let version: Version = saved?.version ?? 0;
  let rows = saved?.rows ?? 0;
  const removed: number[] = [];

  const { at } = columns;
  const startOf = (row: number) => (row === 0 ? 0 : (at.textEnd[row - 1] as number));
  let buffer = Buffer.alloc(0);
  /** the texts of all rows: public id, refnum and on-chain id, each with a line feed */
  const allTexts = (): Buffer => {
    const { bytes } = texts.at;
    if (buffer.buffer !== bytes.buffer) buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return buffer;
  };
  const rowsWith = createWordIndex(() => ({ bytes: searched.at.bytes, ends: at.searchEnd, rows }));
  const textsOf = (row: number): string[] =>
    allTexts().toString("utf8", startOf(row), at.textEnd[row]).split("\n");
  /** One of the first three. */
  const textOf = (row: number, place: number): string => {
    const all = allTexts();
    let start = startOf(row);
    for (let before = 0; before < place; before++) start = all.indexOf(LINE_FEED, start) + 1;
    return all.toString("utf8", start, all.indexOf(LINE_FEED, start));
  };
  const publicIdOf = (row: number) => textOf(row, 0);
  const refnumOf = (row: number) => textOf(row, 1);
  const pairOf = (row: number) => `${escrows.name(at.escrow[row] as number)}:${textOf(row, 2)}`;
  const originatorOf = (row: number) => originators.name(at.originator[row] as number);
  const knownIn = (places: Numbers | undefined) => places && { places: places as Int32Array, rows };
  const byPublicId = createKeyIndex(publicIdOf, room, knownIn(publicIds));
  const byPair = createKeyIndex(pairOf, room, knownIn(pairs));
  const byRefnum = createKeyIndex((row) => refnumOf(row).toUpperCase(), room, knownIn(refnums));
  const isPresent = (row: number, of: Version) =>
    (at.born[row] as number) <= of && of < (at.died[row] as number);

  const write = ({ visible }: Finished) => {
    const { listing, row: stored, madeAt } = visible;
    const row = rows++;
    at.born[row] = version;
    at.died[row] = NEVER;
    at.escrow[row] = escrows.index(listing.escrowAddress);
    at.originator[row] = originators.index(listing.originator);
    at.status[row] = STATUSES.indexOf(listing.status);
    at.repayment[row] = REPAYMENTS.indexOf(listing.repayment);
    at.isAuction[row] = Number(listing.pricingMode === "auction");
    at.tenorDays[row] = listing.tenorDays;
    at.subscriberCount[row] = listing.subscriberCount;
    at.couponRateBps[row] = listing.couponRateBps;
    at.updatedBlock[row] = Number(stored.updatedBlock);
    at.madeAt[row] = Number(madeAt);
    at.createdAt[row] = Number(stored.createdAt ?? openedAt(stored));
    at.changedAt[row] = Number(lastChange(visible, madeAt));
    for (const name of TIMES) at[name][row] = stored[name] === null ? Number.NaN : Number(stored[name]);
    at.tradedAt[row] = Number(visible.entry?.last?.blockTime ?? Number.NaN);
    for (const name of AMOUNTS) {
      const amount = name === "refundableAmount" ? BigInt(listing[name]) : (stored[name] ?? 0n);
      at[`${name}High`][row] = amount >> 64n;
      // The lower half: an array of 64 bits takes no more.
      at[name][row] = amount;
    }
    const { publicId, refnum, onchainId, title } = listing;
    at.textEnd[row] = append(texts, startOf(row), `${publicId}\n${refnum}\n${onchainId}\n`);
    const searchText = withoutCaseAndAccents(`${title} ${refnum} ${publicId}`);
    at.searchEnd[row] = append(
      searched,
      row === 0 ? 0 : (at.searchEnd[row - 1] as number),
      `${searchText}\n`,
    );
    byPublicId.add(publicId, row);
    byPair.add(`${listing.escrowAddress}:${onchainId}`, row);
    byRefnum.add(refnum.toUpperCase(), row);
    return row;
  };
  const rowOf = (candidates: Iterable<number>, is: (row: number) => boolean, of: Version) => {
    for (const row of candidates) if (isPresent(row, of) && is(row)) return row;
    return null;
  };
  const amountOf = (name: AmountName, row: number) =>
    ((at[`${name}High`][row] as bigint) << 64n) | (at[name][row] as bigint);

  const rewinds: Version[] = [];
  const factColumns = { at, textsOf, rowsWith, originatorOf, escrowOf: escrows.name, amountOf };

  return {
    number: ++archives,
    begin: () => ++version,
    add(raises) {
      columns.grow(rows + raises.length);
      for (let start = 0; start < raises.length; start += block)
        bodies.add(raises.slice(start, start + block).map(keptOf));
      return raises.map(write);
    },
    remove(row) {
      removed.push(row);
      at.died[row] = version;
    },
    isPresent,
    isRemoved: (row) => at.died[row] !== NEVER,
    read: (row) => ({ ...bodies.read(row), madeAt: BigInt(at.madeAt[row] as number) }),
    bytes: bodies.bytes,
    rowOfPair: (pair, of) => rowOf(byPair.candidates(pair), (row) => pairOf(row) === pair, of),
    rowOfPublicId: (publicId, of) =>
      rowOf(byPublicId.candidates(publicId), (row) => publicIdOf(row) === publicId, of),
    rowsOfRefnum: (uppercase, of) =>
      [...byRefnum.candidates(uppercase)].filter(
        (row) => isPresent(row, of) && refnumOf(row).toUpperCase() === uppercase,
      ),
    publicIdOf,
    originatorOf,
    lastTraded(of) {
      let found: { traded: number; rows: number[] } = { traded: Number.NEGATIVE_INFINITY, rows: [] };
      for (let row = 0; row < rows; row++) {
        const traded = at.tradedAt[row] as number;
        // Not a number without a trade.
        if (!(traded >= found.traded) || !isPresent(row, of)) continue;
        if (traded > found.traded) found = { traded, rows: [] };
        found.rows.push(row);
      }
      return found.rows;
    },
    repaymentOf: (row) => at.repayment[row] as number,
    statusOf: (row) => at.status[row] as number,
    removed,
    hasHad: (pair) => [...byPair.candidates(pair)].some((row) => pairOf(row) === pair),
    rewind: () => void rewinds.push(version),
    isRewound: (after, to) => rewinds.some((at) => after < at && at <= to),
    rowsAt(of) {
      let end = rows;
      while (end > 0 && (at.born[end - 1] as number) > of) end--;
      return end;
    },
    originatorIndexOf: (row) => at.originator[row] as number,
    facts: (gradeOf) => new ArchivedFacts(factColumns, gradeOf),
    block,
    get rows() {
      return rows;
    },
    save() {
      const { bytes, ends, layouts } = bodies.save();
      const bytesTo = ({ at: { bytes } }: typeof texts, ends: Numbers) =>
        bytes.subarray(0, rows === 0 ? 0 : Number(ends[rows - 1]));
      return {
        ...{ rows, block, version, layouts, bodies: bytes },
        ...{ escrows: [...escrows.names], originators: [...originators.names] },
        numbers: {
          ...columns.first(rows),
          ...{ bodyEnds: ends, textBytes: bytesTo(texts, at.textEnd) },
          searchBytes: bytesTo(searched, at.searchEnd),
          // These change while the rest is being written.
          ...{ died: at.died.slice(0, rows), publicIds: byPublicId.places().slice() },
          ...{ pairs: byPair.places().slice(), refnums: byRefnum.places().slice() },
        },
      };
    },
  };
}

/** Writes a text behind another one. @returns where it ends */
function append(texts: Columns<{ bytes: "byte" }>, start: number, text: string): number {
  const bytes = Buffer.from(text);
  texts.grow(start + bytes.length);
  texts.at.bytes.set(bytes, start);
  return start + bytes.length;
}

function keptOf({ stored, visible: { repayments, offers, trades, flows } }: Finished): Kept {
  return { row: stored, repayments, offers, trades, flows };
}

/** Names that many rows share. */
function createNames(known: readonly string[] = []) {
  const names = [...known];
  const indexes = new Map(names.map((name, index) => [name, index]));
  return {
    names,
    name: (index: number) => names[index] as string,
    index(name: string) {
      const known = indexes.get(name);
      if (known !== undefined) return known;
      indexes.set(name, names.length);
      return names.push(name) - 1;
    },
  };
}
