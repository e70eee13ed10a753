/**
 * Figures of all raises for sitemaps, counts and last changes: sums over the facts of those in full, and over the columns of the archive,
 * which follow it from block to block.
 * @module
 */
import { secondsOf } from "../../config/format/time.ts";
import type { Archive } from "./archive/archive.ts";
import type { ArchivedRows } from "./archive/archived-rows.ts";
import type { RowFacts } from "./archive/facts.ts";
import { createFollower, type Follower } from "./archive/follower.ts";
import type { Market } from "./market.ts";
import { byPublicId } from "./ordered.ts";
import { dayOf, periodOf } from "./periods.ts";
import { GRADES, REPAYMENTS, STATUSES } from "./schema.ts";

/** Unix seconds. */
type Dated = { publicId: string; createdAt: number; changedAt: number };
/** The raises that were created in a month: their last change in unix seconds, and a number that changes with any of them. */
type Month = { count: number; latest: number; revision: number };

type Sums = {
  months: Map<number, Month>;
  originators: Map<string, { count: number; latest: number }>;
  escrows: Map<string, number>;
  status: number[];
  repayment: number[];
  latest: number;
  /** rows of the archive whose backers can still claim money; some may be gone */
  refundable: number[];
};

const noSums = (): Sums => ({
  ...{ months: new Map(), originators: new Map(), escrows: new Map() },
  ...{ status: STATUSES.map(() => 0), repayment: REPAYMENTS.map(() => 0), latest: 0, refundable: [] },
});

/** A raise as the sums take it. */
type Counted = {
  escrowAddress: string;
  originator: string;
  status: (typeof STATUSES)[number];
  repayment: (typeof REPAYMENTS)[number];
  createdAt: number;
  changedAt: number;
};

export type Columns = ReturnType<typeof createColumns>;

const ofArchive = new WeakMap<Archive, Follower<Sums>>();
const known = new WeakMap<Market["listings"], Columns>();

export type DatedMarket = Pick<Market, "listings" | "changedAt" | "createdAt" | "originatorByPublicId">;

/** Made when they are first asked for: whatever changes a raise, time included, makes another list. */
export function columnsOf(market: DatedMarket): Columns {
  const columns = known.get(market.listings) ?? createColumns(market);
  known.set(market.listings, columns);
  return columns;
}

function createColumns({ listings, changedAt, createdAt, originatorByPublicId }: DatedMarket) {
  const { full, archived } = listings;
  let sums: Sums | null = null;
  const all = (): Sums => {
    if (sums !== null) return sums;
    sums = copyOf(archived === null ? null : sumsOf(archived).state);
    for (const listing of full) {
      const { escrowAddress, originator, status, repayment } = listing;
      const times = { createdAt: seconds(createdAt(listing)), changedAt: seconds(changedAt(listing)) };
      count(sums, { escrowAddress, originator, status, repayment, ...times }, 1);
    }
    return sums;
  };
  return {
    /** The number of raises with each word of these fields, in the order of its words. */
    tallies(): Readonly<Record<"status" | "repayment" | "grade", readonly number[]>> {
      const { status, repayment, originators } = all();
      const grade = GRADES.map(() => 0);
      for (const [publicId, { count }] of originators)
        (grade[GRADES.indexOf(originatorByPublicId.get(publicId)?.ratingGrade ?? "NR")] as number) += count;
      return { status, repayment, grade };
    },
    escrows: (): ReadonlyMap<string, number> => new Map([...all().escrows].filter(([, count]) => count > 0)),
    /** The raises by the month of their creation (`periodOf`), the earliest first. */
    months: (): ReadonlyMap<number, Month> =>
      new Map([...all().months].filter(([, { count }]) => count > 0).sort(([a], [b]) => a - b)),
    /** The raises created in a month, in the order of their creation. */
    ofMonth(month: number): readonly Dated[] {
      const found: Dated[] = [];
      for (const listing of full) {
        const created = seconds(createdAt(listing));
        if (monthOf(created) === month)
          found.push({
            publicId: listing.publicId,
            createdAt: created,
            changedAt: seconds(changedAt(listing)),
          });
      }
      for (const row of archived?.walk(null) ?? [])
        if (monthOf(row.createdAt) === month)
          found.push({ publicId: row.publicId, createdAt: row.createdAt, changedAt: row.changedAt });
      return found.sort((a, b) => a.createdAt - b.createdAt || byPublicId(a, b));
    },
    /** The last change of a raise of each originator, unix seconds. */
    changesByOriginator: (): ReadonlyMap<string, number> =>
      new Map(Array.from(all().originators, ([publicId, { latest }]) => [publicId, latest])),
    /** The facts of the archived raises whose backers can still claim money, in an object that shows one after the other. */
    refundable: (): Iterable<RowFacts> => archived?.factsOf(sumsOf(archived).state.refundable) ?? [],
    /** Counts up to so many rows of the archive, before anything is asked for. @returns whether there are more */
    countOn: (most: number): boolean => archived !== null && !sumsOf(archived, most).isWhole,
    /** The last change of any raise, unix seconds; null without any. */
    latestChange: (): number | null => (listings.length === 0 ? null : all().latest),
  };
}

/** Later calls change them. */
function sumsOf({ view }: ArchivedRows, most?: number): ReturnType<Follower<Sums>> {
  const follow = ofArchive.get(view.archive) ?? createFollower(noSums, { hasGrades: false });
  ofArchive.set(view.archive, follow);
  const take: Parameters<typeof follow>[1] = (sums, facts, sign) => {
    count(sums, facts, sign);
    if (sign === 1 && facts.refundableAmount !== "0") sums.refundable.push(facts.row);
  };
  return follow(view, take, most);
}

/** The latest changes stay when a raise is taken away: it comes back with a later one. */
function count(sums: Sums, raise: Counted, sign: 1 | -1): void {
  const { escrowAddress, originator, createdAt, changedAt } = raise;
  const month = monthOf(createdAt);
  const { count, latest, revision } = sums.months.get(month) ?? { count: 0, latest: 0, revision: 0 };
  sums.months.set(month, {
    ...{ count: count + sign, latest: Math.max(latest, changedAt) },
    revision: (revision + (sign === 1 ? changedAt : MOST - changedAt)) % MOST,
  });
  const own = sums.originators.get(originator) ?? { count: 0, latest: 0 };
  sums.originators.set(originator, { count: own.count + sign, latest: Math.max(own.latest, changedAt) });
  sums.escrows.set(escrowAddress, (sums.escrows.get(escrowAddress) ?? 0) + sign);
  (sums.status[STATUSES.indexOf(raise.status)] as number) += sign;
  (sums.repayment[REPAYMENTS.indexOf(raise.repayment)] as number) += sign;
  sums.latest = Math.max(sums.latest, changedAt);
}

const MOST = Number.MAX_SAFE_INTEGER;

function copyOf(sums: Sums | null): Sums {
  if (sums === null) return noSums();
  return {
    months: new Map(sums.months),
    originators: new Map(sums.originators),
    escrows: new Map(sums.escrows),
    status: [...sums.status],
    repayment: [...sums.repayment],
    latest: sums.latest,
    refundable: [],
  };
}

function seconds(time: string): number {
  return Number(secondsOf(time));
}

function monthOf(created: number): number {
  return periodOf(dayOf(BigInt(created)), "month");
}
