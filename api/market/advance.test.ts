/** A market that follows the chain block by block is the market that all rows make at once, in everything that it says. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type GrowingBytes, growingFile, inMemory } from "../../config/bytes.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { expectColumnsOf } from "../../test/harness/columns.ts";
import { dice, diceSeeds } from "../../test/harness/dice.ts";
import { temporaryFolder } from "../../test/harness/ending.ts";
import { business, ESCROW, STRANGER } from "../../test/harness/market.ts";
import { project } from "../../test/harness/project.ts";
import {
  createTables,
  goBack,
  nextTime,
  noRows,
  PAIRS,
  type Rows,
  withAll,
} from "../../test/harness/random-blocks.ts";
import {
  DAY,
  DESK,
  DOLLAR,
  DRAWN,
  entryDraft,
  FINALIZED,
  HEAD,
  listingRow,
  NOW,
  offerRow,
  registryOf,
  tradeRow,
} from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import { indexed, pairKey, type Registry, type RegistryListing } from "../registry/schema.ts";
import type { ListingFacts } from "./archive/facts.ts";
import { columnsOf } from "./columns.ts";
import { countByOption } from "./listings-options.ts";
import { SORTS } from "./listings-order.ts";
import type { ListingsQuery } from "./listings-query.ts";
import { searchOf } from "./listings-search.ts";
import { findListing, type Market } from "./market.ts";
import { countMarket, matchesIn, owedInMarket, queryMarket } from "./market-query.ts";
import { createProjection } from "./project.ts";
import type { SavedProjection } from "./project-form.ts";
import { STATUSES } from "./schema.ts";
import { COHORTS_BY } from "./series-schema.ts";

const folder = temporaryFolder();

const publicSettings = { ...SITE, desk: DESK };
/** Listing 6 is not in the registry; its creator and that of listing 5 are addresses of no business. */
const registry = registryOf(
  [1, 2, 3, 4, 5, 7].map((id) =>
    entryDraft({ onchainId: `${id}`, originator: id < 4 ? "org_northwind" : "org_sun" }),
  ),
  [business(), business({ publicId: "org_sun", addresses: [STRANGER] })],
);

/** All that is known of a market, as text. */
function told(market: Market) {
  const { listings, originators, trading, stats, unpublished, unprojectable, head } = market;
  return {
    head,
    listings: listings.all(),
    originators: originators.map((one) => ({ ...one, listings: one.listings.all() })),
    trading,
    stats,
    unpublished,
    unprojectable: unprojectable.toSorted((a, b) => (a.onchainId < b.onchainId ? -1 : 1)),
    more: listings.map((listing) => [
      market.scheduleOf(listing),
      market.openedAt(listing),
      market.changedAt(listing),
      market.deskOf(listing),
      market.tradesOf(listing),
      market.listingByPublicId.get(listing.publicId) === listing,
      findListing(market, listing.refnum)?.publicId,
      findListing(market, listing.refnum.toLowerCase())?.publicId,
    ]),
    byPair: Array.from(
      { length: PAIRS },
      (_, id) => market.listingByPair.get(`${ESCROW}:${id + 1}`)?.publicId,
    ),
    facts: Array.from(listings.walk("newest"), (facts) => factsOf(facts)),
    grades: originators.map((one) => market.gradesOf(one)),
    owed: [{}, ...QUERIES].map((query) => owedInMarket(market, query)),
    counted: QUERIES.map((query) => countMarket(market, query)),
    options: [...countByOption(market, { minCouponBps: 500 }, OPTIONS).values()],
    counts: STATUSES.map((status) => listings.countOf(status)),
    found: originators.map(({ publicId }) => market.originatorByPublicId.get(publicId)),
    days: market.overTime?.series({ by: "day" }),
    graded: market.overTime?.series({ by: "quarter", grade: ["NR", "A"] }),
    scoped: market.overTime?.series({ by: "week", grade: ["NR", "A"], jurisdiction: ["SG"] }),
    // Which grades of loans an earlier market had is not kept.
    cohorts: COHORTS_BY.filter((by) => by !== "grade").map((by) => market.overTime?.cohorts({ by })),
    orders: SORTS.flatMap((sort) =>
      [null, ...STATUSES].map((status) =>
        Array.from(listings.walk(sort, { status }), ({ publicId }) => publicId),
      ),
    ),
  };
}

