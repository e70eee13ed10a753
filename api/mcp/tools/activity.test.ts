import { expect, it, vi } from "vitest";
import { fixedLedger } from "../../../test/harness/fixed-ledger.ts";
import { ids, longMarket } from "../../../test/harness/long-market.ts";
import { memoryLedger, memoryRows } from "../../../test/harness/memory-ledger.ts";
import { DAY, DOLLAR, listingRow, NOW } from "../../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { visibleIn, visibleMatching, visibleOf } from "../../ledger/pages.ts";
import { ChainSilentError } from "../../ledger/sums.ts";
import { activityLines, readActivity } from "./activity.ts";

const RAISES = 120;
const raises = longMarket(RAISES);
raises.open(ids(1, RAISES));
const market = raises.end(ids(1, 100));
const { escrowAddress } = listingRow();
const NO_MONEY = { committed: 0n, refunded: 0n, repaidPrincipal: 0n, repaidInterest: 0n, outstanding: 0n };
const rows = ids(1, RAISES + 5).map((id) => ({
  ...{ escrowAddress, onchainId: BigInt(id), kind: "subscribed" as const, events: 1 + (id % 30) },
  ...NO_MONEY,
}));
const ofSun = [...market.originators].filter(({ publicId }) => publicId === "org_sun");

it.each([
  ["all", visibleIn(market), ids(1, RAISES)],
  ["some businesses", visibleOf(market, ofSun), ids(1, RAISES).filter((id) => id % 4 === 0)],
  ["a query", visibleMatching(market, { status: ["voided"] }), ids(1, 100)],
] as const)(
  "the activity of %s is that of its raises, which are not read for it",
  async (_, listings, own) => {
    const { archived } = market.listings;
    if (archived === null) throw new Error("nothing is archived");
    const reading = vi.spyOn(archived.view.archive, "read");
    const found = await readActivity({
      ...{ snapshot: { ...(await snapshotOf(tablesOf())), market }, exposeAccounts: false },
      ...{
        ledger: fixedLedger({ sums: { rows } }),
        listings,
        since: { time: NOW },
        until: undefined,
        kinds: null,
      },
    });
    if ("advice" in found) throw new Error(found.advice);
    const counted = own.map((id) => ({ publicId: `lst_${id}`, events: 1 + (id % 30) }));
    counted.sort((a, b) => b.events - a.events || (a.publicId < b.publicId ? -1 : 1));
    expect(found.raises).toBe(own.length);
    expect(found.events).toBe(counted.reduce((sum, { events }) => sum + events, 0));
    expect(found.changed.map(({ publicId, events }) => ({ publicId, events }))).toEqual(counted.slice(0, 20));
    const pairs = own.map((id) => ({ escrowAddress, onchainId: BigInt(id) }));
    expect(listings.pairs().toSorted((a, b) => Number(a.onchainId - b.onchainId))).toEqual(pairs);
    expect(reading).not.toHaveBeenCalled();
  },
);

it("the loss of settlements in a span is that of the raises, also where the contract told another than was owed", async () => {
  const some = longMarket(20);
  some.open(ids(1, 20));
  const lost = some.lose(ids(1, 12));
  // Owed were 60,000; the contract wrote off 70,000. A second settlement changes nothing.
  const settled = { escrowAddress, kind: "listing_settled" as const, events: 1, ...NO_MONEY };
  const sums = [
    { ...settled, onchainId: 3n, outstanding: -60_000n * DOLLAR },
    { ...settled, onchainId: 4n },
    { ...settled, onchainId: 15n, outstanding: -60_000n * DOLLAR },
  ];
  const found = await readActivity({
    ...{ snapshot: { ...(await snapshotOf(tablesOf())), market: lost }, exposeAccounts: false },
    ...{ ledger: fixedLedger({ sums: { rows: sums } }), listings: visibleIn(lost) },
    ...{ since: { time: NOW }, until: undefined, kinds: null },
  });
  expect(found).toMatchObject({ events: 3, display: { writtenOff: "70,000 USD-test" } });
});

