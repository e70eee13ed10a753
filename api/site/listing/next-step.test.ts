import { describe, expect, it } from "vitest";
import type { ListingRow } from "../../../src/fold/state.ts";
import { SITE } from "../../../test/harness/app.ts";
import { marketOf } from "../../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, everyState, listingRow, NOW } from "../../../test/harness/rows.ts";
import { loadKnowledge } from "../../knowledge/load.ts";
import type { Listing } from "../../market/schema.ts";
import { nextStep } from "./next-step.ts";
import { summarySection } from "./summary.ts";

function listingOf(changes: Partial<ListingRow>): Listing {
  const [listing] = marketOf([listingRow(changes)], [entryDraft()]).listings;
  if (listing === undefined) throw new Error("the listing is visible");
  return listing;
}

const END = { decidedAt: NOW - DAY, frozenAt: NOW - DAY, closedAt: NOW - DAY };
const RAISED = { raisedAmount: 80_000n * DOLLAR, firstSubscribedAt: NOW - DAY };
const dueIn = (days: bigint) => ({ ...DRAWN, maturityAt: NOW + days * DAY });
const SETTLED = {
  ...dueIn(-20n),
  terminalKind: "settled",
  terminalAt: NOW - DAY,
  outstandingPrincipal: 0n,
} as const;

/** Every status with every state of the repayment that it can be in, and what the page says of it. */
const CASES: [string, Partial<ListingRow>, RegExp, boolean][] = [
  [
    "listed/not_drawn",
    {},
    /^Nobody has subscribed yet\. Backers can subscribe until 11 Mar 2026, 12:00 UTC, or earlier if the target is reached or the operator closes the raise\. With at least 50,000 USD-test committed by then the raise succeeds; otherwise the money goes back to the backers\.$/,
    false,
  ],
  [
    "listed/not_drawn",
    { closeAt: null, pricingMode: "auction", minRaise: 0n },
    /until the operator closes the raise\. With any money committed/,
    false,
  ],
  ["funding/not_drawn", RAISED, /^Backers can subscribe until/, false],
  [
    "live/not_drawn",
    { ...RAISED, ...END },
    /closed with its minimum met\. .*can draw the money, and the term of 180 days begins/,
    false,
  ],
  [
    "live/current",
    dueIn(100n),
    /owes 80,000 USD-test of principal; principal and interest are due on/,
    false,
  ],
  [
    "live/current",
    { ...dueIn(100n), outstandingPrincipal: 0n },
    /^No principal is outstanding any more/,
    false,
  ],
  ["live/grace", dueIn(-7n), /80,000 USD-test of principal is still owed; up to 7 days/, true],
  ["live/late", dueIn(-8n), /more than 7 days ago, and 80,000 USD-test/, true],
  ["live/late", { ...dueIn(-8n), outstandingPrincipal: 0n }, /^No principal is outstanding any more/, false],
  ["live/default", dueIn(-91n), /more than 90 days ago, and 80,000 USD-test/, true],
  [
    "matured/repaid",
    { ...SETTLED, outcome: "repaid", writtenOffPrincipal: 0n, repaidPrincipal: 80_000n * DOLLAR },
    /^The raise ended without a loss of principal: 80,000 USD-test of principal and interest were repaid\.$/,
    false,
  ],
  [
    "matured/repaid",
    { ...SETTLED, outcome: "repaid_with_reserve", writtenOffPrincipal: 0n },
    /partly from the reserve\.$/,
    false,
  ],
  [
    "matured/written_off",
    { ...SETTLED, outcome: "defaulted", writtenOffPrincipal: DOLLAR },
    /ended with a loss/,
    true,
  ],
  [
    "refunding/not_drawn",
    { ...END, ...RAISED, raisedAmount: DOLLAR },
    /closed below its minimum\. 1 of 1 USD-test is still to be claimed: .* in the app\.$/,
    false,
  ],
  [
    "refunding/not_drawn",
    { ...END, ...RAISED, raisedAmount: DOLLAR, returnedPrincipal: DOLLAR, refundedAmount: DOLLAR },
    /closed below its minimum\. Fully refunded: all 1 USD-test is back/,
    false,
  ],
  [
    "refunding/not_drawn",
    { ...END, minRaise: 0n },
    /closed with nothing committed.* Nobody had subscribed, so there is nothing to claim\.$/,
    false,
  ],
  [
    "voided/not_drawn",
    { ...END, ...RAISED, terminalKind: "voided", terminalAt: NOW, returnedPrincipal: 79_000n * DOLLAR },
    /undone after its close\. 1,000 of 80,000 USD-test is still to be claimed: .* in the app\.$/,
    false,
  ],
  [
    "cancelled/not_drawn",
    { ...RAISED, terminalKind: "cancelled", terminalAt: NOW },
    /called off\. 80,000 of 80,000 USD-test is still to be claimed: .* in the app\.$/,
    false,
  ],
  [
    "cancelled/not_drawn",
    { ...RAISED, terminalKind: "cancelled", terminalAt: NOW, returnedPrincipal: 80_000n * DOLLAR },
    /called off\. Fully refunded/,
    false,
  ],
  ["cancelled/not_drawn", { terminalKind: "cancelled", terminalAt: NOW }, /nothing to claim\.$/, false],
];

