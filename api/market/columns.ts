/**
 * Columns of the visible raises: what filters, counts and sitemaps read of all of them, without the raises themselves. About 150 bytes
 * a raise, kept up to date by the edits of each block.
 * @module
 */
import { createHash } from "node:crypto";
import { withoutCaseAndAccents } from "../../config/format/letters.ts";
import { createMarks, createWords, NUMBER_NAMES, NUMBERS, type Raise, roomFor } from "./column-numbers.ts";
import type { Market } from "./market.ts";
import { GRADES, type Listing, REPAYMENTS, STATUSES, type Stats } from "./schema.ts";

/** The fields of a listing that are in columns; times as ISO 8601 or in unix seconds. */
export type ColumnFields = Pick<
  Listing,
  | "status"
  | "repayment"
  | "originatorGrade"
  | "originator"
  | "couponRateBps"
  | "tenorDays"
  | "acceptsMoney"
  | "raisedAmount"
  | "minRaise"
  | "projectedAmount"
> & {
  closeAt: string | number | null;
  maturityAt: string | number | null;
  updatedAt: string | number;
  updatedBlock: string | number;
  /** only "0" has a meaning: whether principal is owed */
  outstandingPrincipal: string;
  /** title, refnum and public id as `withoutCaseAndAccents` writes them; absent from a listing */
  searchText?: string;
  /** What a slow test of this row says, remembered until the row changes; absent from a listing. */
  remember?(key: string, test: (row: ColumnFields) => boolean): boolean;
};

export type Columns = ReturnType<typeof createColumns>;

/** The raises that were created in a month; `latest` is their last change, unix seconds. */
type Month = { count: number; latest: number; revision: number };
/** Unix seconds. */
type Dated = { publicId: string; createdAt: number; changedAt: number };

const FIRST_SIZE = 1_024;
/** Escrows whose raises are counted. */
const MOST_ESCROWS = 10_000;

