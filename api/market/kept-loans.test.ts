import fc from "fast-check";
import { expect, it } from "vitest";
import { publishedOf } from "../../test/harness/published.ts";
import { DAY, DOLLAR, DRAWN, listingRow, NOW } from "../../test/harness/rows.ts";
import { cohortsFrom, cohortsOf } from "./cohorts.ts";
import { createKeptLoans, KEPT } from "./kept-loans.ts";
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
    by: fc.constantFrom(...KEPT),
    now: fc.constantFrom(NOW, NOW + 3n * DAY, NOW + 40n * DAY),
    edits: fc.array(
      fc.record({ before: fc.constantFrom(null, ...all), after: fc.constantFrom(null, ...all) }),
    ),
    most: fc.nat(6),
  });
  fc.assert(
    fc.property(fc.array(market), (markets) => {
      const kept = createKeptLoans();
      for (const { loans, by, now, edits, most } of markets) {
        kept.apply(edits);
        kept.countOn(most, () => "C");
        const sums = kept.sums(by, loans, all.length * 2);
        expect(cohortsFrom([...(sums ?? [])], by, now)).toEqual(cohortsOf(loans, by, now));
      }
    }),
  );
});

it("a loan is read once for each of its cohorts, as long as it does not change, and some at a time", () => {
  let reads = 0;
  const all = raises(() => reads++);
  const loans = all.map((raise) => ({ raise, grade: "" }));
  const kept = createKeptLoans();
  kept.apply(all.map((after) => ({ before: null, after })));
  expect(kept.sums("month", loans, 4)).toBeNull();
  expect(reads).toBe(0);
  expect(kept.countOn(3, () => "")).toBe(true);
  expect(reads).toBe(3 * KEPT.length);
  expect(kept.countOn(3, () => "")).toBe(false);
  expect(reads).toBe(5 * KEPT.length);
  for (const by of KEPT) expect(kept.sums(by, loans, 0)?.size).toBeGreaterThan(0);
  expect(reads).toBe(5 * KEPT.length);
  kept.apply([{ before: all[1] as Visible, after: null }]);
  expect(reads).toBe(6 * KEPT.length);
  expect(kept.sums("month", [...loans.slice(0, 1), ...loans.slice(2)], 0)).not.toBeNull();
  // Under another grade all of them are other loans.
  const regraded = loans.filter(({ raise }) => raise !== all[1]).map((loan) => ({ ...loan, grade: "B" }));
  expect(kept.sums("grade", regraded, 3)).toBeNull();
  expect(reads).toBe(6 * KEPT.length);
  while (kept.countOn(1, () => "B"));
  expect([...(kept.sums("grade", regraded, 0)?.keys() ?? [])]).toEqual(["", "B"]);
  expect(cohortsFrom([...(kept.sums("grade", regraded, 0) ?? [])], "grade", NOW)).toEqual(
    cohortsOf(regraded, "grade", NOW),
  );
});
