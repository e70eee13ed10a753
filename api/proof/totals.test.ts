import { describe, expect, it } from "vitest";
import { DRAWN, listingRow } from "../../test/harness/rows.ts";
import { type DerivedTotal, markDerived, type StoredFigures, TOTAL_NAMES, type TotalName } from "./totals.ts";

const proven: DerivedTotal = { value: 7n, source: null, field: null, parts: [], unexplained: null };
const totals = Object.fromEntries(TOTAL_NAMES.map((name) => [name, proven])) as Record<
  TotalName,
  DerivedTotal
>;
const marked = (stored: Partial<StoredFigures> | null, served: object, head = 100n) => {
  const figures = { raisedAmount: "5", refundedAmount: "0", outstandingPrincipal: "0", ...served };
  const row = stored === null ? null : listingRow({ raisedAmount: 5n, updatedBlock: 100n, ...stored });
  const found = markDerived(totals, { stored: row, served: figures, head });
  return TOTAL_NAMES.filter((name) => found[name].unexplained === "derived").map((name) => [
    name,
    found[name].value,
  ]);
};

describe("markDerived", () => {
  it("marks what the market serves otherwise than the events have it, with the figure that is served", () => {
    expect(marked({}, {})).toEqual([]);
    expect(marked({}, { outstandingPrincipal: "5" })).toEqual([["outstandingPrincipal", 5n]]);
    expect(marked({}, { raisedAmount: "4" })).toEqual([["raisedAmount", 4n]]);
  });

  it("leaves what an event of the drawdown says", () => {
    const drawn = { ...DRAWN, raisedAmount: 5n, outstandingPrincipal: 3n };
    expect(marked(drawn, { outstandingPrincipal: "3" })).toEqual([]);
  });

  it("does not compare with tables that are ahead of the market, or with none", () => {
    expect(marked({}, { raisedAmount: "4" }, 99n)).toEqual([]);
    expect(marked(null, { raisedAmount: "4" })).toEqual([]);
  });
});
