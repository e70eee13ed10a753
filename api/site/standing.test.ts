import { describe, expect, it } from "vitest";
import { marketOf } from "../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../../test/harness/rows.ts";
import { doneBar, doneOf, doneShare, OVERDUE_TONES, OWED_LOOKS, stateOf, timingOf } from "./standing.ts";
import { textOf } from "./value.ts";

/** The bar of a raise and its percentage, in words. */
function shown(changes: Parameters<typeof listingRow>[0]) {
  const [listing] = marketOf([listingRow(changes)], [entryDraft()]).listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const done = doneOf(listing);
  const { text, tone, missing } = doneBar(done, listing);
  return {
    text,
    share: textOf(doneShare(done)),
    tone,
    missing,
    state: stateOf(listing, NOW),
    timing: timingOf(listing, NOW),
  };
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
  expect(shown({ ...DRAWN, maturityAt: NOW - 3_600n }).state.label).toBe(
    "In grace · less than a day overdue",
  );
});

it("an auction is called one while its rate is open", () => {
  expect(shown({ pricingMode: "auction" }).state.label).toBe("Open auction");
  expect(shown({}).state.label).toBe("Open");
});

it("a loan that owes interest alone is not paid off", () => {
  const principal = { ...DRAWN, outstandingPrincipal: 0n, repaidPrincipal: 80_000n * DOLLAR };
  const stood = (changes: Parameters<typeof listingRow>[0]) => {
    const { state, share, timing } = shown({ ...principal, ...changes });
    return [state.label, state.tone, share, timing];
  };
  expect(stood({ maturityAt: NOW + DAY })).toEqual([
    "Principal repaid",
    "good",
    "100% of principal repaid",
    "interest due in 1 day",
  ]);
  expect(stood({ maturityAt: NOW - DAY })).toEqual([
    "Interest overdue",
    "warn",
    "100% of principal repaid",
    "interest was due 28 Feb 2026",
  ]);
  // 80,000 × 0.145 × 180 / 365 = 5,720.547…; contracts round each payment.
  const paid = ["Paid off", "good", "100% repaid", "to be settled"];
  expect(stood({ maturityAt: NOW - DAY, repaidInterest: 5_720n * DOLLAR })).toEqual(paid);
  // The contract forgave 800 of principal, or took 6,000 too much: what was paid of the interest counts.
  const forgiven = { repaidPrincipal: 79_200n * DOLLAR, repaidInterest: 5_721n * DOLLAR };
  expect(stood({ maturityAt: NOW - DAY, ...forgiven })).toEqual(paid);
  expect(stood({ maturityAt: NOW - DAY, repaidPrincipal: 86_000n * DOLLAR })[0]).toBe("Interest overdue");
  expect(stood({ maturityAt: NOW - DAY, repaidPrincipal: 79_200n * DOLLAR })[0]).toBe("Interest overdue");
  // The contract alone says that no principal is owed: what was paid is not known.
  expect(stood({ maturityAt: NOW - DAY, repaidPrincipal: 0n })).toEqual(paid);
});

it("a raise that failed without any commitment has refunded nothing", () => {
  const failed = { closedAt: NOW, closeAt: NOW, decidedAt: NOW, frozenAt: NOW, minRaise: 50_000n * DOLLAR };
  expect(shown(failed)).toMatchObject({ state: { label: "Not funded" }, share: "0% funded" });
});

it("grace has one colour everywhere", () => {
  expect(OWED_LOOKS.grace.tone).toBe(OVERDUE_TONES.grace);
});
