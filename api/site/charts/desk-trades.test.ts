import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import {
  amounts,
  cellsOf,
  descriptionOf,
  documentOf,
  drawingsOf,
  expectSound,
  labelsOf,
  numbersIn,
  START,
} from "../../../test/harness/charts.ts";
import { DAY, DOLLAR } from "../../../test/harness/rows.ts";
import type { DeskTrade } from "../../market/trading.ts";
import { deskTrades } from "./desk-trades.tsx";

describe("prices and yields", () => {
  const tradeAt = (day: bigint, priceBps: number, yieldToMaturityBps: number | null): DeskTrade => ({
    at: isoTime(START + day * DAY),
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
            at: isoTime(at),
            amount: `${sum}`,
          }));
        expectSound(drawn(sorted, { ask, until }));
      }),
      { numRuns: 60 },
    );
  });
});
