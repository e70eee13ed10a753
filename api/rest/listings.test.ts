import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TIME_FORM } from "../../config/format/time.ts";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import { SORTS } from "../market/listings-order.ts";
import { GRADES, type Listing, STATUSES } from "../market/schema.ts";

const ask = asking(await appIn());
const assertAnswer = await validatorOf(ask);
const all: Listing[] = JSON.parse((await ask("/v1/listings")).text).listings;

async function found(query: string): Promise<string[]> {
  const answer = await ask(`/v1/listings?${query}`);
  expect(answer.status, answer.text).toBe(200);
  assertAnswer(`/v1/listings?${query}`, answer);
  return JSON.parse(answer.text).listings.map(({ publicId }: Listing) => publicId);
}

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

describe("a repeated list parameter", () => {
  type Parameter = { name: string; in: string; schema: { type?: string; items?: { enum?: string[] } } };
  type Operation = { parameters?: Parameter[] };

  it("means the same as a comma list, on every list parameter that is described", async () => {
    const { paths } = JSON.parse((await ask("/openapi.json")).text);
    const lists = Object.entries<{ get?: Operation }>(paths).flatMap(([path, { get }]) =>
      (get?.parameters ?? [])
        .filter(({ schema }) => schema.type === "array")
        .map(({ name, schema }) => ({
          path: `/v1${path.replace("{id}", "lst_3")}`,
          name,
          words: schema.items?.enum,
        })),
    );
    expect(new Set(lists.map(({ name }) => name))).toEqual(new Set([...LISTS, "kind"]));
    for (const { path, name, words = [] } of lists) {
      const [first, ...others] = words.slice(0, 3);
      const answers = await Promise.all(
        [
          `${name}=${[first, ...others].join(",")}`,
          `${name}=${[first, ...others].join(`&${name}=`)}`,
          `${name}=${others.join(",")}&${name}=${first}`,
        ].map((query) => ask(`${path}?${query}`)),
      );
      const text = answers[0]?.text;
      expect(
        answers.map(({ status }) => status),
        path,
      ).toEqual([200, 200, 200]);
      expect(
        answers.map((answer) => answer.text),
        path,
      ).toEqual([text, text, text]);
      const wrong = await ask(`${path}?${name}=${first}&${name}=nonsense`);
      expect(JSON.parse(wrong.text).errors, path).toMatchObject([{ parameter: name }]);
    }
  });

  it("is kept in the link to the next page", async () => {
    const { headers } = await ask("/v1/listings?status=live&status=matured&limit=1");
    expect(headers.get("link")).toContain("?status=live&status=matured&limit=1&cursor=");
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

  it("cannot continue in another order", async () => {
    const { page } = JSON.parse((await ask("/v1/listings?sort=most_raised&limit=1")).text);
    const answer = await ask(`/v1/listings?sort=newest&cursor=${page.nextCursor}`);
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).errors).toMatchObject([{ parameter: "cursor" }]);
    assertAnswer("/v1/listings?cursor", answer);
    // Without an order the cursor's own is meant.
    expect(await found(`cursor=${page.nextCursor}`)).toHaveLength(7);
  });
});

const NAMES = [
  "q",
  "status",
  "grade",
  "originator",
  "jurisdiction",
  "repayment",
  "minCouponBps",
  "maxCouponBps",
  "minTenorDays",
  "maxTenorDays",
  "closingBefore",
  "dueBefore",
  "pace",
  "changedSince",
  "sort",
  "limit",
  "cursor",
  "asOf",
  "confirmations",
];

const LISTS = ["status", "grade", "jurisdiction", "repayment", "pace"];

