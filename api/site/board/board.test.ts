/** The board answers as `/v1/listings` does to the same parameters, in the same order, and its totals are those of `/v1/stats`. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime } from "../../../config/format/time.ts";
import { appShowing } from "../../../test/harness/app.ts";
import { arbitraryMarket } from "../../../test/harness/arbitrary-market.ts";
import { asking } from "../../../test/harness/asking.ts";
import { answerOf, blocksOf, boardOf, pageOf, rowsOf, tableOf } from "../../../test/harness/board-page.ts";
import {
  DAY,
  DESK,
  entryDraft,
  everyState,
  listingRow,
  NOW,
  registryOf,
} from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { SORTS } from "../../market/listings-order.ts";
import { GRADES, type Listing, STATUSES } from "../../market/schema.ts";
import type { Snapshot } from "../../market/snapshot.ts";
import type { Page } from "../page.ts";
import { exactOf, NONE, textOf } from "../value.ts";

const ALL = "show=all&view=table";
const openAll = (query: string) => `${ALL}&${query}`;

const some = <Word>(words: readonly Word[]) =>
  fc.option(
    fc.subarray([...words], { minLength: 1 }).map((chosen) => chosen.join(",")),
    { nil: undefined },
  );
/** Each filter as REST has it, and as the board's address has it. */
const filters = fc
  .record({
    status: some(STATUSES),
    grade: some(GRADES),
    jurisdiction: some(["SG", "DE", "NZ"]),
    repayment: some(["current", "grace", "late", "default", "repaid", "written_off"]),
    originator: fc.option(fc.constantFrom("org_0", "org_1", "org_2", "org_none"), { nil: undefined }),
    minCouponBps: fc.option(fc.constantFrom(0, 1, 1450, 10_000), { nil: undefined }),
    maxCouponBps: fc.option(fc.constantFrom(0, 1450, 1451), { nil: undefined }),
    minTenorDays: fc.option(fc.constantFrom(1, 90, 181), { nil: undefined }),
    maxTenorDays: fc.option(fc.constantFrom(1, 90, 180, 65_535), { nil: undefined }),
    days: fc.option(fc.constantFrom(1, 7, 9_999), { nil: undefined }),
    q: fc.option(fc.constantFrom("raise", "RB0000 1", "lst"), { nil: undefined }),
    sort: fc.option(fc.constantFrom(...SORTS), { nil: undefined }),
  })
  .map(({ days, ...chosen }) => {
    const rest = queryOf({
      ...chosen,
      // On the board, only open raises close within some days, unless states are named.
      status: chosen.status ?? (days === undefined ? undefined : "listed,funding"),
      closingBefore: days === undefined ? undefined : isoTime(NOW + BigInt(days) * DAY),
    });
    const { jurisdiction, minCouponBps, maxCouponBps, minTenorDays, maxTenorDays, ...same } = chosen;
    const board = queryOf({
      ...same,
      country: jurisdiction,
      interest: minCouponBps === undefined ? undefined : minCouponBps / 100,
      interest_to: maxCouponBps === undefined ? undefined : maxCouponBps / 100,
      term_from: minTenorDays,
      term: maxTenorDays,
      closing: days,
    });
    return { rest, board };
  });

function queryOf(chosen: Record<string, string | number | undefined>): string {
  const given = Object.entries(chosen).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  return new URLSearchParams(given).toString();
}

const { app, show } = await appShowing();
const ask = asking(app);

it("marks the raises to check before money is sent, and has no column for marks without one", async () => {
  const snapshot = await snapshotOf(tablesOf());
  const marks = (query: string) => {
    const { columns, rows } = tableOf(pageOf(boardOf(snapshot, query)));
    const at = columns.findIndex(({ key }) => key === "warnings");
    return at < 0 ? null : rows.map(({ key, cells }) => `${key}: ${textOf(cells[at] ?? NONE)}`);
  };
  const both = "Creator not confirmed · Business not verified";
  expect(marks("show=open&view=table")).toEqual([`lst_1: ${both}`, `lst_2: ${both}`]);
  expect(marks("show=repaying&view=table")).toBeNull();
});

