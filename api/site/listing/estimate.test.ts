import { describe, expect, it } from "vitest";
import type { ListingRow, OfferRow } from "../../../src/fold/state.ts";
import { appIn } from "../../../test/harness/app.ts";
import { asking } from "../../../test/harness/asking.ts";
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
  repaymentRow,
} from "../../../test/harness/rows.ts";
import { SITE, snapshotOf, tablesOf } from "../../../test/harness/snapshot.ts";
import { textOf } from "../value.ts";
import { estimateSection, readAmount } from "./estimate.ts";

type Given = { changes?: Partial<ListingRow>; offers?: OfferRow[]; repaid?: bigint };

async function marketWith({ changes = {}, offers = [], repaid = 0n }: Given) {
  const repayments = repaid === 0n ? [] : [repaymentRow({ principal: repaid, interest: 0n })];
  const tables = tablesOf({ listings: [listingRow(changes)], offers, repayments });
  return snapshotOf(tables, registryOf([entryDraft()]), { ...SITE, desk: DESK });
}

/** The blocks of the estimate as people read them; null without one. */
async function estimateOf(text: string | null, given: Given = {}) {
  const { market } = await marketWith(given);
  const [listing] = market.listings;
  if (listing === undefined) throw new Error("the listing is visible");
  const section = estimateSection({
    listing,
    schedule: market.scheduleOf(listing),
    desk: market.deskOf(listing),
    asked: readAmount(text),
  });
  if (section === null) return null;
  const figures = section.blocks.flatMap((block) =>
    block.kind === "facts" ? block.facts.map(({ label, value, note }) => [label, textOf(value), note]) : [],
  );
  const words = section.blocks.flatMap((block) => (block.kind === "paragraph" ? [block.text] : []));
  const hint = section.blocks.flatMap((block) => (block.kind === "form" ? block.form.fields : []))[0]?.hint;
  return { figures, words: words.join(" "), hint };
}

const HELD = { reserveBalance: 2_500n * DOLLAR } as const;
const USUAL_HINT = "With a point before the cents, such as 1000 or 250.50.";

describe("the estimate of an open raise", () => {
  it("has the best case, and a default with the reserve that is posted and that is required", async () => {
    // 100,000 sought at 14.50% for 180 days from the close in ten: 1,000 × 0.145 × 180 / 365 = 71.5068.
    // It is 1% of 100,000: 25 of the 2,500 posted, 50 of the 5,000 required.
    expect((await estimateOf("1000", { changes: HELD }))?.figures).toEqual([
      ["Repaid in full", "1,071.50", "71.50 of interest at 14.50% a year, around 7 Sep 2026."],
      ["If nothing is repaid", "25", "From the reserve posted so far. You lose 975."],
      [
        "The same, once the reserve is complete",
        "50",
        "From the reserve required before the money is drawn. You lose 950.",
      ],
    ]);
  });

  it("counts what was repaid before the raise closed, and does not call it the reserve's", async () => {
    // 100,000 sought; 10,000 drawn and 5,000 of it repaid: 1,000 share in 5 %, and the reserve is empty.
    const amounts = { drawnAmount: 10_000n * DOLLAR, outstandingPrincipal: 5_000n * DOLLAR };
    const changes = { ...amounts, drawnDownAt: NOW - DAY, repaidPrincipal: 5_000n * DOLLAR };
    const figures = (await estimateOf("1000", { changes }))?.figures;
    expect(figures?.[1]).toEqual([
      "If nothing more is repaid",
      "50",
      "From what has been repaid and the reserve posted so far. You lose 950.",
    ]);
  });

  it("takes an example amount where none is given, and says what is assumed", async () => {
    const example = await estimateOf(null);
    expect(example).toEqual(await estimateOf("1000"));
    expect(example?.words).toContain("An estimate, not a promise");
    expect(example?.words).toContain("shared by 100,000 USD-test of loans");
  });

  it("says how much can still be lent at a fixed rate", async () => {
    const nearlyFull = { changes: { raisedAmount: 99_500n * DOLLAR, firstSubscribedAt: NOW - DAY } };
    const hintOf = async (text: string) => (await estimateOf(text, nearlyFull))?.hint?.text;
    expect([await hintOf("600"), await hintOf("500")]).toEqual([
      "Only 500 USD-test can still be lent.",
      USUAL_HINT,
    ]);
  });

  it("says how much an auction can take, and in Markdown too", async () => {
    const auction: Given = { changes: { pricingMode: "auction" } };
    expect((await estimateOf("100001", auction))?.hint?.text).toBe(
      "At most 100,000 USD-test can be lent in all.",
    );
    expect((await estimateOf("100000", auction))?.hint?.text).toBe(USUAL_HINT);
    const ask = asking(await appIn({ snapshot: await marketWith(auction) }));
    const { text } = await ask("/listings/lst_1.md?amount=100001");
    expect(text).toContain("a decimal above 0. At most 100,000 USD-test can be lent in all.");
  });

  it("is at most the maximum for an auction, and missing while its rate is not known", async () => {
    const auction = await estimateOf("1000", { changes: { pricingMode: "auction" } });
    expect(auction?.figures.map(([label]) => label)).toEqual([
      "Repaid in full, at most",
      "If nothing is repaid",
      "The same, once the reserve is complete",
    ]);
  });
});

