/**
 * A market that follows the chain block by block is the market that all rows make at once, in everything that it says.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inMemory } from "../../config/columns-file.ts";
import type { Block } from "../../src/fold/events.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { expectColumnsOf } from "../../test/harness/columns.ts";
import { type Dice, dice, diceSeeds } from "../../test/harness/dice.ts";
import { business, CREATOR, ESCROW, STRANGER } from "../../test/harness/market.ts";
import {
  BUYER,
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
  repaymentRow,
  SELLER,
  tradeRow,
} from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import { indexed, type Registry, type RegistryListing } from "../registry/schema.ts";
import type { ListingFacts } from "./archive/facts.ts";
import type { ChainRows } from "./chain-rows.ts";
import type { FlowRow } from "./flows.ts";
import { gradeTurnsOf } from "./grade.ts";
import { SORTS } from "./listings-order.ts";
import { searchOf } from "./listings-search.ts";
import { findListing, type Market } from "./market.ts";
import { dayOf } from "./periods.ts";
import { createProjection, project } from "./project.ts";
import type { SavedProjection } from "./project-form.ts";
import { STATUSES } from "./schema.ts";
import { COHORTS_BY } from "./series-schema.ts";
import { turnsOf } from "./turns.ts";

const PAIRS = 7;
const publicSettings = { ...SITE, desk: DESK };
/** Listing 6 is not in the registry; nobody vouches for its creator, or for that of listing 5. */
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
      market.listingByPublicId.get(listing.publicId) === listing,
      findListing(market, listing.refnum)?.publicId,
      findListing(market, listing.refnum.toLowerCase())?.publicId,
    ]),
    byPair: Array.from(
      { length: PAIRS },
      (_, id) => market.listingByPair.get(`${ESCROW}:${id + 1}`)?.publicId,
    ),
    facts: Array.from(listings.walk("newest"), (facts) => factsOf(facts)),
    grades: originators.map((one) =>
      market.gradesOf(one).map(({ causes, ...step }) => ({ ...step, causes: causes.toSorted(byPair) })),
    ),
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
  ...["updatedAt", "updatedBlock"],
] as (keyof ListingFacts)[];

function factsOf(facts: ListingFacts) {
  return [
    ...FACTS.map((name) => facts[name]),
    searchOf("oven kelp", NAMES_OF_NONE)?.(facts),
    searchOf("lst_2", NAMES_OF_NONE)?.(facts),
  ];
}

const NAMES_OF_NONE = { get: () => undefined, has: () => false };
const byPair = (a: { pair: string }, b: { pair: string }) => (a.pair < b.pair ? -1 : 1);

type Rows = {
  [Table in Exclude<
    keyof ChainRows,
    "holders" | "bids" | "events" | "restarted" | "flows"
  >]: ChainRows[Table][number][];
} & {
  flows: FlowRow[];
  holders: Map<`0x${string}`, number>;
};
const noRows = (): Rows => ({
  ...{ listings: [], repayments: [], offers: [], trades: [], flows: [] },
  holders: new Map(),
});

/** The tables after each block: what changed, and all rows. */
type Tables = { rows: Rows; block(roll: Dice, head: Block): Rows };

function createTables(): Tables {
  const rows = noRows();
  let events = 0;
  const replace = <Row>(all: Row[], row: Row, isSame: (other: Row) => boolean) => {
    const at = all.findIndex(isSame);
    if (at < 0) all.push(row);
    else all[at] = row;
  };
  const changeListing = (
    roll: Dice,
    onchainId: bigint,
    { timestamp: now, number: block }: Block,
  ): ListingRow => {
    const before = rows.listings.find((row) => row.onchainId === onchainId);
    const ended = {
      ...{
        ...DRAWN,
        drawnDownAt: now - BigInt(roll.below(200)) * DAY,
        outstandingPrincipal: 0n,
        clearedAt: now,
      },
      ...{ maturityAt: now + BigInt(roll.below(80) - 40) * DAY, repaidPrincipal: 80_000n * DOLLAR },
      ...{ terminalKind: "settled", terminalAt: now },
    } as const;
    const shape = roll.one([
      {},
      ...[ended, ended, { ...ended, writtenOffPrincipal: 40_000n * DOLLAR }],
      { raisedAmount: BigInt(roll.below(5)) * 30_000n * DOLLAR, subscriberCount: roll.below(4) },
      { closeAt: now + BigInt(roll.below(3)) * DAY, firstSubscribedAt: now - 1n },
      { goLiveAt: now + BigInt(roll.below(3)) * DAY },
      { ...DRAWN, maturityAt: now + BigInt(roll.below(40)) * DAY, drawnDownAt: now },
      { ...DRAWN, outstandingPrincipal: 0n, clearedAt: now, repaidPrincipal: 80_000n * DOLLAR },
      { terminalKind: "settled", terminalAt: now, writtenOffPrincipal: BigInt(roll.below(2)) * DOLLAR },
      { terminalKind: "voided", terminalAt: now },
      { couponRateBps: roll.one([0, 900, 1450]), refnum: roll.one(["RB00001", "rb00001", "odd"]) },
      { token: null },
    ] as Partial<ListingRow>[]);
    const base = before ?? listingRow({ onchainId, originator: roll.one([CREATOR ?? STRANGER, STRANGER]) });
    return { ...base, ...shape, updatedAt: now, updatedBlock: block };
  };

  return {
    rows,
    block(roll, head) {
      const { timestamp: now } = head;
      const changed = noRows();
      for (let changes = roll.below(4); changes > 0; changes--) {
        const onchainId = BigInt(1 + roll.below(PAIRS));
        const eventId = `${++events}`.padStart(75, "0");
        const known = rows.listings.some((row) => row.onchainId === onchainId);
        const what = known ? roll.below(7) : 0;
        const amount = BigInt(1 + roll.below(9)) * DOLLAR;
        if (what < 2) changed.listings.push(changeListing(roll, onchainId, head));
        if (what === 2) {
          changed.offers.push(
            offerRow({
              onchainId,
              offerId: BigInt(roll.below(3)) + 10n * onchainId,
              priceBps: BigInt(9_000 + roll.below(900)),
              remaining: BigInt(roll.below(3)) * DOLLAR,
              expiresAt: now + BigInt(roll.below(3)) * DAY,
              cancelledAt: roll.below(4) === 0 ? now : null,
              createdAt: now,
            }),
          );
        }
        if (what === 3) {
          const parties = { seller: roll.one([SELLER, BUYER]), buyer: BUYER } as const;
          changed.trades.push(
            tradeRow({ onchainId, eventId, amount, cost: amount, blockTime: now, ...parties }),
          );
        }
        if (what === 4) {
          changed.repayments.push(repaymentRow({ onchainId, eventId, principal: amount, blockTime: now }));
        }
        if (what === 6) {
          const measure = roll.one(["committed", "outstanding", "outstanding", "reservesPosted"] as const);
          changed.flows.push({ escrowAddress: ESCROW, onchainId, day: dayOf(now), measure, amount });
        }
        if (what === 5) changed.holders.set(listingRow({ onchainId }).token ?? "0x", roll.below(5));
      }
      // A row is read once, as the block left it.
      const last = <Row>(all: Row[], keyOf: (row: Row) => unknown) => [
        ...new Map(all.map((row) => [keyOf(row), row])).values(),
      ];
      changed.listings = last(changed.listings, ({ onchainId }) => onchainId);
      changed.offers = last(changed.offers, ({ offerId }) => offerId);
      for (const row of changed.listings)
        replace(rows.listings, row, ({ onchainId }) => onchainId === row.onchainId);
      for (const row of changed.offers) replace(rows.offers, row, ({ offerId }) => offerId === row.offerId);
      rows.trades.push(...changed.trades);
      rows.flows.push(...changed.flows);
      rows.repayments.push(...changed.repayments);
      for (const [token, count] of changed.holders) rows.holders.set(token, count);
      return changed;
    },
  };
}

