import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  amounts,
  cellsOf,
  descriptionOf,
  drawingsOf,
  expectSameFigures,
  expectSound,
  labelsOf,
} from "../../../test/harness/charts.ts";
import { DOLLAR } from "../../../test/harness/rows.ts";
import type { BidBook } from "../../market/bids.ts";
import { bidsByRate } from "./bids-by-rate.tsx";

describe("bids by rate", () => {
  const listing = { refnum: "RB00042", targetAmount: `${100n * DOLLAR}`, acceptsMoney: true };
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

  it("speaks of what would be while the auction is open, and of the close once its time has come", () => {
    const bids = { id: "bids", book: bookOf(false, [800, 50n, 50n]), clearingBps: 800 };
    const open = bidsByRate({ ...bids, listing });
    expect(descriptionOf(open)).toContain("If it closed now: 8.00%.");
    const due = bidsByRate({ ...bids, listing: { ...listing, acceptsMoney: false } });
    expectSound(due);
    expect(descriptionOf(due)).toContain("At the close: 8.00%.");
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
