import { describe, expect, it } from "vitest";
import type { ListingRow, OfferRow, TradeRow } from "../../../src/fold/state.ts";
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
  tradeRow,
} from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import type { Fact, Section } from "../page.ts";
import { deskSection } from "./desk.ts";

const LOAN: Partial<ListingRow> = {
  ...DRAWN,
  repaidPrincipal: 0n,
  repaidInterest: 0n,
};

const OWES_HALF = { repaidPrincipal: 40_000n * DOLLAR, outstandingPrincipal: 40_000n * DOLLAR };

/** The section of a listing with these rows of the desk. */
async function sectionOf(
  changes: Partial<ListingRow>,
  desk: { offers?: OfferRow[]; trades?: TradeRow[] },
): Promise<Section> {
  const listings = [listingRow({ ...LOAN, ...changes })];
  const tables = tablesOf({ listings, ...desk });
  const { market } = await snapshotOf(tables, registryOf([entryDraft()]), { ...SITE, desk: DESK });
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const { trading } = market;
  const given = { trading, desk: market.deskOf(listing), listing, until: NOW };
  const trades = market.tradesOf(listing);
  return deskSection({ ...given, trades, schedule: market.scheduleOf(listing) });
}

function factIn({ blocks }: Section, name: string): Fact | undefined {
  return blocks
    .flatMap((block) => (block.kind === "facts" ? block.facts : []))
    .find(({ key }) => key === name);
}

/** The yield on the page of a listing of which a hundred tokens are on offer. */
async function yieldOf(changes: Partial<ListingRow>, priceBps = 9_500n): Promise<Fact | undefined> {
  return factIn(await sectionOf(changes, { offers: [offerRow({ priceBps })] }), "yieldToMaturityBps");
}

describe("the desk of a raise that has ended", () => {
  const ended = { terminalKind: "settled", terminalAt: NOW - 40n * DAY, writtenOffPrincipal: 0n } as const;

  it("still shows its trades, when the list of the desk has dropped it", async () => {
    const trade = tradeRow({ blockTime: NOW - 50n * DAY, amount: DOLLAR, cost: (9n * DOLLAR) / 10n });
    const section = await sectionOf(ended, { offers: [offerRow()], trades: [trade] });
    expect(factIn(section, "tradesTotal")?.value).toEqual({ kind: "count", count: 1 });
    expect(factIn(section, "lastPriceBps")?.value).toEqual({ kind: "rate", basisPoints: 9_000 });
    expect(factIn(section, "holderCount")?.note).toBe("Not counted once a raise has ended.");
    expect(section.blocks.map(({ kind }) => kind)).toContain("chart");
  });

  it("says that there was nothing", async () => {
    const textsOf = async (changes: Partial<ListingRow>) =>
      (await sectionOf(changes, {})).blocks.flatMap((block) =>
        block.kind === "paragraph" ? [block.text] : [],
      );
    const nothing = ["There were no offers or trades of this raise's token before it ended."];
    expect(await textsOf(ended)).toEqual(nothing);
    expect(await textsOf({ ...ended, terminalKind: "voided" })).toEqual(nothing);
    const undrawn = { drawnDownAt: null, drawnAmount: null, maturityAt: null } as const;
    expect(await textsOf({ ...ended, ...undrawn, terminalKind: "voided" })).toEqual([
      "There have been no offers or trades of this raise's token. Without a drawdown, tokens cannot be sold.",
    ]);
  });
});

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
