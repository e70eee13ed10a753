/** Bids by rate, trades on the desk, due and paid. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cellsOf,
  descriptionOf,
  documentOf,
  drawingsOf,
  expectSameFigures,
  expectSound,
  labelsOf,
  numbersIn,
} from "../../../test/harness/charts.ts";
import type { BidBook } from "../../ledger/bids.ts";
import type { Schedule } from "../../market/schema.ts";
import type { DeskTrade } from "../../market/trades.ts";
import { tableOf } from "../blocks.ts";
import { amount, time } from "../value.ts";
import { bidsByRate } from "./bids-by-rate.tsx";
import { deskTrades } from "./desk-trades.tsx";
import { dueAndPaid } from "./due-and-paid.tsx";

const DOLLAR = 10n ** 18n;
const LARGEST = 2n ** 200n;
const DAY = 86_400n;
const START = 1_772_323_200n;
const isoOf = (seconds: bigint) => new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z");
const amounts = fc.oneof(fc.constantFrom(0n, 1n, DOLLAR, LARGEST), fc.bigInt(0n, LARGEST));

describe("bids by rate", () => {
  const listing = { refnum: "RB00042", targetAmount: `${100n * DOLLAR}` };
  /** Rate, sum and accepted part in dollars. */
  const bookOf = (
    isClosed: boolean,
    ...lines: [rate: number, amount: bigint, accepted: bigint][]
  ): BidBook => {
    let cumulated = 0n;
    const rates = lines.map(([rate, sum, accepted]) => {
      cumulated += sum * DOLLAR;
      const money = { amount: sum * DOLLAR, accepted: accepted * DOLLAR, cumulated };
      return { lowestBps: rate, highestBps: rate, count: 2, ...money };
    });
    return { rates, isClosed, marginalBps: lines.findLast(([, , accepted]) => accepted > 0n)?.[0] ?? null };
  };
  const book = bookOf(true, [800, 50n, 50n], [900, 80n, 50n], [1000, 70n, 0n]);
  const chart = bidsByRate({ id: "bids", listing, book, clearingBps: 900 });

  it("says in words and in the table what it shows", () => {
    expectSound(chart);
    expectSameFigures(chart);
    expect(descriptionOf(chart)).toBe(
      "6 bids from 8.00% to 10.00%, 200 USD-test in total. Accepted: 100 USD-test. Target: 100 USD-test. Clearing rate: 9.00%.",
    );
    expect(cellsOf(chart).slice(5, 10)).toEqual(["9.00%", "2", "80 USD-test", "50 USD-test", "130 USD-test"]);
    for (const svg of drawingsOf(chart)) {
      expect(labelsOf(svg)).toEqual(
        expect.arrayContaining([
          "Accepted 100",
          "Not accepted 100",
          "Clearing rate 9.00%",
          "Target 100",
          "8.00%",
        ]),
      );
    }
  });

  it("stacks each rate upon the cheaper ones, and tells what is accepted without colour", () => {
    for (const svg of drawingsOf(chart)) {
      const boxes = [...svg.querySelectorAll(".chart-series rect")].map((rect) => ({
        isHollow: rect.hasAttribute("stroke-dasharray"),
        top: Number(rect.getAttribute("y")),
        height: Number(rect.getAttribute("height")),
      }));
      expect(boxes.map(({ isHollow }) => isHollow)).toEqual([false, false, true, true]);
      const [first, second, third, fourth] = boxes.map(({ height }) => height);
      expect([second, third, fourth].map((height) => (height ?? 0) / (first ?? 1))).toEqual([
        expect.closeTo(1, 1),
        expect.closeTo(0.6, 1),
        expect.closeTo(1.4, 1),
      ]);
      for (const [index, { top }] of boxes.entries()) {
        const next = boxes[index + 1];
        if (next !== undefined) expect(next.top + next.height).toBeCloseTo(top, 0);
      }
    }
  });

  it("speaks of what would be while the auction is open", () => {
    const open = bidsByRate({ id: "bids", listing, book: bookOf(false, [800, 50n, 50n]), clearingBps: 800 });
    expectSound(open);
    expect(descriptionOf(open)).toContain("1 bid".replace("1 bid", "2 bids"));
    expect(descriptionOf(open)).toContain("Within the target: 50 USD-test.");
    expect(descriptionOf(open)).not.toContain("Accepted");
  });

  it("is a sentence without bids", () => {
    const sentences = [true, false].map((isClosed) => {
      const none = bidsByRate({ id: "bids", listing, book: bookOf(isClosed), clearingBps: null });
      expectSound(none);
      return none.table.empty;
    });
    expect(sentences).toEqual(["Nobody placed a bid.", "There are no bids yet."]);
  });

  it("is sound of any figures", () => {
    const lines = fc.uniqueArray(fc.tuple(fc.nat(2 ** 32), amounts, fc.nat(100)), {
      maxLength: 40,
      selector: ([rate]) => rate,
    });
    fc.assert(
      fc.property(lines, fc.boolean(), amounts.map(String), (own, isClosed, targetAmount) => {
        let cumulated = 0n;
        const rates = own
          .toSorted(([a], [b]) => a - b)
          .map(([rate, sum, percent]) => {
            cumulated += sum;
            const accepted = (sum * BigInt(percent)) / 100n;
            return { lowestBps: rate, highestBps: rate, count: 1, amount: sum, accepted, cumulated };
          });
        const marginalBps = rates.findLast(({ accepted }) => accepted > 0n)?.highestBps ?? null;
        const any = bidsByRate({
          id: "any",
          listing: { ...listing, targetAmount },
          book: { rates: cumulated === 0n ? [] : rates, isClosed, marginalBps },
          clearingBps: marginalBps,
        });
        expectSound(any);
      }),
      { numRuns: 60 },
    );
  });
});

