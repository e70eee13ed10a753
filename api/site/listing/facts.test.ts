import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeContracts } from "../../../src/contracts/describe.ts";
import type { ListingRow } from "../../../src/fold/state.ts";
import { arbitraryMarket } from "../../../test/harness/arbitrary-market.ts";
import { marketAt, marketOf } from "../../../test/harness/market.ts";
import { DESK, entryDraft, everyState, listingRow, NOW, repaymentRow } from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Market } from "../../market/market.ts";
import { type Listing, listingSchema } from "../../market/schema.ts";
import { CoverPattern } from "../covers/drawing.tsx";
import type { Fact, Page, Section } from "../page.ts";
import { exactOf, textOf, type Value } from "../value.ts";
import { describeListing } from "./describe.ts";
import { readAmount } from "./estimate.ts";
import { chartOf } from "./index.ts";

/** Sections in which a field of the listing can be; the state has those that matter then. */
const GROUPS = ["state", "proof", "details"];
const NO_EVENTS = { events: [], group: null, nextCursor: null, isOlder: false };

function pageOf(market: Market, listing: Listing): Page {
  const business = market.originatorByPublicId.get(listing.originator);
  if (business === undefined) throw new Error("a visible listing has a visible originator");
  return describeListing({
    listing,
    business,
    schedule: market.scheduleOf(listing),
    closing: {
      contracts: describeContracts({ contracts: null }),
      isCloseRecorded: market.isCloseRecorded(listing),
    },
    trading: market.trading,
    history: NO_EVENTS,
    chart: chartOf(listing, market.scheduleOf(listing), { buckets: [] }, market.head.timestamp),
    asked: readAmount(null),
    cover: CoverPattern({ id: listing.publicId }),
    auction: null,
    desk: market.deskOf(listing),
    trades: market.tradesOf(listing),
    until: market.head.timestamp,
    head: market.head,
    changedAt: market.changedAt(listing),
    audit: null,
    publicSettings: SITE,
  });
}

/** Every field of the listing on the page, wherever it stands. */
const fieldsOf = (page: Page): Fact[] =>
  [
    ...(page.badges ?? []),
    ...page.sections.filter(({ id }) => GROUPS.includes(id)).flatMap((section) => factsIn(section)),
  ].filter(({ key }) => key !== "originator" && key !== "jurisdiction" && key !== "owed.interest");
const factsIn = ({ blocks }: Section): Fact[] =>
  blocks.flatMap((block) => (block.kind === "facts" ? block.facts : []));
const sectionOf = (page: Page, id: string): Section => {
  const found = page.sections.find((section) => section.id === id);
  if (found === undefined) throw new Error(`no section ${id}`);
  return found;
};
const exactIn = (page: Page, id: string) =>
  Object.fromEntries(factsIn(sectionOf(page, id)).map(({ key, value }) => [key, exactOf(value)]));
const asExact = (field: unknown) => (field === null ? null : String(field));

/** Invariants of the page of every listing of every market. */
function checkPage(page: Page, market: Market, listing: Listing): void {
  const shown = fieldsOf(page).map(({ key, value }) => [key, exactOf(value)]);
  const { description, ...others } = listing;
  const sorted = (entries: (string | null)[][]) =>
    entries.toSorted(([a], [b]) => `${a}`.localeCompare(`${b}`));
  // The title is the page's own; the business is named, and linked by its public id.
  const { title: _, originator: __, ...fields } = others;
  expect(sorted(shown)).toEqual(sorted(Object.entries(fields).map(([key, field]) => [key, asExact(field)])));

  const quotes = sectionOf(page, "description").blocks.filter((block) => block.kind === "quote");
  expect(quotes).toEqual(description.trim() === "" ? [] : [{ kind: "quote", text: description }]);

  const { payments, ...schedule } = market.scheduleOf(listing);
  const isDue = !schedule.estimated || listing.acceptsMoney || listing.status === "live";
  expect(exactIn(page, "schedule")).toEqual(isDue ? { maturityAt: schedule.maturityAt } : {});
  const tables = sectionOf(page, "schedule").blocks.flatMap((block) => {
    if (block.kind === "chart") return block.chart.table;
    return block.kind === "table" ? block.table : [];
  });
  const isOpen = listing.repayment !== "repaid" && listing.repayment !== "written_off";
  const { principal, interest, total, paidPrincipal, paidInterest, outstandingPrincipal } = schedule;
  const unpaid = BigInt(interest) - BigInt(paidInterest);
  const owedInterest = isOpen && unpaid > 0n ? unpaid : 0n;
  const isLoan = listing.status === "live" && listing.repayment !== "not_drawn";
  expect(exactIn(page, "state")["owed.interest"]).toBe(isLoan ? `${owedInterest}` : undefined);
  const isSettled = listing.status === "matured";
  const leftPrincipal = isSettled ? listing.writtenOffAmount : outstandingPrincipal;
  const leftInterest = isSettled && unpaid > 0n ? unpaid : owedInterest;
  const lines = [
    ["Principal", principal, paidPrincipal, leftPrincipal],
    ["Interest", interest, paidInterest, `${leftInterest}`],
    ["Total", total, listing.repaidAmount, `${BigInt(leftPrincipal) + leftInterest}`],
  ].map((line) => (schedule.estimated ? line.slice(0, 2) : line));
  const dueRows = tables.flatMap(({ rows }) => rows).filter(({ key }) => key.startsWith("due-"));
  expect(dueRows.map(({ cells }) => cells.map(exactOf))).toEqual(isDue ? lines : []);
  const newest = payments.slice(-50).reverse();
  const paid = tables.flatMap(({ rows }) => rows).filter(({ key }) => key.startsWith("payment-"));
  expect(paid.map(({ cells }) => cells.map(exactOf))).toEqual(
    newest.map(({ at, principal, interest, txHash }) => [at, principal, interest, txHash]),
  );

  const own = market.trading.listings.find(({ publicId }) => publicId === listing.publicId);
  const desk = own === undefined ? {} : { ...own, deskAddress: market.trading.deskAddress };
  const { publicId: ___, refnum: ____, ...figures } = { publicId: "", refnum: "", ...desk };
  expect(exactIn(page, "desk")).toEqual(
    Object.fromEntries(Object.entries(figures).map(([key, figure]) => [key, asExact(figure)])),
  );

  const business = market.originatorByPublicId.get(listing.originator);
  expect(exactIn(page, "grade")).toMatchObject({
    kybStatus: business?.kybStatus,
    ratingGrade: business?.ratingGrade,
  });

  const ids = page.sections.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const section of page.sections) {
    const keys = factsIn(section).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const block of section.blocks) {
      if (block.kind !== "table") continue;
      const { rows, columns } = block.table;
      expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
      for (const { cells } of rows) expect(cells.length).toBe(columns.length);
    }
  }
  for (const shown of textsOf(page)) expect(shown).not.toMatch(/undefined|NaN|\[object|null/);
}