describe("what happens next", () => {
  it.each(CASES)("%s", (state, changes, words, isWarning) => {
    const listing = listingOf(changes);
    expect(`${listing.status}/${listing.repayment}`).toBe(state);
    const next = nextStep(listing);
    expect(next.text).toMatch(words);
    expect(next.isWarning).toBe(isWarning);
    const { blocks } = summarySection(listing, NOW);
    expect(blocks).toContainEqual(
      isWarning
        ? { kind: "notice", tone: "warning", text: next.text }
        : { kind: "paragraph", text: next.text },
    );
  });

  it("is said of a loan too that a raise should never have had", () => {
    const row = { ...dueIn(100n), terminalKind: "voided", terminalAt: NOW } as const;
    const { text, isWarning } = nextStep(listingOf(row));
    expect(text).toMatch(
      /^The raise was undone.* Even so, money was drawn from it: The business has drawn the money/,
    );
    expect(isWarning).toBe(true);
  });

  it("leads to the knowledge page that has the rules", async () => {
    const knowledge = await loadKnowledge(
      new URL("../../../knowledge", import.meta.url).pathname,
      SITE.publicUrl,
    );
    const hrefs = new Set(CASES.map(([, changes]) => nextStep(listingOf(changes)).rules.href));
    expect(hrefs.size).toBe(7);
    for (const href of hrefs) {
      const [path = "", anchor] = href.split("#");
      const page = knowledge.pageBySlug.get(path.replace("/knowledge/", ""));
      expect(
        page?.sections.map((section) => section.anchor),
        href,
      ).toContain(anchor);
    }
  });
});

describe("the hand-off", () => {
  const { rows, registry } = everyState();
  const { listings } = marketOf(
    rows,
    [...registry.listings].map((entry) => entryDraft({ onchainId: `${entry.onchainId}` })),
  );
  const linksOf = (listing: Listing) =>
    summarySection(listing, NOW).blocks.flatMap((block) =>
      block.kind === "action"
        ? [["action", block.link.href]]
        : block.kind === "links"
          ? block.links.slice(1).map(({ href }) => ["link", href])
          : [],
    );

  it("is there while a raise takes money, and a link while it gives money back", () => {
    const shown = Object.fromEntries(listings.map((listing) => [listing.status, linksOf(listing)]));
    const to = (id: number) => `https://app.example/listings/lst_${id}`;
    expect(shown).toEqual({
      listed: [["action", to(1)]],
      funding: [["action", to(2)]],
      live: [],
      matured: [],
      refunding: [["link", to(5)]],
      voided: [["link", to(6)]],
      cancelled: [],
    });
  });

  it("is not there once all is claimed", () => {
    const failed = listingOf({ ...END, ...RAISED, raisedAmount: DOLLAR, returnedPrincipal: DOLLAR });
    expect([failed.status, linksOf(failed)]).toEqual(["refunding", []]);
  });

  it("is a sentence instead where no app is configured", () => {
    const said = listings.flatMap((listing) => {
      const without = { ...listing, appUrl: null };
      expect(linksOf(without)).toEqual([]);
      const texts = summarySection(without, NOW).blocks.flatMap((block) =>
        block.kind === "paragraph" || block.kind === "notice" ? block.text : [],
      );
      return texts.some((text) => /no app to (sign|do so) in is configured/i.test(text))
        ? listing.status
        : [];
    });
    expect(said).toEqual(["listed", "funding", "refunding", "voided"]);
  });
});

describe("the time left", () => {
  const leftOf = (changes: Partial<ListingRow>, now = NOW) => {
    const facts = summarySection(listingOf(changes), now).blocks.flatMap((block) =>
      block.kind === "facts" ? block.facts : [],
    );
    return facts.filter(({ key }) => key.startsWith("time")).map(({ key, value }) => [key, value]);
  };

  it("is that to the close, then that to maturity", () => {
    expect(leftOf({})).toEqual([["timeLeft", { kind: "text", text: "10 days" }]]);
    expect(leftOf({ closeAt: null })).toEqual([["timeLeft", { kind: "text", text: "No closing time" }]]);
    expect(leftOf(dueIn(100n))).toEqual([["timeToMaturity", { kind: "text", text: "100 days" }]]);
    expect(leftOf(dueIn(-1n))).toEqual([]);
    expect(leftOf({ ...RAISED, ...END })).toEqual([]);
  });
});
