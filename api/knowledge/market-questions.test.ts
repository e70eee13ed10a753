import { describe, expect, it } from "vitest";
import { business, marketOf } from "../../test/harness/market.ts";
import { DAY, DOLLAR, DRAWN, entryDraft, listingRow, NOW } from "../../test/harness/rows.ts";
import { SITE } from "../../test/harness/snapshot.ts";
import { answerFromMarket } from "./market-questions.ts";

const rows = [
  listingRow({ onchainId: 1n, closeAt: NOW + 9n * DAY, goLiveAt: NOW - DAY }),
  listingRow({ onchainId: 2n, closeAt: NOW + 2n * DAY, goLiveAt: NOW - DAY, pricingMode: "auction" }),
  listingRow({ onchainId: 3n, closeAt: null, goLiveAt: NOW - DAY }),
  listingRow({ onchainId: 4n, ...DRAWN }),
  listingRow({ onchainId: 5n, ...DRAWN, maturityAt: NOW - 20n * DAY }),
  listingRow({ onchainId: 6n, ...DRAWN, maturityAt: NOW - 120n * DAY }),
  listingRow({
    ...{ onchainId: 7n, ...DRAWN, outstandingPrincipal: 0n },
    ...{ terminalKind: "settled", terminalAt: NOW, writtenOffPrincipal: 500n * DOLLAR },
  }),
  listingRow({ onchainId: 8n, ...DRAWN, maturityAt: NOW - 3n * DAY }),
];
const market = marketOf(
  rows,
  rows.map(({ onchainId }) =>
    entryDraft({ onchainId: `${onchainId}`, ...(onchainId === 4n && { originator: "org_nakuru" }) }),
  ),
  [business(), business({ publicId: "org_nakuru", legalName: "Nakuru", jurisdiction: "KE", addresses: [] })],
);
const answer = (question: string, of = market) =>
  answerFromMarket(question, of, SITE).map(({ kind, title, url, excerpt }) => ({
    kind,
    path: url.replace(SITE.publicUrl, ""),
    words: kind === "market" ? title : excerpt,
  }));
const paths = (question: string) => answer(question).map(({ path }) => path);

