import fc from "fast-check";
import { expect, it } from "vitest";
import { publishedOf } from "../../test/harness/published.ts";
import { DAY, DOLLAR, DRAWN, listingRow, NOW } from "../../test/harness/rows.ts";
import { cohortsFrom, cohortsOf } from "./cohorts.ts";
import { createKeptLoans } from "./kept-loans.ts";
import type { Visible } from "./visible.ts";

/** Versions of raises, of which some are due, some have ended, and one was not drawn. @param onRead called when the history of one is read */
function raises(onRead: () => void = () => {}): Visible[] {
  const rows = [0n, 1n, 2n, 3n, 4n, 5n].map((index) =>
    listingRow({
      ...{ ...DRAWN, onchainId: index + 1n, drawnDownAt: NOW - (40n + 30n * index) * DAY },
      maturityAt: NOW + (5n - 4n * index) * DAY,
      ...(index === 4n
        ? { terminalKind: "settled", terminalAt: NOW - DAY, repaidPrincipal: 80_000n * DOLLAR }
        : {}),
      ...(index === 5n ? { drawnDownAt: null, drawnAmount: null, maturityAt: null } : {}),
    }),
  );
  return publishedOf(...rows).map(({ row, listing }, index) => ({
    ...{ row, listing, repayments: [], offers: [], trades: [], corrections: [], entry: null },
    ...{ madeAt: NOW, country: index % 2 === 0 ? "SG" : "DE" },
    get flows() {
      onRead();
      return [];
    },
  }));
}

it("the cohorts of any loans after any others are those of these loans alone", () => {
  const all = raises();
  const some = fc.array(
    fc.record({ raise: fc.constantFrom(...all), grade: fc.constantFrom("A", "B", "NR") }),
  );
  const market = fc.record({
    loans: some.map((loans) => [...new Map(loans.map((loan) => [loan.raise, loan])).values()]),
    by: fc.constantFrom("month", "year", "grade", "country"),
    now: fc.constantFrom(NOW, NOW + 3n * DAY, NOW + 40n * DAY),
    dropped: fc.subarray(all),
  });
  fc.assert(
    fc.property(fc.array(market), (markets) => {
      const kept = createKeptLoans();
      for (const { loans, by, now, dropped } of markets) {
        for (const raise of dropped) kept.drop(raise);
        expect(cohortsFrom([...kept.sums(by, loans)], by, now)).toEqual(cohortsOf(loans, by, now));
      }
    }),
  );
});

it("a loan is read once, as long as it does not change", () => {
  let reads = 0;
  const loans = raises(() => reads++).map((raise) => ({ raise, grade: "" }));
  const kept = createKeptLoans();
  kept.sums("month", loans);
  expect(reads).toBe(5);
  kept.sums("month", loans);
  kept.drop(loans[1]?.raise as Visible);
  kept.sums("month", loans.slice(2));
  // Two were taken out.
  expect(reads).toBe(7);
});
