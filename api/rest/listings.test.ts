import { parse } from "csv-parse/sync";
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { listingRow } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import type { Listing } from "../market/schema.ts";

const ask = asking(await appIn());
const assertAnswer = await validatorOf(ask);
const all: Listing[] = JSON.parse((await ask("/v1/listings")).text).listings;

async function found(query: string): Promise<string[]> {
  const answer = await ask(`/v1/listings?${query}`);
  expect(answer.status, answer.text).toBe(200);
  assertAnswer(`/v1/listings?${query}`, answer);
  return JSON.parse(answer.text).listings.map(({ publicId }: Listing) => publicId);
}

it.each(["lst_1", "a/b?c #d", ""])("a raise with the refnum %j is served as described", async (refnum) => {
  const odd = asking(
    await appIn({
      snapshot: await snapshotOf(tablesOf({ listings: [listingRow({ onchainId: 2n, refnum })] })),
    }),
  );
  for (const path of ["/v1/listings", "/v1/originators", "/v1/listings/lst_2"]) {
    const answer = await odd(path);
    expect([answer.status, answer.text]).toEqual([
      ...[200, expect.stringContaining(`"refnum":${JSON.stringify(refnum)}`)],
    ]);
    assertAnswer(path, answer);
  }
});

const ids = (fits: (listing: Listing) => boolean) => all.filter(fits).map(({ publicId }) => publicId);

describe("filters and orders", () => {
  it("filter by status, grade, originator, coupon and closing time", async () => {
    expect(await found("status=live,funding")).toEqual(
      ids(({ status }) => status === "live" || status === "funding"),
    );
    expect(await found("grade=NR")).toEqual(ids(({ originatorGrade }) => originatorGrade === "NR"));
    expect(await found("originator=org_unverified")).toEqual(
      ids((one) => one.originator === "org_unverified"),
    );
    expect(await found("originator=org_nobody")).toEqual([]);
    expect(await found("minCouponBps=1451")).toEqual([]);
    expect(await found("minCouponBps=1450")).toEqual(ids(({ couponRateBps }) => couponRateBps >= 1450));
    expect(await found("closingBefore=2026-03-01T12:00:00Z")).toEqual(
      ids(({ closeAt }) => closeAt !== null && closeAt < "2026-03-01T12:00:00Z"),
    );
    expect(await found("status=live&grade=NR&minCouponBps=1")).toEqual(
      ids(({ status, originatorGrade }) => status === "live" && originatorGrade === "NR"),
    );
  });

  it("take a date for a time: its start in UTC", async () => {
    for (const [date, time] of [
      ["closingBefore=2026-03-01", "closingBefore=2026-03-01T00:00:00Z"],
      ["dueBefore=2026-02-10", "dueBefore=2026-02-10T00:00:00Z"],
    ] as const) {
      expect(await found(date)).toEqual(await found(time));
    }
    expect(await found("dueBefore=2026-02-10")).toEqual(["lst_3"]);
  });

  it("filter by words, country, repayment and term, in CSV too", async () => {
    const ofNorthwind = ids((one) => one.originator === "org_northwind");
    const cases: [string, string[]][] = [
      ["q=NORTHWIND%20b%C3%A1kery", ofNorthwind],
      ["q=rb00002", ["lst_2"]],
      ["q=lst_3%20northwind", ["lst_3"]],
      ["q=zebra", []],
      ["jurisdiction=SG,DE", all.map(({ publicId }) => publicId)],
      ["jurisdiction=FR", []],
      ["repayment=late", ["lst_3"]],
      ["repayment=late,repaid", ids(({ publicId }) => ["lst_3", "lst_4", "lst_8"].includes(publicId))],
      ["repayment=written_off", []],
      ["maxTenorDays=4294967295", all.map(({ publicId }) => publicId)],
      ["maxTenorDays=0", []],
      ["minTenorDays=4294967295", []],
      ["minTenorDays=0", all.map(({ publicId }) => publicId)],
      ["maxCouponBps=0", []],
    ];
    for (const [query, expected] of cases) {
      expect(await found(query), query).toEqual(expected);
      const rows: Record<string, string>[] = parse((await ask(`/v1/listings.csv?${query}`)).text, {
        columns: true,
      });
      expect(
        rows.map(({ publicId }) => publicId),
        query,
      ).toEqual(expected);
    }
  });

  it("filter by the due date of what is still owed", async () => {
    // Raise 3 owes since 2026-02-09; what was due of 4 and 8 then is repaid.
    expect(await found("dueBefore=2026-02-09T12:00:01Z")).toEqual(["lst_3"]);
    expect(await found("dueBefore=2026-02-09T12:00:00Z")).toEqual([]);
    expect(await found("dueBefore=2027-01-01T00:00:00Z&repayment=current")).toEqual([]);
  });

  it("filter by pace, and by what changed since a block or a time", async () => {
    // Raise 2 has 80,000 of a minimum of 50,000; raise 1 has nothing, and no closing time to project it to.
    expect(await found("pace=reaches_minimum")).toEqual(["lst_2"]);
    expect(await found("pace=misses_minimum")).toEqual([]);
    const everything = all.map(({ publicId }) => publicId);
    expect(await found("changedSince=48210934")).toEqual(everything);
    expect(await found("changedSince=48210935")).toEqual([]);
    expect(await found("changedSince=2026-02-27T12:00:00Z")).toEqual(everything);
    expect(await found("changedSince=2026-02-27T12:00:01Z")).toEqual([]);
  });

  it("leave the documented answer as it is when nothing is asked, and never filter the desk", async () => {
    const { listings, trading, ...rest } = JSON.parse((await ask("/v1/listings")).text);
    expect(rest).toEqual({});
    const filtered = JSON.parse((await ask("/v1/listings?status=voided&sort=newest")).text);
    expect(filtered.trading).toEqual(trading);
    expect(filtered).not.toHaveProperty("page");
    expect(listings).toHaveLength(8);
  });
});

