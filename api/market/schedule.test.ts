import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../config/format/time.ts";
import type { ListingRow, RepaymentRow } from "../../src/fold/state.ts";
import { marketOf } from "../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW, repaymentRow } from "../../test/harness/rows.ts";
import { neverPaidOf, owedOf, scheduleOf } from "./schedule.ts";
import { scheduleSchema } from "./schema.ts";

const MAX = 2n ** 256n - 1n;

function schedule(change: Partial<ListingRow> = {}, repayments: RepaymentRow[] = []) {
  const row = listingRow(change);
  const [listing] = marketOf([row], [entryDraft()]).listings;
  if (listing === undefined) throw new Error("the listing is not visible");
  const result = scheduleOf({ row, listing, repayments, now: NOW });
  expect(scheduleSchema.safeParse(result).error).toBeUndefined();
  return result;
}

describe("before the drawdown", () => {
  it("is estimated from what is raised, due the tenor after the close", () => {
    // 1000·10^18 · 1450 · 180 / 3 650 000
    expect(schedule({ raisedAmount: 1_000n * DOLLAR, closeAt: NOW + 3n * DAY })).toEqual({
      estimated: true,
      maturityAt: isoTime(NOW + 183n * DAY),
      principal: "1000000000000000000000",
      interest: "71506849315068493150",
      indicativeInterest: null,
      total: "1071506849315068493150",
      paidPrincipal: "0",
      paidInterest: "0",
      outstandingPrincipal: "0",
      payments: [],
    });
  });

  it("counts from the closing time of the terms also where the raise closed before it", () => {
    const closed = {
      frozenAt: NOW - DAY,
      decidedAt: NOW - DAY,
      closedAt: NOW - DAY,
      closeAt: NOW + 3n * DAY,
    };
    expect(schedule(closed).maturityAt).toBe(isoTime(NOW + 183n * DAY));
  });

  it("counts from now where there is no closing time", () => {
    expect(schedule({ closeAt: null }).maturityAt).toBe(isoTime(NOW + 180n * DAY));
  });

  it("goes by the coupon at which an auction closed", () => {
    const closed = {
      ...DRAWN,
      drawnAmount: null,
      drawnDownAt: null,
      maturityAt: null,
      outstandingPrincipal: 0n,
    };
    const { interest } = schedule({
      ...closed,
      raisedAmount: 3_650_000n,
      minRaise: 3_650_000n,
      closedCouponRateBps: 7,
      tenorDays: 1,
    });
    expect(interest).toBe("7");
  });
});

it.each([
  ["closed below its minimum", { closeAt: NOW, minRaise: 1_001n * DOLLAR }],
  ["was cancelled", { terminalKind: "cancelled", terminalAt: NOW }],
  ["was voided", { closeAt: NOW - DAY, terminalKind: "voided", terminalAt: NOW }],
] as const)("has nothing due on a raise that %s, as its money is never drawn", (_, change) => {
  expect(schedule({ raisedAmount: 1_000n * DOLLAR, ...change })).toMatchObject({
    ...{ estimated: true, principal: "0", interest: "0", total: "0", outstandingPrincipal: "0" },
  });
});

it("has what was drawn where the term was not known at the drawdown", () => {
  const drawn = { drawnAmount: 5n * DOLLAR, drawnDownAt: NOW, maturityAt: null, closeAt: NOW };
  const settled = { terminalKind: "settled", terminalAt: NOW } as const;
  expect(schedule({ ...drawn, ...settled }).principal).toBe(`${5n * DOLLAR}`);
});

it("estimates an oversubscribed auction from what it would accept", () => {
  const row = listingRow({
    pricingMode: "auction",
    targetAmount: 3_650_000n,
    raisedAmount: 5_000_000n,
    tenorDays: 1,
  });
  const [listing] = marketOf([row], [entryDraft()]).listings;
  if (listing === undefined) throw new Error("the listing is not visible");
  const auction = { ...listing, indicativeRateBps: 7 };
  expect(scheduleOf({ row, listing: auction, repayments: [], now: NOW })).toMatchObject({
    principal: "5000000",
    indicativeInterest: "7",
  });
});

