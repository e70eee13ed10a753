import { describe, expect, it } from "vitest";
import { appShowing } from "../../test/harness/app.ts";
import { asking } from "../../test/harness/asking.ts";
import { business } from "../../test/harness/market.ts";
import { entryDraft, listingRow, registryOf } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import { validatorOf } from "../../test/harness/validate.ts";

const PATH = "/v1/originators";
const COUNTRIES = ["SG", "DE", "SG", "PE", "SG", "DE", "SG"];
const idOf = (index: number) => `org_${index}`;

const { app, show } = await appShowing();
const ask = asking(app);
const assertAnswer = await validatorOf(ask);
const listings = COUNTRIES.map((_, index) => listingRow({ onchainId: BigInt(index + 1) }));
const entries = COUNTRIES.map((_, index) =>
  entryDraft({ onchainId: `${index + 1}`, originator: idOf(index) }),
);
const businesses = COUNTRIES.map((jurisdiction, index) => business({ publicId: idOf(index), jurisdiction }));
show(await snapshotOf(tablesOf({ listings }), registryOf(entries, businesses)));

async function read(query: string) {
  const answer = await ask(`${PATH}${query}`);
  assertAnswer(PATH, answer);
  const { originators, page, ...rest } = JSON.parse(answer.text);
  expect(rest).toEqual({});
  return {
    originators,
    page,
    ids: originators.map(({ publicId }: { publicId: string }) => publicId),
    answer,
  };
}

describe("GET /v1/originators", () => {
  it("has them all without a parameter, and no page", async () => {
    const { ids, page } = await read("");
    expect(ids).toEqual(COUNTRIES.map((_, index) => idOf(index)));
    expect(page).toBeUndefined();
  });

  it("gives pages that have each of them once, as the whole list has it", async () => {
    const whole = await read("");
    const found: unknown[] = [];
    let query = "?limit=3";
    for (const length of [3, 3, 1]) {
      const { originators, page, answer } = await read(query);
      expect(originators).toHaveLength(length);
      found.push(...originators);
      query = `?limit=3&cursor=${page.nextCursor}`;
      const link = page.nextCursor === null ? null : `<https://raises.example${PATH}${query}>; rel="next"`;
      expect(answer.headers.get("link")).toBe(link);
    }
    expect(found).toEqual(whole.originators);
    const [, second] = whole.ids;
    const { page } = await read("?limit=2");
    expect((await read(`?cursor=${page.nextCursor}`)).ids).toEqual(
      whole.ids.filter((id: string) => id > second),
    );
  });

  it("filters by country and grade, also in pages", async () => {
    expect((await read("?jurisdiction=DE")).ids).toEqual([idOf(1), idOf(5)]);
    expect((await read("?jurisdiction=SG&limit=2")).ids).toEqual([idOf(0), idOf(2)]);
    expect((await read("?grade=A,B")).ids).toEqual([]);
    expect((await read("?grade=NR&jurisdiction=PE")).ids).toEqual([idOf(3)]);
  });

  it("keeps its tag while nothing changes", async () => {
    const [first, again] = [await read("?limit=3"), await read("?limit=3")];
    const tag = first.answer.headers.get("etag");
    expect(tag).toMatch(/^W\//);
    expect(again.answer.headers.get("etag")).toBe(tag);
    expect((await ask(`${PATH}?limit=3`, { headers: { "If-None-Match": tag ?? "" } })).status).toBe(304);
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=201", "limit"],
    ["grade=Z", "grade"],
    ["jurisdiction=Singapore", "jurisdiction"],
    ["jurisdiction=UK", "jurisdiction"],
    ["cursor=%21", "cursor"],
    ["sort=newest", "sort"],
  ])("refuses %s, and says what is allowed", async (query, parameter) => {
    const { status, text } = await ask(`${PATH}?${query}`);
    expect(status).toBe(400);
    const { code, errors } = JSON.parse(text);
    expect(code).toBe("invalid_parameter");
    expect(errors).toMatchObject([{ parameter, allowed: expect.arrayContaining([expect.any(String)]) }]);
  });
});