describe("pages", () => {
  it("are linked, in the body and in the header, until the last one", async () => {
    const seen: string[] = [];
    let path: string | null = "/v1/listings?sort=most_raised&limit=3";
    while (path !== null) {
      const answer = await ask(path);
      assertAnswer(path, answer);
      const { listings, page } = JSON.parse(answer.text);
      seen.push(...listings.map(({ publicId }: Listing) => publicId));
      const link: string | null = answer.headers.get("link");
      expect(link === null).toBe(page.nextCursor === null);
      const [, next] = link?.match(/^<https:\/\/raises\.example(\/v1\/listings\?[^>]+)>; rel="next"$/) ?? [];
      if (link !== null) expect(new URLSearchParams(next?.split("?")[1]).get("cursor")).toBe(page.nextCursor);
      path = next ?? null;
    }
    expect(seen).toEqual(await found("sort=most_raised"));
    expect(seen).toHaveLength(8);
  });
});

describe("CSV", () => {
  it("comes by Accept and by path, the same bytes, the path as a file", async () => {
    const byAccept = await ask("/v1/listings?status=live", { headers: { Accept: "text/csv" } });
    const byPath = await ask("/v1/listings.csv?status=live", { headers: { Accept: "text/html" } });
    expect(byPath.text).toBe(byAccept.text);
    expect(byPath.headers.get("etag")).toBe(byAccept.headers.get("etag"));
    expect(byAccept.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(byPath.headers.get("content-disposition")).toBe('attachment; filename="listings.csv"');
    expect(byAccept.headers.has("content-disposition")).toBe(false);
    expect(byAccept.headers.get("vary")).toBe("Accept, Accept-Encoding");
    assertAnswer("/v1/listings.csv?status=live", byPath);
    const rows: { publicId: string }[] = parse(byPath.text, { columns: true, record_delimiter: "\r\n" });
    expect(rows.map(({ publicId }) => publicId)).toEqual(await found("status=live"));
  });

  it("is another body than JSON, with a tag of its own", async () => {
    const [json, csv] = [
      await ask("/v1/listings"),
      await ask("/v1/listings", { headers: { Accept: "text/csv, */*;q=0.1" } }),
    ];
    expect(csv.headers.get("etag")).not.toBe(json.headers.get("etag"));
    const again = await ask("/v1/listings.csv", {
      headers: { "If-None-Match": `${csv.headers.get("etag")}` },
    });
    expect(again.status).toBe(304);
  });

  it("pages too: the cursor is in the header", async () => {
    const { headers } = await ask("/v1/listings.csv?limit=5");
    expect(headers.get("link")).toMatch(
      /^<https:\/\/raises\.example\/v1\/listings\.csv\?limit=5&cursor=[\w-]+>; rel="next"$/,
    );
  });
});
