/** The advice of a tool for a wrong argument. */
import { describe, expect, it } from "vitest";
import { appIn } from "../../test/harness/app.ts";
import { busyLedger, calling } from "../../test/harness/mcp.ts";
import { TOOLS } from "./catalog.ts";

const { call } = calling(await appIn({ overrides: { ledger: busyLedger(30) } }));

describe("a mistake that a caller can correct", () => {
  const mistakes: [string, object, RegExp][] = [
    ["get_deal", { id: "lst_nowhere" }, /list_deals/],
    ["get_deal", {}, /^`id` must be a string of 1 to 200 characters; it is missing\.$/],
    ["get_deal", { id: 7 }, /^`id` must be a string of 1 to 200 characters; it was 7\.$/],
    ["list_deals", { cursor: "nonsense" }, /nextCursor/],
    ["list_deals", { cursor: "b3JnX25vcnRod2luZA" }, /nextCursor/],
    ["list_deals", { originator: "org_nobody" }, /list_businesses/],
    [
      "list_deals",
      { status: ["open"] },
      /^`status` must be an array of any of listed, funding, .*; it was \["open"\]\.$/,
    ],
    ["list_deals", { limit: 0 }, /^`limit` must be an integer from 1 to 50; it was 0\.$/],
    ["list_deals", { limit: 51 }, /^`limit` must be an integer from 1 to 50; it was 51\.$/],
    ["list_deals", { limit: "10" }, /^`limit` must be an integer from 1 to 50; it was "10"\.$/],
    [
      "list_deals",
      { limit: 1.5, sort: "best" },
      /it was 1\.5\. `sort` must be one of .*; it was "best"\.$|`sort`.*`limit`/,
    ],
    ["list_deals", { status: "live" }, /^`status` must be an array of .*; it was "live"\.$/],
    ["list_deals", { status: ["x", "y"] }, /^`status` must be an array of [^`]*$/],
    [
      "list_deals",
      { minCouponBps: -1 },
      /^`minCouponBps` must be an integer from 0 to 4294967295; it was -1\.$/,
    ],
    ["list_deals", { colour: "A" }, /There is no argument "colour"; list_deals takes q, status, grade, /],
    ["list_deals", { jurisdiction: "Atlantis" }, /ISO 3166/],
    [
      "list_deals",
      { closingBefore: "soon" },
      /^closingBefore must be a time such as 2026-03-01T12:00:00Z, or a date such as 2026-03-01 /,
    ],
    ["list_deals", { dueBefore: "2026-04-31" }, /^dueBefore must be a time/],
    ["get_deal", { id: "lst_3", investment: "1,000" }, /^investment must be dollars above 0 as a decimal/],
    ["get_deal", { id: "lst_3", since: "today" }, /^since must be a block number in decimal digits, a time/],
    ["list_businesses", { since: "today" }, /^since must be a block number in decimal digits, a time/],
    ["list_businesses", { until: "2026-03-01T12:00:00Z" }, /need since/],
    ["list_businesses", { since: "6", until: "5" }, /before since/],
    ["list_businesses", { since: "2026-03-01", until: "2026-02-28" }, /before since/],
    ["list_businesses", { since: "5", until: "today" }, /until must be .*\(its end in UTC\)/],
    ["list_businesses", { since: "2030-01-01" }, /^since is after the last indexed block \(48211034, .*\)/],
    ["get_deal", { id: "lst_3", since: "2099-01-01" }, /^since is after the last indexed block/],
    ["get_deal", { id: "lst_3", since: "99999999" }, /^since is after the last indexed block/],
    ["list_deals", { changedSince: "2099-01-01" }, /^changedSince is after the last indexed block/],
    ["list_deals", { changedSince: "99999999" }, /^changedSince is after the last indexed block/],
    ["list_deals", { constructor: 1 }, /no argument "constructor"/],
    ["list_businesses", { jurisdiction: "Germany" }, /ISO 3166/],
    [
      "list_deals",
      { jurisdiction: ["KE"] },
      /^`jurisdiction` must be one string of 0 to 100 characters: ISO 3166-1 alpha-2, such as SG; it was \["KE"\]\.$/,
    ],
    ["list_deals", { originator: ["org_a"] }, /must be one string .*: publicId of a business; it was/],
    [
      "list_businesses",
      { by: "month", since: "2030-01-01" },
      /^since is after the last indexed block, which is of 2026-.*Z\. Change since\.$/,
    ],
    [
      "list_businesses",
      { kinds: "repaid" },
      /^`kinds` must be an array of any of listing_created, .*, repaid, .*; it was "repaid"\.$/,
    ],
    ["list_businesses", { since: "5", kinds: ["paid"] }, /^`kinds` .* repaid, .*; it was \["paid"\]\.$/],
    ["list_businesses", { cursor: "bHN0XzE" }, /nextCursor/],
    [
      "list_businesses",
      { grade: ["F"] },
      /^`grade` must be an array of any of A, B, C, D, E, NR; it was \["F"\]\.$/,
    ],
    ["search_knowledge", { query: "   " }, /^Nothing found\. Try other words\.$/],
    ["search_knowledge", { query: "¿?" }, /^Nothing found\. Try other words\.$/],
    ["search_knowledge", { query: "" }, /^`query` must be a string of 1 to 400 characters; it was ""\.$/],
  ];
  it.each(mistakes)("%s %j is answered with advice", async (name, args, advice) => {
    const { isError, text, structuredContent } = await call(name, args);
    expect(isError).toBe(true);
    expect(text).toMatch(advice);
    expect(text.length).toBeLessThan(400);
    expect(structuredContent).toBeUndefined();
  });

  it("is explained with the words or bounds of the argument for every argument of the wrong type", async () => {
    const form =
      /an array of any of \w+(, \w+)+|one of \w+(, \w+)+|an? (integer|string) (from|of) \d+ to \d+/;
    for (const { name, input } of TOOLS) {
      for (const argument of Object.keys(input.shape)) {
        const { isError, text } = await call(name, {
          ...(name === "get_deal" && { id: "lst_1" }),
          [argument]: {},
        });
        expect([isError, text], `${name} ${argument}`).toEqual([true, expect.stringMatching(form)]);
        expect(text).toContain(`\`${argument}\` must be `);
      }
    }
  });

  it("is refused if it is a cursor of another order", async () => {
    const page = await call("list_deals", { sort: "most_raised", limit: 1 });
    const cursor = page.structuredContent?.nextCursor;
    expect((await call("list_deals", { sort: "newest", cursor })).isError).toBe(true);
    expect((await call("list_deals", { cursor })).isError).toBe(false);
  });
});
