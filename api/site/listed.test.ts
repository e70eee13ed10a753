import { expect, it } from "vitest";
import { appIn, appShowing } from "../../test/harness/app.ts";
import { marketOf } from "../../test/harness/market.ts";
import { business, entryDraft, listingRow, registryOf } from "../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import type { Market } from "../market/market.ts";
import { listGroups } from "./listed.ts";

const seconds = (time: string) => BigInt(Date.parse(time) / 1000);
/** Raises by the time of their creation; the third is open since the month after. */
const CREATED = [
  "2026-01-31T23:59:59Z",
  "2026-02-01T00:00:00Z",
  "2026-01-01T00:00:00Z",
  "2025-12-24T18:00:00Z",
];
const rows = CREATED.map((created, at) =>
  listingRow({
    onchainId: BigInt(at + 1),
    createdAt: seconds(created),
    goLiveAt: seconds(at === 2 ? "2026-02-20T00:00:00Z" : created),
    updatedAt: seconds("2026-03-01T00:00:00Z") + BigInt(at),
  }),
);
const drafts = rows.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` }));
const registry = registryOf(drafts);
const market = marketOf(rows, drafts);
const deps = {
  knowledge: { pages: [], glossary: [] },
  description: () => ({ paths: {} }),
} as unknown as Parameters<typeof listGroups>[0];
const told = (of: Market) =>
  listGroups(deps, { market: of, registry, reverts: 0 }).map(({ name, count, updated, longest, pages }) => ({
    name,
    count,
    updated,
    longest,
    pages: pages(),
  }));

it("a raise is with those created in the same month, in the order of their creation", () => {
  const raises = told(market).filter(({ name }) => name.startsWith("raises"));
  const ids = raises.map(({ name, pages }) => [name, pages.map(({ path }) => path)]);
  expect(ids).toEqual([
    ["raises-2025-12", ["/listings/lst_4"]],
    ["raises-2026-01", ["/listings/lst_3", "/listings/lst_1"]],
    ["raises-2026-02", ["/listings/lst_2"]],
  ]);
});

it("each page has the last change of its raises, and a group that of its pages", () => {
  const changes = new Map(market.listings.map((one) => [`/listings/${one.publicId}`, market.changedAt(one)]));
  for (const { name, count, updated, longest, pages } of told(market)) {
    expect([name, pages.length]).toEqual([name, count]);
    if (pages.length > 0)
      expect([
        name,
        pages
          .map((page) => page.updated)
          .sort()
          .at(-1),
      ]).toEqual([name, updated]);
    for (const page of pages) {
      expect(page.path.length).toBeLessThanOrEqual(longest);
      if (name.startsWith("raises")) expect(page.updated).toBe(changes.get(page.path));
    }
  }
  const businesses = told(market).find(({ name }) => name === "businesses");
  const latest = [...changes.values()].sort().at(-1);
  expect(businesses?.pages).toEqual([{ path: "/originators/org_northwind", updated: latest }]);
});

it("a market without columns lists the same pages", () => {
  const { stats } = market;
  const walked = told({ ...market, stats: { ...stats } }).flatMap(({ pages }) => pages);
  const inColumns = told(market).flatMap(({ pages }) => pages);
  const sorted = (pages: typeof walked) => pages.map((page) => JSON.stringify(page)).sort();
  expect(sorted(walked)).toEqual(sorted(inColumns));
  expect(walked.length).toBeGreaterThan(CREATED.length + 5);
});

it.each(["/sitemap.xml", "/sitemap.txt"])(
  "before the first block there is no %s without raises to keep for an hour",
  async (path) => {
    const answer = await (await appIn({ snapshot: null })).request(`http://raises.example${path}`);
    const { headers } = answer;
    expect([answer.status, headers.get("Retry-After"), headers.get("Cache-Control")]).toEqual([
      ...[503, "2", "no-store"],
    ]);
    expect(await answer.json()).toMatchObject({ code: "not_indexed_yet" });
  },
);

it("a sitemap has the new addresses as soon as the registry gives raises and businesses other ids", async () => {
  const { app, show } = await appShowing();
  const shownAs = async (publicId: string, originator: string) => {
    const entries = [
      entryDraft({ onchainId: "1", publicId, originator }),
      entryDraft({ onchainId: "2", originator }),
    ];
    show(await snapshotOf(tablesOf(), registryOf(entries, [business({ publicId: originator })])));
    const answer = await app.request("http://raises.example/sitemap.txt");
    const paths = (await answer.text()).match(/\/(?:listings|originators)\/\w+$/gm);
    return { paths: paths ?? [], tag: answer.headers.get("ETag") ?? "" };
  };
  const before = await shownAs("lst_typo", "org_old");
  const after = await shownAs("lst_right", "org_new");
  expect(before.paths).toEqual(["/listings/lst_2", "/listings/lst_typo", "/originators/org_old"]);
  expect(after.paths).toEqual(["/listings/lst_2", "/listings/lst_right", "/originators/org_new"]);
  expect(after.tag).not.toBe(before.tag);
});

it("a sitemap has the raise that a reorg has put in the place of another one at the same time", async () => {
  const { app, show } = await appShowing();
  const both = registryOf([entryDraft({ onchainId: "1" }), entryDraft({ onchainId: "2" })]);
  const raisesWith = async (onchainId: bigint, reverts: number) => {
    show(await snapshotOf(tablesOf({ listings: [listingRow({ onchainId })], reverts }), both));
    const answer = await app.request("http://raises.example/sitemap.txt");
    return (await answer.text()).match(/\/listings\/\w+$/gm);
  };
  expect(await raisesWith(1n, 0)).toEqual(["/listings/lst_1"]);
  expect(await raisesWith(2n, 1)).toEqual(["/listings/lst_2"]);
});
