/** @module The statistics over the visible listings, as `market.md` and decision 0005 define them. */
import { sum } from "./chain-log.ts";
import type { Raise } from "./raise.ts";
import { type Repayment, repaymentOf, type Status, statusOf } from "./status.ts";

/** The body of `GET /v1/stats`; amounts in base units. */
export type Stats = {
  byStatus: Record<Status, number>;
  raised: string;
  /** what was drawn */
  lent: string;
  refunded: string;
  /** refunds before a close, those of outbid bids included */
  withdrawn: string;
  /** refunds of failed raises */
  returned: string;
  /** what failed raises still owe their backers */
  refundable: string;
  repaid: string;
  outstanding: string;
  reserves: string;
  subscribers: number;
  outstandingByRepayment: Record<Owed, { amount: string; shareBps: number | null; listings: number }>;
  writtenOff: string;
  defaultRateBps: number | null;
  outstandingInDefaultBps: number | null;
  averageCouponBps: number | null;
  decided: number;
  minimumReachedBps: number | null;
  averageHoursToFund: number | null;
};

type Owed = Extract<Repayment, "current" | "grace" | "late" | "default">;

/**
 * @param raises those of the visible listings
 * @param now the head's timestamp, unix seconds
 */
export function statsOf(raises: readonly Raise[], now: bigint): Stats {
  const having = (status: Status) => raises.filter((raise) => statusOf(raise, now) === status).length;
  const total = (of: (raise: Raise) => bigint) => `${sum(raises.map(of))}`;
  return {
    byStatus: {
      listed: having("listed"),
      funding: having("funding"),
      live: having("live"),
      matured: having("matured"),
      refunding: having("refunding"),
      voided: having("voided"),
      cancelled: having("cancelled"),
    },
    raised: total(({ raised }) => raised),
    lent: total(({ drawdown }) => drawdown?.args.amount ?? 0n),
    refunded: total(({ refunded }) => refunded),
    withdrawn: total(({ refunded, returned }) => (refunded > returned ? refunded - returned : 0n)),
    returned: total(({ returned }) => returned),
    refundable: total((raise) => refundableOf(raise, now)),
    repaid: total(({ repaid }) => repaid),
    outstanding: total(({ outstanding }) => outstanding),
    reserves: total(({ reserve }) => reserve),
    subscribers: raises.reduce((all, { subscribers }) => all + subscribers, 0),
    outstandingByRepayment: {
      current: owedIn("current", raises, now),
      grace: owedIn("grace", raises, now),
      late: owedIn("late", raises, now),
      default: owedIn("default", raises, now),
    },
    writtenOff: total(writtenOffOf),
    defaultRateBps: defaultRate(raises),
    outstandingInDefaultBps: owedIn("default", raises, now).shareBps,
    averageCouponBps: averageCoupon(raises),
    decided: having("live") + having("matured") + having("refunding"),
    minimumReachedBps: bps(
      BigInt(having("live") + having("matured")),
      BigInt(having("live") + having("matured") + having("refunding")),
    ),
    averageHoursToFund: averageHoursToFund(raises, now),
  };
}

/** The principal that a settlement wrote off, and no more than was drawn. Base units. */
export function writtenOffOf({ drawdown, terminal }: Raise): bigint {
  if (!drawdown || terminal?.name !== "ListingSettled") return 0n;
  const { amount: drawn } = drawdown.args;
  const { writtenOffPrincipal: writtenOff } = terminal.args;
  return writtenOff < drawn ? writtenOff : drawn;
}

/** The amount that backers can still claim of a raise that returns money. Base units. */
export function refundableOf(raise: Raise, now: bigint): bigint {
  const { raised, returned } = raise;
  const isReturning = ["refunding", "voided", "cancelled"].includes(statusOf(raise, now));
  return isReturning && raised > returned ? raised - returned : 0n;
}

/** From the opening, which is never before the creation, to the first end of the subscription: by an event or by the deadline. */
function averageHoursToFund(raises: readonly Raise[], now: bigint): number | null {
  const spans = raises
    .filter((raise) => ["live", "matured"].includes(statusOf(raise, now)))
    .map((raise) => {
      const closed = raise.frozenAt ?? raise.terms?.closeAt ?? 0n;
      return closed > openingOf(raise) ? closed - openingOf(raise) : 0n;
    });
  return spans.length === 0 ? null : Number(sum(spans) / (BigInt(spans.length) * 3600n));
}

/** When backers could first subscribe. Unix seconds. */
export function openingOf({ created, terms }: Raise): bigint {
  const [createdAt, goLiveAt] = [created?.at ?? 0n, terms?.goLiveAt ?? 0n];
  return createdAt > goLiveAt ? createdAt : goLiveAt;
}

function bps(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((10_000n * part) / whole);
}

function owedIn(state: Owed, raises: readonly Raise[], now: bigint) {
  const owing = raises.filter((raise) => raise.outstanding > 0n && repaymentOf(raise, now) === state);
  const amount = sum(owing.map(({ outstanding }) => outstanding));
  const all = sum(raises.map(({ outstanding }) => outstanding));
  return { amount: `${amount}`, shareBps: bps(amount, all), listings: owing.length };
}

function averageCoupon(raises: readonly Raise[]): number | null {
  const loans = raises.flatMap(({ drawdown, couponRateBps }) =>
    drawdown && couponRateBps !== undefined
      ? [{ drawn: drawdown.args.amount, coupon: BigInt(couponRateBps) }]
      : [],
  );
  const drawn = sum(loans.map((loan) => loan.drawn));
  return drawn === 0n ? null : Number(sum(loans.map((loan) => loan.drawn * loan.coupon)) / drawn);
}

function defaultRate(raises: readonly Raise[]): number | null {
  const settled = raises.filter(({ terminal }) => terminal?.name === "ListingSettled");
  return bps(sum(settled.map(writtenOffOf)), sum(settled.map(({ drawdown }) => drawdown?.args.amount ?? 0n)));
}
