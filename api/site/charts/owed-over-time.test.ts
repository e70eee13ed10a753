import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import {
  descriptionOf,
  drawingsOf,
  expectSameFigures,
  expectSound,
  labelsOf,
  numbersIn,
  START,
} from "../../../test/harness/charts.ts";
import { DAY, DOLLAR } from "../../../test/harness/rows.ts";
import { textOf } from "../value.ts";
import { type OwedOverTimeParameters, owedOverTime } from "./owed-over-time.tsx";

/** 2026-03-01T00:00:00Z */

/** 80,000 dollars lent for 100 days; payments by day, principal and interest in dollars. */
function loan(
  today: bigint,
  payments: readonly (readonly [day: bigint, principal: bigint, interest?: bigint])[] = [],
  changes: Partial<OwedOverTimeParameters["listing"]> = {},
): OwedOverTimeParameters {
  const paid = payments.reduce((sum, [, principal]) => sum + principal, 0n);
  return {
    id: "owed",
    listing: {
      ...{ refnum: "RB00007", status: "live", statusSince: isoTime(START), writtenOffAmount: "0" },
      ...{ outstandingPrincipal: `${(80_000n - paid) * DOLLAR}`, ...changes },
    },
    schedule: {
      principal: `${80_000n * DOLLAR}`,
      maturityAt: isoTime(START + 100n * DAY),
      payments: payments.map(([day, principal, interest = 0n]) => ({
        ...{ at: isoTime(START + day * DAY), txHash: `0x${"7a".repeat(32)}` },
        ...{ principal: `${principal * DOLLAR}`, interest: `${interest * DOLLAR}` },
      })),
    },
    drawnDownAt: isoTime(START),
    until: START + today * DAY,
  };
}

const rowsOf = (parameters: OwedOverTimeParameters) =>
  owedOverTime(parameters).table.rows.map(({ cells }) => cells.map(textOf));

