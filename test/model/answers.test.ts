import { describe, expect, test } from "vitest";
import { predict } from "./answers.ts";
import { differences } from "./differences.ts";
import { txHash } from "./tell.ts";
import { DAY, DOLLAR, given, lateListing, openListing, START } from "./two-raises.ts";

describe("a market of two raises, told in full", () => {
  test("its listings, the later go-live first", () => {
    expect(predict(given).listings).toEqual({
      listings: [openListing, lateListing],
      trading: {
        enabled: false,
        deskAddress: null,
        openOffers: 0,
        openAmount: null,
        openNotional: null,
        bestAskBps: null,
        trades24h: 0,
        trades30d: 0,
        tradesTotal: 0,
        volume24h: null,
        volume30d: null,
        volumeTotal: null,
        selfTrades: 0,
        vwap30dBps: null,
        sellers30d: 0,
        buyers30d: 0,
        lastTrade: null,
        listings: [],
      },
    });
  });

  test("its one originator that shows anything, with the record so far", () => {
    expect(predict(given).originators).toEqual({
      originators: [
        {
          publicId: "org_one",
          legalName: "One Ltd",
          jurisdiction: "SG",
          ratingGrade: "NR",
          kybStatus: "approved",
          rating: {
            method: "v1",
            n: 1,
            volume: "3000000000000000000000",
            lossBps: null,
            lateBps: null,
            adjustedBps: null,
            cap: "D",
            byDaysLate: { onTime: 0, upTo7: 0, upTo30: 0, upTo90: 1, over90: 0, writtenOff: 0 },
          },
          listings: [openListing, lateListing],
        },
      ],
    });
  });

  test("before the go-live of the second raise only the first is visible", () => {
    const { listings } = predict({ ...given, head: { number: 100n, timestamp: START + DAY - 1n } }).listings;
    expect(listings.map(({ publicId }) => publicId)).toEqual(["lst_a"]);
  });

  test("unpublished, a raise leaves the answers and stays in the record of its originator's address", () => {
    const { originators, listings } = given.registry;
    const registry = { originators, listings: listings.slice(1) };
    const [one] = predict({ ...given, registry }).originators.originators;
    expect(one).toMatchObject({ listings: [{ publicId: "lst_b" }], rating: { n: 1, cap: "D" } });
  });
});

test("its statistics, and a schedule of each visible listing", () => {
  const { stats, schedules } = predict(given);
  expect(stats).toMatchObject({
    byStatus: { live: 1, listed: 1, matured: 0 },
    raised: `${3000n * DOLLAR}`,
    reserves: `${250n * DOLLAR}`,
    subscribers: 1,
    defaultRateBps: null,
  });
  expect(Object.keys(schedules).sort()).toEqual(["lst_a", "lst_b"]);
  expect(schedules.lst_a).toEqual({
    estimated: false,
    maturityAt: "2026-02-11T00:00:00Z",
    principal: "3000000000000000000000",
    interest: "35753424657534246575",
    indicativeInterest: null,
    total: "3035753424657534246575",
    paidPrincipal: "1000000000000000000000",
    paidInterest: "1",
    outstandingPrincipal: "2000000000000000000000",
    payments: [
      { at: "2026-02-11T00:00:00Z", principal: "1000000000000000000000", interest: "1", txHash: txHash(9) },
    ],
  });
  // Without a close: thirty days from now.
  expect(schedules.lst_b).toMatchObject({ estimated: true, maturityAt: "2026-04-13T00:00:00Z", total: "0" });
});

test("differences are named by their path", () => {
  const one = { list: [{ publicId: "lst_a", n: "1", m: 2 }], x: null };
  expect(differences(one, { x: null, list: [{ m: 2, n: "1", publicId: "lst_a" }] })).toEqual([]);
  expect(differences(one, { list: [{ publicId: "lst_a", n: 1 }, 7] })).toEqual([
    '$.list[0 lst_a].n: expected "1", got 1',
    "$.list[0 lst_a].m: expected 2, got nothing",
    "$.list[1]: expected nothing, got 7",
    "$.x: expected null, got nothing",
  ]);
});
