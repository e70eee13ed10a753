/**
 * The series of the market and the cohorts of its loans, by definition: each raise is looked at with the logs up to the end of each
 * period, and what happened in a period is the difference to the one before.
 * @module
 */
import { type ChainLog, sum, those } from "./chain-log.ts";
import { type DeskLog, deskLogs } from "./desk-log.ts";
import { DAY, instant } from "./instant.ts";
import { monthOf, periodAt, yearlyReturn } from "./periods.ts";
import { type Raise, raiseOf } from "./raise.ts";
import { openingOf, writtenOffOf } from "./stats.ts";
import { repaymentOf } from "./status.ts";
import { offersOf, priceOf } from "./trading.ts";

/** A visible raise, with everything that the chain says of it. */
export type Watched = {
  history: readonly ChainLog[];
  raise: Raise;
  /** undefined where another raise had the token first */
  token: string | undefined;
  originator: string;
  country: string;
  grade: string;
  /** on the day of the drawdown */
  gradeThen: string;
};

export type OverTimeParameters = {
  raises: readonly Watched[];
  /** in the chain's order */
  desk: readonly DeskLog[];
  /** the head's timestamp, unix seconds */
  now: bigint;
};

/** The raise as it was at a moment. */
const remembered = new WeakMap<readonly ChainLog[], Map<number, Raise>>();
function raiseAt({ history }: Pick<Watched, "history">, moment: bigint): Raise {
  const count = history.filter(({ at }) => at <= moment).length;
  return raiseAfter(history, count);
}

function raiseAfter(history: readonly ChainLog[], count: number): Raise {
  const known = remembered.get(history) ?? new Map<number, Raise>();
  remembered.set(history, known);
  const raise = known.get(count) ?? raiseOf(history.slice(0, count));
  known.set(count, raise);
  return raise;
}

/** The points from the first in which anything happened. @param by day, week, month or quarter */
export function seriesOf(parameters: OverTimeParameters, by: string) {
  const { raises, now } = parameters;
  const moments = raises.flatMap(({ raise, history }) => [openingOf(raise), ...history.map(({ at }) => at)]);
  const points = [];
  const first = moments.reduce((least, at) => (at < least ? at : least), now);
  for (let period = periodAt(first, by); period.start <= now; period = periodAt(period.end, by))
    points.push(pointOf(parameters, period));
  return points.slice(points.findIndex((point) => !isEmpty(point))).slice(-1_000);
}

function isEmpty(point: ReturnType<typeof pointOf>): boolean {
  return Object.entries(point).every(
    ([name, figure]) =>
      ["period", "start", "end", "isOver"].includes(name) || figure === null || `${figure}` === "0",
  );
}

function pointOf({ raises, desk, now }: OverTimeParameters, period: ReturnType<typeof periodAt>) {
  const last = period.end - 1n < now ? period.end - 1n : now;
  const isIn = (at: bigint | undefined) => at !== undefined && at >= period.start && at <= last;
  const during = <Name extends ChainLog["name"]>(...names: Name[]) =>
    raises.flatMap(({ history }) => those(history, ...names).filter(({ at }) => isIn(at)));
  const changes = raises.flatMap(({ history }) =>
    history.flatMap((log, index) => {
      if (!isIn(log.at)) return [];
      const [before, after] = [raiseAfter(history, index), raiseAfter(history, index + 1)];
      const isUse = log.name === "ReserveChanged" && log.args.reason === 1;
      return [{ raised: after.raised - before.raised, reserve: after.reserve - before.reserve, isUse }];
    }),
  );
  const above = (amounts: readonly bigint[]) => `${sum(amounts.filter((amount) => amount > 0n))}`;
  const closed = raises.filter(({ raise }) => isIn(closeOf(raise, now)));
  const reached = closed.filter(({ raise }) => hadReached(raise, now));
  const drawn = raises.filter(({ raise }) => isIn(raise.drawdown?.at));
  const lent = sum(drawn.map(({ raise }) => raise.drawdown?.args.amount ?? 0n));
  const coupons = drawn.map(
    ({ raise }) => (raise.drawdown?.args.amount ?? 0n) * BigInt(raise.couponRateBps ?? 0),
  );
  const repaid = during("Repaid");
  const { offers, fills } = deskOf(raises, desk);
  const traded = fills.filter(({ at }) => isIn(at));
  const tokens = sum(traded.map(({ amount }) => amount));
  const then = raises.map((one) => raiseAt(one, last));
  const total = (of: (raise: Raise) => bigint) => `${sum(then.map(of))}`;
  const owed = (state: string) =>
    total((raise) => (repaymentOf(raise, last) === state ? raise.outstanding : 0n));
  return {
    period: period.name,
    start: instant(period.start),
    end: instant(period.end <= now ? period.end : now),
    isOver: period.end <= now,
    opened: raises.filter(({ raise }) => isIn(openingOf(raise))).length,
    closed: closed.length,
    reachedMinimum: reached.length,
    medianHoursToFund: medianHours(reached.map(({ raise }) => secondsToFund(raise, now))),
    committed: above(changes.map(({ raised }) => raised)),
    withdrawn: above(changes.map(({ raised }) => -raised)),
    lent: `${lent}`,
    averageCouponBps: lent === 0n ? null : Number(sum(coupons) / lent),
    repaidPrincipal: `${sum(repaid.map(({ args }) => args.principal))}`,
    repaidInterest: `${sum(repaid.map(({ args }) => args.interest))}`,
    writtenOff: `${sum(raises.map(({ raise }) => (isIn(raise.terminal?.at) ? writtenOffOf(raise) : 0n)))}`,
    reservesPosted: above(changes.map(({ reserve }) => reserve)),
    reservesUsed: above(changes.map(({ reserve, isUse }) => (isUse ? -reserve : 0n))),
    reservesReleased: above(changes.map(({ reserve, isUse }) => (isUse ? 0n : -reserve))),
    offers: offers.filter(({ at }) => isIn(at)).length,
    trades: traded.length,
    traded: `${tokens}`,
    averagePriceBps: priceOf(traded),
    raisedTotal: total(({ raised }) => raised),
    lentTotal: total(({ drawdown }) => drawdown?.args.amount ?? 0n),
    repaidTotal: total((raise) => raise.repaid),
    writtenOffTotal: total(writtenOffOf),
    reserves: total(({ reserve }) => reserve),
    outstanding: total(({ outstanding }) => outstanding),
    outstandingCurrent: owed("current"),
    outstandingGrace: owed("grace"),
    outstandingLate: owed("late"),
    outstandingInDefault: owed("default"),
  };
}

