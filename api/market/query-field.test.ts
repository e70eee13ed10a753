import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LISTINGS_FIELDS } from "./listings-query.ts";
import { ORIGINATORS_FIELDS } from "./originators-query.ts";
import { limitField, type QueryField, readField, readFields, wholeNumber } from "./query-field.ts";

describe("readField", () => {
  it.each<[QueryField, unknown, unknown]>([
    [LISTINGS_FIELDS.status, ["live", "funding"], ["live", "funding"]],
    [LISTINGS_FIELDS.status, [], []],
    [LISTINGS_FIELDS.originator, "org_northwind", "org_northwind"],
    [LISTINGS_FIELDS.minCouponBps, 2 ** 32 - 1, 2 ** 32 - 1],
    [LISTINGS_FIELDS.closingBefore, "2026-03-01T12:00:00Z", 1_772_366_400n],
    [LISTINGS_FIELDS.dueBefore, "2026-03-01", 1_772_323_200n],
    [LISTINGS_FIELDS.sort, "newest", "newest"],
    [ORIGINATORS_FIELDS.jurisdiction, "SG", "SG"],
    [limitField(200, 50), 200, 200],
  ])("%# takes what is allowed", (field, given, value) => {
    expect(readField(field, given)).toEqual({ value });
  });

  it.each<[QueryField, unknown, string, string | RegExp]>([
    [LISTINGS_FIELDS.status, ["live", "open", "LIVE"], '"open", "LIVE" is not allowed', "listed"],
    [LISTINGS_FIELDS.grade, "A", '"A" is not allowed', "NR"],
    [LISTINGS_FIELDS.originator, "northwind", '"northwind" is not allowed', /public id of an originator/],
    [LISTINGS_FIELDS.minCouponBps, 2 ** 32, "4294967296 is not allowed", "an integer from 0 to 4294967295"],
    [LISTINGS_FIELDS.minCouponBps, 14.5, "14.5 is not allowed", /integer/],
    [LISTINGS_FIELDS.closingBefore, "tomorrow", '"tomorrow" is not allowed', /^a time such as/],
    [LISTINGS_FIELDS.sort, "best", '"best" is not allowed', "closing_soon"],
    [ORIGINATORS_FIELDS.jurisdiction, "sg", '"sg" is not allowed', "SG"],
    [ORIGINATORS_FIELDS.jurisdiction, "UK", '"UK" is not allowed', "GB"],
    [limitField(200, 50), 0, "0 is not allowed", "an integer from 1 to 200"],
  ])("%# says what is not, and what is", (field, given, detail, allowed) => {
    const read = readField(field, given);
    expect(read).toMatchObject({ refusal: { detail: expect.stringContaining(`${detail}. Allowed: `) } });
    const words = "refusal" in read ? read.refusal.allowed : [];
    expect(words.some((word) => (typeof allowed === "string" ? word === allowed : allowed.test(word)))).toBe(
      true,
    );
  });

  it("quotes what was sent, and five words at most", () => {
    expect(readField(LISTINGS_FIELDS.minCouponBps, wholeNumber("1e3"), "1e3")).toMatchObject({
      refusal: { detail: '"1e3" is not allowed. Allowed: an integer from 0 to 4294967295' },
    });
    const read = readField(LISTINGS_FIELDS.status, Array(900).fill("x"));
    expect(read).toMatchObject({
      refusal: {
        detail: expect.stringMatching(/^"x", "x", "x", "x", "x" is not allowed\. Allowed: listed, /),
      },
    });
  });
});

it.each([LISTINGS_FIELDS.jurisdiction, ORIGINATORS_FIELDS.jurisdiction])(
  "%# keeps the detail of a refusal short, however long the list of what is allowed",
  (field) => {
    const read = readField<QueryField["schema"]>(field, ["XX"]);
    expect("refusal" in read ? read.refusal.detail : "").toMatch(/^.{20,120}$/);
  },
);

describe("readFields", () => {
  it("leaves out what is not given or null, and names all that is wrong", () => {
    const given = { status: ["live"], grade: null, sort: "best", minCouponBps: -1, other: "?" };
    const { values, refused } = readFields(LISTINGS_FIELDS, given);
    expect(values).toEqual({ status: ["live"] });
    expect(refused.map(({ name }) => name)).toEqual(["minCouponBps", "sort"]);
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...Object.keys(LISTINGS_FIELDS)), fc.anything()), (given) => {
        void readFields(LISTINGS_FIELDS, given);
      }),
    );
  });
});

it.each(["", "-1", "+1", "1.0", "1e3", " 1", "0x1", "١", "9".repeat(17)])("%j is no whole number", (text) => {
  expect(wholeNumber(text)).toBeNaN();
});
