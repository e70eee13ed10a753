import { describe, expect, it } from "vitest";
import { isoTime } from "../../config/format/time.ts";
import { business } from "../../test/harness/market.ts";
import { cohortsIn, pointsIn } from "../../test/harness/over-time.ts";
import {
  DAY,
  DESK,
  DOLLAR,
  DRAWN,
  entryDraft,
  listingRow,
  NOW,
  offerRow,
  registryOf,
  repaymentRow,
  SELLER,
  tradeRow,
} from "../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { createRunningDays, type DayBook, noSums, type Sums } from "./day-book.ts";
import type { FlowRow } from "./flows.ts";
import { dayOf, endOfDay, startOfPeriod } from "./periods.ts";
import { eachChange } from "./raise-days.ts";
import { seriesOf } from "./series.ts";
import type { OverTime, SeriesPoint, SeriesQuery } from "./series-schema.ts";
import type { Visible } from "./visible.ts";

/** `NOW` is 2026-03-01 at noon. Opened on November 21, closed on December 9, drawn on December 11, due on February 26. */
const loan = listingRow({
  ...DRAWN,
  ...{ createdAt: NOW - 101n * DAY, maturityAt: NOW - 3n * DAY, tenorDays: 77 },
  ...{ outstandingPrincipal: 50_000n * DOLLAR, repaidPrincipal: 30_000n * DOLLAR },
  ...{ repaidInterest: 1_000n * DOLLAR, reserveBalance: 4_000n * DOLLAR },
});
/** Open since yesterday, with nothing raised. */
const open = listingRow({ onchainId: 2n });

function flow(days: bigint, measure: FlowRow["measure"], dollars: bigint): FlowRow {
  const { escrowAddress, onchainId } = loan;
  return { escrowAddress, onchainId, day: dayOf(NOW - days * DAY), measure, amount: dollars * DOLLAR };
}

const tables = tablesOf({
  listings: [loan, open],
  repayments: [
    repaymentRow({ principal: 30_000n * DOLLAR, interest: 1_000n * DOLLAR, blockTime: NOW - 10n * DAY }),
  ],
  flows: [
    flow(90n, "committed", 85_000n),
    flow(89n, "withdrawn", 5_000n),
    flow(82n, "reservesPosted", 5_000n),
    flow(60n, "reservesUsed", 300n),
    flow(9n, "reservesReleased", 700n),
    flow(80n, "outstanding", 80_000n),
    flow(10n, "outstanding", -30_000n),
    flow(10n, "repaidPrincipal", 30_000n),
    flow(10n, "repaidInterest", 1_000n),
  ],
  offers: [offerRow({ createdAt: NOW - 20n * DAY })],
  trades: [
    tradeRow({ blockTime: NOW - 15n * DAY, amount: 30n * DOLLAR, cost: 27n * DOLLAR }),
    tradeRow({ blockTime: NOW - 14n * DAY, amount: 10n * DOLLAR, cost: 10n * DOLLAR }),
    tradeRow({ blockTime: NOW - 14n * DAY, buyer: SELLER }),
  ],
});
const registry = registryOf(
  [entryDraft(), entryDraft({ onchainId: "2", originator: "org_sun" })],
  [business(), business({ publicId: "org_sun", jurisdiction: "DE" })],
);

const { market } = await snapshotOf(tables, registry, { ...SITE, desk: DESK });
const overTime = market.overTime as OverTime;

function pointsOf(query: SeriesQuery = {}): readonly SeriesPoint[] {
  return pointsIn(overTime, query);
}

const dollars = (amount: bigint) => `${amount * DOLLAR}`;