/** When the subscription was over: by an event, or by the deadline. */
function closeOf({ frozenAt, terms }: Raise, now: bigint): bigint | undefined {
  if (frozenAt !== undefined) return frozenAt;
  return terms && terms.closeAt > 0n && terms.closeAt <= now ? terms.closeAt : undefined;
}

/** Whether the raise was live when it closed; one that was called off by then was not. */
function hadReached(raise: Raise, now: bigint): boolean {
  const { terminal, raised, terms } = raise;
  if (terminal && terminal.at <= (closeOf(raise, now) ?? 0n)) return terminal.name === "ListingSettled";
  return raised > 0n && raised >= (terms?.minRaise ?? 0n);
}

function secondsToFund(raise: Raise, now: bigint): bigint {
  const seconds = (closeOf(raise, now) ?? 0n) - openingOf(raise);
  return seconds > 0n ? seconds : 0n;
}

function medianHours(seconds: readonly bigint[]): number | null {
  const sorted = [...seconds].sort((one, other) => (one < other ? -1 : 1));
  const half = sorted.length / 2;
  const middle = sorted.filter((_, index) => index === Math.floor(half) || index === Math.ceil(half) - 1);
  return middle.length === 0 ? null : Number(sum(middle) / (BigInt(middle.length) * 3600n));
}

function deskOf(raises: readonly Watched[], desk: readonly DeskLog[]) {
  const tokens = new Set(raises.map(({ token }) => token));
  const created = deskLogs(desk, "OfferCreated").filter(({ args }) => tokens.has(args.token.toLowerCase()));
  const sellers = new Map(offersOf(desk).map(({ id, seller }) => [id, seller]));
  const fills = deskLogs(desk, "OfferFilled").filter(
    ({ args }) => tokens.has(args.token.toLowerCase()) && sellers.get(args.offerId) !== args.buyer,
  );
  return { offers: created, fills: fills.map(({ at, args }) => ({ at, ...args })) };
}

/** @param by month, quarter, year, grade, originator or country */
export function cohortsOf({ raises, now }: OverTimeParameters, by: string) {
  const loans = raises.filter(({ raise }) => raise.drawdown);
  const keyOf = (loan: Watched) => {
    if (by === "grade") return loan.gradeThen;
    if (by === "originator") return loan.originator;
    return by === "country" ? loan.country : periodAt(loan.raise.drawdown?.at ?? 0n, by).name;
  };
  const keys = [...new Set(loans.map(keyOf))].sort();
  const grades = ["A", "B", "C", "D", "E", "NR"];
  if (by === "grade") keys.sort((one, other) => grades.indexOf(one) - grades.indexOf(other));
  const cohorts = keys.map((key) =>
    cohortOf(
      key,
      loans.filter((loan) => keyOf(loan) === key),
      now,
    ),
  );
  if (by === "originator")
    cohorts.sort((one, other) => {
      if (one.lent === other.lent) return 0;
      return BigInt(one.lent) > BigInt(other.lent) ? -1 : 1;
    });
  return cohorts;
}

