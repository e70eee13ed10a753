/** A filter that no file knows: everything that asks for listings must derive it from the table of filters. */
import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listingsArguments } from "../../api/graphql/market-pages.ts";
import type { ListingFacts } from "../../api/market/archive/facts.ts";
import { FILTERS, type ListingsFilter } from "../../api/market/listings-filters.ts";
import { countByOption } from "../../api/market/listings-options.ts";
import {
  countListings,
  type ListingsQuery,
  matcherOf,
  queryListings,
} from "../../api/market/listings-query.ts";
import { integerField } from "../../api/market/query-field.ts";
import { createListDeals } from "../../api/mcp/tools/list-deals.ts";
import { listingsParameters } from "../../api/rest/listings.ts";
import { boardForm, filterChips } from "../../api/site/board/form.ts";
import { boardParameters, isFiltered, readBoardQuery } from "../../api/site/board/query.ts";
import { marketOf } from "../harness/market.ts";
import { entryDraft, everyState } from "../harness/rows.ts";

const BACKERS: ListingsFilter = {
  kind: "integer",
  ...integerField(0, 1000, { description: "Lowest number of backers", example: 2 }),
  brief: "Fewest backers",
  accepts:
    (least: number) =>
    ({ subscriberCount }: ListingFacts) =>
      subscriberCount >= least,
  board: {
    name: "backers",
    order: 4.5,
    label: "Backers",
    about: "Lowest number of backers.",
    hint: "Lowest number of backers; empty for all.",
    any: "Any number",
    number: {
      form: /^\d{1,3}$/,
      allowed: "a whole number, such as 3",
      choices: [1, 2, 500],
      labelOf: (number) => `At least ${number}`,
      valueOf: (number) => number,
    },
  },
};
const TABLE = { ...FILTERS, minBackers: BACKERS };

const { rows } = everyState();
const market = marketOf(
  rows.map((row, index) => ({ ...row, onchainId: BigInt(index + 1), subscriberCount: index })),
  rows.map((_, index) => entryDraft({ onchainId: `${index + 1}` })),
);
const { listings, originatorByPublicId } = market;
const asked = { minBackers: 2 } as ListingsQuery;
const expected = listings.filter(({ subscriberCount }) => subscriberCount >= 2).length;

describe("a made-up filter", () => {
  it("leaves out some of these listings and not all", () => {
    expect(expected).toBeGreaterThan(0);
    expect(expected).toBeLessThan(listings.length);
  });

  it("matches, and is one of the filters that are set", () => {
    const found = queryListings(listings, asked, originatorByPublicId, TABLE).listings;
    expect(found).toHaveLength(expected);
    expect(listings.filter(matcherOf(asked, originatorByPublicId, TABLE))).toHaveLength(expected);
    expect(countListings(listings, asked, originatorByPublicId, TABLE)).toBe(expected);
    expect(countByOption(market, {}, [asked], TABLE).get(asked)).toBe(expected);
    expect(countListings(listings, asked, originatorByPublicId)).toBe(listings.length);
  });

  it("is a parameter of REST", () => {
    const parameters = listingsParameters(TABLE);
    expect(parameters.parse({ minBackers: "2", sort: "newest" })).toEqual({ minBackers: 2, sort: "newest" });
    expect(parameters.safeParse({ minBackers: "1001" }).error?.issues[0]?.message).toContain("0 to 1000");
  });

  it("is an argument in GraphQL, of all listings and of an originator's", () => {
    const { fields, all, own } = listingsArguments(TABLE);
    expect(fields).toHaveProperty("minBackers.description", BACKERS.description);
    for (const text of [all, own]) {
      const types =
        "scalar SafeInt scalar DateTime enum ListingStatus {a} enum Grade {a} enum Repayment {a} enum Pace {a}";
      const schema = buildSchema(`${types} enum ListingSort {a} type Query { listings(${text}): Int }`);
      const args = schema.getQueryType()?.getFields().listings?.args ?? [];
      const made = args.find(({ name }) => name === "minBackers");
      expect(`${made?.type}`).toBe("SafeInt");
      expect(made?.description).toBe("Lowest number of backers.");
    }
  });

  it("is an argument of the tool that lists raises", () => {
    const { input } = createListDeals(TABLE);
    expect(z.toJSONSchema(input).properties?.minBackers).toMatchObject({
      type: "integer",
      description: "Fewest backers.",
    });
    expect(input.safeParse({ minBackers: 2 }).success).toBe(true);
    expect(input.safeParse({ minBackers: 1001 }).success).toBe(false);
  });

  it("is a field of the board's form, in its place, with the number of raises for each choice", () => {
    const board = readBoardQuery(new URLSearchParams("backers=2"), market, TABLE);
    expect(board).toMatchObject({ filter: asked, tab: "open", problems: [] });
    expect(isFiltered(board.values, TABLE)).toBe(true);
    expect(boardParameters(TABLE)).toMatchObject({ backers: "Lowest number of backers." });
    // Only open raises count: the board looks among them.
    const open = listings.filter((one) => one.acceptsMoney && one.subscriberCount >= 2).length;
    const { fields } = boardForm(board, market, TABLE);
    const names = fields.map(({ name }) => name);
    expect(names.indexOf("backers")).toBe(names.indexOf("closing") + 1);
    expect(fields.find(({ name }) => name === "backers")).toMatchObject({
      label: "Backers",
      value: "2",
      description: "Lowest number of backers; empty for all.",
      options: [
        { value: "", label: "Any number" },
        { value: "1", label: expect.stringMatching(/^At least 1 \(\d+\)$/) },
        { value: "2", label: `At least 2 (${open})` },
        { value: "500", label: "At least 500 (0)" },
      ],
    });
    expect(filterChips(board.values, TABLE)).toEqual([{ text: "Backers: At least 2", href: "/" }]);
    expect(readBoardQuery(new URLSearchParams("backers=many"), market, TABLE).problems).toEqual([
      'The parameter backers cannot be "many". Allowed: a whole number, such as 3.',
    ]);
  });
});
