import { describe, expect, test } from "vitest";
import { raiseOf } from "./raise.ts";
import { repaymentOf, statusOf, statusSince } from "./status.ts";
import { ALICE, TERMS, type Told, tell } from "./tell.ts";

const DAY = 86_400n;

const created: Told = [50n, "ListingCreated", { terms: TERMS }];
const endless: Told = [50n, "ListingCreated", { terms: { ...TERMS, closeAt: 0n } }];
const enough: Told = [110n, "Subscribed", { backer: ALICE, amount: 400n, totalRaised: 400n }];
const tooLittle: Told = [110n, "Subscribed", { backer: ALICE, amount: 399n, totalRaised: 399n }];
const withdrawn: Told = [120n, "Refunded", { backer: ALICE, reason: 0, amount: 400n, totalRefunded: 400n }];
const closedWith = (at: bigint, raisedAmount: bigint): Told => [at, "ListingClosed", { raisedAmount }];
const drawn: Told = [300n, "DrawnDown", { amount: 400n, maturityAt: 1000n }];
const settled = (writtenOffPrincipal: bigint): Told => [2000n, "ListingSettled", { writtenOffPrincipal }];

function at(now: bigint, ...events: readonly Told[]) {
  const history = tell(...events);
  const raise = raiseOf(history);
  return [statusOf(raise, now), statusSince(raise, history, now)];
}

describe("status, and since when", () => {
  test("open: listed from the go-live on, funding from the first money on, even where it left again", () => {
    expect(at(150n, created)).toEqual(["listed", 100n]);
    expect(at(199n, created, enough)).toEqual(["funding", 110n]);
    expect(at(199n, created, enough, withdrawn)).toEqual(["funding", 110n]);
    expect(at(10_000n, endless, enough)).toEqual(["funding", 110n]);
  });

  test("time alone decides at closeAt", () => {
    expect(at(200n, created, enough)).toEqual(["live", 200n]);
    expect(at(200n, created, tooLittle)).toEqual(["refunding", 200n]);
    expect(at(200n, created)).toEqual(["refunding", 200n]);
  });

  test("nothing raised is a missed minimum, even of zero", () => {
    const free: Told = [50n, "ListingCreated", { terms: { ...TERMS, minRaise: 0n } }];
    expect(at(200n, free)).toEqual(["refunding", 200n]);
    expect(at(200n, free, [110n, "Subscribed", { amount: 1n, totalRaised: 1n }])).toEqual(["live", 200n]);
  });

  test("a close before the deadline decides; one after it only where it turns the decision round", () => {
    expect(at(500n, created, enough, closedWith(150n, 400n))).toEqual(["live", 150n]);
    expect(at(500n, endless, tooLittle, closedWith(450n, 399n))).toEqual(["refunding", 450n]);
    expect(at(500n, created, enough, closedWith(450n, 400n))).toEqual(["live", 200n]);
    expect(at(500n, created, enough, closedWith(450n, 399n))).toEqual(["refunding", 450n]);
    expect(at(500n, created, tooLittle, closedWith(450n, 400n))).toEqual(["live", 450n]);
  });

  test("a bid that leaves an auction after the deadline turns the decision round", () => {
    const auction: Told = [50n, "ListingCreated", { terms: { ...TERMS, pricingMode: 1 } }];
    const outbid: Told = [210n, "Refunded", { backer: ALICE, reason: 1, amount: 1n, totalRefunded: 1n }];
    expect(at(209n, auction, enough)).toEqual(["live", 200n]);
    expect(at(500n, auction, enough, outbid)).toEqual(["refunding", 210n]);
    expect(at(500n, auction, enough, outbid, closedWith(450n, 399n))).toEqual(["refunding", 210n]);
    expect(at(500n, auction, enough, outbid, closedWith(450n, 400n))).toEqual(["live", 450n]);
    expect(at(500n, created, enough, outbid)).toEqual(["live", 200n]);
  });

  test("the first end is final", () => {
    const cancelled: Told = [150n, "ListingCancelled"];
    expect(at(500n, created, enough, cancelled)).toEqual(["cancelled", 150n]);
    expect(at(500n, created, cancelled, [160n, "ListingVoided"])).toEqual(["cancelled", 150n]);
    expect(at(500n, created, closedWith(200n, 0n), [210n, "ListingVoided"])).toEqual(["voided", 210n]);
    expect(at(9000n, created, enough, closedWith(150n, 400n), drawn, settled(0n))).toEqual([
      "matured",
      2000n,
    ]);
  });
});

test("repayment passes each limit one second after it", () => {
  const raise = raiseOf(tell(created, enough, closedWith(150n, 400n), drawn));
  const states = [0n, 1n, 7n * DAY, 7n * DAY + 1n, 90n * DAY, 90n * DAY + 1n].map((late) =>
    repaymentOf(raise, 1000n + late),
  );
  expect(states).toEqual(["current", "grace", "grace", "late", "late", "default"]);
  expect(repaymentOf(raiseOf(tell(created, enough)), 5000n)).toBe("not_drawn");
  const ended = (writtenOff: bigint) =>
    repaymentOf(raiseOf(tell(created, drawn, settled(writtenOff))), 5000n);
  expect([ended(0n), ended(1n)]).toEqual(["repaid", "written_off"]);
});
