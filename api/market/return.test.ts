import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { yearlyReturn } from "../../test/model/periods.ts";
import { addFlows, flowsOf, noFlows, yearlyReturnBps } from "./return.ts";

const returnOf = (lent: bigint, paid: [number, bigint][]) => yearlyReturnBps({ lent, paid: new Map(paid) });

describe("the money-weighted return of loans", () => {
  it.each<[string, bigint, [number, bigint][], number | null]>([
    ["a tenth more after a year", 100n, [[365, 110n]], 1_000],
    ["the same compounded after two", 100n, [[730, 121n]], 1_000],
    ["twice as much after two", 100n, [[730, 200n]], 4_142],
    ["a tenth less after a year", 100n, [[365, 90n]], -1_000],
    [
      "exactly what was lent",
      100n,
      [
        [3, 50n],
        [90, 50n],
      ],
      0,
    ],
    // 5 % after half a year of 365 days: 1.05 ^ (365 / 182) − 1 = 10.277 %.
    ["half a year", 100n, [[182, 105n]], 1_028],
    [
      "interest every half year",
      100n,
      [
        [182, 5n],
        [365, 105n],
      ],
      // About 1.05² − 1.
      1_025,
    ],
    ["nothing", 100n, [], -10_000],
    ["nothing that was lent", 0n, [[10, 5n]], null],
    ["everything on the first day", 100n, [[0, 100n]], null],
    ["more than a million percent", 100n, [[1, 200n]], null],
  ])("of %s", (_, lent, paid, expected) => {
    expect(returnOf(lent, paid)).toBe(expected);
  });

  it("counts days of the calendar from the drawdown on, and takes a loan away as it was added", () => {
    const midnight = 100n * 86_400n;
    const times = [0n, midnight - 1n, midnight, midnight + 86_400n];
    const flows = flowsOf(
      9n,
      midnight - 1n,
      times.map((blockTime) => ({ blockTime, principal: 1n, interest: 1n })),
    );
    expect([...flows.paid]).toEqual([
      [0, 4n],
      [1, 2n],
      [2, 2n],
    ]);
    const all = noFlows();
    addFlows(all, flows);
    expect(all).toEqual(flows);
    addFlows(all, flows, -1n);
    expect(all).toEqual(noFlows());
  });

  it("is that of exact fractions with forty decimals", () => {
    const payments = fc.array(fc.tuple(fc.integer({ min: 1, max: 1_500 }), fc.bigInt(0n, 10n ** 24n)), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.bigInt(10n ** 20n, 3n * 10n ** 24n), payments, (lent, flows) => {
        const paid = new Map(flows);
        const exact = yearlyReturn(
          lent,
          [...paid].map(([day, amount]) => ({ day: BigInt(day), amount })),
        );
        expect(returnOf(lent, [...paid])).toBe(exact);
      }),
      { numRuns: 50 },
    );
  });
});
