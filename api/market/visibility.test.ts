import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../src/fold/state.ts";
import { rawTerms, tell } from "../../test/harness/book.ts";
import { business, CREATOR, ESCROW, marketAt, marketOf, STRANGER } from "../../test/harness/market.ts";
import { DAY, DOLLAR, entryDraft, HEAD, listingRow, NOW } from "../../test/harness/rows.ts";
import type { Market } from "./market.ts";
import { TRADING_DISABLED } from "./trading.ts";

const idsOf = ({ listings }: Market) => listings.map(({ publicId }) => publicId);

describe("a listing is visible", () => {
  it("when it is created, published and has gone live", () => {
    const market = marketOf([listingRow()], [entryDraft()]);
    expect(idsOf(market)).toEqual(["lst_1"]);
    expect(market).toMatchObject({
      head: HEAD,
      unpublished: 0,
      unprojectable: [],
      trading: TRADING_DISABLED,
    });
  });

  it("from the second of goLiveAt on", () => {
    const rows = [listingRow({ goLiveAt: NOW })];
    expect(idsOf(marketAt(NOW - 1n, rows, [entryDraft()]))).toEqual([]);
    expect(idsOf(marketAt(NOW, rows, [entryDraft()]))).toEqual(["lst_1"]);
  });

  it("not before its creation, however much happened to it", () => {
    const stub = tell(undefined, { escrowAddress: ESCROW, onchainId: 1n });
    stub.emit(NOW - 5n, "ListingTermsUpdated", { terms: rawTerms({ goLiveAt: 1n, closeAt: 0n }) });
    stub.emit(NOW - 4n, "Subscribed", { amount: 60n, totalRaised: 60n });
    const before = marketOf([stub.row()], [entryDraft()]);
    expect([idsOf(before), before.originators, before.unprojectable]).toEqual([[], [], []]);

    stub.emit(NOW - 3n, "ListingCreated", { terms: rawTerms({ goLiveAt: 1n, closeAt: 0n }) });
    expect(marketOf([stub.row()], [entryDraft()]).listings.all()).toMatchObject([
      { publicId: "lst_1", status: "funding", raisedAmount: "60" },
    ]);
  });

  it("not when the registry names another pair, or nothing on the chain", () => {
    const market = marketOf(
      [listingRow()],
      [entryDraft({ onchainId: "2" }), entryDraft({ publicId: "lst_x", escrowAddress: STRANGER })],
    );
    expect([idsOf(market), market.unpublished]).toEqual([[], 1]);
  });

  it("in every status", () => {
    const rows = (["settled", "voided", "cancelled"] as const).map((terminalKind, index) =>
      listingRow({ onchainId: BigInt(index + 1), terminalKind, terminalAt: NOW }),
    );
    const market = marketOf(
      rows,
      ["1", "2", "3"].map((onchainId) => entryDraft({ onchainId })),
    );
    expect(market.listings.map(({ status }) => status)).toEqual(["matured", "voided", "cancelled"]);
  });
});

describe("what the registry does not name", () => {
  it("is counted, but for stubs", () => {
    const rows = [
      listingRow({ onchainId: 1n }),
      listingRow({ onchainId: 2n }),
      listingRow({ onchainId: 3n, goLiveAt: NOW + DAY }),
      listingRow({ onchainId: 4n, createdEventId: null }),
    ];
    expect(marketOf(rows, [entryDraft()])).toMatchObject({ unpublished: 2, unprojectable: [] });
  });
});

describe("an originator is visible", () => {
  it("with a visible listing, and not with a hidden one", () => {
    const entries = [entryDraft(), entryDraft({ onchainId: "2", originator: "org_later" })];
    const businesses = [
      business(),
      business({ publicId: "org_later" }),
      business({ publicId: "org_without" }),
    ];
    const rows = [listingRow(), listingRow({ onchainId: 2n, goLiveAt: NOW + 1n })];
    const idsAt = (now: bigint) =>
      marketAt(now, rows, entries, businesses).originators.map(({ publicId }) => publicId);
    expect(idsAt(NOW)).toEqual(["org_northwind"]);
    expect(idsAt(NOW + 1n)).toEqual(["org_later", "org_northwind"]);
  });
});