it("says of a raise without a go-live that it has just opened", async () => {
  const fresh = listingRow({ goLiveAt: 0n, createdAt: NOW - DAY });
  const snapshot = await snapshotOf(tablesOf({ listings: [fresh] }), registryOf([entryDraft()]));
  const { columns, rows } = tableOf(pageOf(boardOf(snapshot, "show=all")));
  const at = columns.findIndex(({ key }) => key === "share");
  expect(textOf(rows[0]?.cells[at] ?? NONE)).toBe("Just opened");
});

it("names amounts for what they are: tokens traded, principal owed, and not the registry's terms", async () => {
  const snapshot = await snapshotOf(tablesOf(), undefined, { ...SITE, desk: DESK });
  const page = pageOf(boardOf(snapshot, ""));
  const words = JSON.stringify(page);
  const volume = page.sections
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "facts" ? block.facts : [])))
    .find(({ key }) => key === "volume30d");
  expect(volume?.value).toMatchObject({ kind: "amount", unit: "tokens" });
  expect(words).toContain("of principal owed, in USD-test");
  expect(words).not.toContain("Every figure comes from the contracts");
});

it("shows the raises that REST answers, in the same order, with the same figures", async () => {
  const property = fc.asyncProperty(
    arbitraryMarket(25),
    fc.array(filters, { minLength: 4, maxLength: 4 }),
    async ({ tables, registry }, queries) => {
      const snapshot = await snapshotOf(tables, registry);
      show(snapshot);
      for (const { rest, board } of [{ rest: "", board: "" }, ...queries]) {
        const page = pageOf(boardOf(snapshot, openAll(board)));
        const answer: { listings: Listing[] } = JSON.parse((await ask(`/v1/listings?${rest}`)).text);
        expect(rowsOf(page), rest).toEqual(answer.listings.map(({ publicId }) => publicId));
        expect(tableOf(page).caption).toMatch(new RegExp(`^${answer.listings.length} raises?;`));
        const { columns, rows } = tableOf(page);
        for (const [place, { cells }] of rows.entries()) {
          const listing = answer.listings[place] as Record<string, unknown> | undefined;
          for (const [at, { key }] of columns.entries()) {
            const cell = cells[at];
            if (cell === undefined || cell.kind === "link" || listing?.[key] === undefined) continue;
            expect(exactOf(cell), key).toBe(String(listing[key]));
          }
        }
      }
    },
  );
  await fc.assert(property, { numRuns: 25 });
});

