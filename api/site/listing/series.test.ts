import { describe, expect, it } from "vitest";
import { fixedLedger, recordedLedger } from "../../../test/harness/fixed-ledger.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Listing } from "../../market/schema.ts";
import { keepBids, keepSeries } from "./series.ts";

const QUERY = { until: { block: 9n }, from: 1n, to: 100n, points: 10 };
const CHANGED = { changedAt: "2026-03-01T00:00:00Z", reverts: 0 };

async function anyListing(): Promise<Listing> {
  const [listing] = (await snapshotOf(tablesOf())).market.listings;
  if (listing === undefined) throw new Error("there is no listing");
  return listing;
}

describe("the store of series", () => {
  it("sums once for all who ask at once, and for the blocks that change nothing", async () => {
    const { asked, reader } = recordedLedger();
    const store = keepSeries();
    const listing = await anyListing();
    await Promise.all(Array.from({ length: 20 }, () => store.of(reader, listing, CHANGED, QUERY)));
    await store.of(reader, listing, CHANGED, { ...QUERY, until: { block: 10n } });
    expect(asked.series).toHaveLength(1);
  });

  it("sums again after a reorg, and when the listing, its figures, the span or another listing is asked for", async () => {
    const { asked, reader } = recordedLedger();
    const store = keepSeries();
    const listing = await anyListing();
    const others: [Listing, typeof CHANGED, typeof QUERY][] = [
      [listing, CHANGED, QUERY],
      [listing, { ...CHANGED, changedAt: "2026-03-01T00:00:01Z" }, QUERY],
      // A reorg, and a block of the same second.
      [listing, { ...CHANGED, reverts: 1 }, QUERY],
      [{ ...listing, updatedBlock: "99" }, CHANGED, QUERY],
      [{ ...listing, raisedAmount: "1" }, CHANGED, QUERY],
      [{ ...listing, refundedAmount: "1" }, CHANGED, QUERY],
      [{ ...listing, repaidAmount: "1" }, CHANGED, QUERY],
      [{ ...listing, onchainId: "99" }, CHANGED, QUERY],
      [listing, CHANGED, { ...QUERY, to: 101n }],
    ];
    for (const [one, changedAt, query] of others) await store.of(reader, one, changedAt, query);
    expect(asked.series).toHaveLength(others.length);
  });

  it("keeps neither a failure nor the answer that there is nothing yet", async () => {
    const listing = await anyListing();
    let calls = 0;
    const store = keepSeries();
    const failing = {
      seriesOfListing: async () => {
        calls += 1;
        throw new Error("the database is away");
      },
    };
    await expect(store.of(failing, listing, CHANGED, QUERY)).rejects.toThrow("away");
    await expect(store.of(failing, listing, CHANGED, QUERY)).rejects.toThrow("away");
    expect(calls).toBe(2);

    const { asked, reader } = recordedLedger();
    const { seriesOfListing } = fixedLedger({ series: "not_indexed_yet" });
    const early: typeof reader = {
      ...reader,
      async seriesOfListing(...query) {
        await reader.seriesOfListing(...query);
        return seriesOfListing(...query);
      },
    };
    expect(await store.of(early, listing, CHANGED, QUERY)).toBe("not_indexed_yet");
    await store.of(early, listing, CHANGED, QUERY);
    expect(asked.series).toHaveLength(2);
  });

  it("keeps the bids of an auction until the raise changes or blocks are reverted", async () => {
    const { asked, reader } = recordedLedger();
    const store = keepBids();
    const listing = await anyListing();
    await store.of(reader, listing, CHANGED, { until: { block: 9n } });
    await store.of(reader, listing, CHANGED, { until: { block: 10n } });
    expect(asked.bids).toEqual([{ block: 9n }]);
    await store.of(reader, { ...listing, raisedAmount: "1" }, CHANGED, { until: { block: 11n } });
    expect(asked.bids).toEqual([{ block: 9n }, { block: 11n }]);
    await store.of(reader, listing, { ...CHANGED, reverts: 1 }, { until: { block: 10n } });
    expect(asked.bids).toHaveLength(3);
  });
});