describe("the estimate of an offer on the desk", () => {
  const loan = { ...DRAWN, drawnAmount: 100_000n * DOLLAR, raisedAmount: 100_000n * DOLLAR };
  const owed = { ...loan, outstandingPrincipal: 60_000n * DOLLAR, repaidPrincipal: 40_000n * DOLLAR };
  const offers = [offerRow({ priceBps: 8_000n }), offerRow({ offerId: 2n, priceBps: 9_000n })];

  it("is at its price, and counts only what is still to be paid", async () => {
    // 80 buys 100 tokens, a thousandth of the raise: of 100,000 and 14.50% for 180 days, 7,150.68…, 40,000 is paid.
    // 67,150.684 / 1,000 = 67.15; of the reserve of 2,500 it is 2.50.
    const { figures, words } = (await estimateOf("80", { changes: { ...owed, ...HELD }, offers })) ?? {};
    expect(figures).toEqual([
      ["Tokens you buy", "100", "At the lowest asking price, 80.00% of par, for 80."],
      ["If all that is still due is paid", "67.15", "Principal and interest: 12.84 less than you pay."],
      ["If nothing more is paid", "2.50", "From the reserve. You lose 77.50."],
    ]);
    expect(words).toMatch(/^An estimate, not a promise\./);
  });

  it("says so where fewer tokens are on offer", async () => {
    // At 80% 160 buys 200 tokens, all that is on offer.
    const hintOf = async (text: string) => (await estimateOf(text, { changes: owed, offers }))?.hint?.text;
    expect([await hintOf("161"), await hintOf("160")]).toEqual(["Only 200 tokens are on offer.", USUAL_HINT]);
  });

  it("does not exist without an offer, nor once the raise has ended", async () => {
    expect(await estimateOf("80", { changes: owed })).toBeNull();
    const settled = { ...owed, terminalKind: "settled", terminalAt: NOW - DAY } as const;
    expect(await estimateOf("80", { changes: settled, offers })).toBeNull();
  });
});

describe("an amount in the address", () => {
  it.each([
    ["1000", 1_000n * DOLLAR],
    [" $1,250.50 ", (2_501n * DOLLAR) / 2n],
    ["1,000,000", 1_000_000n * DOLLAR],
    ["0.000000000000000001", 1n],
  ])("is read from %j as people write it", (text, amount) => expect(readAmount(text).amount).toBe(amount));

  it.each(["", "0", "-5", "1e3", "1,5", "1.000,50", "ten", "<b>", "1".repeat(31)])(
    "is refused for %j, at the field and without figures",
    async (text) => {
      const { figures, hint } = (await estimateOf(text)) ?? {};
      expect(figures).toEqual([]);
      expect(hint).toMatchObject({
        isProblem: true,
        text: expect.stringContaining("is not an amount above 0"),
      });
      expect(hint?.text).toContain(USUAL_HINT);
    },
  );

  it("answers 400 in both forms if it is invalid, with the rest of the page", async () => {
    const ask = asking(await appIn());
    const [html, markdown] = [
      await ask("/listings/lst_1?amount=ten"),
      await ask("/listings/lst_1.md?amount=ten"),
    ];
    expect([html.status, markdown.status]).toEqual([400, 400]);
    expect(markdown.text).toContain('> **Problem:** "ten" is not an amount above 0.');
    expect(html.text).toMatch(/<input[^>]*aria-invalid="true"/);
    for (const { text } of [html, markdown]) expect(text).toContain("What can go wrong");
  });

  it("is ignored where nothing is estimated", async () => {
    const { status, text } = await asking(await appIn())("/listings/lst_4?amount=ten");
    expect([status, text.includes('id="estimate"')]).toEqual([200, false]);
  });

  it("answers with the same figures in both forms if it is valid", async () => {
    const ask = asking(await appIn());
    for (const address of ["/listings/lst_1?amount=250.50", "/listings/lst_1.md?amount=250.50"]) {
      const { status, text } = await ask(address);
      // 250.50 × 0.145 × 180 / 365 = 17.91…
      expect([status, text.includes("268.41"), text.includes("17.91 of interest")]).toEqual([
        200,
        true,
        true,
      ]);
    }
  });
});