describe("a row that cannot be projected", () => {
  it("is left out and reported, and takes nothing else with it", () => {
    const market = marketOf(
      [listingRow({ refnum: null }), listingRow({ onchainId: 2n })],
      [entryDraft(), entryDraft({ onchainId: "2" })],
    );
    expect(idsOf(market)).toEqual(["lst_2"]);
    expect(market.unprojectable).toEqual([
      { escrowAddress: ESCROW, onchainId: "1", problem: expect.stringContaining("refnum") },
    ]);
    expect(market.listingByPublicId.has("lst_1")).toBe(false);
    expect(JSON.parse(JSON.stringify(market.originators))).toMatchObject([
      { listings: [{ publicId: "lst_2" }] },
    ]);
  });

  it.each(["refnum", "targetAmount", "minRaise", "couponRateBps", "tenorDays", "goLiveAt"] as const)(
    "for want of %s never throws",
    (column) => {
      const market = marketOf([listingRow({ [column]: null })], [entryDraft()]);
      expect([market.listings.length, market.unprojectable.length]).toEqual([0, 1]);
    },
  );
});

describe("the grade of an originator", () => {
  const principal = 10_000n * DOLLAR;
  const repaid = (onchainId: bigint, changes: Partial<ListingRow> = {}) =>
    listingRow({
      onchainId,
      closedAt: NOW - 500n * DAY,
      frozenAt: NOW - 500n * DAY,
      raisedAmount: principal,
      drawnDownAt: NOW - 490n * DAY,
      drawnAmount: principal,
      maturityAt: NOW - 400n * DAY,
      clearedAt: NOW - 400n * DAY,
      terminalKind: "settled",
      terminalAt: NOW - 400n * DAY,
      writtenOffPrincipal: 0n,
      ...changes,
    });
  const lost = (onchainId: bigint, changes: Partial<ListingRow> = {}) =>
    repaid(onchainId, { clearedAt: null, writtenOffPrincipal: principal, ...changes });
  const entries = (...ids: number[]) => ids.map((id) => entryDraft({ onchainId: id.toString() }));
  const six = [1n, 2n, 3n, 4n, 5n, 6n].map((id) => repaid(id));
  const ratingOf = (market: Market, publicId = "org_northwind") => market.originatorByPublicId.get(publicId);

  it("is that of its listings, from one call", () => {
    const market = marketOf(six, entries(1, 2, 3, 4, 5, 6));
    expect(ratingOf(market)).toMatchObject({ ratingGrade: "A", rating: { n: 6, adjustedBps: 150 } });
    expect(new Set(market.listings.map(({ originatorGrade }) => originatorGrade))).toEqual(new Set(["A"]));
  });

  it("is NR unless the business is approved", () => {
    const market = marketOf(six, entries(1, 2, 3, 4, 5, 6), [business({ kybStatus: "expired" })]);
    expect(ratingOf(market)).toMatchObject({ ratingGrade: "NR", rating: { n: 6, adjustedBps: null } });
    expect(market.listings.at(0)?.originatorGrade).toBe("NR");
  });

  it("does not improve when a default is unpublished", () => {
    const rows = [...six, lost(7n)];
    const published = ratingOf(marketOf(rows, entries(1, 2, 3, 4, 5, 6, 7)));
    const unpublished = marketOf(rows, entries(1, 2, 3, 4, 5, 6));
    expect(published).toMatchObject({ ratingGrade: "D", rating: { n: 7, lossBps: 1_428 } });
    expect(ratingOf(unpublished)).toMatchObject({ ratingGrade: "D", rating: { n: 7, lossBps: 1_428 } });
    expect(unpublished.unpublished).toBe(1);
  });

  it("leaves out what others raised", () => {
    const rows = [...six, lost(7n, { originator: STRANGER })];
    expect(ratingOf(marketOf(rows, entries(1, 2, 3, 4, 5, 6)))?.ratingGrade).toBe("A");
  });

  it("follows the registry where it gives a raise to another originator", () => {
    const market = marketOf(
      [...six, lost(7n)],
      [...entries(1, 2, 3, 4, 5, 6), entryDraft({ onchainId: "7", originator: "org_other" })],
      [business(), business({ publicId: "org_other", addresses: [] })],
    );
    expect(ratingOf(market)?.rating.n).toBe(6);
    expect(ratingOf(market, "org_other")?.rating).toMatchObject({ n: 1, cap: null });
    expect(market.listingByPublicId.get("lst_7")?.originatorVerified).toBe(false);
  });

  it("counts raises of all of its addresses, in any case", () => {
    const addresses = [`${CREATOR}`, STRANGER.toUpperCase().replace("0X", "0x")];
    const rows = [...six, lost(7n, { originator: STRANGER })];
    const market = marketOf(rows, entries(1, 2, 3, 4, 5, 6), [business({ addresses })]);
    expect(ratingOf(market)?.rating.n).toBe(7);
  });

  it("is not what lacks a token or an originator alone: contracts need not have them", () => {
    const market = marketOf([listingRow({ token: null, originator: null })], [entryDraft()]);
    expect(market.listings.all()).toMatchObject([{ tokenAddress: null, originatorVerified: false }]);
  });
});
