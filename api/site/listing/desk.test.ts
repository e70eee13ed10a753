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

/** The yield on the page of a listing of which a hundred tokens are on offer. */
async function yieldOf(changes: Partial<ListingRow>): Promise<Fact | undefined> {
  const tables = tablesOf({ listings: [listingRow({ ...LOAN, ...changes })], offers: [offerRow()] });
  const { market } = await snapshotOf(tables, registryOf([entryDraft()]), { ...SITE, desk: DESK });
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const facts = deskSection(market.trading, listing, { trades: [], until: NOW }).blocks.flatMap((block) =>
    block.kind === "facts" ? block.facts : [],
  );
  return facts.find(({ key }) => key === "yieldToMaturityBps");
}

describe("the yield on the desk", () => {
  it("says what a buyer loses who pays more than is still to be paid", async () => {
    const whole = await yieldOf({});
    expect(whole?.value).toEqual({ kind: "rate", basisPoints: 4_664 });
    expect(whole?.note).toBe("At the lowest price, if everything still due is paid.");
    const part = await yieldOf({ repaidPrincipal: 40_000n * DOLLAR, repaidInterest: 608n * DOLLAR });
    expect(part?.value).toEqual({ kind: "rate", basisPoints: -14_838 });
    // 1 − 0.5639 / 0.95
    expect(part?.note).toBe(
      "A loss: a token costs 95.00% and only 56.39% is still to be paid for it. Even if it is, a buyer loses 40.64% of the price.",
    );
  });

  it("says nothing of that where there is none", async () => {
    const over = await yieldOf({ maturityAt: NOW - DAY, repaidPrincipal: 40_000n * DOLLAR });
    expect(over?.value).toEqual({ kind: "none" });
    expect(over?.note).toMatch(/^None/);
  });
});
