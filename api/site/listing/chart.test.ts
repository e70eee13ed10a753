import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../../src/fold/state.ts";
import { marketAt } from "../../../test/harness/market.ts";
import { DAY, DRAWN, entryDraft, everyState, listingRow, NOW } from "../../../test/harness/rows.ts";
import { exactOf } from "../value.ts";
import { chartOf, spanOf } from "./index.ts";

function spanAt(now: bigint, changes: Partial<ListingRow>) {
  const market = marketAt(now, [listingRow(changes)], [entryDraft()]);
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const [openedAt, changedAt] = [market.openedAt(listing), market.changedAt(listing)];
  return spanOf(listing, { openedAt, changedAt, now });
}

describe("the span of the chart", () => {
  it("begins with the raise and ends with the head, cut so that it stands still for a while", () => {
    const young = { goLiveAt: NOW - DAY, updatedAt: NOW - 3_600n };
    expect(spanAt(NOW + 59n, young)).toEqual({ from: NOW - DAY, to: NOW, points: 60 });
    expect(spanAt(NOW + 61n, young).to).toBe(NOW + 60n);

    const old = {
      ...DRAWN,
      createdAt: NOW - 201n * DAY,
      goLiveAt: NOW - 200n * DAY,
      updatedAt: NOW - 90n * DAY,
    };
    const midnight = NOW - (NOW % DAY);
    expect(spanAt(NOW, old).to).toBe(midnight);
    expect(spanAt(midnight + DAY - 1n, old).to).toBe(midnight);
  });

  it("begins with the creation where the go-live was before it", () => {
    expect(spanAt(NOW, { createdAt: NOW - DAY, goLiveAt: 0n }).from).toBe(NOW - DAY);
  });

  it("never leaves out the last event", () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 300n * DAY),
        fc.bigInt(0n, 300n * DAY),
        fc.constantFrom({}, DRAWN),
        (age, quiet, state) => {
          const goLiveAt = NOW - age;
          const updatedAt = NOW - (quiet < age ? quiet : age);
          const { from, to } = spanAt(NOW, { ...state, goLiveAt, updatedAt });
          expect(from <= to && to >= updatedAt && to <= NOW).toBe(true);
        },
      ),
    );
  });

  it("ends with the last change of a raise that is over", () => {
    const over = {
      terminalKind: "cancelled",
      terminalAt: NOW - 5n * DAY,
      updatedAt: NOW - 3n * DAY,
      createdAt: NOW - 9n * DAY,
    } as const;
    expect(spanAt(NOW, { ...over, goLiveAt: NOW - 9n * DAY }).to).toBe(NOW - 3n * DAY);
    expect(spanAt(NOW + 50n * DAY, { ...over, goLiveAt: NOW - 9n * DAY }).to).toBe(NOW - 3n * DAY);
  });
});

describe("the chart", () => {
  it("ends with the sums of its span, or with what is owed or lost of a loan, in any state of the raise", () => {
    const { rows } = everyState();
    const shown = rows.slice(0, 8);
    const entries = shown.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` }));
    const { listings, openedAt, changedAt, scheduleOf } = marketAt(NOW, shown, entries);
    expect(listings).toHaveLength(8);
    for (const listing of listings) {
      const { from, to } = spanOf(listing, {
        openedAt: openedAt(listing),
        changedAt: changedAt(listing),
        now: NOW,
      });
      const sums = {
        committed: BigInt(listing.raisedAmount),
        refunded: BigInt(listing.refundedAmount),
        repaidPrincipal: BigInt(listing.repaidAmount),
        repaidInterest: 0n,
      };
      const buckets = [{ start: from, end: to, ...sums }];
      const { table, title } = chartOf(listing, scheduleOf(listing), { buckets }, to);
      const isLoan = listing.drawnDownAt !== null && ["live", "matured"].includes(listing.status);
      expect(title).toBe(isLoan ? "Owed over time" : "Money over time");
      if (isLoan) {
        const end = table.rows.find(({ key }) => key === "end")?.cells.map(exactOf);
        const { outstandingPrincipal, writtenOffAmount } = listing;
        expect(end?.[2]).toBe(listing.status === "matured" ? writtenOffAmount : outstandingPrincipal);
        continue;
      }
      const { raisedAmount, repaidAmount, refundedAmount } = listing;
      // A series that never moved is left out.
      const moved = [repaidAmount, refundedAmount].filter((figure) => figure !== "0");
      const last = table.rows.at(-1)?.cells.slice(1).map(exactOf);
      expect(last).toEqual(raisedAmount === "0" && moved.length === 0 ? undefined : [raisedAmount, ...moved]);
    }
  });
});
