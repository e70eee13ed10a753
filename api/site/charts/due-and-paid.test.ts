import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import {
  amounts,
  descriptionOf,
  drawingsOf,
  expectSound,
  labelsOf,
  numbersIn,
  START,
} from "../../../test/harness/charts.ts";
import { DAY, DOLLAR } from "../../../test/harness/rows.ts";
import type { Schedule } from "../../market/schema.ts";
import { tableOf } from "../blocks.ts";
import { amount, time } from "../value.ts";
import { dueAndPaid } from "./due-and-paid.tsx";

describe("due and paid", () => {
  const SCHEDULE: Schedule = {
    estimated: false,
    maturityAt: isoTime(START + 100n * DAY),
    principal: `${1_000n * DOLLAR}`,
    interest: `${50n * DOLLAR}`,
    indicativeInterest: null,
    total: `${1_050n * DOLLAR}`,
    paidPrincipal: `${250n * DOLLAR}`,
    paidInterest: `${50n * DOLLAR}`,
    outstandingPrincipal: `${750n * DOLLAR}`,
    payments: [],
  };
  const paymentAt = (day: bigint): Schedule["payments"][number] => ({
    at: isoTime(START + day * DAY),
    principal: `${DOLLAR}`,
    interest: "0",
    txHash: `0x${"7a".repeat(32)}`,
  });
  function drawn(
    schedule: Partial<Schedule>,
    owed: [bigint, bigint],
    isOverdue: boolean,
    { until = 130n * DAY, isOver = false } = {},
  ) {
    const all = { ...SCHEDULE, ...schedule };
    const shown = all.payments.slice(-40).reverse();
    return dueAndPaid({
      id: "due",
      refnum: "RB00042",
      schedule: all,
      left: { principal: `${owed[0]}`, interest: `${owed[1]}`, total: `${owed[0] + owed[1]}` },
      isOver,
      drawnDownAt: isoTime(START),
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

  it("says of a settled loan what was never paid", () => {
    const chart = drawn({ paidInterest: "0" }, [0n, 50n * DOLLAR], false, { isOver: true });
    expect(descriptionOf(chart)).toContain(
      "Interest: 0 USD-test of 50 USD-test paid, 50 USD-test never paid.",
    );
    for (const svg of drawingsOf(chart)) expect(labelsOf(svg)).toContain("0 of 50 paid, 50 never paid");
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
      maturityAt: fc.bigInt(0n, 253_402_300_799n).map(isoTime),
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
          expectSound(drawn(any, [principal, interest], isLate, { until }));
        },
      ),
      { numRuns: 60 },
    );
  });
});