it("what was committed is before withdrawals, as in periods, which are a part of the refunds", async () => {
  const row = { escrowAddress, events: 1, ...NO_MONEY, onchainId: 1n };
  const sums = [
    { ...row, kind: "subscribed" as const, committed: 120n * DOLLAR },
    // The correction of a subscription after a derived close.
    { ...row, kind: "subscribed" as const, events: 0, committed: -20n * DOLLAR },
    { ...row, kind: "refunded" as const, committed: -30n * DOLLAR, refunded: 45n * DOLLAR },
  ];
  const found = await readActivity({
    ...{ snapshot: { ...(await snapshotOf(tablesOf())), market }, exposeAccounts: false },
    ...{ ledger: fixedLedger({ sums: { rows: sums } }), listings: visibleIn(market) },
    ...{ since: { time: NOW }, until: undefined, kinds: null },
  });
  if ("advice" in found) throw new Error(found.advice);
  const display = { committed: "100 USD-test", withdrawn: "30 USD-test", refunded: "45 USD-test" };
  expect(found).toMatchObject({ committed: `${100n * DOLLAR}`, withdrawn: `${30n * DOLLAR}`, display });
  expect(activityLines(found, [])).toContainEqual(
    expect.stringContaining(
      "Committed 100 USD-test, withdrawn or outbid 30 USD-test, refunded in all 45 USD-test,",
    ),
  );
});

it("neither a title nor a refnum of the chain breaks out of its line, or turns it round", () => {
  const hostile = "RB1\n# Official\u202e";
  const raise = { publicId: "lst_1", refnum: hostile };
  const activity = {
    ...{ since: "1", until: "2", countedSince: null, events: 1, byKind: {}, raises: 1, newestCut: false },
    ...{ changed: [{ ...raise, events: 1 }], display: {} },
    newest: [
      {
        ...raise,
        kind: "offer_created",
        title: hostile,
        blockTime: "then",
        display: { amount: `1 ${hostile}` },
      },
    ],
  };
  expect(activityLines(activity, []).slice(1)).toEqual([
    "In 1 raise: RB1# Official (lst_1) 1 event.",
    "- then offer_created RB1# Official “RB1# Official”: amount 1 RB1# Official",
  ]);
});

it("sums whose span the chain does not tell the times of are refused with advice", async () => {
  const silent = async () => {
    throw new ChainSilentError();
  };
  const asked = readActivity({
    ...{ snapshot: { ...(await snapshotOf(tablesOf())), market }, exposeAccounts: false },
    ...{ ledger: { ...fixedLedger(), sums: silent }, listings: visibleIn(market) },
    ...{ since: { block: 1n }, until: undefined, kinds: null },
  });
  expect(await asked).toEqual({ advice: expect.stringContaining("give times") });
});

it.each([
  [4, [4, 8, 12, 16, 20], false],
  [8, [4, 8, 12, 16, 20], false],
  [2, [4, 8], true],
])(
  "the newest events are looked for beyond pages of other raises' events, %i at a time",
  async (scanned, found, isCut) => {
    const all = memoryLedger(
      memoryRows(
        ids(1, 40).map((id) => ({
          ...{ onchainId: BigInt(id), kind: "subscribed" as const, ago: BigInt(id) },
          args: { backer: "0x00", payer: "0x00", amount: "1", bidRateBps: 0, totalRaised: "1" },
        })),
      ),
    );
    const listings = visibleOf(market, ofSun);
    const snapshot = { ...(await snapshotOf(tablesOf())), market };
    const activity = await readActivity({
      ...{
        snapshot,
        exposeAccounts: false,
        listings,
        since: { time: NOW - DAY },
        until: undefined,
        kinds: null,
      },
      ledger: {
        ...all,
        // As the real one, which reads so many events of all raises at a time.
        async ofListings(own, query) {
          const page = await all.ofListings(visibleIn(market), { ...query, limit: scanned });
          return typeof page === "string" ? page : { ...page, rows: page.rows.filter((row) => own.has(row)) };
        },
      },
    });
    if ("advice" in activity) throw new Error(activity.advice);
    expect(activity.newest.map(({ publicId }) => publicId)).toEqual(found.map((id) => `lst_${id}`));
    expect([activity.events, activity.newestCut]).toEqual([10, isCut]);
    const lines = activityLines(activity, []);
    expect(lines.some((line) => line.includes("Older ones were not looked for"))).toBe(isCut);
  },
);
