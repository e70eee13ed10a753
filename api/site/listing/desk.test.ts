import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../../src/fold/state.ts";
import {
  DAY,
  DESK,
  DOLLAR,
  DRAWN,
  entryDraft,
  listingRow,
  NOW,
  offerRow,
  registryOf,
} from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Fact } from "../page.ts";
import { deskSection } from "./desk.ts";

const LOAN: Partial<ListingRow> = {
  ...DRAWN,
  repaidPrincipal: 0n,
  repaidInterest: 0n,
};

const OWES_HALF = { repaidPrincipal: 40_000n * DOLLAR, outstandingPrincipal: 40_000n * DOLLAR };

/** The yield on the page of a listing of which a hundred tokens are on offer. */
async function yieldOf(changes: Partial<ListingRow>, priceBps = 9_500n): Promise<Fact | undefined> {
  const listings = [listingRow({ ...LOAN, ...changes })];
  const tables = tablesOf({ listings, offers: [offerRow({ priceBps })] });
  const { market } = await snapshotOf(tables, registryOf([entryDraft()]), { ...SITE, desk: DESK });
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const given = { schedule: market.scheduleOf(listing), trades: [], until: NOW };
  const facts = deskSection(market.trading, listing, given).blocks.flatMap((block) =>
    block.kind === "facts" ? block.facts : [],
  );
  return facts.find(({ key }) => key === "yieldToMaturityBps");
}

describe("the yield on the desk", () => {
  it("says what a buyer loses who pays more than is still to be paid", async () => {
    const whole = await yieldOf({});
    expect(whole?.value).toEqual({ kind: "rate", basisPoints: 4_664 });
    expect(whole?.note).toBe("At the lowest price, if everything still due is paid.");
    const part = await yieldOf({ ...OWES_HALF, repaidInterest: 608n * DOLLAR });
    expect(part?.value).toEqual({ kind: "rate", basisPoints: -14_838 });
    // 1 − 0.5639 / 0.95
    expect(part?.note).toBe(
      "A loss: a token costs 95.00% and only 56.39% is still to be paid for it. Even if it is, a buyer loses 40.64% of the price.",
    );
  });

  it("counts principal that is owed, however much interest was paid", async () => {
    // 5,720.54 of interest were due. The yield sets the rest off against the principal: of 85,720.54, nothing is left.
    const paid = { ...OWES_HALF, repaidInterest: 46_000n * DOLLAR };
    const off =
      "Interest above the schedule is set off here against the principal, which is owed nevertheless.";
    const dear = await yieldOf(paid);
    expect(dear?.value).toMatchObject({ kind: "rate", basisPoints: expect.any(Number) });
    // 1 − 0.5 / 0.95
    expect(dear?.note).toBe(
      `A loss: a token costs 95.00% and only 50.00% is still to be paid for it. Even if it is, a buyer loses 47.36% of the price. ${off}`,
    );
    const cheap = await yieldOf(paid, 4_000n);
    expect(cheap?.note).toBe(
      `At the lowest price a token costs 40.00%, and 50.00% is still to be paid for it. ${off}`,
    );
  });

  it("says nothing of that where there is none", async () => {
    const over = await yieldOf({ maturityAt: NOW - DAY, repaidPrincipal: 40_000n * DOLLAR });
    expect(over?.value).toEqual({ kind: "none" });
    expect(over?.note).toMatch(/^None/);
  });
});
