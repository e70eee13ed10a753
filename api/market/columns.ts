/**
 * Figures of all raises for sitemaps, counts and last changes: sums over the facts of those in full, and over the columns of the archive,
 * which are made once for each of its versions.
 * @module
 */
import { secondsOf } from "../../config/format/time.ts";
import type { ArchivedRows } from "./archive/archived-rows.ts";
import type { RowFacts } from "./archive/facts.ts";
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
  changes: Map<string, number>;
  escrows: Map<string, number>;
  tallies: { status: number[]; repayment: number[]; grade: number[] };
  latest: number;
  /** archived rows whose backers can still claim money */
  refundable: number[];
};

const NO_TALLIES: Sums["tallies"] = {
  status: STATUSES.map(() => 0),
  repayment: REPAYMENTS.map(() => 0),
  grade: GRADES.map(() => 0),
};

/** A raise as the sums take it. */
type Counted = {
  escrowAddress: string;
  originator: string;
  status: (typeof STATUSES)[number];
  repayment: (typeof REPAYMENTS)[number];
  originatorGrade: (typeof GRADES)[number];
  createdAt: number;
  changedAt: number;
};

export type Columns = ReturnType<typeof createColumns>;

const ofArchive = new WeakMap<ArchivedRows, Sums>();
const known = new WeakMap<Market["listings"], Columns>();

export type DatedMarket = Pick<Market, "listings" | "changedAt" | "createdAt">;

/** Made when they are first asked for: whatever changes a raise, time included, makes another list. */
export function columnsOf(market: DatedMarket): Columns {
  const columns = known.get(market.listings) ?? createColumns(market);
  known.set(market.listings, columns);
  return columns;
}

function createColumns({ listings, changedAt, createdAt }: DatedMarket) {
  const { full, archived } = listings;
  let sums: Sums | null = null;
  const all = (): Sums => {
    if (sums !== null) return sums;
    sums = copyOf(archived === null ? null : sumsOf(archived));
    for (const listing of full) {
      const { escrowAddress, originator, status, repayment, originatorGrade } = listing;
      addTo(sums, {
        ...{ escrowAddress, originator, status, repayment, originatorGrade },
        ...{ createdAt: seconds(createdAt(listing)), changedAt: seconds(changedAt(listing)) },
      });
    }
    return sums;
  };
  return {
    /** The number of raises with each word of these fields, in the order of its words. */
    tallies: (): Readonly<Sums["tallies"]> => all().tallies,
    escrows: (): ReadonlyMap<string, number> => all().escrows,
    /** The raises by the month of their creation (`periodOf`), the earliest first. */
    months: (): ReadonlyMap<number, Month> => new Map([...all().months].sort(([a], [b]) => a - b)),
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
    changesByOriginator: (): ReadonlyMap<string, number> => all().changes,
    /** The facts of the archived raises whose backers can still claim money, in an object that shows one after the other. */
    refundable: (): Iterable<RowFacts> => archived?.factsOf(sumsOf(archived).refundable) ?? [],
    /** The last change of any raise, unix seconds; null without any. */
    latestChange: (): number | null => (listings.length === 0 ? null : all().latest),
  };
}

function sumsOf(archived: ArchivedRows): Sums {
  const found = ofArchive.get(archived);
  if (found !== undefined) return found;
  const sums = copyOf(null);
  for (const row of archived.walk(null)) {
    addTo(sums, row);
    if (row.refundableAmount !== "0") sums.refundable.push(row.row);
  }
  ofArchive.set(archived, sums);
  return sums;
}

function addTo(sums: Sums, raise: Counted): void {
  const { escrowAddress, originator, createdAt, changedAt } = raise;
  const month = monthOf(createdAt);
  const own = sums.months.get(month) ?? { count: 0, latest: 0, revision: 0 };
  const { count, latest, revision } = own;
  sums.months.set(month, {
    ...{ count: count + 1, latest: Math.max(latest, changedAt) },
    revision: (revision + changedAt) % Number.MAX_SAFE_INTEGER,
  });
  sums.changes.set(originator, Math.max(sums.changes.get(originator) ?? 0, changedAt));
  sums.escrows.set(escrowAddress, (sums.escrows.get(escrowAddress) ?? 0) + 1);
  const { status, repayment, grade } = sums.tallies;
  (status[STATUSES.indexOf(raise.status)] as number)++;
  (repayment[REPAYMENTS.indexOf(raise.repayment)] as number)++;
  (grade[GRADES.indexOf(raise.originatorGrade)] as number)++;
  sums.latest = Math.max(sums.latest, changedAt);
}

function copyOf(sums: Sums | null): Sums {
  return {
    months: new Map(sums?.months),
    changes: new Map(sums?.changes),
    escrows: new Map(sums?.escrows),
    tallies: structuredClone(sums?.tallies ?? NO_TALLIES),
    latest: sums?.latest ?? 0,
    refundable: [],
  };
}

function seconds(time: string): number {
  return Number(secondsOf(time));
}

function monthOf(created: number): number {
  return periodOf(dayOf(BigInt(created)), "month");
}