const FACTS = [
  ...["publicId", "refnum", "originator", "originatorGrade", "status", "acceptsMoney", "repayment"],
  ...["pricingMode", "couponRateBps", "tenorDays", "targetAmount", "minRaise", "raisedAmount"],
  ...["projectedAmount", "outstandingPrincipal", "subscriberCount", "goLiveAt", "closeAt", "maturityAt"],
  ...["updatedAt", "updatedBlock", "refundableAmount"],
] as (keyof ListingFacts)[];

function factsOf(facts: ListingFacts) {
  return [
    ...FACTS.map((name) => facts[name]),
    searchOf("oven kelp", NAMES_OF_NONE)?.(facts),
    searchOf("lst_2", NAMES_OF_NONE)?.(facts),
  ];
}

const QUERIES: readonly ListingsQuery[] = [
  { q: "oven kelp" },
  { q: "7" },
  { grade: ["NR", "A"], minTenorDays: 1 },
  { repayment: ["repaid", "written_off"], maxCouponBps: 1_200 },
  { originator: "org_sun", status: ["matured", "voided"] },
  { changedSince: { block: HEAD.number + 10n } },
];
const OPTIONS = [
  ...STATUSES.map((status) => ({ status: [status] })),
  { grade: ["NR" as const] },
  { maxCouponBps: 900 },
];

const NAMES_OF_NONE = { get: () => undefined, has: () => false };

