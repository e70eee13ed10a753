/** @module The market in figures: sums and counts over the visible listings. */

import { HOUR } from "../../config/format/time.ts";
import { whenAsked } from "../../config/when-asked.ts";
import { shareBps } from "./amount.ts";
import { isRemainder } from "./grade.ts";
import type { Published } from "./listing.ts";
import type { Originator } from "./originator.ts";
import {
  type Listing,
  OWED_REPAYMENTS,
  type OwedRepayment,
  STATUSES,
  type Stats,
  type Status,
} from "./schema.ts";
import { openedAt } from "./status.ts";

type Totals = Omit<Stats, "defaultRateBps" | "averageCouponBps" | "averageHoursToFund">;

type Sums = Record<"drawn" | "drawnTimesCoupon" | "settled" | "funded" | "secondsToFund", bigint>;

/** The state of running statistics, for a snapshot. */
export type SavedStats = { totals: TotalsState; sums: Sums };

const NO_SUMS: Sums = { drawn: 0n, drawnTimesCoupon: 0n, settled: 0n, funded: 0n, secondsToFund: 0n };

export function createRunningStats(saved?: SavedStats) {
  const totals = createTotals(saved?.totals);
  const sums = { ...(saved?.sums ?? NO_SUMS) };
  const count = ({ row, listing }: Published, sign: 1 | -1) => {
    totals.count(listing, sign);
    const amount = BigInt(sign) * (row.drawnAmount ?? 0n);
    sums.drawn += amount;
    sums.drawnTimesCoupon += amount * BigInt(listing.couponRateBps);
    if (row.terminalKind === "settled") sums.settled += amount;
    const seconds = timeToFund({ row, listing });
    if (seconds === null) return;
    sums.funded += BigInt(sign);
    sums.secondsToFund += BigInt(sign) * seconds;
  };
  return {
    add: (published: Published) => count(published, 1),
    remove: (published: Published) => count(published, -1),
    save: (): SavedStats => structuredClone({ totals: totals.state, sums }),
    stats(): Stats {
      const current = totals.current();
      const { drawn, drawnTimesCoupon, settled, funded, secondsToFund } = sums;
      return {
        ...current,
        defaultRateBps: shareBps(BigInt(current.writtenOff), settled),
        averageCouponBps: drawn === 0n ? null : Number(drawnTimesCoupon / drawn),
        averageHoursToFund: funded === 0n ? null : Number(secondsToFund / (funded * HOUR)),
      };
    },
  };
}

/** From the opening to the close of a raise that reached its minimum, in seconds; null for any other. */
export function timeToFund({ row, listing: { status } }: Published): bigint | null {
  const closed = row.frozenAt ?? row.closeAt;
  if ((status !== "live" && status !== "matured") || closed === null) return null;
  const opened = openedAt(row);
  return closed > opened ? closed - opened : 0n;
}

/** The sums and counts of some listings; base units. */
export function totalsOf(listings: Iterable<Listing>): Totals {
  const { lostLoans: _, remainders: __, ...totals } = recordOfListings(listings);
  return totals;
}

/** The sums and counts of the visible raises of a business; base units. */
export type BusinessRecord = Totals & {
  /** loans that ended with a loss */
  lostLoans: number;
  /** loans whose rest, still owed or lost, is too small for the grade */
  remainders: number;
};

/** For a snapshot. */
export type SavedRunningRecord = { totals: TotalsState; lostLoans: number; remainders: number };

export function createRunningRecord(saved?: SavedRunningRecord) {
  const totals = createTotals(saved?.totals);
  let { lostLoans, remainders } = saved ?? { lostLoans: 0, remainders: 0 };
  return {
    save: (): SavedRunningRecord => ({ totals: copyOf(totals.state), lostLoans, remainders }),
    count(listing: Listing, sign: 1 | -1): void {
      totals.count(listing, sign);
      if (isLost(listing)) lostLoans += sign;
      const { writtenOffAmount, outstandingPrincipal, drawnAmount } = listing;
      const unpaid = isLost(listing) ? writtenOffAmount : outstandingPrincipal;
      if (isRemainder(BigInt(unpaid), BigInt(drawnAmount))) remainders += sign;
    },
    current: (): BusinessRecord => ({ ...totals.current(), lostLoans, remainders }),
  };
}

