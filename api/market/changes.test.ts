import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isoTime, parseTime } from "../../config/format/time.ts";
import type { ListingRow } from "../../src/fold/state.ts";
import { arbitraryMarket } from "../../test/harness/arbitrary-market.ts";
import { marketAt } from "../../test/harness/market.ts";
import {
  DAY,
  DESK,
  DRAWN,
  entryDraft,
  everyState,
  HEAD,
  listingRow,
  NOW,
  offerRow,
  tradeRow,
} from "../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../test/harness/snapshot.ts";
import type { Listing } from "./schema.ts";
import { repaymentAt, repaymentTurnedAt } from "./status.ts";

/** The two moments of the only listing of a market, in unix seconds. */
function momentsAt(now: bigint, changes: Partial<ListingRow>) {
  const market = marketAt(now, [listingRow(changes)], [entryDraft()]);
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  return { opened: parseTime(market.openedAt(listing)), changed: parseTime(market.changedAt(listing)) };
}

describe("a raise opened", () => {
  it("at its go-live, or at its creation if that came later", () => {
    const opened = (createdAt: bigint, goLiveAt: bigint) => momentsAt(NOW, { createdAt, goLiveAt }).opened;
    expect(opened(NOW - 2n * DAY, NOW - DAY)).toBe(NOW - DAY);
    expect(opened(NOW - DAY, NOW - 2n * DAY)).toBe(NOW - DAY);
    expect(opened(NOW - DAY, 0n)).toBe(NOW - DAY);
  });
});

describe("a repayment turned", () => {
  const facts = fc.record({
    terminalKind: fc.constantFrom(null, "settled" as const, "voided" as const),
    writtenOffPrincipal: fc.constantFrom(0n, 1n),
    maturityAt: fc.option(fc.bigInt(0n, 200n * DAY)),
    drawnDownAt: fc.option(fc.constant(1n)),
  });

  it("in the second from which on it reads as it does now, and never after the head", () => {
    fc.assert(
      fc.property(facts, fc.bigInt(0n, 300n * DAY), (given, now) => {
        const turned = repaymentTurnedAt(given, now);
        const isOverdue = ["grace", "late", "default"].includes(repaymentAt(given, now));
        expect(turned !== null).toBe(isOverdue);
        if (turned === null) return;
        expect(turned <= now).toBe(true);
        expect(repaymentAt(given, turned)).toBe(repaymentAt(given, now));
        expect(repaymentAt(given, turned - 1n)).not.toBe(repaymentAt(given, now));
      }),
    );
  });
});

describe("a raise changed last", () => {
  const maturityAt = NOW - 100n * DAY;
  const drawn = {
    ...DRAWN,
    goLiveAt: NOW - 300n * DAY,
    createdAt: NOW - 300n * DAY,
    drawnDownAt: NOW - 280n * DAY,
  };
  const quiet = { ...drawn, frozenAt: NOW - 281n * DAY, decidedAt: NOW - 281n * DAY, maturityAt };
  const changedAt = (now: bigint, changes: Partial<ListingRow> = {}) =>
    momentsAt(now, { ...quiet, updatedAt: NOW - 280n * DAY, ...changes }).changed;

  it("with an event, or when time alone changed the state of its repayment", () => {
    expect(changedAt(maturityAt)).toBe(NOW - 280n * DAY);
    expect(changedAt(maturityAt + 1n)).toBe(maturityAt + 1n);
    expect(changedAt(maturityAt + 7n * DAY)).toBe(maturityAt + 1n);
    expect(changedAt(maturityAt + 8n * DAY)).toBe(maturityAt + 7n * DAY + 1n);
    expect(changedAt(NOW)).toBe(maturityAt + 90n * DAY + 1n);
    expect(changedAt(NOW, { updatedAt: NOW - 5n })).toBe(NOW - 5n);
  });

  it("at its closing time, and by time alone never again once it is settled", () => {
    const closed = momentsAt(NOW, { closeAt: NOW - 60n, updatedAt: NOW - DAY });
    expect(closed.changed).toBe(NOW - 60n);
    const settled = { terminalKind: "settled", terminalAt: maturityAt + 3n, outcome: "repaid" } as const;
    expect(changedAt(NOW, { ...settled, updatedAt: maturityAt + 3n })).toBe(maturityAt + 3n);
  });

  it("when something happened to its token on the desk, or an offer of it expired", async () => {
    const { rows, registry } = everyState();
    const live = rows.find(({ onchainId }) => onchainId === 3n);
    if (live === undefined || live.token === null) throw new Error("listing 3 is live");
    const { onchainId, token } = live;
    const desk = (changes: Parameters<typeof offerRow>[0]) => offerRow({ onchainId, token, ...changes });
    const changed = async (tables: Parameters<typeof tablesOf>[0]) => {
      const { market } = await snapshotOf(tablesOf(tables), registry, { ...SITE, desk: DESK });
      const moment = (publicId: string) =>
        market.changedAt(market.listingByPublicId.get(publicId) as Listing);
      return [moment("lst_3"), moment("lst_2")];
    };
    const [before, other] = await changed({});
    const cases: [Parameters<typeof tablesOf>[0], bigint][] = [
      [{ offers: [desk({ createdAt: NOW - 50n })] }, NOW - 50n],
      [{ offers: [desk({ cancelledAt: NOW - 40n, expiresAt: NOW - 10n })] }, NOW - 40n],
      [{ offers: [desk({ expiresAt: NOW - 30n })] }, NOW - 30n],
      [{ trades: [tradeRow({ onchainId, token, blockTime: NOW - 20n })] }, NOW - 20n],
    ];
    for (const [tables, moment] of cases) expect(await changed(tables)).toEqual([isoTime(moment), other]);
    // Offers that are sold out, or that come later, expire without effect.
    const still = { createdAt: NOW - 500n * DAY };
    const offers = [
      desk({ ...still, remaining: 0n, expiresAt: NOW - 30n }),
      desk({ ...still, expiresAt: NOW + 1n }),
    ];
    expect(await changed({ offers })).toEqual([before, other]);
  });

  it("between its opening and the head, in any market", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryMarket(8), async ({ tables, registry }) => {
        const { market } = await snapshotOf(tables, registry, { ...SITE, desk: DESK });
        for (const listing of market.listings) {
          const [opened, changed] = [market.openedAt(listing), market.changedAt(listing)];
          expect(opened <= changed && listing.statusSince <= changed).toBe(true);
          expect(changed <= isoTime(HEAD.timestamp)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("is not told of a listing of another market", () => {
    const { openedAt, changedAt } = marketAt(NOW, [], []);
    const [listing] = marketAt(NOW, [listingRow()], [entryDraft()]).listings;
    if (listing === undefined) throw new Error("the listing is visible");
    expect(() => openedAt(listing)).toThrow("not of this market");
    expect(() => changedAt(listing)).toThrow("not of this market");
  });
});