describe("a series", () => {
  it("has each thing in the month in which it happened, and the levels at its end", () => {
    const points = pointsOf();
    expect(points.map(({ period, isOver }) => [period, isOver])).toEqual([
      ["2025-11", true],
      ["2025-12", true],
      ["2026-01", true],
      ["2026-02", true],
      ["2026-03", false],
    ]);
    const [november, december, , february, march] = points;
    expect(november).toMatchObject({ opened: 1, closed: 0, committed: "0", raisedTotal: "0" });
    expect(december).toMatchObject({
      ...{ opened: 0, closed: 1, reachedMinimum: 1, medianHoursToFund: 18 * 24 },
      ...{ committed: dollars(85_000n), withdrawn: dollars(5_000n), raisedTotal: dollars(80_000n) },
      ...{ lent: dollars(80_000n), averageCouponBps: 1450, outstandingCurrent: dollars(80_000n) },
      ...{ reservesPosted: dollars(5_000n), reservesUsed: dollars(300n), reserves: dollars(4_700n) },
    });
    expect(february).toMatchObject({
      ...{ start: "2026-02-01T00:00:00Z", end: "2026-03-01T00:00:00Z", opened: 1 },
      ...{
        repaidPrincipal: dollars(30_000n),
        repaidInterest: dollars(1_000n),
        reservesReleased: dollars(700n),
      },
      ...{ outstanding: dollars(50_000n), outstandingCurrent: "0", outstandingGrace: dollars(50_000n) },
      // 37 dollars for 40 tokens.
      ...{ offers: 1, trades: 2, traded: dollars(40n), averagePriceBps: 9250 },
      ...{ averageCouponBps: null, medianHoursToFund: null },
    });
    expect(march).toMatchObject({
      ...{ end: "2026-03-01T12:00:00Z", trades: 0, averagePriceBps: null, committed: "0" },
      ...{ lentTotal: dollars(80_000n), repaidTotal: dollars(31_000n), reserves: dollars(4_000n) },
    });
  });

  it("has a debt in grace from the end of the day after which its due date has passed", async () => {
    // A payment has the state of that day counted.
    const maturityAt = endOfDay(dayOf(NOW - 10n * DAY));
    const due = await snapshotOf(tablesOf({ ...tables.rows, listings: [{ ...loan, maturityAt }] }), registry);
    const points = pointsIn(due.market.overTime, { by: "day", from: maturityAt, to: maturityAt + 1n });
    expect(points.map((point) => [point.outstandingCurrent, point.outstandingGrace])).toEqual([
      [dollars(50_000n), "0"],
      ["0", dollars(50_000n)],
    ]);
  });

  it.each([
    ["was voided later", { terminalKind: "voided", terminalAt: NOW - 60n * DAY }, 18 * 24],
    ["was to open after its close", { createdAt: NOW - 85n * DAY, goLiveAt: NOW - 40n * DAY }, 0],
  ] as const)("counts a raise that %s on the day of its close", async (_, change, medianHoursToFund) => {
    const none = { drawnDownAt: null, drawnAmount: null, maturityAt: null, outstandingPrincipal: 0n };
    const listings = [{ ...loan, ...none, ...change }];
    const { market } = await snapshotOf(tablesOf({ listings }), registry);
    const closed = pointsIn(market.overTime, { by: "day" }).filter((point) => point.closed > 0);
    expect(closed).toMatchObject([
      {
        start: isoTime(startOfPeriod(dayOf(NOW - 82n * DAY), "day")),
        reachedMinimum: 1,
        medianHoursToFund,
      },
    ]);
  });

  it("ends a period with its last second, nets what a derived close took back, and has the median of its closes", () => {
    const day = dayOf(NOW);
    const pointOf = (sums: Partial<Sums>, secondsToFund: number[] = []) => {
      const book: DayBook = new Map([[day, { sums: { ...noSums(), ...sums }, secondsToFund }]]);
      const points = seriesOf([book], { by: "day" }, endOfDay(day) + 1n);
      if ("detail" in points) throw new Error(points.detail);
      expect(points.map(({ isOver }) => isOver)).toEqual([true, false]);
      return points[0];
    };
    expect(pointOf({ committed: -5n, withdrawn: 3n })).toMatchObject({ committed: "0", withdrawn: "8" });
    expect(pointOf({ committed: 5n, withdrawn: -2n })).toMatchObject({ committed: "7", withdrawn: "0" });
    const medianOf = (...hours: number[]) =>
      pointOf(
        {},
        hours.map((hour) => hour * 3_600),
      )?.medianHoursToFund;
    expect([medianOf(9, 1), medianOf(9, 2), medianOf(30, 1, 2), medianOf()]).toEqual([5, 5, 2, null]);
    const old: DayBook = new Map([[day - 2_000, { sums: noSums(), secondsToFund: [] }]]);
    expect(seriesOf([old], { by: "day" }, NOW)).toHaveLength(1_000);
  });

  it("is without what a raise was before it changed", () => {
    const raiseOf = (hours: bigint) => {
      const row = { ...loan, createdAt: NOW - 82n * DAY - hours * 3_600n, goLiveAt: 0n };
      const listing = { couponRateBps: 0, writtenOffAmount: "0", originatorGrade: "A" };
      const none = { flows: [], corrections: [], offers: [], trades: [] };
      return { row, listing, ...none, country: "SG", madeAt: NOW } as unknown as Visible;
    };
    const [first, second, third] = [1n, 2n, 3n].map(raiseOf) as [Visible, Visible, Visible];
    const running = createRunningDays();
    running.apply([first, second].map((after) => ({ before: null, after })));
    running.apply([{ before: first, after: third }]);
    const closes = running.book("country SG").get(dayOf(NOW - 82n * DAY));
    expect(closes).toMatchObject({
      secondsToFund: [7_200, 10_800],
      sums: { closed: 2n, reachedMinimum: 2n },
    });
  });

  it("has what was derived beyond the events, and a debt without its drawdown as current", () => {
    const none = { refunded: null, repaidPrincipal: null, repaidInterest: null, outstanding: null };
    const derived = { ...none, blockNumber: 1n, blockTime: NOW };
    const raise = {
      ...{ row: { ...loan, drawnDownAt: null, drawnAmount: null }, listing: { writtenOffAmount: "0" } },
      ...{ flows: [flow(10n, "outstanding", 5n)], offers: [], trades: [], madeAt: NOW },
      corrections: [
        { ...derived, kind: "refunded", committed: -7n },
        { ...derived, kind: "subscribed", committed: 3n },
      ],
    } as unknown as Visible;
    const changes: [string, bigint][] = [];
    eachChange(raise, (_, measure, amount) => changes.push([measure, amount]));
    const debt = ["outstanding", "current"].map((measure) => [measure, 5n * DOLLAR]);
    expect(changes).toEqual(expect.arrayContaining([["withdrawn", 7n], ["committed", 3n], ...debt]));
  });

  it("has no price above what JSON keeps exactly, as the desk", async () => {
    const trades = [tradeRow({ amount: 1n, cost: 10n ** 14n })];
    const { market } = await snapshotOf({ ...tables, rows: { ...tables.rows, trades } }, registry, {
      ...SITE,
      desk: DESK,
    });
    const points = pointsIn(market.overTime, { by: "day" }).filter((point) => point.trades > 0);
    expect(points).toMatchObject([{ averagePriceBps: 9_007_199_254_740_991, traded: "1" }]);
    expect(market.trading.lastTrade?.priceBps).toBe(points[0]?.averagePriceBps);
  });

  it("is of the raises of a business, of grades and of countries", () => {
    const lentIn = (query: SeriesQuery) => pointsOf(query).at(-1)?.lentTotal;
    expect(lentIn({ originator: "org_northwind" })).toBe(dollars(80_000n));
    expect(lentIn({ originator: "org_sun" })).toBe("0");
    expect(lentIn({ jurisdiction: ["DE"] })).toBe("0");
    expect(lentIn({ jurisdiction: ["DE", "SG"] })).toBe(dollars(80_000n));
    expect(lentIn({ jurisdiction: ["SG"], grade: ["NR"] })).toBe(dollars(80_000n));
    expect(lentIn({ grade: ["A"] })).toBe("0");
    expect(lentIn({ grade: [] })).toBe(dollars(80_000n));
    // Named twice, each counts once.
    expect(lentIn({ grade: ["NR", "NR"] })).toBe(dollars(80_000n));
    expect(lentIn({ jurisdiction: ["SG", "SG"] })).toBe(dollars(80_000n));
    expect(lentIn({ originators: new Set(["org_sun"]) })).toBe("0");
    expect(lentIn({ originators: new Set(["org_northwind"]) })).toBe(dollars(80_000n));
    expect(pointsOf({ originator: "org_sun" }).map(({ period }) => period)).toEqual(["2026-02", "2026-03"]);
  });

  it("begins and ends with the periods of the two times, and has nothing of the future", () => {
    const time = (text: string) => BigInt(Date.parse(text)) / 1_000n;
    const names = (query: SeriesQuery) => pointsOf(query).map(({ period }) => period);
    const from = time("2025-12-31T23:59:59Z");
    expect(names({ by: "month", from, to: time("2026-01-01") })).toEqual(["2025-12", "2026-01"]);
    expect(names({ by: "quarter", from: time("2025-04-01"), to: time("2030-01-01") })).toEqual([
      ...["2025-Q2", "2025-Q3", "2025-Q4", "2026-Q1"],
    ]);
    expect(names({ by: "week", from: time("2026-02-22") })).toEqual(["2026-W08", "2026-W09"]);
    expect(pointsOf({ by: "day", from: time("2026-02-26"), to: time("2026-02-26") })).toMatchObject([
      { start: "2026-02-26T00:00:00Z", outstandingGrace: dollars(50_000n), outstanding: dollars(50_000n) },
    ]);
    expect(overTime.series({ from: NOW + 31n * DAY })).toMatchObject({ parameter: "from" });
    expect(overTime.series({ from: NOW, to: NOW - 31n * DAY })).toMatchObject({ parameter: "to" });
  });

  it("has at most 1,000 periods: more are refused where the caller asks for them, and left out where not", () => {
    const from = NOW - 999n * DAY;
    expect(pointsOf({ by: "day", from })).toHaveLength(1_000);
    expect(overTime.series({ by: "day", from: from - DAY })).toMatchObject({
      parameter: "from",
      detail: expect.stringContaining("1001 days"),
    });
    expect(pointsOf({ by: "day", to: NOW - 90n * DAY }).at(0)?.period).toBe("2025-11-21");
  });
});