describe("a market that follows the chain", () => {
  it("is at every block what all rows make of it at once, and leaves what it said before", () => {
    const archives = fc.constantFrom(
      { atOnce: 1, block: 1 },
      { atOnce: 1, block: 1, blocksIn: () => fileWithRoom(4) },
      { atOnce: 3, block: 2, blocksIn: () => growingFile(folder) },
      { atOnce: null },
    );
    const property = fc.property(diceSeeds(25), archives, fc.boolean(), (seeds, archive, hasDesk) => {
      const publicSettings = { ...SITE, desk: hasDesk ? DESK : null };
      const tables = createTables();
      const copies = new Map<bigint, Rows>();
      const matched = new Map<string, string[]>();
      let head = HEAD;
      let finalized = FINALIZED.number;
      let texts = registry;
      let projection = createProjection({ registry: texts, publicSettings, start: head, archive });
      let before: { market: Market; whole: Market } | null = null;
      for (const seed of seeds) {
        const roll = dice(seed);
        head = { number: head.number + 1n, timestamp: nextTime(roll, head.timestamp, tables.rows) };
        const below = head.number - BigInt(roll.below(6));
        if (below > finalized) finalized = below;
        const lost = roll.below(4) === 0 ? goBack(tables, copies, roll, finalized) : null;
        const changed = withAll(tables.block(roll, head), tables.rows, lost);
        copies.set(head.number, tables.copy());
        if (roll.below(3) === 0) {
          texts = retitled(texts, roll.below(texts.listings.length), seed);
          expect(projection.useEntries(texts)).toBe(true);
        }
        const market = projection.advance(changed, head, finalized);
        const whole = project({ rows: tables.rows, registry: texts, head, finalized, publicSettings });
        const now = text(whole);
        // Some are asked only once they are not the newest any more.
        const isLate = roll.below(2) === 0;
        // The texts are compared in a fraction of the time, and the objects say where they differ.
        if (!isLate && text(market) !== now) expect(told(market)).toEqual(told(whole));
        if (!isLate) expect(gradesIn(market)).toEqual(gradesIn(whole));
        market.overTime?.countOn(roll.below(8));
        columnsOf(market).countOn(roll.below(3));
        if (before !== null && text(before.market) !== text(before.whole))
          expectEarlier(before.market, before.whole);
        const saved = roll.below(4) === 0 ? projection.save() : null;
        if (saved !== null) {
          const again = { registry: texts, publicSettings, start: head, archive };
          projection = createProjection({ ...again, saved: copyOf(saved) });
          expect(text(projection.advance(saved.rows, head, finalized))).toBe(now);
        }
        expectColumnsOf(market);
        for (const query of QUERIES) {
          const [matches, found] = [matchesIn(market, query), queryMarket(whole, query).listings];
          const ids = found.map(({ publicId }) => publicId).sort();
          expect(matched.get(matches) ?? ids).toEqual(ids);
          matched.set(matches, ids);
        }
        before = { market, whole };
      }
    });
    fc.assert(property, { numRuns: 60, endOnFailure: true });
  });

  it("caps the grade for a recent loss after an older one came back from the archive", () => {
    const archive = { atOnce: 2, block: 1 };
    // The grade stays NR, so that it changes no raise.
    const own = registryOf(
      [1, 2].map((id) => entryDraft({ onchainId: `${id}` })),
      [business({ kybStatus: "expired" })],
    );
    const projection = createProjection({ registry: own, publicSettings: SITE, start: HEAD, archive });
    const lost = (onchainId: bigint, at: bigint) =>
      listingRow({
        ...{ ...DRAWN, onchainId, maturityAt: at, terminalKind: "settled", terminalAt: at, updatedAt: at },
        ...{ outcome: "defaulted", outstandingPrincipal: 0n, writtenOffPrincipal: DRAWN.drawnAmount },
        updatedBlock: 1n,
      });
    const rows = { ...noRows(), listings: [] as ListingRow[] };
    const advance = (changed: ListingRow[], days: bigint) => {
      rows.listings = [
        ...rows.listings.filter((row) => changed.every(({ onchainId }) => onchainId !== row.onchainId)),
        ...changed,
      ];
      const head = { number: HEAD.number + days, timestamp: NOW + days * DAY };
      const market = projection.advance({ ...noRows(), listings: changed }, head, head.number);
      const whole = project({ rows, registry: own, head, finalized: head.number, publicSettings: SITE });
      expect(told(market)).toEqual(told(whole));
      return market;
    };
    advance([lost(1n, NOW)], 0n);
    // Both go to the archive, when the first loss is more than a year old.
    advance([lost(2n, NOW + 400n * DAY)], 400n);
    advance([{ ...lost(1n, NOW), claimedAmount: 1n, updatedBlock: HEAD.number + 401n }], 401n);
    const market = advance([], 402n);
    expect(market.originatorByPublicId.get("org_northwind")?.rating.cap).toBe("C");
  });

  it("dates a raise by an offer that expires, even without a desk", () => {
    const projection = createProjection({ registry, publicSettings: SITE, start: HEAD });
    const expiresAt = NOW + 10n;
    const rows = { ...noRows(), listings: [listingRow(DRAWN)], offers: [offerRow({ expiresAt })] };
    projection.advance(rows, HEAD, HEAD.number);
    for (const timestamp of [expiresAt - 1n, expiresAt])
      expectColumnsOf(projection.advance(noRows(), { number: HEAD.number + 1n, timestamp }, HEAD.number));
  });

  it("has the last trade that is left, when the archived raise with the last one is gone", () => {
    const projection = createProjection({
      ...{ registry, publicSettings, start: HEAD },
      archive: { atOnce: 1, block: 1 },
    });
    const ended = { ...DRAWN, outstandingPrincipal: 0n, terminalKind: "settled", terminalAt: NOW } as const;
    const listings = [1n, 2n].map((onchainId) => listingRow({ ...ended, onchainId, updatedBlock: 1n }));
    const trades = [1n, 2n].map((onchainId) =>
      tradeRow({ onchainId, eventId: `${onchainId}`.padStart(75, "0"), blockTime: NOW - 40n * DAY }),
    );
    const first = projection.advance({ ...noRows(), listings, trades }, HEAD, HEAD.number);
    expect(first.listings.full).toEqual([]);
    const [one, other] = [1, 2].map((id) => registry.listingByPair.get(`${ESCROW}:${id}`)?.publicId);
    expect(first.trading).toMatchObject({ tradesTotal: 2, lastTrade: { publicId: other } });
    const replaced = new Set([`${ESCROW}:2`]);
    const { trading } = projection.advance({ ...noRows(), replaced }, HEAD, HEAD.number);
    expect(trading).toMatchObject({ tradesTotal: 1, lastTrade: { publicId: one } });
  });

  it("gives a shared reference number to the raise that was created last, after a reorg too", () => {
    const projection = createProjection({ registry, publicSettings: SITE, start: HEAD });
    const created = (first: number, second: number) =>
      [first, second].map((event, index) => {
        const createdEventId = `${event}`.padStart(75, "0");
        return listingRow({ onchainId: BigInt(index + 1), refnum: "RB00001", createdEventId });
      });
    const found = (rows: ListingRow[], replaced: string[]) => {
      const changed = { ...noRows(), listings: rows, replaced: new Set(replaced) };
      const market = projection.advance(changed, HEAD, HEAD.number - 100n);
      return findListing(market, "RB00001")?.publicId;
    };
    const [first, second] = [1, 2].map((id) => registry.listingByPair.get(`${ESCROW}:${id}`)?.publicId);
    const pairs = created(1, 2).map(pairKey);
    expect(found(created(100, 101), [])).toBe(second);
    expect(found(created(103, 102), pairs)).toBe(first);
    expect(found([], pairs)).toBeUndefined();
  });

  it("takes no registry that differs in more than texts", () => {
    const projection = createProjection({ registry, publicSettings, start: HEAD });
    const [first, ...others] = registry.listings;
    if (first === undefined) throw new Error("there are listings");
    for (const entry of [{ originator: "org_sun" }, { onchainId: "9" }, { publicId: "lst_other" }])
      expect(projection.useEntries(withListings(registry, [{ ...first, ...entry }, ...others]))).toBe(false);
    expect(projection.useEntries(withListings(registry, others))).toBe(false);
    const originators = registry.originators.map((one) => ({ ...one, legalName: "Other" }));
    expect(projection.useEntries(indexed({ ...unsigned(registry), originators }, "0x01"))).toBe(false);
  });

  it("keeps its lists while nothing in them changes, and all but one listing where one does", () => {
    const listings = [1n, 2n, 3n].map((onchainId) => listingRow({ onchainId }));
    const projection = createProjection({ registry, publicSettings, start: HEAD });
    const first = projection.advance({ ...noRows(), listings }, HEAD, HEAD.number - 100n);
    const later = { number: HEAD.number + 1n, timestamp: NOW + 1n };
    const second = projection.advance(noRows(), later, HEAD.number - 99n);
    expect(second.head).toEqual(later);
    for (const part of ["listings", "originators", "trading", "stats"] as const)
      expect(second[part]).toBe(first[part]);
    const changed = { ...noRows(), listings: [listingRow({ onchainId: 2n, raisedAmount: DOLLAR })] };
    const third = projection.advance(changed, later, HEAD.number - 99n);
    const same = first.listings.map((listing, index) => listing === third.listings.at(index));
    expect(same.filter(Boolean)).toHaveLength(2);
    expect(third.trading).toBe(first.trading);
  });
});