/** The next head's time: the same second, some later one, or just where something turns. */
function nextTime(roll: Dice, now: bigint, { listings, offers, trades }: Rows): bigint {
  const jump = now + roll.one([0n, 0n, 1n, 1n, 3n, 3_600n, DAY, 31n * DAY, 400n * DAY]);
  if (roll.below(2) === 0) return jump;
  const turns = [
    ...listings.flatMap((row) => turnsOf(row, now)),
    ...listings.flatMap(({ maturityAt, terminalAt }) =>
      maturityAt === null
        ? []
        : gradeTurnsOf({ maturityAt, settledAt: terminalAt } as Parameters<typeof gradeTurnsOf>[0]),
    ),
    ...offers.map(({ expiresAt }) => expiresAt),
    ...trades.flatMap(({ blockTime }) => [blockTime + DAY, blockTime + 30n * DAY]),
  ].filter((turn): turn is bigint => turn !== null && turn > now && turn < now + 500n * DAY);
  const turn = turns.length === 0 ? jump : roll.one(turns) + roll.one([-1n, 0n]);
  return turn > now ? turn : now;
}

describe("a market that follows the chain", () => {
  it("is at every block what all rows make of it at once, and leaves what it said before", () => {
    const archives = fc.constantFrom({ atOnce: 1, block: 1 }, { atOnce: 3, block: 2 }, { atOnce: null });
    const property = fc.property(diceSeeds(25), archives, fc.boolean(), (seeds, archive, hasDesk) => {
      const publicSettings = { ...SITE, desk: hasDesk ? DESK : null };
      const tables = createTables();
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
        const changed = tables.block(roll, head);
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
        if (before !== null && text(before.market) !== text(before.whole))
          expectEarlier(before.market, before.whole);
        const saved = roll.below(4) === 0 ? projection.save() : null;
        if (saved !== null) {
          const again = { registry: texts, publicSettings, start: head, archive };
          projection = createProjection({ ...again, saved: copyOf(saved) });
          expect(text(projection.advance(saved.rows, head, finalized))).toBe(now);
        }
        expectColumnsOf(market);
        before = { market, whole };
      }
    });
    fc.assert(property, { numRuns: 60, endOnFailure: true });
  });

  it("counts a late loss as a cap of the grade, though an older one came back from the archive", () => {
    const archive = { atOnce: 2, block: 1 };
    // Its grade stays NR, so that nothing but its own events makes a raise anew.
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
    // Moved together, when the first has not capped the grade for a month.
    advance([lost(2n, NOW + 400n * DAY)], 400n);
    advance([{ ...lost(1n, NOW), claimedAmount: 1n, updatedBlock: HEAD.number + 401n }], 401n);
    const market = advance([], 402n);
    expect(market.originatorByPublicId.get("org_northwind")?.rating.cap).toBe("C");
  });

  it("knows when a raise changes by an offer that expires, without a desk too", () => {
    const projection = createProjection({ registry, publicSettings: SITE, start: HEAD });
    const expiresAt = NOW + 10n;
    const rows = { ...noRows(), listings: [listingRow(DRAWN)], offers: [offerRow({ expiresAt })] };
    projection.advance(rows, HEAD, HEAD.number);
    for (const timestamp of [expiresAt - 1n, expiresAt])
      expectColumnsOf(projection.advance(noRows(), { number: HEAD.number + 1n, timestamp }, HEAD.number));
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
