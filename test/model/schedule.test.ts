import { expect, test } from "vitest";
import { raiseOf } from "./raise.ts";
import { scheduleOf } from "./schedule.ts";
import { TERMS, type Told, tell, txHash } from "./tell.ts";

const DAY = 86_400n;
const terms = { ...TERMS, couponRateBps: 1450, tenorDays: 90, closeAt: 10n * DAY };
const created: Told = [50n, "ListingCreated", { terms }];
const subscribed: Told = [110n, "Subscribed", { amount: 10_000n, totalRaised: 10_000n }];
const closed: Told = [10n * DAY, "ListingClosed", { raisedAmount: 9_000n, couponRateBps: 1000 }];
const drawn: Told = [12n * DAY, "DrawnDown", { amount: 9_100n, fee: 90n, maturityAt: 102n * DAY }];

function schedule(now: bigint, ...events: Told[]) {
  const history = tell(...events);
  return scheduleOf(raiseOf(history), history, now);
}

test("before the drawdown it is an estimate from the close and what was raised", () => {
  expect(schedule(200n, created, subscribed)).toEqual({
    estimated: true,
    maturityAt: "1970-04-11T00:00:00Z", // a hundred days after the beginning of 1970
    principal: "10000",
    indicativeInterest: null,
    interest: "357", // 10000 · 14.5% · 90 / 365 = 357.53
    total: "10357",
    paidPrincipal: "0",
    paidInterest: "0",
    outstandingPrincipal: "0",
    payments: [],
  });
});

test("a schedule without a close counts from now", () => {
  const endless: Told = [50n, "ListingCreated", { terms: { ...terms, closeAt: 0n } }];
  expect(schedule(20n * DAY, endless, subscribed)).toMatchObject({ maturityAt: "1970-04-21T00:00:00Z" });
});

test("a schedule is fixed from the drawdown on, with every payment, whatever its source", () => {
  const paid: Told = [
    100n * DAY,
    "Repaid",
    { principal: 4_000n, interest: 221n, outstandingPrincipal: 5_100n },
  ];
  const applied: Told = [103n * DAY, "ReserveChanged", { reason: 1, amount: 300n }];
  const helped: Told = [
    103n * DAY,
    "Repaid",
    { principal: 300n, interest: 0n, outstandingPrincipal: 4_800n },
  ];
  expect(schedule(104n * DAY, created, subscribed, closed, drawn, paid, applied, helped)).toEqual({
    estimated: false,
    maturityAt: "1970-04-13T00:00:00Z",
    principal: "9100",
    indicativeInterest: null,
    interest: "224", // 9100 · 10% · 90 / 365 = 224.4
    total: "9324",
    paidPrincipal: "4300",
    paidInterest: "221",
    outstandingPrincipal: "4800",
    payments: [
      { at: "1970-04-11T00:00:00Z", principal: "4000", interest: "221", txHash: txHash(5) },
      { at: "1970-04-14T00:00:00Z", principal: "300", interest: "0", txHash: txHash(7) },
    ],
  });
});

test("settled, nothing is outstanding", () => {
  const settled: Told = [200n * DAY, "ListingSettled", { outcome: 2, writtenOffPrincipal: 9_000n }];
  expect(schedule(201n * DAY, created, subscribed, closed, drawn, settled)).toMatchObject({
    estimated: false,
    paidPrincipal: "0",
    outstandingPrincipal: "0",
  });
});

test("nothing is due on a raise that was called off, though money had been committed", () => {
  const cancelled: Told = [9n * DAY, "ListingCancelled", {}];
  const nothing = { estimated: true, principal: "0", interest: "0", total: "0" };
  expect(schedule(9n * DAY, created, subscribed, cancelled)).toMatchObject(nothing);
});
