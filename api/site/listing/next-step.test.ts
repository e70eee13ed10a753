import { describe, expect, it } from "vitest";
import { describeContracts } from "../../../src/contracts/describe.ts";
import type { ListingRow } from "../../../src/fold/state.ts";
import { marketOf } from "../../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, everyState, listingRow, NOW } from "../../../test/harness/rows.ts";
import { SITE } from "../../../test/harness/snapshot.ts";
import { loadKnowledge } from "../../knowledge/load.ts";
import type { Listing, Schedule } from "../../market/schema.ts";
import type { Closing } from "../../market/sentences.ts";
import { nextStep } from "./next-step.ts";
import { stateSection } from "./state.ts";

type Raise = { listing: Listing; schedule: Schedule; closing: Closing };

function raiseOf(changes: Partial<ListingRow>): Raise {
  const market = marketOf([listingRow(changes)], [entryDraft()]);
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const closing = { ...CLOSED, isCloseRecorded: market.isCloseRecorded(listing) };
  return { listing, schedule: market.scheduleOf(listing), closing };
}

function nextOf(changes: Partial<ListingRow>) {
  const { listing, closing } = raiseOf(changes);
  return nextStep(listing, NOW, closing);
}

const CLOSED: Closing = { contracts: describeContracts({ contracts: null }), isCloseRecorded: true };
const END = { decidedAt: NOW - DAY, frozenAt: NOW - DAY, closedAt: NOW - DAY };
const RAISED = { raisedAmount: 80_000n * DOLLAR, firstSubscribedAt: NOW - DAY };
const dueIn = (days: bigint) => ({ ...DRAWN, maturityAt: NOW + days * DAY });
const PRINCIPAL_REPAID = { outstandingPrincipal: 0n, repaidPrincipal: 80_000n * DOLLAR };
const SETTLED = {
  ...dueIn(-20n),
  terminalKind: "settled",
  terminalAt: NOW - DAY,
  outstandingPrincipal: 0n,
} as const;

