import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { entryDraft, HEAD, listingRow, NOW, registryOf } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { checkedJson, validatorOf } from "../../test/harness/validate.ts";

const ask = asking(await appIn());
const assertAnswer = await validatorOf(ask);
const json = await checkedJson(ask);

describe("GET /v1/listings and /v1/originators", () => {
  it("has every visible listing, open or otherwise: all seven states", async () => {
    const { listings } = await json("/v1/listings");
    const statuses = Object.fromEntries(
      listings.map((listing: Record<string, string>) => [listing.publicId, listing.status]),
    );
    expect(statuses).toEqual({
      lst_1: "listed",
      lst_2: "funding",
      lst_3: "live",
      lst_4: "matured",
      lst_5: "refunding",
      lst_6: "voided",
      lst_7: "cancelled",
      lst_8: "matured",
    });
  });

  it("gives the newest first, then by public id", async () => {
    const { listings } = await json("/v1/listings");
    const keys = listings.map(({ goLiveAt, publicId }: Record<string, string>) => [goLiveAt, publicId]);
    expect(keys).toEqual([...keys].sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? 1 : -1)));
  });

  it("gives a listing from the tables and the registry", async () => {
    const row = listingRow({ onchainId: 7n, refnum: "OLD00007", closeAt: null });
    const entry = entryDraft({ onchainId: "7", publicId: "lst_bakery" });
    const snapshot = await snapshotOf(tablesOf({ listings: [row] }), registryOf([entry]));
    const { listings } = await json("/v1/listings", asking(await appIn({ snapshot })));
    expect(listings).toEqual(snapshot.market.listings.all());
    expect(listings).toMatchObject([
      {
        ...{ publicId: "lst_bakery", refnum: "OLD00007", title: "Raise 7", originator: "org_northwind" },
        ...{ onchainId: "7", targetAmount: "100000000000000000000000", closeAt: null },
        ...{ url: "https://raises.example/listings/lst_bakery", updatedBlock: "48210934" },
      },
    ]);
  });

  it("gives originators by public id, each with the same listings in the same order", async () => {
    const { listings } = await json("/v1/listings");
    const { originators } = await json("/v1/originators");
    expect(originators.map(({ publicId }: { publicId: string }) => publicId)).toEqual([
      "org_northwind",
      "org_unverified",
    ]);
    for (const originator of originators) {
      const own = listings.filter(
        (listing: { originator: string }) => listing.originator === originator.publicId,
      );
      expect(originator.listings).toEqual(own);
      for (const listing of own) expect(listing.originatorGrade).toBe(originator.ratingGrade);
    }
    expect(originators[1].legalName).toBe("TidePools");
  });

  it("shows the desk's final keys while no desk is followed", async () => {
    expect((await json("/v1/listings")).trading).toMatchObject({
      enabled: false,
      deskAddress: null,
      listings: [],
    });
  });

  it("answers a market without listings with empty lists", async () => {
    const snapshot = await snapshotOf(tablesOf({ listings: [] }), registryOf([entryDraft()]));
    const empty = asking(await appIn({ snapshot }));
    expect((await json("/v1/listings", empty)).listings).toEqual([]);
    expect((await json("/v1/originators", empty)).originators).toEqual([]);
  });

  it("is as of the indexed block, and says so", async () => {
    for (const path of [
      "/v1/listings",
      "/v1/originators",
      "/v1/listings/lst_1",
      "/v1/originators/org_northwind",
    ]) {
      const { headers } = await ask(path);
      expect(headers.get("x-indexed-block")).toBe("48211034");
      expect(headers.get("x-indexed-at")).toBe("2026-03-01T12:00:00Z");
    }
  });

  it("answers while it backfills", async () => {
    const snapshot = await snapshotOf(tablesOf({ backfilled: false }));
    expect((await json("/v1/listings", asking(await appIn({ snapshot })))).listings).toHaveLength(8);
  });
});

describe("one listing, one originator", () => {
  it("is the object of the list", async () => {
    const { listings } = await json("/v1/listings");
    expect(listings).not.toEqual([]);
    for (const listing of listings) {
      expect(await json(`/v1/listings/${listing.publicId}`)).toEqual(listing);
      expect(await json(`/v1/listings/${listing.refnum}`)).toEqual(listing);
    }
    const { originators } = await json("/v1/originators");
    expect(originators).not.toEqual([]);
    for (const originator of originators) {
      expect(await json(`/v1/originators/${originator.publicId}`)).toEqual(originator);
    }
  });

  it("finds a percent-encoded id", async () => {
    expect((await json("/v1/listings/lst%5F1")).publicId).toBe("lst_1");
  });

  it("takes the public id before a refnum, and of several with one refnum the latest created", async () => {
    const rows = [
      listingRow({ onchainId: 1n, refnum: "SAME00001", createdEventId: "2".padStart(75, "0") }),
      listingRow({ onchainId: 2n, refnum: "SAME00001", createdEventId: "9".padStart(75, "0") }),
      listingRow({ onchainId: 3n, refnum: "SAME00001", createdEventId: "1".padStart(75, "0") }),
      listingRow({ onchainId: 4n, refnum: "lst_1", createdEventId: "99".padStart(75, "0") }),
    ];
    const registry = registryOf(rows.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` })));
    const some = asking(await appIn({ snapshot: await snapshotOf(tablesOf({ listings: rows }), registry) }));
    expect((await json("/v1/listings/SAME00001", some)).publicId).toBe("lst_2");
    expect((await json("/v1/listings/lst_1", some)).publicId).toBe("lst_1");
  });

  it("does not find what is not visible: before it goes live, or unpublished", async () => {
    const rows = [listingRow({ goLiveAt: NOW + 1n }), listingRow({ onchainId: 2n })];
    const snapshot = await snapshotOf(tablesOf({ listings: rows }), registryOf([entryDraft()]));
    const hidden = asking(await appIn({ snapshot }));
    for (const path of [
      "listings/lst_1",
      "listings/RB00001",
      "listings/RB00002",
      "originators/org_northwind",
    ]) {
      expect((await hidden(`/v1/${path}`)).status).toBe(404);
    }
  });
});

describe("before the first snapshot", () => {
  const PATHS = [
    "/v1/listings",
    "/v1/originators",
    "/v1/listings/lst_1",
    "/v1/listings/x",
    "/v1/originators/x",
  ];

  it.each(PATHS)("%s is 503 with Retry-After", async (path) => {
    const answer = await asking(await appIn({ snapshot: null }))(path);
    expect(answer.status).toBe(503);
    expect(JSON.parse(answer.text).code).toBe("not_indexed_yet");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(answer.headers.get("x-indexed-block")).toBeNull();
    assertAnswer(path, answer);
  });
});

it("counts what it cannot project and leaves it out, with the rest as it is", async () => {
  const rows = [listingRow(), listingRow({ onchainId: 2n, refnum: null })];
  const registry = registryOf([entryDraft(), entryDraft({ onchainId: "2" })]);
  const snapshot = await snapshotOf(tablesOf({ listings: rows }), registry);
  const partial = asking(await appIn({ snapshot }));
  const { listings } = await json("/v1/listings", partial);
  expect(listings.map(({ publicId }: { publicId: string }) => publicId)).toEqual(["lst_1"]);
  expect((await json("/v1/health", partial)).unprojectable).toBe(1);
  expect(snapshot.market.head).toMatchObject(HEAD);
});