function cohortOf(cohort: string, loans: readonly Watched[], now: bigint) {
  const ended = loans.filter(({ raise }) => hasEnded(raise));
  const dayOf = (raise: Raise, at: bigint) => {
    const days = at / DAY - (raise.drawdown?.at ?? 0n) / DAY;
    return days > 0n ? days : 0n;
  };
  const lent = sum(ended.map(({ raise }) => raise.drawdown?.args.amount ?? 0n));
  const expected = ended.map(({ raise }) => ({
    day: dayOf(raise, raise.drawdown?.args.maturityAt ?? 0n),
    amount: dueOf(raise),
  }));
  const paid = ended.flatMap(({ raise, history }) =>
    those(history, "Repaid").map(({ at, args }) => ({
      day: dayOf(raise, at),
      amount: args.principal + args.interest,
    })),
  );
  return {
    cohort,
    ...figuresOf(loans, now),
    ended: ended.length,
    expectedReturnBps: ended.length === 0 ? null : yearlyReturn(lent, expected),
    realisedReturnBps: ended.length === 0 ? null : yearlyReturn(lent, paid),
    curve: curveOf(loans, now),
  };
}

/** A point for each month of the oldest loan's life, up to the last one in which anything changed. */
function curveOf(loans: readonly Watched[], now: bigint) {
  const ageOf = ({ raise }: Watched) => monthOf(now) - monthOf(raise.drawdown?.at ?? 0n);
  const oldest = Math.max(...loans.map(ageOf));
  const points = Array.from({ length: oldest + 1 }, (_, month) => {
    const old = loans.filter((loan) => ageOf(loan) >= month);
    const parts = old.map((loan) => {
      let period = periodAt(loan.raise.drawdown?.at ?? 0n, "month");
      for (let passed = 0; passed < month; passed++) period = periodAt(period.end, "month");
      return figuresOf([loan], period.end - 1n < now ? period.end - 1n : now);
    });
    return { month, ...added(parts) };
  });
  const texts = points.map(({ month, ...figures }) => JSON.stringify(figures));
  return points.slice(0, 1 + texts.findLastIndex((text, index) => text !== texts[index - 1]));
}

type Figures = ReturnType<typeof figuresOf>;

function added(parts: readonly Figures[]): Figures {
  const total = (name: Exclude<keyof Figures, "loans" | "defaultedBps">) =>
    `${sum(parts.map((part) => BigInt(part[name])))}`;
  const [lent, writtenOff, inDefault] = [total("lent"), total("writtenOff"), total("outstandingInDefault")];
  return {
    loans: parts.length,
    lent,
    due: total("due"),
    repaidPrincipal: total("repaidPrincipal"),
    repaidInterest: total("repaidInterest"),
    writtenOff,
    outstanding: total("outstanding"),
    outstandingCurrent: total("outstandingCurrent"),
    outstandingGrace: total("outstandingGrace"),
    outstandingLate: total("outstandingLate"),
    outstandingInDefault: inDefault,
    defaultedBps: share(BigInt(writtenOff) + BigInt(inDefault), BigInt(lent)),
  };
}

function figuresOf(loans: readonly Watched[], moment: bigint) {
  const then = loans.map((loan) => raiseAt(loan, moment));
  const repaid = loans.flatMap(({ history }) => those(history, "Repaid").filter(({ at }) => at <= moment));
  const owed = (state: string) =>
    sum(then.map((raise) => (repaymentOf(raise, moment) === state ? raise.outstanding : 0n)));
  const lent = sum(loans.map(({ raise }) => raise.drawdown?.args.amount ?? 0n));
  const due = loans.filter(({ raise }) => (raise.drawdown?.args.maturityAt ?? 0n) <= moment);
  const writtenOff = sum(then.map(writtenOffOf));
  return {
    loans: loans.length,
    lent: `${lent}`,
    due: `${sum(due.map(({ raise }) => dueOf(raise)))}`,
    repaidPrincipal: `${sum(repaid.map(({ args }) => args.principal))}`,
    repaidInterest: `${sum(repaid.map(({ args }) => args.interest))}`,
    writtenOff: `${writtenOff}`,
    outstanding: `${sum(then.map(({ outstanding }) => outstanding))}`,
    outstandingCurrent: `${owed("current")}`,
    outstandingGrace: `${owed("grace")}`,
    outstandingLate: `${owed("late")}`,
    outstandingInDefault: `${owed("default")}`,
    defaultedBps: share(writtenOff + owed("default"), lent),
  };
}

function share(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((10_000n * part) / whole);
}

/** Principal and simple interest of the whole term. */
function dueOf({ drawdown, couponRateBps, terms }: Raise): bigint {
  const principal = drawdown?.args.amount ?? 0n;
  return principal + (principal * BigInt(couponRateBps ?? 0) * BigInt(terms?.tenorDays ?? 0)) / 3_650_000n;
}

/** Paid off but for a ten-thousandth, or settled. */
function hasEnded({ drawdown, terminal, balances }: Raise): boolean {
  const tolerance = (drawdown?.args.amount ?? 0n) / 10_000n;
  const most = tolerance > 1n ? tolerance : 1n;
  return terminal?.name === "ListingSettled" || balances.some(({ outstanding }) => outstanding <= most);
}