/** Cohorts of long ago are not answered any more. */
function expectEarlier(market: Market, whole: Market) {
  const [is, was] = [told(market), told(whole)];
  const cohorts = is.cohorts.map((one, index) => (one && "reason" in one ? was.cohorts[index] : one));
  expect({ ...is, cohorts }).toEqual(was);
}

function gradesIn({ overTime }: Market) {
  return overTime?.cohorts({ by: "grade" });
}

/** As another process gets it, with the blocks in one piece. */
function copyOf({ archive: { bodies, ...archive }, ...rest }: SavedProjection): SavedProjection {
  const bytes = inMemory(Buffer.concat(bodies.map((one) => one.read(0, one.length))));
  return { ...structuredClone(rest), archive: { ...structuredClone(archive), bodies: [bytes] } };
}

/** Takes so many blocks, as a disk that is full from then on. */
function fileWithRoom(most: number): GrowingBytes {
  const file = growingFile(folder);
  let left = most;
  return {
    get length() {
      return file.length;
    },
    read: file.read,
    append: (bytes) => left-- > 0 && file.append(bytes),
  };
}

function unsigned({ originators, listings }: Registry) {
  return { originators: [...originators], listings: [...listings] };
}

function withListings(of: Registry, listings: RegistryListing[]): Registry {
  return indexed({ ...unsigned(of), listings }, "0x01");
}

function retitled(of: Registry, index: number, seed: number): Registry {
  const retitle = (entry: RegistryListing, at: number) =>
    at === index ? { ...entry, title: `Title ${seed}` } : entry;
  return withListings(of, of.listings.map(retitle));
}

function text(market: Market): string {
  return JSON.stringify(told(market), (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}