function isLost({ status, repayment }: Listing): boolean {
  return status === "matured" && repayment === "written_off";
}

const records = new WeakMap<Originator, () => BusinessRecord>();

/** @param record is asked when it is wanted, or before what it is made of changes */
export function keepRecord(originator: Originator, record: () => BusinessRecord): void {
  records.set(originator, whenAsked(record));
}

/** The record of a business: kept up to date with its raises, or else the sum of them. */
export function recordOf(originator: Originator): BusinessRecord {
  return records.get(originator)?.() ?? recordOfListings(originator.listings);
}

function recordOfListings(listings: Iterable<Listing>): BusinessRecord {
  const record = createRunningRecord();
  for (const listing of listings) record.count(listing, 1);
  return record.current();
}

const AMOUNTS = {
  raised: "raisedAmount",
  lent: "drawnAmount",
  refunded: "refundedAmount",
  withdrawn: "withdrawnAmount",
  returned: "returnedAmount",
  refundable: "refundableAmount",
  repaid: "repaidAmount",
  outstanding: "outstandingPrincipal",
  reserves: "reserveBalance",
  writtenOff: "writtenOffAmount",
} as const satisfies Partial<Record<keyof Totals, keyof Listing>>;
const AMOUNT_NAMES = Object.keys(AMOUNTS) as (keyof typeof AMOUNTS)[];

type TotalsState = {
  byStatus: Record<Status, number>;
  sums: Record<keyof typeof AMOUNTS, bigint>;
  owed: Record<OwedRepayment, { amount: bigint; listings: number }>;
  subscribers: number;
};

function noTotals(): TotalsState {
  return {
    byStatus: Object.fromEntries(STATUSES.map((status) => [status, 0])) as TotalsState["byStatus"],
    sums: Object.fromEntries(AMOUNT_NAMES.map((name) => [name, 0n])) as TotalsState["sums"],
    owed: Object.fromEntries(
      OWED_REPAYMENTS.map((repayment) => [repayment, { amount: 0n, listings: 0 }]),
    ) as TotalsState["owed"],
    subscribers: 0,
  };
}

/** Every business is copied at once, and `structuredClone` is slow. */
function copyOf({ byStatus, sums, owed, subscribers }: TotalsState): TotalsState {
  const copies = OWED_REPAYMENTS.map((repayment) => [repayment, { ...owed[repayment] }]);
  return { byStatus: { ...byStatus }, sums: { ...sums }, owed: Object.fromEntries(copies), subscribers };
}

/** @param state is changed from then on */
function createTotals(state: TotalsState = noTotals()) {
  const { byStatus, sums, owed } = state;
  return {
    state,
    count(listing: Listing, sign: 1 | -1): void {
      const { repayment, outstandingPrincipal } = listing;
      if (isOwed(repayment) && outstandingPrincipal !== "0") {
        owed[repayment].amount += BigInt(sign) * BigInt(outstandingPrincipal);
        owed[repayment].listings += sign;
      }
      byStatus[listing.status] += sign;
      state.subscribers += sign * listing.subscriberCount;
      const factor = BigInt(sign);
      for (const name of AMOUNT_NAMES) {
        const amount = listing[AMOUNTS[name]];
        if (amount !== "0") sums[name] += factor * BigInt(amount);
      }
    },
    current(): Totals {
      const amounts = AMOUNT_NAMES.map((name) => [name, sums[name].toString()]);
      const reached = byStatus.live + byStatus.matured;
      const decided = reached + byStatus.refunding;
      const shares = OWED_REPAYMENTS.map((repayment) => {
        const { amount, listings } = owed[repayment];
        return [repayment, { amount: `${amount}`, shareBps: shareBps(amount, sums.outstanding), listings }];
      });
      return {
        outstandingByRepayment: Object.fromEntries(shares) as Stats["outstandingByRepayment"],
        outstandingInDefaultBps: shareBps(owed.default.amount, sums.outstanding),
        decided,
        minimumReachedBps: shareBps(BigInt(reached), BigInt(decided)),
        byStatus: { ...byStatus },
        ...(Object.fromEntries(amounts) as Record<keyof typeof AMOUNTS, string>),
        subscribers: state.subscribers,
      };
    },
  };
}

function isOwed(repayment: Listing["repayment"]): repayment is OwedRepayment {
  return OWED_REPAYMENTS.some((one) => one === repayment);
}