export function createColumns() {
  /** the place of each raise, by public id */
  const places = new Map<string, number>();
  /** by place; null where there is no raise */
  const ids: (string | null)[] = [];
  const free: number[] = [];
  const originators = createWords();
  const originatorAt: number[] = [];
  let numbers = roomFor(FIRST_SIZE);
  const texts: string[] = [];
  const marks = createMarks();
  /** by place: what only these have; few at a time */
  const open = new Map<number, Pick<Listing, "raisedAmount" | "minRaise" | "projectedAmount">>();
  const owing = new Map<number, { outstanding: bigint; refundable: bigint }>();
  /** raises by escrow, of the first escrows: with a factory each raise has its own */
  const escrows = new Map<string, number>();
  const tallies = {
    status: STATUSES.map(() => 0),
    repayment: REPAYMENTS.map(() => 0),
    grade: GRADES.map(() => 0),
  };
  let version = 0;
  /** the version of the last change in each month */
  const revisions = new Map<number, number>();
  let latest: { version: number; seconds: number } | null = null;

  let at = 0;
  /** The raise at `at`. */
  const row: ColumnFields = {
    get status() {
      return wordAt(STATUSES, numbers.status[at]);
    },
    get repayment() {
      return wordAt(REPAYMENTS, numbers.repayment[at]);
    },
    get originatorGrade() {
      return wordAt(GRADES, numbers.grade[at]);
    },
    get originator() {
      return originators.word(originatorAt[at] ?? 0);
    },
    get couponRateBps() {
      return numbers.coupon[at] ?? 0;
    },
    get tenorDays() {
      return numbers.tenor[at] ?? 0;
    },
    get closeAt() {
      return timeAt(numbers.closeAt);
    },
    get maturityAt() {
      return timeAt(numbers.maturityAt);
    },
    get updatedAt() {
      return numbers.updatedAt[at] ?? 0;
    },
    get updatedBlock() {
      return numbers.updatedBlock[at] ?? 0;
    },
    get outstandingPrincipal() {
      return numbers.isOwed[at] === 1 ? "1" : "0";
    },
    get acceptsMoney() {
      return open.has(at);
    },
    get raisedAmount() {
      return open.get(at)?.raisedAmount ?? "0";
    },
    get minRaise() {
      return open.get(at)?.minRaise ?? "0";
    },
    get projectedAmount() {
      return open.get(at)?.projectedAmount ?? null;
    },
    get searchText() {
      return texts[at] ?? "";
    },
    remember: (key, test) => marks.said(key, at, numbers.status.length, () => test(row)),
  };
  const timeAt = (column: Float64Array): number | null => {
    const seconds = column[at] ?? Number.NaN;
    return Number.isNaN(seconds) ? null : seconds;
  };
  const tally = (sign: 1 | -1, place: number) => {
    for (const name of ["status", "repayment", "grade"] as const) {
      const value = numbers[name][place] ?? 0;
      tallies[name][value] = (tallies[name][value] ?? 0) + sign;
    }
  };

  const countIn = (escrow: string, sign: 1 | -1) => {
    const before = escrows.get(escrow);
    if (before === undefined && (sign < 0 || escrows.size >= MOST_ESCROWS)) return;
    const count = (before ?? 0) + sign;
    if (count === 0) escrows.delete(escrow);
    else escrows.set(escrow, count);
  };

  return {
    add(raise: Raise): void {
      const { listing } = raise;
      const place = places.get(listing.publicId) ?? free.pop() ?? ids.length;
      places.set(listing.publicId, place);
      ids[place] = listing.publicId;
      if (place >= numbers.status.length) numbers = roomFor(2 * place, numbers);
      for (const name of NUMBER_NAMES) numbers[name][place] = NUMBERS[name][1](raise);
      originatorAt[place] = originators.number(listing.originator);
      const text = withoutCaseAndAccents([listing.title, listing.refnum, listing.publicId].join(" "));
      if (texts[place] !== text) texts[place] = text;
      marks.forget(place);
      if (listing.acceptsMoney) {
        const { raisedAmount, minRaise, projectedAmount } = listing;
        open.set(place, { raisedAmount, minRaise, projectedAmount });
      }
      const [outstanding, refundable] = [
        BigInt(listing.outstandingPrincipal),
        BigInt(listing.refundableAmount),
      ];
      if (outstanding !== 0n || refundable !== 0n) owing.set(place, { outstanding, refundable });
      tally(1, place);
      countIn(listing.escrowAddress, 1);
      version += 1;
      revisions.set(numbers.month[place] ?? 0, version);
    },
    remove({ listing }: Raise): void {
      const place = places.get(listing.publicId);
      if (place === undefined) return;
      tally(-1, place);
      countIn(listing.escrowAddress, -1);
      version += 1;
      revisions.set(numbers.month[place] ?? 0, version);
      places.delete(listing.publicId);
      ids[place] = null;
      free.push(place);
      open.delete(place);
      owing.delete(place);
    },
    version: () => version,
    size: () => places.size,
    tallies: () => tallies,
    escrows: (): ReadonlyMap<string, number> => escrows,
    /** Calls back for each raise with its fields, which are valid until the callback returns. */
    each(visit: (row: ColumnFields, publicId: string) => void): void {
      for (at = 0; at < ids.length; at++) {
        const id = ids[at];
        if (id != null) visit(row, id);
      }
    },
    /** The public ids of the raises that a test accepts, in no order; null when there are more than `most`. */
    matching(accepts: (row: ColumnFields) => boolean, most: number): string[] | null {
      const found: string[] = [];
      for (at = 0; at < ids.length; at++) {
        const id = ids[at];
        if (id == null || !accepts(row)) continue;
        if (found.length === most) return null;
        found.push(id);
      }
      return found;
    },
    /** A text that is the same for the same raises alone. */
    fingerprint(accepts: (row: ColumnFields) => boolean): string {
      const marks = Buffer.alloc(Math.ceil(ids.length / 8));
      for (at = 0; at < ids.length; at++) {
        const byte = at >> 3;
        if (ids[at] != null && accepts(row)) marks[byte] = (marks[byte] ?? 0) | (1 << (at & 7));
      }
      return createHash("sha256").update(marks).digest("base64url");
    },
    count(accepts: (row: ColumnFields) => boolean): number {
      let count = 0;
      for (at = 0; at < ids.length; at++) if (ids[at] != null && accepts(row)) count++;
      return count;
    },
    /** What the raises that a test accepts owe and have to return; base units. */
    owedBy(accepts: (row: ColumnFields) => boolean): { outstanding: bigint; refundable: bigint } {
      const sums = { outstanding: 0n, refundable: 0n };
      for (const [place, { outstanding, refundable }] of owing) {
        at = place;
        if (!accepts(row)) continue;
        sums.outstanding += outstanding;
        sums.refundable += refundable;
      }
      return sums;
    },
    /** The last change of a raise, unix seconds; undefined for one that is not visible. */
    changedAt(publicId: string): number | undefined {
      const place = places.get(publicId);
      return place === undefined ? undefined : numbers.changedAt[place];
    },
    /** The raises by the month of their creation (`periodOf`), the earliest first. */
    months(): ReadonlyMap<number, Month> {
      const months = new Map<number, Month>();
      for (const [place, id] of ids.entries()) {
        if (id === null) continue;
        const month = numbers.month[place] ?? 0;
        const own = months.get(month) ?? { count: 0, latest: 0, revision: revisions.get(month) ?? 0 };
        months.set(month, own);
        own.count += 1;
        own.latest = Math.max(own.latest, numbers.changedAt[place] ?? 0);
      }
      return new Map([...months].sort(([a], [b]) => a - b));
    },
    /** The raises created in a month, in the order of their creation. */
    ofMonth(month: number): readonly Dated[] {
      const found: Dated[] = [];
      for (const [place, publicId] of ids.entries()) {
        if (publicId === null || numbers.month[place] !== month) continue;
        const [createdAt = 0, changedAt = 0] = [numbers.createdAt[place], numbers.changedAt[place]];
        found.push({ publicId, createdAt, changedAt });
      }
      return found.sort((a, b) => a.createdAt - b.createdAt || (a.publicId < b.publicId ? -1 : 1));
    },
    /** The last change of a raise of each originator, unix seconds. */
    changesByOriginator(): ReadonlyMap<string, number> {
      const changes = new Float64Array(originators.size());
      for (const [place, id] of ids.entries()) {
        const originator = originatorAt[place] ?? 0;
        const changed = numbers.changedAt[place] ?? 0;
        if (id !== null && changed > (changes[originator] ?? 0)) changes[originator] = changed;
      }
      return new Map([...changes].map((changed, originator) => [originators.word(originator), changed]));
    },
    /** The last change of any raise, unix seconds; null without any. */
    latestChange(): number | null {
      if (places.size === 0) return null;
      if (latest?.version !== version) {
        let seconds = 0;
        for (const [place, id] of ids.entries()) {
          const changed = id === null ? 0 : (numbers.changedAt[place] ?? 0);
          if (changed > seconds) seconds = changed;
        }
        latest = { version, seconds };
      }
      return latest.seconds;
    },
  };
}

function wordAt<Word>(words: readonly Word[], place: number | undefined): Word {
  return words[place ?? 0] as Word;
}

/** by the figures of the market that they are the columns of, with their version then */
const known = new WeakMap<Stats, { columns: Columns; version: number }>();

export function keepColumns(stats: Stats, columns: Columns): Stats {
  known.set(stats, { columns, version: columns.version() });
  return stats;
}

/** The columns of the raises of a market; null for one that others have followed since, and for one of a test. */
export function columnsOf({ stats, listings }: Pick<Market, "listings" | "stats">): Columns | null {
  const found = known.get(stats);
  if (found === undefined || found.version !== found.columns.version()) return null;
  return found.columns.size() === listings.length ? found.columns : null;
}