/** Every status with every state of the repayment that it can be in, and what the page says of it. */
const CASES: [string, Partial<ListingRow>, RegExp, string | null][] = [
  [
    "listed/not_drawn",
    {},
    /^Nobody has subscribed yet\. Open until 11 Mar 2026, 12:00 UTC or until the target is reached \(the operator may close it earlier\)\. If at least 50,000 USD-test is committed, it goes ahead; if not, everyone is refunded\.$/,
    null,
  ],
  [
    "listed/not_drawn",
    { closeAt: null, pricingMode: "auction", minRaise: 0n },
    /Open until the operator closes it\. If any money is committed, it goes ahead;/,
    null,
  ],
  ["funding/not_drawn", RAISED, /^Open until 11 Mar 2026, 12:00 UTC or until/, null],
  [
    "live/not_drawn",
    { ...RAISED, ...END },
    /closed with its minimum met\. .*can draw the money, and then the term of 180 days begins/,
    null,
  ],
  [
    "live/not_drawn",
    { ...RAISED, ...END, insuranceBps: 0 },
    /minimum met\. The business can draw the money now, and then the term of 180 days begins/,
    null,
  ],
  [
    "live/not_drawn",
    { ...RAISED, closeAt: NOW - 1n },
    /^Its closing time came with its minimum met\. Anyone can now record the close\. Once that is done and its reserve is posted the business can draw the money, and then/,
    null,
  ],
  [
    "live/not_drawn",
    { ...RAISED, closeAt: NOW - 1n, insuranceBps: 0 },
    /Anyone can now record the close\. Once that is done the business can draw the money, and then/,
    null,
  ],
  [
    "live/current",
    dueIn(100n),
    /^The business still owes 80,000 USD-test in principal, due with interest on \d+ \w+ 2026\.$/,
    null,
  ],
  ["live/current", { ...dueIn(100n), outstandingPrincipal: 0n }, /^No principal is owed any more/, null],
  [
    "live/current",
    { ...dueIn(100n), ...PRINCIPAL_REPAID },
    /^No principal is owed any more, but interest still is, due on 9 Jun 2026\. The raise ends when it is settled\.$/,
    null,
  ],
  [
    "live/grace",
    dueIn(-7n),
    /^Payment was due 7 days ago, and 80,000 USD-test .* owed\. No reserve is held .* After 7 days it counts as late\.$/,
    "Overdue:",
  ],
  [
    "live/late",
    dueIn(-8n),
    /^Payment was due 8 days ago, and 80,000 USD-test .* After 90 days it counts as a default\.$/,
    "Overdue:",
  ],
  ["live/late", { ...dueIn(-8n), outstandingPrincipal: 0n }, /^No principal is owed any more; the/, null],
  [
    "live/late",
    { ...dueIn(-8n), ...PRINCIPAL_REPAID },
    /^No principal is owed any more, but interest still is, and was due on 21 Feb 2026\. The raise ends/,
    null,
  ],
  [
    "live/default",
    dueIn(-91n),
    /^Payment was due 91 days ago, and 80,000 USD-test .* Anything not covered by the business or the reserve is written off at settlement\.$/,
    "In default:",
  ],
  [
    "live/default",
    { ...dueIn(-91n), reserveBalance: 4_000n * DOLLAR },
    /The reserve covers 4,000 USD-test of it\./,
    "In default:",
  ],
  [
    "live/grace",
    { ...dueIn(0n), maturityAt: NOW - 1n, reserveBalance: 80_000n * DOLLAR },
    /^Payment was due less than a day ago, .* The reserve covers all of it\./,
    "Overdue:",
  ],
  [
    "matured/repaid",
    { ...SETTLED, outcome: "repaid", writtenOffPrincipal: 0n, repaidPrincipal: 80_000n * DOLLAR },
    /^The raise ended without a loss of principal: 80,000 USD-test of principal and interest were repaid\.$/,
    null,
  ],
  [
    "matured/repaid",
    { ...SETTLED, outcome: "repaid_with_reserve", writtenOffPrincipal: 0n },
    /partly from the reserve\.$/,
    null,
  ],
  [
    "matured/written_off",
    { ...SETTLED, outcome: "defaulted", writtenOffPrincipal: DOLLAR },
    /^0 USD-test of principal and interest were repaid; 1 USD-test of principal was never paid/,
    "Loss:",
  ],
  [
    "refunding/not_drawn",
    { ...END, ...RAISED, raisedAmount: DOLLAR },
    /closed below its minimum\. 1 of 1 USD-test is still to be claimed: .* in the app\.$/,
    null,
  ],
  [
    "refunding/not_drawn",
    { ...END, ...RAISED, raisedAmount: DOLLAR, returnedPrincipal: DOLLAR, refundedAmount: DOLLAR },
    /closed below its minimum\. Fully refunded: backers have all 1 USD-test back/,
    null,
  ],
  [
    "refunding/not_drawn",
    { ...END, minRaise: 0n },
    /closed with nothing committed.* Nobody had subscribed, so there is nothing to claim\.$/,
    null,
  ],
  [
    "voided/not_drawn",
    { ...END, ...RAISED, terminalKind: "voided", terminalAt: NOW, returnedPrincipal: 79_000n * DOLLAR },
    /voided after it closed\. 1,000 of 80,000 USD-test is still to be claimed: .* in the app\.$/,
    null,
  ],
  [
    "cancelled/not_drawn",
    { ...RAISED, terminalKind: "cancelled", terminalAt: NOW },
    /called off\. 80,000 of 80,000 USD-test is still to be claimed: .* in the app\.$/,
    null,
  ],
  [
    "cancelled/not_drawn",
    { ...RAISED, terminalKind: "cancelled", terminalAt: NOW, returnedPrincipal: 80_000n * DOLLAR },
    /called off\. Fully refunded/,
    null,
  ],
  ["cancelled/not_drawn", { terminalKind: "cancelled", terminalAt: NOW }, /nothing to claim\.$/, null],
];