describe("what is owed over time", () => {
  it("falls with each payment of principal, against all of it at maturity", () => {
    const chart = owedOverTime(
      loan(50n, [
        [20n, 10_000n],
        [30n, 0n, 500n],
        [40n, 5_000n, 100n],
      ]),
    );
    expectSound(chart);
    expectSameFigures(chart);
    expect(chart.table.rows.map(({ cells }) => cells.map(textOf))).toEqual([
      ["1 Mar 2026, 00:00 UTC", "Money drawn", "80,000 USD-test", "80,000 USD-test"],
      ["21 Mar 2026, 00:00 UTC", "Payment", "70,000 USD-test", "80,000 USD-test"],
      ["10 Apr 2026, 00:00 UTC", "Payment", "65,000 USD-test", "80,000 USD-test"],
      ["20 Apr 2026, 00:00 UTC", "Today", "65,000 USD-test", "80,000 USD-test"],
      ["9 Jun 2026, 00:00 UTC", "Due date", "–", "0 USD-test"],
    ]);
    expect(descriptionOf(chart)).toBe(
      "Up to 20 Apr 2026, 00:00 UTC: 65,000 USD-test of 80,000 USD-test owed. Plan: all 80,000 USD-test on 9 Jun 2026.",
    );
  });

  it("names its lines and days, with the unit on the axis", () => {
    for (const svg of drawingsOf(owedOverTime(loan(50n, [[20n, 10_000n]])))) {
      expect(labelsOf(svg)).toEqual(
        expect.arrayContaining(["Owed 70k", "Plan", "Due 9 Jun 2026", "Today", "USD-test", "80k", "0"]),
      );
      const lines = [...svg.querySelectorAll(".chart-series .chart-line")];
      expect(lines.map((line) => line.getAttribute("stroke-dasharray"))).toEqual(["6 4", null]);
    }
  });

  it("ends today and the plan at the due date, to the pixel", () => {
    const svg = drawingsOf(owedOverTime(loan(50n))).at(-1);
    const endOf = (selector: string) =>
      Math.max(
        ...[...(svg?.querySelector(selector)?.getAttribute("d") ?? "").matchAll(/[ML]([\d.]+),/g)].map(
          ([, x]) => Number(x),
        ),
      );
    // From the axis to the right edge at 752, and 50 of 100 days of it.
    const left = Math.min(...numbersIn(svg?.getAttribute("data-readings") ?? ""));
    expect(endOf(".chart-series .chart-plan .chart-line")).toBe(752);
    expect(endOf(".chart-series .chart-committed .chart-line")).toBeCloseTo((left + 752) / 2, 0);
    expect(svg?.querySelector(".chart-overdue")).toBeNull();
  });

  it("marks what is overdue from the due date on", () => {
    const late = loan(130n, [[20n, 10_000n]]);
    for (const svg of drawingsOf(owedOverTime(late)))
      expect(svg.querySelector(".chart-overdue")).not.toBeNull();
    expect(rowsOf(late).slice(2)).toEqual([
      ["9 Jun 2026, 00:00 UTC", "Due date", "70,000 USD-test", "0 USD-test"],
      ["9 Jul 2026, 00:00 UTC", "Today", "70,000 USD-test", "0 USD-test"],
    ]);
    const paid = loan(130n, [[120n, 80_000n]]);
    for (const svg of drawingsOf(owedOverTime(paid))) expect(svg.querySelector(".chart-overdue")).toBeNull();
  });

  it("ends with the settlement, and with what was never paid", () => {
    const settled = { status: "matured", statusSince: isoTime(START + 140n * DAY) } as const;
    const lost = { ...settled, outstandingPrincipal: "0", writtenOffAmount: `${9_000n * DOLLAR}` };
    const chart = owedOverTime(loan(300n, [[90n, 71_000n]], lost));
    expectSound(chart);
    expect(chart.table.rows.at(-1)?.cells.map(textOf)).toEqual([
      ...["19 Jul 2026, 00:00 UTC", "Settled", "9,000 USD-test", "0 USD-test"],
    ]);
    expect(descriptionOf(chart)).toMatch(
      /^Settled 19 Jul 2026, .*: 9,000 USD-test of 80,000 USD-test never paid\./,
    );
    for (const svg of drawingsOf(chart)) expect(labelsOf(svg)).toContain("Never paid 9k");
  });

  it("leaves a due date that is too far ahead to the words", () => {
    const far = loan(50n);
    const chart = owedOverTime({
      ...far,
      schedule: { ...far.schedule, maturityAt: "9999-12-31T23:59:59Z" },
    });
    expectSound({ ...chart, table: { ...chart.table, rows: chart.table.rows } });
    for (const svg of drawingsOf(chart)) {
      expect(labelsOf(svg)).toContain("Plan: due 31 Dec 9999");
      expect(labelsOf(svg)).not.toContain("Due 31 Dec 9999");
    }
  });

  it("shows the newest of many payments", () => {
    const many = loan(
      99n,
      Array.from({ length: 90 }, (_, day) => [BigInt(day + 1), 1n] as const),
    );
    const chart = owedOverTime(many);
    expectSound(chart);
    const rows = rowsOf(many);
    expect(rows).toHaveLength(39);
    expect(rows.filter(([, label]) => label === "Payment").at(-1)?.[2]).toBe("79,910 USD-test");
  });

  it("is sound with any figures at any times", () => {
    const amount = fc.oneof(fc.constantFrom(0n, 1n, 2n ** 200n), fc.bigInt(0n, 10n ** 24n));
    const moment = fc.bigInt(0n, 253_402_300_799n);
    fc.assert(
      fc.property(
        fc.array(fc.record({ at: moment, principal: amount }), { maxLength: 50 }),
        fc.record({ principal: amount, due: moment, drawn: moment, until: moment, owed: amount }),
        fc.constantFrom("live", "matured" as const),
        (payments, { principal, due, drawn, until, owed }, status) => {
          const base = loan(50n, [], {
            status,
            outstandingPrincipal: `${owed}`,
            writtenOffAmount: `${owed}`,
          });
          const sorted = payments.toSorted((a, b) => (a.at < b.at ? -1 : 1));
          expectSound(
            owedOverTime({
              ...base,
              schedule: {
                principal: `${principal}`,
                maturityAt: isoTime(due),
                payments: sorted.map(({ at, principal: paid }) => ({
                  ...{ at: isoTime(at), txHash: `0x${"7a".repeat(32)}` },
                  ...{ principal: `${paid}`, interest: "0" },
                })),
              },
              drawnDownAt: isoTime(drawn),
              until,
            }),
          );
        },
      ),
      { numRuns: 80 },
    );
  });
});