it("has the totals of the statistics, and the desk's figures", async () => {
  const property = fc.asyncProperty(arbitraryMarket(12), async ({ tables, registry }) => {
    const snapshot = await snapshotOf(tables, registry, { ...SITE, desk: DESK });
    show(snapshot);
    const stats = JSON.parse((await ask("/v1/stats")).text);
    const { trading } = JSON.parse((await ask("/v1/listings")).text);
    const page = pageOf(boardOf(snapshot, ALL));
    const said = Object.fromEntries(
      ["health", "book", "desk"].flatMap((id) =>
        [
          ...blocksOf(page, id, "facts").flatMap(({ facts }) => facts),
          ...blocksOf(page, id, "shares").flatMap(({ shares: { whole, parts } }) => [
            whole,
            ...parts.map(({ fact }) => fact),
          ]),
        ].map(({ key, value }) => [key, exactOf(value)]),
      ),
    );
    const states = ["current", "grace", "late", "default"] as const;
    const known: Record<string, unknown> = { ...stats, ...trading };
    for (const state of states) {
      known[`outstandingByRepayment.${state}.shareBps`] = stats.outstandingByRepayment[state].shareBps;
    }
    expect(Object.keys(said).toSorted()).toEqual(
      [
        ...["lent", "raised", "repaid", "outstanding", "returned", "reserves", "subscribers"],
        ...["defaultRateBps", "outstandingInDefaultBps", "averageCouponBps", "minimumReachedBps"],
        ...states.map((state) => `outstandingByRepayment.${state}.shareBps`),
        ...["openOffers", "openNotional", "bestAskBps", "trades30d", "volume30d", "vwap30dBps"],
      ].toSorted(),
    );
    for (const [key, exact] of Object.entries(said)) {
      expect(exact, key).toBe(known[key] === null ? null : String(known[key]));
    }
    const weights = blocksOf(page, "health", "shares").flatMap(({ shares }) => shares.parts);
    expect(weights.map(({ weight }) => weight)).toEqual(
      states.map((state) => stats.outstandingByRepayment[state].amount),
    );
    const open = stats.byStatus.listed + stats.byStatus.funding;
    expect(blocksOf(page, "health", "shares")[0]?.shares.text).toMatch(new RegExp(`^${open} raises? open ·`));
    // A search narrows the raises, never the book.
    const narrowed = pageOf(boardOf(snapshot, "q=nothing-has-this-name"));
    expect(narrowed.sections[0]).toEqual(page.sections[0]);
  });
  await fc.assert(property, { numRuns: 20 });
});

/** A market of so many raises, each with a refnum, a title and a closing time of its own. */
async function marketOf(size: number): Promise<Snapshot> {
  const ids = Array.from({ length: size }, (_, index) => BigInt(index + 1));
  const listings = ids.map((onchainId) =>
    listingRow({ onchainId, closeAt: NOW + 1_000n * onchainId, couponRateBps: Number(onchainId % 5n) }),
  );
  return snapshotOf(tablesOf({ listings }), registryOf(ids.map((id) => entryDraft({ onchainId: `${id}` }))));
}

/** The link to the next page; undefined on the last one. */
function nextOf(page: Page): string | undefined {
  const links = blocksOf(page, "raises", "links").flatMap((block) => block.links);
  return links.find(({ href }) => href.includes("cursor="))?.href;
}

describe("page by page", () => {
  it.each([0, 1, 50, 51, 120])("%i raises are shown once each, in every order", async (size) => {
    const snapshot = await marketOf(size);
    for (const order of ["", ...SORTS.map((sort) => `sort=${sort}`)]) {
      const shown: string[] = [];
      let path: string | undefined = `/?${openAll(order)}`;
      let pages = 0;
      while (path !== undefined) {
        const page = pageOf(boardOf(snapshot, new URL(path, SITE.publicUrl).search));
        shown.push(...rowsOf(page));
        pages++;
        path = nextOf(page);
        expect(pages).toBeLessThanOrEqual(Math.max(1, Math.ceil(size / 50)));
      }
      expect(pages).toBe(Math.max(1, Math.ceil(size / 50)));
      expect(new Set(shown).size).toBe(size);
      const whole = pageOf(boardOf(snapshot, openAll(order)));
      expect(shown.slice(0, 50)).toEqual(rowsOf(whole));
      expect(shown).toHaveLength(size);
    }
  });

  it("keeps what was asked for in the link to the next page", async () => {
    const snapshot = await marketOf(120);
    const page = pageOf(boardOf(snapshot, openAll("q=raise&status=listed&interest=0.01&sort=closing_soon")));
    const next = nextOf(page) ?? "";
    const query = new URL(next, SITE.publicUrl).searchParams;
    expect(Object.fromEntries(query)).toEqual({
      show: "all",
      view: "table",
      q: "raise",
      status: "listed",
      interest: "0.01",
      sort: "closing_soon",
      cursor: expect.any(String),
    });
    const second = pageOf(boardOf(snapshot, `${query}`));
    expect(rowsOf(second)).toHaveLength(46);
    expect(tableOf(second).caption).toMatch(/\b46 of 96 raises;/);
  });
});