describe("after the drawdown", () => {
  it("is what was drawn, with every payment and the sums of all", () => {
    const repayments = [
      repaymentRow({ blockTime: NOW - 10n * DAY }),
      repaymentRow({ principal: 0n, interest: 3n, txHash: `0x${"7b".repeat(32)}` }),
    ];
    const result = schedule(
      {
        ...DRAWN,
        repaidPrincipal: 100n * DOLLAR,
        repaidInterest: 5n * DOLLAR + 3n,
        outstandingPrincipal: 79_900n * DOLLAR,
      },
      repayments,
    );
    expect(result).toEqual({
      estimated: false,
      maturityAt: isoTime(NOW + 100n * DAY),
      principal: "80000000000000000000000",
      // 80000·10^18 · 1450 · 180 / 3 650 000
      interest: "5720547945205479452054",
      indicativeInterest: null,
      total: "85720547945205479452054",
      paidPrincipal: "100000000000000000000",
      paidInterest: "5000000000000000003",
      outstandingPrincipal: "79900000000000000000000",
      payments: [
        {
          at: isoTime(NOW - 10n * DAY),
          principal: "100000000000000000000",
          interest: "5000000000000000000",
          txHash: repayments[0]?.txHash,
        },
        { at: isoTime(NOW - 3_600n), principal: "0", interest: "3", txHash: `0x${"7b".repeat(32)}` },
      ],
    });
  });

  it("goes by the drawn amount where that is not what was raised", () => {
    const drawn = { ...DRAWN, drawnAmount: 3_650_000n, outstandingPrincipal: 3_650_000n, tenorDays: 1 };
    expect(schedule(drawn)).toMatchObject({ principal: "3650000", interest: "1450", total: "3651450" });
  });

  it("owes nothing more once settled", () => {
    const settled = { terminalKind: "settled", terminalAt: NOW, writtenOffPrincipal: DOLLAR } as const;
    expect(schedule({ ...DRAWN, ...settled })).toMatchObject({ outstandingPrincipal: "0", estimated: false });
  });
});

describe("whatever the chain says", () => {
  it("is shown, a time past the last as the last", () => {
    const result = schedule({
      raisedAmount: MAX,
      couponRateBps: 2 ** 32 - 1,
      tenorDays: 2 ** 32 - 1,
      closeAt: 2n ** 64n - 1n,
    });
    expect(result.maturityAt).toBe("9999-12-31T23:59:59Z");
    expect(BigInt(result.interest)).toBe((MAX * (2n ** 32n - 1n) ** 2n) / 3_650_000n);
  });

  it("may be a settlement or a repayment without a drawdown", () => {
    const settled = { terminalKind: "settled", terminalAt: NOW, writtenOffPrincipal: MAX } as const;
    const repaid = { repaidPrincipal: DOLLAR, raisedAmount: 5n, closeAt: NOW, tenorDays: 0 };
    expect(schedule({ ...settled, ...repaid }, [repaymentRow({ principal: DOLLAR })])).toMatchObject({
      estimated: true,
      maturityAt: isoTime(NOW),
      principal: "0",
      interest: "0",
      paidPrincipal: DOLLAR.toString(),
      outstandingPrincipal: "0",
      payments: [{ principal: DOLLAR.toString() }],
    });
  });

  it("adds up, and the interest is the largest whole number that the coupon allows", () => {
    const amount = fc.bigInt(0n, MAX);
    const time = fc.bigInt(0n, 2n ** 64n - 1n);
    const uint32 = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    const drawdown = fc.record({ drawnDownAt: time, drawnAmount: amount, maturityAt: time });
    const terms = fc.record({
      raisedAmount: amount,
      couponRateBps: uint32,
      closedCouponRateBps: fc.option(uint32),
      tenorDays: uint32,
      closeAt: fc.option(time),
      // Only a raise without money fails, on which nothing is due.
      minRaise: fc.constant(0n),
    });
    const property = fc.property(terms, fc.option(drawdown), (terms, drawdown) => {
      const { estimated, principal, interest, total } = schedule({ ...terms, ...drawdown });
      expect(estimated).toBe(drawdown === null);
      expect(BigInt(principal)).toBe(drawdown?.drawnAmount ?? terms.raisedAmount);
      expect(BigInt(total)).toBe(BigInt(principal) + BigInt(interest));
      const rate = BigInt(terms.closedCouponRateBps ?? terms.couponRateBps);
      const excess = BigInt(principal) * rate * BigInt(terms.tenorDays) - BigInt(interest) * 3_650_000n;
      expect(excess >= 0n && excess < 3_650_000n).toBe(true);
    });
    fc.assert(property);
  });
});

it.each([
  ["current", false, "4", { principal: "70", interest: "5", total: "75" }],
  ["default", false, "9", { principal: "70", interest: "0", total: "70" }],
  // More interest was paid than was due.
  ["late", false, "10", { principal: "70", interest: "0", total: "70" }],
  ["repaid", false, "4", { principal: "0", interest: "0", total: "0" }],
  ["written_off", false, "4", { principal: "0", interest: "0", total: "0" }],
  ["not_drawn", true, "0", { principal: "0", interest: "0", total: "0" }],
] as const)(
  "owes principal and interest of a loan that is %s",
  (repayment, estimated, paidInterest, owed) => {
    const schedule = { estimated, interest: "9", paidInterest };
    expect(owedOf({ outstandingPrincipal: "70", repayment }, schedule)).toEqual(owed);
  },
);

it.each([
  // A ten-thousandth of the interest is what contracts lose as they round.
  ["matured", false, "999900", { principal: "30", interest: "0", total: "30" }],
  ["matured", false, "999899", { principal: "30", interest: "101", total: "131" }],
  ["matured", true, "0", { principal: "0", interest: "0", total: "0" }],
  ["live", false, "0", { principal: "0", interest: "0", total: "0" }],
] as const)("was never paid once a raise is %s", (status, estimated, paidInterest, unpaid) => {
  const schedule = { estimated, interest: "1000000", paidInterest };
  expect(neverPaidOf({ status, writtenOffAmount: "30" }, schedule)).toEqual(unpaid);
});