describe("a question about the market", () => {
  it("about late payers is answered with raises past their grace, the longest overdue first", () => {
    for (const question of [
      "who is late",
      "Who's late?",
      "which raises are overdue",
      "late raises",
      "any loans late right now?",
    ]) {
      expect(answer(question), question).toEqual([
        { kind: "market", path: "/?repayment=late,default", words: "2 raises are late or in default" },
        {
          kind: "listing",
          path: "/listings/lst_6",
          words: "In default, 120 days overdue: 80,000 USD-test of principal is owed.",
        },
        {
          kind: "listing",
          path: "/listings/lst_5",
          words: "Late, 20 days overdue: 80,000 USD-test of principal is owed.",
        },
      ]);
    }
  });

  it("about defaults, losses, open raises, closing times or a country is answered", () => {
    expect(paths("which businesses are in default?")).toEqual(["/?repayment=default", "/listings/lst_6"]);
    expect(answer("which raises lost money")).toEqual([
      { kind: "market", path: "/?repayment=written_off", words: "1 raise ended with a loss" },
      {
        kind: "listing",
        path: "/listings/lst_7",
        words: "Ended with a loss: 500 USD-test of 80,000 USD-test lent was lost.",
      },
    ]);
    expect(answer("which raises can I back today").map(({ words }) => words)).toEqual([
      "3 raises are open",
      "Open until 2026-03-03 12:00 UTC, at most 14.50% a year for 180 days, grade E.",
      "Open until 2026-03-10 12:00 UTC, 14.50% a year for 180 days, grade E.",
      "Open, 14.50% a year for 180 days, grade E.",
    ]);
    for (const question of [
      "what closes this week",
      "Which raises close in the next 48 hours?",
      "raises closing within the next 7 days",
      "which raises close tomorrow",
    ])
      expect(paths(question), question).toEqual([
        "/?sort=closing_soon",
        "/listings/lst_2",
        "/listings/lst_1",
      ]);
    expect(paths("raises in Kenya")).toEqual(["/?show=all&country=KE", "/listings/lst_4"]);
  });

  it("about failures to repay is answered with raises in default and raises that ended with a loss", () => {
    for (const question of ["has any company failed to repay", "which businesses failed to pay"]) {
      expect(paths(question).toSorted(), question).toEqual([
        "/?repayment=default,written_off",
        "/listings/lst_6",
        "/listings/lst_7",
      ]);
    }
  });

  it("about the safest or best paid open raises is answered with a caution", () => {
    const graded = marketOf(
      [
        listingRow({ onchainId: 1n, couponRateBps: 900 }),
        listingRow({ onchainId: 2n, couponRateBps: 1_200 }),
        listingRow({ onchainId: 3n, ...DRAWN, couponRateBps: 2_000 }),
      ],
      ["1", "2", "3"].map((onchainId) => entryDraft({ onchainId })),
    );
    const dearest = answerFromMarket("best paying open loans", graded, SITE);
    expect(dearest.map(({ url }) => url.replace(SITE.publicUrl, ""))).toEqual([
      "/?sort=highest_coupon",
      "/listings/lst_2",
      "/listings/lst_1",
    ]);
    expect(dearest[0]).toMatchObject({
      title: "2 raises are open, the highest interest first",
      excerpt: "More interest often means more risk: look at the grade.",
    });
    const [safest] = answerFromMarket("safest loans open now", graded, SITE);
    expect([safest?.url, safest?.excerpt]).toEqual([
      `${SITE.publicUrl}/?sort=best_grade`,
      "A grade is about the past: no loan is free of risk.",
    ]);
  });

  it("is not about a loan whose principal is paid off, whatever the date: the board's rest is named", () => {
    const paidOff = { ...DRAWN, maturityAt: NOW - 120n * DAY, outstandingPrincipal: 0n };
    const paid = listingRow({ onchainId: 9n, ...paidOff, repaidPrincipal: 80_000n * DOLLAR });
    const drafts = [...rows, paid].map(({ onchainId }) => entryDraft({ onchainId: `${onchainId}` }));
    const wider = marketOf([...rows, paid], drafts, [business()]);
    for (const [question, raises] of [
      ["who is late", ["lst_6", "lst_5"]],
      ["which loans are in default", ["lst_6"]],
      ["has any company failed to repay", ["lst_6", "lst_7"]],
    ] as const) {
      const [sentence, ...shown] = answerFromMarket(question, wider, SITE);
      expect(
        shown.map(({ url }) => url.split("/").at(-1)),
        question,
      ).toEqual(raises);
      expect(sentence?.title, question).toContain(`${raises.length} raise`);
      expect(sentence?.excerpt, question).toBe("The board has 1 more, whose principal is paid off.");
    }
    const alone = marketOf([paid], [entryDraft({ onchainId: "9" })]);
    const [none, ...others] = answerFromMarket("who is late", alone, SITE);
    expect([none?.title, others]).toEqual(["No raise is late or in default.", []]);
    expect(none?.excerpt).toContain("1 more");
  });

  it.each([
    "which raises are open this month",
    "which raises are open this year",
    "which open raises pay the most per year",
    "best rates a year on open raises",
    "which raises may be late",
  ])("is about today: %s", (question) => {
    expect(answer(question)).not.toEqual([]);
  });

  it("has an answer even if no raise matches", () => {
    const calm = marketOf([listingRow()], [entryDraft()]);
    expect(answer("who is late", calm)).toEqual([
      { kind: "market", path: "/?repayment=late,default", words: "No raise is late or in default." },
    ]);
  });

  it.each([
    "after how many days does late become a default",
    "what is the difference between late and in default",
    "what happens if the business pays late",
    "what if the business does not pay",
    "which raises count?",
    "who holds the money in an open raise?",
    "who is behind this, which company and which country",
    "which statuses accept money",
    "what does written off mean",
    "when does a raise close",
    "raises in Atlantis",
    "which raises are not late",
    "which raises aren't overdue right now",
    "which businesses have never defaulted",
    "which loans are neither late nor in default",
    "which raises ended without any losses",
    "which raises are not open",
    "how many raises were late last year",
    "which raises were open in January",
    "any raises open in 2027",
    "which raises defaulted in Q3",
    "who was late two weeks ago",
    "which raises were late in May",
    "which raises were late yesterday",
    "raises in Kenya in 2025",
    "which raises ended with a loss last",
    "",
    "\u202E ??? 🏗",
  ])("is not: %s", (question) => {
    expect(answer(question)).toEqual([]);
  });
});