describe("prices and yields", () => {
  const tradeAt = (day: bigint, priceBps: number, yieldToMaturityBps: number | null): DeskTrade => ({
    at: isoOf(START + day * DAY),
    amount: `${10n * DOLLAR}`,
    priceBps,
    yieldToMaturityBps,
    txHash: `0x${"7a".repeat(32)}`,
  });
  const trades = [tradeAt(0n, 9_500, 2_000), tradeAt(2n, 9_700, 1_500), tradeAt(8n, 9_600, null)];
  const drawn = (own: readonly DeskTrade[], changes: object = {}) =>
    deskTrades({
      id: "desk",
      refnum: "RB00042",
      trades: own,
      total: own.length,
      ask: { priceBps: 9_650, yieldBps: 1_600 },
      until: START + 10n * DAY,
      ...changes,
    });

  it("says in words and in the table what it shows", () => {
    const chart = drawn(trades);
    expectSound(chart);
    expect(descriptionOf(chart)).toBe(
      "3 trades, from 1 Mar 2026, 00:00 UTC to 9 Mar 2026, 00:00 UTC. Prices from 95.00% to 97.00% of par, last 96.00% for 10 tokens. Yields from 15.00% to 20.00% per year. Lowest asking price: 96.50%.",
    );
    expect(cellsOf(chart).slice(0, 4)).toEqual(["1 Mar 2026, 00:00 UTC", "95.00%", "20.00%", "10"]);
    expect(cellsOf(chart).slice(-4)).toEqual(["9 Mar 2026, 00:00 UTC", "96.00%", "–", "10"]);
    for (const svg of drawingsOf(chart)) {
      expect(labelsOf(svg)).toEqual(
        expect.arrayContaining([
          "Price: last 96.00%",
          "Yield per year: last 15.00%",
          "Lowest asking price 96.50%",
          "At the lowest asking price 16.00%",
        ]),
      );
      const places = numbersIn(svg.getAttribute("data-readings"));
      const [first = 0, second = 0, third = 0] = places;
      expect((second - first) / (third - first)).toBeCloseTo(2 / 8, 2);
      const [price = [], yields = []] = [...svg.querySelectorAll(".chart-series")].map((series) =>
        [...series.querySelectorAll(".chart-marker")].map((one) =>
          Number(/translate\(([\d.]+),/.exec(one.getAttribute("transform") ?? "")?.[1]),
        ),
      );
      expect(price).toEqual(places);
      expect(yields).toEqual(places.slice(0, 2));
    }
  });

  it("says when older trades are left out", () => {
    const chart = drawn(trades, { total: 1_234 });
    expect(chart.table.caption).toBe("The newest 3 of 1,234 trades, oldest first. Prices are of par");
    expect(chart.table.rows.map(({ key }) => key)).toEqual(["trade-1232", "trade-1233", "trade-1234"]);
  });

  it("is a sentence without trades, and has no panel of yields without any", () => {
    const none = drawn([]);
    expectSound(none);
    expect(none.table.empty).toBe("Nothing has been traded yet.");
    const late = drawn([tradeAt(0n, 10_000, null)], { ask: { priceBps: null, yieldBps: null } });
    expectSound(late);
    expect(documentOf(late).querySelectorAll(".chart-drawing--wide .chart-series")).toHaveLength(1);
  });

  it("is sound of any prices at any times", () => {
    const bps = fc.oneof(
      fc.constantFrom(0, 1, 10_000, Number.MAX_SAFE_INTEGER),
      fc.nat(20_000),
      fc.maxSafeNat(),
    );
    const yields = fc.oneof(bps, fc.constantFrom(-Number.MAX_SAFE_INTEGER), fc.integer());
    const trade = fc.record({
      at: fc.bigInt(0n, 253_402_300_799n),
      price: bps,
      yieldBps: fc.option(yields),
      sum: amounts,
    });
    const ask = fc.record({ priceBps: fc.option(bps), yieldBps: fc.option(yields) });
    fc.assert(
      fc.property(fc.array(trade, { maxLength: 40 }), ask, fc.bigInt(0n, 2n ** 40n), (own, ask, until) => {
        const sorted = own
          .toSorted((a, b) => (a.at < b.at ? -1 : 1))
          .map(({ at, price, yieldBps, sum }) => ({
            ...tradeAt(0n, price, yieldBps),
            at: isoOf(at),
            amount: `${sum}`,
          }));
        expectSound(drawn(sorted, { ask, until }));
      }),
      { numRuns: 60 },
    );
  });
});

describe("due and paid", () => {
  const SCHEDULE: Schedule = {
    estimated: false,
    maturityAt: isoOf(START + 100n * DAY),
    principal: `${1_000n * DOLLAR}`,
    interest: `${50n * DOLLAR}`,
    total: `${1_050n * DOLLAR}`,
    paidPrincipal: `${250n * DOLLAR}`,
    paidInterest: `${50n * DOLLAR}`,
    outstandingPrincipal: `${750n * DOLLAR}`,
    payments: [],
  };
  const paymentAt = (day: bigint): Schedule["payments"][number] => ({
    at: isoOf(START + day * DAY),
    principal: `${DOLLAR}`,
    interest: "0",
    txHash: `0x${"7a".repeat(32)}`,
  });
  function drawn(
    schedule: Partial<Schedule>,
    owed: [bigint, bigint],
    isOverdue: boolean,
    until = 130n * DAY,
  ) {
    const all = { ...SCHEDULE, ...schedule };
    const shown = all.payments.slice(-40).reverse();
    return dueAndPaid({
      id: "due",
      refnum: "RB00042",
      schedule: all,
      owed: { principal: `${owed[0]}`, interest: `${owed[1]}`, total: `${owed[0] + owed[1]}` },
      drawnDownAt: isoOf(START),
      isOverdue,
      until: START + until,
      payments: tableOf({
        caption: "Payments",
        items: shown.map((payment, place) => ({ ...payment, place })),
        keyOf: ({ place }) => `payment-${place}`,
        columns: [
          ["at", "Time", ({ at }) => time(at)],
          ["principal", "Principal", ({ principal }) => amount(principal)],
        ],
        empty: "Nothing has been repaid yet.",
      }),
      paymentTimes: shown.map(({ at }) => at),
    });
  }
  const widthsOf = (svg: Element, selector: string) =>
    [...svg.querySelectorAll(selector)].map((bar) => Number(bar.getAttribute("width")));

  it("says what is due, paid and still owed, and fills the bars that far", () => {
    const chart = drawn({ payments: [paymentAt(25n), paymentAt(50n)] }, [750n * DOLLAR, 0n], false);
    expectSound(chart);
    expect(descriptionOf(chart)).toBe(
      "Principal: 250 USD-test of 1,000 USD-test paid, 750 USD-test still owed. " +
        "Interest: 50 USD-test of 50 USD-test paid, 0 USD-test still owed. Due 9 Jun 2026. 2 payments so far.",
    );
    for (const svg of drawingsOf(chart)) {
      const [whole = 1] = widthsOf(svg, ".chart-track");
      const [principal = 0, interest = 0] = widthsOf(svg, ".chart-bar");
      expect([principal / whole, interest / whole]).toEqual([expect.closeTo(0.25, 2), 1]);
      expect(svg.querySelectorAll(".chart-overdue")).toHaveLength(0);
      expect(labelsOf(svg)).toEqual(
        expect.arrayContaining([
          "Principal",
          "250 of 1,000 paid, 750 owed",
          "50 of 50 paid",
          "Due 9 Jun 2026",
        ]),
      );
      // The newest row first: half way, then a quarter.
      const [newest = 0, older = 0] = numbersIn(svg.getAttribute("data-readings"));
      expect((newest - 8) / (older - 8)).toBeCloseTo(2, 1);
    }
  });

  it("marks what is overdue, on the bar and on the line from the due date on", () => {
    const chart = drawn({}, [750n * DOLLAR, 0n], true);
    expectSound({ ...chart, table: { ...chart.table, rows: [] } });
    expect(descriptionOf(chart)).toContain("Due 9 Jun 2026, overdue.");
    for (const svg of drawingsOf(chart)) {
      expect(labelsOf(svg)).toContain("250 of 1,000 paid, 750 overdue");
      const [, late = 0] = widthsOf(svg, ".chart-overdue");
      const whole = Number(svg.getAttribute("width")) - 16;
      expect(late / whole).toBeCloseTo(30 / 130, 2);
    }
    expect(chart.table.empty).toBe("Nothing has been repaid yet.");
  });

  it("is sound of any figures, and of thousands of payments", () => {
    const many = Array.from({ length: 5_000 }, (_, index) => paymentAt(BigInt(index)));
    const crowded = drawn({ payments: many }, [1n, 1n], false);
    expectSound(crowded);
    for (const svg of drawingsOf(crowded))
      expect(svg.querySelectorAll(".chart-marker").length).toBeLessThan(800);
    const figures = fc.record({
      principal: amounts.map(String),
      interest: amounts.map(String),
      paidPrincipal: amounts.map(String),
      paidInterest: amounts.map(String),
      maturityAt: fc.bigInt(0n, 253_402_300_799n).map(isoOf),
      payments: fc.array(fc.bigInt(0n, 3_000n).map(paymentAt), { maxLength: 5 }),
    });
    fc.assert(
      fc.property(
        figures,
        amounts,
        amounts,
        fc.boolean(),
        fc.bigInt(0n, 2n ** 34n),
        (any, principal, interest, isLate, until) => {
          expectSound(drawn(any, [principal, interest], isLate, until));
        },
      ),
      { numRuns: 60 },
    );
  });
});