describe("a query that cannot be answered", () => {
  it.each([
    ["status=open", "status", "listed"],
    ["status=", "status", "listed"],
    ["status=live,", "status", "listed"],
    ["grade=a", "grade", "NR"],
    ["originator=northwind", "originator", "the public id of an originator, such as org_northwind"],
    ["minCouponBps=-1", "minCouponBps", "an integer from 0 to 4294967295"],
    ["minCouponBps=1e3", "minCouponBps", "an integer from 0 to 4294967295"],
    [`q=${"a".repeat(201)}`, "q", "at most 200 characters"],
    ["jurisdiction=sg", "jurisdiction", "SG"],
    ["jurisdiction=SG,XX", "jurisdiction", "DE"],
    ["repayment=overdue", "repayment", "late"],
    ["maxTenorDays=-1", "maxTenorDays", "an integer from 0 to 4294967295"],
    ["maxTenorDays=4294967296", "maxTenorDays", "an integer from 0 to 4294967295"],
    ["closingBefore=tomorrow", "closingBefore", TIME_FORM],
    ["dueBefore=2026-02-30", "dueBefore", TIME_FORM],
    ["sort=best", "sort", "closing_soon"],
    ["limit=0", "limit", "an integer from 1 to 200"],
    ["limit=201", "limit", "an integer from 1 to 200"],
    ["cursor=nonsense", "cursor", "a `page.nextCursor` of this path, with the same order"],
    ["asOf=now", "asOf", "head"],
    ["limit=1&limit=2", "limit", "one value"],
    ["state=live", "state", "status"],
  ])("%s: 400 that names what is allowed", async (query, parameter, allowed) => {
    for (const path of [`/v1/listings?${query}`, `/v1/listings.csv?${query}`]) {
      const answer = await ask(path);
      expect(answer.status).toBe(400);
      const { code, detail, errors } = JSON.parse(answer.text);
      expect(code).toBe("invalid_parameter");
      expect(errors).toHaveLength(1);
      expect(errors[0]).toMatchObject({ parameter });
      expect(errors[0].allowed).toContain(allowed);
      // The texts say it too, but for a list that is too long to read.
      const form = errors[0].allowed.length > 40 ? "words in `allowed`" : allowed;
      expect(detail).toContain(form);
      if (parameter !== "state") expect(errors[0].detail).toContain(form);
      assertAnswer(path, answer);
    }
  });

  it("names everything that is wrong with it at once", async () => {
    const answer = await ask("/v1/listings?status=open&limit=0&colour=red&sort=newest");
    const { errors, detail } = JSON.parse(answer.text);
    expect(errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      "colour",
      "limit",
      "status",
    ]);
    expect(detail).toContain("takes q, status, grade, originator");
  });

  it("names a cursor of another order too, whatever else is wrong", async () => {
    const { page } = JSON.parse((await ask("/v1/listings?sort=most_raised&limit=1")).text);
    const answer = await ask(`/v1/listings?sort=newest&cursor=${page.nextCursor}&limit=0&grade=F`);
    const { errors } = JSON.parse(answer.text);
    expect(errors.map(({ parameter }: { parameter: string }) => parameter).sort()).toEqual([
      "cursor",
      "grade",
      "limit",
    ]);
  });

  it("is refused in the documented way, whatever it says", async () => {
    const name = fc.oneof(
      fc.constantFrom(...NAMES, "__proto__", "constructor", "toString"),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    const value = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.constantFrom(
        "",
        "\0",
        "null",
        "1e400",
        "9".repeat(300),
        "%00",
        "a".repeat(3000),
        "\u202e",
        "[object Object]",
      ),
    );
    const property = fc.asyncProperty(
      fc.array(fc.tuple(name, value), { minLength: 1, maxLength: 3 }),
      async (pairs) => {
        const query = pairs.map(([key, text]) => `${encode(key)}=${encode(text)}`).join("&");
        const path = `/v1/listings?${query}`;
        const answer = await ask(path);
        const names = pairs.map(([key]) => key.toWellFormed());
        const isOnce = (key: string) => LISTS.includes(key) || names.indexOf(key) === names.lastIndexOf(key);
        const isPossible = names.every((key) => NAMES.includes(key) && isOnce(key));
        expect(isPossible ? [200, 400, 414] : [400, 414], path).toContain(answer.status);
        const { pathname, search } = new URL(path, "https://raises.example");
        expect(answer.status === 414, path).toBe(pathname.length + search.length > 4096);
        assertAnswer("/v1/listings", answer);
      },
    );
    await fc.assert(property, { numRuns: 500 });
  });

  it("names twenty of a thousand mistakes", async () => {
    const query = Array.from({ length: 800 }, (_, index) => `x${index}`).join("&");
    const { errors } = JSON.parse((await ask(`/v1/listings?${query}`)).text);
    expect(errors).toHaveLength(20);
  });

  it("is answered with 400 for percent escapes that are not UTF-8", async () => {
    for (const query of ["status=%FF", "%E0%A4%A=1", "a=%", "%=%"]) {
      expect((await ask(`/v1/listings?${query}`)).status, query).toBe(400);
    }
  });
});

/** A lone surrogate has no percent encoding. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

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

describe("the description", () => {
  type Parameter = { name: string; explode?: boolean; schema: Record<string, unknown> };

  it("says of each parameter what it may be", async () => {
    const { paths } = JSON.parse((await ask("/openapi.json")).text);
    const parameters: Parameter[] = paths["/listings"].get.parameters;
    const schemaOf = (name: string) => parameters.find((one) => one.name === name)?.schema;
    expect(parameters.map(({ name }) => name)).toEqual([...NAMES, "if-none-match"]);
    expect(schemaOf("sort")).toMatchObject({ type: "string", enum: SORTS });
    expect(schemaOf("status")).toMatchObject({ type: "array", items: { enum: STATUSES } });
    expect(schemaOf("grade")).toMatchObject({ type: "array", items: { enum: GRADES } });
    expect(schemaOf("limit")).toMatchObject({ type: "integer", minimum: 1, maximum: 200 });
    // Commas between the items, not the parameter once for each.
    expect(parameters.filter(({ explode }) => explode === false).map(({ name }) => name)).toEqual(LISTS);
  });
});