/** Every text of ours: what third parties wrote is taken out. */
function textsOf(page: Page): string[] {
  const written = (value: Value) => (value.kind === "text" || value.kind === "link" ? "" : textOf(value));
  return page.sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => {
      if (block.kind === "facts")
        return block.facts.flatMap(({ label, value, note = "" }) => [label, written(value), note]);
      if (block.kind === "paragraph" || block.kind === "notice") return [block.text];
      if (block.kind === "progress") return [block.progress.text];
      return [];
    }),
  );
}

function checkMarket(market: Market): void {
  for (const listing of market.listings) checkPage(pageOf(market, listing), market, listing);
}

describe("the page of a listing has every field of it once", () => {
  it("in every status", async () => {
    const { rows, registry } = everyState();
    const repayments = Array.from({ length: 51 }, (_, index) => {
      const count = BigInt(index);
      return repaymentRow({ onchainId: 3n, principal: count, blockTime: NOW - 100n + count });
    });
    const { market } = await snapshotOf(tablesOf({ listings: rows, repayments }), registry, {
      ...SITE,
      desk: DESK,
    });
    expect(new Set(market.listings.map(({ status }) => status)).size).toBe(7);
    checkMarket(market);
  });

  it("in any market, with and without a desk", async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryMarket(8),
        fc.constantFrom(DESK, null),
        async ({ tables, registry }, desk) => {
          const { market } = await snapshotOf(tables, registry, { ...SITE, desk });
          checkMarket(market);
        },
      ),
      { numRuns: 30 },
    );
  });

  it("without an app too", async () => {
    const { rows, registry } = everyState();
    const { market } = await snapshotOf(tablesOf({ listings: rows }), registry, {
      ...SITE,
      appUrl: null,
    });
    expect(new Set(market.listings.map(({ appUrl }) => appUrl))).toEqual(new Set([null]));
    checkMarket(market);
  });

  it("is one with the schema of the listing", () => {
    const market = marketOf([listingRow()], [entryDraft()]);
    const [listing] = market.listings;
    if (listing === undefined) throw new Error("the listing is visible");
    const keys = fieldsOf(pageOf(market, listing)).map(({ key }) => key);
    expect([...keys, "description", "title", "originator"].sort()).toEqual(
      Object.keys(listingSchema.shape).sort(),
    );
  });
});

describe("extreme figures", () => {
  const amounts = [0n, 1n, 2n ** 200n, 2n ** 256n - 1n];
  const changes: Partial<ListingRow>[] = amounts.flatMap((target) =>
    amounts.flatMap((minRaise) =>
      amounts.map((raisedAmount) => ({
        targetAmount: target,
        minRaise,
        raisedAmount,
        outstandingPrincipal: target,
      })),
    ),
  );
  const times: Partial<ListingRow>[] = [
    { closeAt: null, tenorDays: 0 },
    { closeAt: NOW, tenorDays: 65_535 },
    { goLiveAt: 0n, closeAt: 2n ** 64n - 1n },
    { drawnDownAt: NOW, drawnAmount: 1n, maturityAt: 2n ** 64n - 1n, frozenAt: 0n },
    { couponRateBps: 2 ** 32 - 1, insuranceBps: 2 ** 32 - 1, tenorDays: 1 },
  ];

  it("never throw, whatever the raise has come to", () => {
    const shapes = everyState().rows.slice(0, 8);
    const rows = shapes.flatMap((shape) => [...changes, ...times].map((change) => ({ ...shape, ...change })));
    const numbered = rows.map((row, index): ListingRow => {
      const onchainId = BigInt(index + 1);
      return { ...row, onchainId, token: `0x${onchainId.toString(16).padStart(40, "0")}` };
    });
    const market = marketAt(
      NOW,
      numbered,
      numbered.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` })),
    );
    expect(market.listings.length).toBe(numbered.length);
    checkMarket(market);
  });
});
