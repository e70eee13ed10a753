import { describe, expect, it } from "vitest";
import { NO_DELTAS } from "../../src/fold/state.ts";
import { DRAWN, listingRow } from "../../test/harness/rows.ts";
import {
  type DerivedTotal,
  deriveTotal,
  type MoneyRow,
  markDerived,
  type StoredFigures,
  TOTAL_NAMES,
  TOTAL_RULES,
  type TotalName,
} from "./totals.ts";

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

describe("deriveTotal", () => {
  const row = (kind: string, args: object, deltas: Partial<MoneyRow> = {}) =>
    ({ ...NO_DELTAS, kind, args, ...deltas }) as MoneyRow;
  const counted = row("subscribed", { amount: "100", totalRaised: "100" }, { committed: 100n });
  const lent = [30n, 10n].map((committed) => row("subscribed", { amount: `${committed}` }, { committed }));
  const withdrawn = (committed: bigint) => row("refunded", { amount: "40" }, { committed });
  const drawn = row("drawn_down", { amount: "100" }, { outstanding: 100n });
  const paid = (outstanding: bigint) => row("repaid", { amount: "120" }, { outstanding });

  it.each<[string, TotalName, bigint | null, MoneyRow[], boolean, string]>([
    ["a total, after what changed nothing", "raisedAmount", 100n, [withdrawn(0n), counted], false, "100"],
    ["a total and a later change", "raisedAmount", 60n, [withdrawn(-40n), counted], false, "100 -40 amount"],
    ["another change than the event's", "raisedAmount", 70n, [withdrawn(-30n), counted], true, "no_such_sum"],
    ["all events without a total", "raisedAmount", 40n, lent, true, "+10 amount +30 amount"],
    ["some of them", "raisedAmount", 40n, lent, false, "too_many_events"],
    ["more than all of them", "raisedAmount", 50n, lent, true, "no_such_sum"],
    [
      "a payment of all and interest",
      "outstandingPrincipal",
      0n,
      [paid(-100n), drawn],
      true,
      "100 -120 paidAmount",
    ],
    [
      "more than was owed, but not all",
      "outstandingPrincipal",
      20n,
      [paid(-80n), drawn],
      true,
      "no_such_sum",
    ],
    ["less than nothing", "raisedAmount", null, [withdrawn(-40n)], true, "no_such_sum"],
  ])("has the events of %s", (_, name, value, rows, isWhole, expected) => {
    const found = deriveTotal(TOTAL_RULES[name], value, rows, isWhole);
    expect(found.value).toBe(value ?? 0n);
    const parts = found.parts?.map(({ sign, amount, field }) => `${sign}${amount} ${field}`) ?? [];
    const total = found.source === null || found.field === null ? [] : [found.source.args[found.field]];
    expect([...total, ...parts].join(" ") || found.unexplained).toBe(expected);
  });
});
