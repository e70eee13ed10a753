import { describe, expect, it } from "vitest";
import { marketOf } from "../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../../test/harness/rows.ts";
import { doneBar, doneOf, doneShare, OVERDUE_TONES, OWED_LOOKS, stateOf } from "./standing.ts";
import { textOf } from "./value.ts";

/** The bar of a raise and its percentage, in words. */
function shown(changes: Parameters<typeof listingRow>[0]) {
  const [listing] = marketOf([listingRow(changes)], [entryDraft()]).listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const done = doneOf(listing);
  const { text, tone, missing } = doneBar(done, listing);
  return { text, share: textOf(doneShare(done)), tone, missing, label: stateOf(listing, NOW).label };
}

const HALF = { ...DRAWN, outstandingPrincipal: 40_000n * DOLLAR, repaidPrincipal: 40_000n * DOLLAR };

describe("the progress of a raise", () => {
  it("is of the principal, whatever interest was paid: what came back is green, what is missing is red", () => {
    const paid = { ...HALF, repaidInterest: 30_000n * DOLLAR };
    const text = "40,000 of 80,000 principal repaid";
    const share = "50% repaid";
    expect(shown(paid)).toMatchObject({ text, share, tone: "good", missing: undefined });
    const overdue = (days: bigint) => shown({ ...paid, maturityAt: NOW - days * DAY }).missing;
    expect([overdue(3n), overdue(20n), overdue(91n)]).toEqual(["warn", "warn", "bad"]);
    const lost = { terminalKind: "settled", terminalAt: NOW, writtenOffPrincipal: 40_000n * DOLLAR } as const;
    expect(shown({ ...paid, ...lost })).toMatchObject({ text, share, tone: "good", missing: "bad" });
  });

  it("is of the commitments once they are returned, and of the target until then", () => {
    const failed = {
      ...DRAWN,
      drawnDownAt: null,
      drawnAmount: null,
      maturityAt: null,
      minRaise: 90_000n * DOLLAR,
    };
    const returned = { returnedPrincipal: 72_000n * DOLLAR, refundedAmount: 75_000n * DOLLAR };
    expect(shown({ ...failed, ...returned })).toMatchObject({
      text: "72,000 of 80,000 returned",
      share: "90% returned",
      tone: "good",
      missing: undefined,
    });
    expect(shown({ raisedAmount: 80_000n * DOLLAR })).toMatchObject({
      text: "80,000 of 100,000 committed",
      share: "80% funded",
      tone: undefined,
    });
  });
});

it("a loan that was due an hour ago is less than a day overdue", () => {
  expect(shown({ ...DRAWN, maturityAt: NOW - 3_600n }).label).toBe("In grace · less than a day overdue");
});

it("an auction is called one while its rate is open", () => {
  expect(shown({ pricingMode: "auction" }).label).toBe("Open auction");
  expect(shown({}).label).toBe("Open");
});

it("grace has one colour everywhere", () => {
  expect(OWED_LOOKS.grace.tone).toBe(OVERDUE_TONES.grace);
});
