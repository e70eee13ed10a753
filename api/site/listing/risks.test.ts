import { describe, expect, it, vi } from "vitest";
import type { ListingRow } from "../../../src/fold/state.ts";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
import { ids, longMarket } from "../../../test/harness/long-market.ts";
import { marketOf } from "../../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../../../test/harness/rows.ts";
import { snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { textOf } from "../value.ts";
import { businessSection } from "./business-card.ts";
import { riskSection } from "./risks.ts";

function riskOf(changes: Partial<ListingRow>, hasDesk = true): string | null {
  const [listing] = marketOf([listingRow(changes)], [entryDraft()]).listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const [first] = riskSection(listing, hasDesk)?.blocks ?? [];
  return first?.kind === "paragraph" ? first.text : null;
}

describe("what can go wrong", () => {
  it("before the drawdown is losing all but the reserve, and waiting", () => {
    // 2,500 of the 100,000 sought are 2.50%.
    expect(riskOf({ reserveBalance: 2_500n * DOLLAR })).toBe(
      "You can lose what you lend: if the business repays nothing, only the reserve pays, of which 2,500 USD-test is posted: 2.50% of the target. Once the business draws the money it is tied up for 180 days, or longer if it pays late; after that you can only get out by selling your tokens, if somebody buys them.",
    );
    expect(riskOf({})).toContain("only a reserve of 5.00% of the target pays, which is not posted yet.");
    expect(riskOf({ insuranceBps: 0 })).toContain("nothing else pays, as this raise has no reserve.");
    expect(riskOf({}, false)).toMatch(/after that there is no way to get out\.$/);
  });

  it("after an auction's closing time is of its target, until it is cleared", () => {
    const bids = { pricingMode: "auction", raisedAmount: 150_000n * DOLLAR, closeAt: NOW - 1n } as const;
    // 2,500 of the 100,000 that are accepted are 2.50%.
    expect(riskOf({ ...bids, reserveBalance: 2_500n * DOLLAR })).toContain("2.50% of the loan");
  });

  it("while money is owed is what the reserve does not cover", () => {
    // 4,000 of 80,000 owed are 5.00%.
    expect(riskOf({ ...DRAWN, reserveBalance: 4_000n * DOLLAR })).toBe(
      "80,000 USD-test of principal is still owed, and the reserve of 4,000 USD-test covers 5.00% of it. If the business does not pay in time, the loan counts as late after 7 days and as a default after 90, and anything not paid by settlement is written off.",
    );
    expect(riskOf(DRAWN)).toContain("still owed, and no reserve is held for it.");
    expect(riskOf({ ...DRAWN, reserveBalance: 80_000n * DOLLAR })).toContain("covers all of it.");
    expect(riskOf({ ...DRAWN, maturityAt: NOW - 8n * DAY })).toMatch(
      / Anything not covered by the business or the reserve is written off at settlement\.$/,
    );
  });

  it("is nothing once all is paid, settled or given back", () => {
    expect(riskOf({ ...DRAWN, outstandingPrincipal: 0n })).toBeNull();
    expect(riskOf({ ...DRAWN, terminalKind: "settled", terminalAt: NOW, outcome: "repaid" })).toBeNull();
    expect(riskOf({ terminalKind: "cancelled", terminalAt: NOW })).toBeNull();
  });
});

describe("the card of the business", () => {
  it("counts its raises by how they ended or stand", () => {
    const settled = {
      ...DRAWN,
      terminalKind: "settled",
      terminalAt: NOW - DAY,
      outstandingPrincipal: 0n,
    } as const;
    const rows = [
      listingRow({ onchainId: 1n }),
      listingRow({
        onchainId: 2n,
        ...settled,
        outcome: "repaid",
        repaidPrincipal: 80_000n * DOLLAR,
        writtenOffPrincipal: 0n,
      }),
      listingRow({
        onchainId: 3n,
        ...settled,
        outcome: "repaid",
        repaidPrincipal: 80_000n * DOLLAR,
        writtenOffPrincipal: 0n,
      }),
      listingRow({ onchainId: 4n, ...settled, outcome: "defaulted", writtenOffPrincipal: 80_000n * DOLLAR }),
      listingRow({ onchainId: 5n, ...DRAWN, maturityAt: NOW - 8n * DAY }),
      // Overdue by its date, and owing nothing.
      listingRow({ onchainId: 6n, ...DRAWN, maturityAt: NOW - 8n * DAY, outstandingPrincipal: 0n }),
    ];
    const { originators } = marketOf(
      rows,
      rows.map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` })),
    );
    const [own] = originators;
    if (own === undefined) throw new Error("the business is visible");
    const facts = businessSection(own).blocks.flatMap((block) => (block.kind === "facts" ? block.facts : []));
    const shown = Object.fromEntries(facts.map(({ key, value }) => [key, textOf(value)]));
    expect(shown).toMatchObject({
      kybStatus: "Approved",
      "raises.repaid": "2",
      "raises.overdue": "1",
      "raises.lost": "1",
    });
    expect(facts[0]).toMatchObject({ key: "ratingGrade", note: expect.stringMatching(/\.$/) });
  });

  it("reads no raise of the archive, nor does the rest of the page", async () => {
    const raises = longMarket(60);
    raises.open(ids(1, 60));
    const market = raises.lose(ids(1, 50));
    const { archived } = market.listings;
    if (archived === null) throw new Error("nothing is archived");
    const reading = vi.spyOn(archived.view.archive, "read");
    for (const business of market.originators) {
      expect(business.listings.archived?.length ?? 0).toBeGreaterThan(0);
      const facts = businessSection(business).blocks.flatMap((block) =>
        block.kind === "facts" ? block.facts : [],
      );
      const lost = facts.find(({ key }) => key === "raises.lost");
      expect(lost && textOf(lost.value)).toBe(business.publicId === "org_sun" ? "12" : "38");
    }
    const snapshot = { ...(await snapshotOf(tablesOf(), raises.registry)), market };
    const { text } = await asking(await appIn({ snapshot }))("/listings/lst_55.md");
    expect(text).toContain("- **Ended with a loss**: 38");
    expect(reading).not.toHaveBeenCalled();
  });
});