it("says so when there is nothing, and what to do when nothing fits", async () => {
  const empty = pageOf(boardOf(await marketOf(0), ALL));
  expect(tableOf(empty)).toMatchObject({ caption: expect.stringMatching(/^0 raises;/), rows: [] });
  expect(tableOf(empty).empty).toBe(
    "There are no raises yet. The first one appears here as soon as it opens.",
  );
  const unfit = pageOf(boardOf(await marketOf(1), "q=zeppelin"));
  expect(tableOf(unfit)).toMatchObject({ caption: expect.stringMatching(/^0 raises;/), rows: [] });
  expect(tableOf(unfit).empty).toBe("No raises match. Try removing a filter or searching for fewer words.");
  expect(tableOf(pageOf(boardOf(await marketOf(1), ALL))).caption).toMatch(/^1 raise;/);
  expect(answerOf(null, "")).toEqual({ kind: "not_indexed_yet" });
});

it("says how long a raise still takes money, by the clock of the chain", async () => {
  const listings = [
    listingRow({ onchainId: 1n, closeAt: null }),
    listingRow({ onchainId: 2n, closeAt: NOW + 7_200n }),
    listingRow({ onchainId: 3n, terminalKind: "cancelled", terminalAt: NOW - 1n }),
  ];
  const registry = registryOf(["1", "2", "3"].map((onchainId) => entryDraft({ onchainId })));
  const { columns, rows } = tableOf(pageOf(boardOf(await snapshotOf(tablesOf({ listings }), registry), ALL)));
  const at = columns.findIndex(({ key }) => key === "timing");
  const left = Object.fromEntries(rows.map(({ key, cells }) => [key, textOf(cells[at] ?? { kind: "none" })]));
  expect(left).toEqual({
    lst_1: "no closing time",
    lst_2: "in 2 hours",
    lst_3: expect.stringMatching(/^ended \d+ \w+ \d{4}$/),
  });
});

describe("the tabs", () => {
  it("show each raise in one of them, the open ones first", async () => {
    const { rows, registry } = everyState();
    const snapshot = await snapshotOf(tablesOf({ listings: rows }), registry);
    const shown = (query: string) => rowsOf(pageOf(boardOf(snapshot, query)));
    const statusesIn = (query: string) =>
      new Set(shown(query).map((id) => snapshot.market.listingByPublicId.get(id)?.status));
    expect(statusesIn("")).toEqual(new Set(["listed", "funding"]));
    expect(shown("")).toEqual(shown("show=open"));
    expect(statusesIn("show=repaying")).toEqual(new Set(["live"]));
    expect(statusesIn("show=ended")).toEqual(new Set(["matured", "refunding", "voided", "cancelled"]));
    const all = ["open", "repaying", "ended"].flatMap((tab) => shown(`show=${tab}`));
    expect(all.toSorted()).toEqual(shown("show=all").toSorted());
    // A search looks among all raises.
    expect(shown("q=lst")).toEqual(shown("show=all"));
    // Named states are as narrow as a tab; what is over cannot close within some days.
    expect(shown("status=live&show=open")).toEqual(shown("show=repaying"));
    expect(shown("closing=9999&show=ended")).toEqual(shown("closing=9999"));
    expect(["listed", "funding"]).toEqual(expect.arrayContaining([...statusesIn("closing=9999")]));
    expect(shown("closing=9999").length).toBeGreaterThan(0);
    const tabs = blocksOf(pageOf(boardOf(snapshot, "")), "raises", "links").find(
      ({ label }) => label === "Which raises",
    );
    expect(tabs?.links.map(({ text, isCurrent }) => [text, isCurrent])).toEqual(
      ["Open", "Repaying", "Ended", "All"].map((label, at) => [
        `${label} ${shown(`show=${label.toLowerCase()}`).length}`,
        at === 0,
      ]),
    );
  });
});