describe("cohorts", () => {
  it("have what became of their loans, and of each month of their lives", () => {
    const cohorts = cohortsIn(overTime, { by: "quarter" });
    // Interest of 77 days: 80,000 × 14.5 % × 77 / 365 = 2,447.123…
    const due = "82447123287671232876712";
    const figures = { loans: 1, lent: dollars(80_000n), writtenOff: "0", defaultedBps: 0 };
    expect(cohorts).toMatchObject([
      {
        ...{ cohort: "2025-Q4", ...figures, ended: 0, expectedReturnBps: null, realisedReturnBps: null },
        ...{ due, repaidPrincipal: dollars(30_000n), outstandingGrace: dollars(50_000n) },
        curve: [
          { month: 0, ...figures, due: "0", outstandingCurrent: dollars(80_000n) },
          { month: 1, ...figures, due: "0", repaidInterest: "0" },
          { month: 2, ...figures, due, repaidInterest: dollars(1_000n), outstandingGrace: dollars(50_000n) },
        ],
      },
    ]);
    expect(cohorts[0]?.curve).toHaveLength(3);
    const names = (by: "grade" | "country" | "originator" | "year" | "month") =>
      cohortsIn(overTime, { by }).map(({ cohort }) => cohort);
    expect([names("grade"), names("country"), names("originator")]).toEqual([
      ["NR"],
      ["SG"],
      ["org_northwind"],
    ]);
    expect([names("year"), names("month")]).toEqual([["2025"], ["2025-12"]]);
    expect(cohortsIn(overTime, { by: "year", originator: "org_sun" })).toEqual([]);
  });

  it("have a payment before the drawdown in the first month", async () => {
    const early = tablesOf({ listings: [loan], flows: [flow(100n, "repaidPrincipal", 7n)] });
    const { market } = await snapshotOf(early, registry);
    expect(cohortsIn(market.overTime)[0]?.curve[0]).toMatchObject({ repaidPrincipal: dollars(7n) });
  });

  it("have the return of the loans that have ended", async () => {
    const ended = { ...loan, terminalKind: "settled", terminalAt: NOW - 5n * DAY } as const;
    const row = { ...ended, writtenOffPrincipal: 50_000n * DOLLAR };
    const settled = await snapshotOf(
      tablesOf({ listings: [row], repayments: tables.rows.repayments }),
      registry,
    );
    // 31,000 of 80,000 after 70 days: (31 / 80) ^ (365 / 70) − 1 = −99.29 %.
    expect(cohortsIn(settled.market.overTime, { by: "year" })).toMatchObject([
      {
        ...{ ended: 1, realisedReturnBps: -9929, writtenOff: dollars(50_000n), defaultedBps: 6250 },
        // 82,447.12 after 77 days: 1.030589 ^ (365 / 77) − 1 = 15.353 %.
        expectedReturnBps: 1535,
      },
    ]);
  });
});

it("series and cohorts are missing during the backfill", async () => {
  const { rows, ...rest } = tables;
  const backfilling = await snapshotOf({ ...rest, rows: { ...rows, flows: null } }, registry);
  expect(backfilling.market.overTime).toBeNull();
});