describe("what happens next", () => {
  it.each(CASES)("%s", (state, changes, words, warning) => {
    const raise = raiseOf(changes);
    const { listing, closing } = raise;
    expect(`${listing.status}/${listing.repayment}`).toBe(state);
    const next = nextStep(listing, NOW, closing);
    expect(next.text).toMatch(words);
    expect(next.warning).toBe(warning);
    const { blocks } = stateSection({ ...raise, now: NOW });
    expect(blocks).toContainEqual(
      warning === null
        ? { kind: "paragraph", text: next.text }
        : { kind: "notice", tone: "warning", word: warning, text: next.text },
    );
  });

  it("also covers a loan drawn from a voided raise", () => {
    const row = { ...dueIn(100n), terminalKind: "voided", terminalAt: NOW } as const;
    const { text, warning } = nextOf(row);
    expect(text).toMatch(
      /^The raise was voided after it closed\. .* Even so, money was drawn from it: The business still owes/,
    );
    expect(warning).toBe("Warning:");
  });

  it("leads to the knowledge page that has the rules", async () => {
    const knowledge = await loadKnowledge(
      new URL("../../../knowledge", import.meta.url).pathname,
      SITE.publicUrl,
    );
    const hrefs = new Set(CASES.map(([, changes]) => nextOf(changes).rules.href));
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
  const market = marketOf(
    rows,
    [...registry.listings].map((entry) => entryDraft({ onchainId: `${entry.onchainId}` })),
  );
  const { listings } = market;
  const linksOf = (listing: Listing, { scheduleOf } = market) =>
    stateSection({ listing, schedule: scheduleOf(listing), closing: CLOSED, now: NOW }).blocks.flatMap(
      (block) =>
        block.kind === "action"
          ? [["action", block.link.href]]
          : block.kind === "links"
            ? block.links.slice(1).map(({ href }) => ["link", href])
            : [],
    );

  it("is there while a raise takes money, and while it gives money back", () => {
    const shown = Object.fromEntries(listings.map((listing) => [listing.status, linksOf(listing)]));
    const to = (id: number) => `https://app.example/listings/lst_${id}`;
    expect(shown).toEqual({
      listed: [["action", to(1)]],
      funding: [["action", to(2)]],
      live: [],
      matured: [],
      refunding: [["action", to(5)]],
      voided: [["action", to(6)]],
      cancelled: [],
    });
  });

  it("is not there once all is claimed", () => {
    const { listing: failed, schedule } = raiseOf({
      ...{ ...END, ...RAISED, raisedAmount: DOLLAR, returnedPrincipal: DOLLAR },
    });
    expect([failed.status, linksOf(failed, { ...market, scheduleOf: () => schedule })]).toEqual([
      "refunding",
      [],
    ]);
  });

  it("is a sentence instead where no app is configured", () => {
    const said = listings.all().flatMap((listing) => {
      const without = { ...listing, appUrl: null };
      const own = { ...market, scheduleOf: () => market.scheduleOf(listing) };
      expect(linksOf(without, own)).toEqual([]);
      const schedule = market.scheduleOf(listing);
      const { blocks } = stateSection({ listing: without, schedule, closing: CLOSED, now: NOW });
      const texts = blocks.flatMap((block) =>
        block.kind === "paragraph" || block.kind === "notice" ? block.text : [],
      );
      return texts.some((text) => /no app to (sign|do so) in is configured/i.test(text))
        ? listing.status
        : [];
    });
    expect(said).toEqual(["listed", "funding", "refunding", "voided"]);
  });
});

it("a loan that is paid off is not due any more", () => {
  const datesOf = (changes: Partial<ListingRow>) =>
    stateSection({ ...raiseOf(changes), now: NOW })
      .blocks.flatMap((block) => (block.kind === "facts" ? block.facts : []))
      .flatMap(({ key, label }) => (key === "maturityAt" ? label : []));
  expect(datesOf(dueIn(100n))).toEqual(["Next due"]);
  const paid = { ...dueIn(100n), outstandingPrincipal: 0n, repaidPrincipal: 80_000n * DOLLAR };
  expect(datesOf({ ...paid, repaidInterest: 80_000n * DOLLAR })).toEqual(["Was due"]);
  // Its interest is due on that day still.
  expect(datesOf(paid)).toEqual(["Next due"]);
});

describe("the bar", () => {
  const saidOf = (changes: Partial<ListingRow>) => {
    return stateSection({ ...raiseOf(changes), now: NOW }).blocks.flatMap((block) =>
      block.kind === "progress" ? block.progress.text : [],
    );
  };

  it("says how much is done, and what happens when", () => {
    expect(saidOf({})).toEqual(["0% funded · closes in 10 days"]);
    expect(saidOf({ closeAt: null, raisedAmount: 50_000n * DOLLAR })).toEqual([
      "50% funded · no closing time",
    ]);
    expect(saidOf(dueIn(100n))).toEqual(["0% repaid · due in 100 days"]);
    expect(saidOf(dueIn(-1n))).toEqual([expect.stringMatching(/^0% repaid · was due \d+ \w+ 2026$/)]);
    expect(saidOf({ ...RAISED, ...END })).toEqual(["80% funded · not drawn yet"]);
  });
});
