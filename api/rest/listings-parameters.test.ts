/** The parameters of `/v1/listings`: which there are, and what each refuses. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TIME_FORM } from "../../config/format/time.ts";
import { appIn } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { validatorOf } from "../../test/harness/validate.ts";
import { SORTS } from "../market/listings-order.ts";
import { GRADES, STATUSES } from "../market/schema.ts";

const ask = asking(await appIn());
const assertAnswer = await validatorOf(ask);

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
    assertAnswer("/v1/listings?cursor", answer);
    // Without an order the cursor's own is meant.
    const { listings } = JSON.parse((await ask(`/v1/listings?cursor=${page.nextCursor}`)).text);
    expect(listings).toHaveLength(7);
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
